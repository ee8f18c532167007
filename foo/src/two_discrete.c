/* two_discrete: two discrete, its linearised model over dt with the torques held (see two_discrete.h) */

#include "two_discrete.h"

#include <math.h>

static double real_max(double a, double b)
{
    return a >= b || a != a ? a : b;
}

static void two_discrete_two_linearised(const double *q, const double *qd, const double *tau, const double *wrench,
    double *A, double *B, double *xd)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double qd1 = qd[0];
    const double qd2 = qd[1];
    const double tau1 = tau[0];
    const double tau2 = tau[1];
    const double FX2 = wrench[0];
    const double FY2 = wrench[1];
    const double CZ2 = wrench[5];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double C2 = cos(q2);
    const double S2 = sin(q2);
    const double t1 = S1*S2;
    const double t2 = -0.5*(9.81*t1 - 9.81*C1*C2);
    const double A_1_2 = 0.25*C2 + 0.4;
    const double L_1_2 = 2.5*A_1_2;
    const double t3 = 0.5*C2 - A_1_2*L_1_2 + 1.05;
    const double t4 = (9.81*C1 + t2 - L_1_2*t2)/t3;
    const double t5 = 9.81*C1 + 0.5*qd1*qd1;
    const double t6 = 0.5*(9.81*t1 - C2*t5);
    const double t7 = 0.25*S2;
    const double t8 = 2.5*t7;
    const double M32 = CZ2 + 0.5*(9.81*C2*S1 + S2*t5);
    const double B2 = tau2 - M32;
    const double t9 = qd1 + qd2;
    const double t10 = FX2 - 0.5*t9*t9;
    const double t11 = M32 + 9.81*S1 - tau1 + B2*L_1_2 + 0.5*(C2*FY2 + S2*t10);
    const double t12 = t11*(0.5*S2 - A_1_2*t8 - L_1_2*t7)/(t3*t3) - (t6 + B2*t8 - L_1_2*t6 - 0.5*(C2*t10 - FY2*S2))/t3;
    const double t13 = 0.5*S2*qd1;
    const double t14 = S2*t9;
    const double t15 = (t13 - 0.5*t14 - L_1_2*t13)/t3;
    const double t16 = -0.5*t14/t3;
    const double qdd1 = -t11/t3;
    const double t17 = 1.0/t3;
    const double t18 = L_1_2/t3;
    A[0] = 0.0;
    A[1] = 0.0;
    A[2] = 1.0;
    A[3] = 0.0;
    A[4] = 0.0;
    A[5] = 0.0;
    A[6] = 0.0;
    A[7] = 1.0;
    A[8] = -t4;
    A[9] = -t12;
    A[10] = -t15;
    A[11] = -t16;
    A[12] = L_1_2*t4 - 2.5*t2;
    A[13] = 2.5*t6 + L_1_2*t12 + qdd1*t8;
    A[14] = L_1_2*t15 - 2.5*t13;
    A[15] = L_1_2*t16;
    B[0] = 0.0;
    B[1] = 0.0;
    B[2] = 0.0;
    B[3] = 0.0;
    B[4] = t17;
    B[5] = -t18;
    B[6] = -L_1_2*t17;
    B[7] = L_1_2*t18 + 2.5;
    xd[0] = qd1;
    xd[1] = qd2;
    xd[2] = qdd1;
    xd[3] = 2.5*B2 - L_1_2*qdd1;
}

static void two_discrete_scaled(const double *A, const double *B, const double *xd, const double *dt, double *M,
    double *P, double *times)
{
    const double A_0 = A[0];
    const double A_1 = A[1];
    const double A_2 = A[2];
    const double A_3 = A[3];
    const double A_4 = A[4];
    const double A_5 = A[5];
    const double A_6 = A[6];
    const double A_7 = A[7];
    const double A_8 = A[8];
    const double A_9 = A[9];
    const double A_10 = A[10];
    const double A_11 = A[11];
    const double A_12 = A[12];
    const double A_13 = A[13];
    const double A_14 = A[14];
    const double A_15 = A[15];
    const double B_0 = B[0];
    const double B_1 = B[1];
    const double B_2 = B[2];
    const double B_3 = B[3];
    const double B_4 = B[4];
    const double B_5 = B[5];
    const double B_6 = B[6];
    const double B_7 = B[7];
    const double xd_0 = xd[0];
    const double xd_1 = xd[1];
    const double xd_2 = xd[2];
    const double xd_3 = xd[3];
    const double dt_0 = dt[0];
    const double t1 = floor(1.4426950408889634*log(real_max(real_max(real_max(real_max(real_max(fabs(A_0) + fabs(A_1) +
        fabs(A_2) + fabs(A_3), 0.0), fabs(A_4) + fabs(A_5) + fabs(A_6) + fabs(A_7)), fabs(A_8) + fabs(A_9) + fabs(A_10)
        + fabs(A_11)), fabs(A_12) + fabs(A_13) + fabs(A_14) + fabs(A_15))*fabs(dt_0), 0.5))) + 1.0;
    const double t2 = pow(2.0, -t1);
    const double t3 = A_0*dt_0*t2;
    const double t4 = A_1*dt_0*t2;
    const double t5 = A_2*dt_0*t2;
    const double t6 = A_3*dt_0*t2;
    const double t7 = A_4*dt_0*t2;
    const double t8 = A_5*dt_0*t2;
    const double t9 = A_6*dt_0*t2;
    const double t10 = A_7*dt_0*t2;
    const double t11 = A_8*dt_0*t2;
    const double t12 = A_9*dt_0*t2;
    const double t13 = A_10*dt_0*t2;
    const double t14 = A_11*dt_0*t2;
    const double t15 = A_12*dt_0*t2;
    const double t16 = A_13*dt_0*t2;
    const double t17 = A_14*dt_0*t2;
    const double t18 = A_15*dt_0*t2;
    M[0] = t3;
    M[1] = t4;
    M[2] = t5;
    M[3] = t6;
    M[4] = t7;
    M[5] = t8;
    M[6] = t9;
    M[7] = t10;
    M[8] = t11;
    M[9] = t12;
    M[10] = t13;
    M[11] = t14;
    M[12] = t15;
    M[13] = t16;
    M[14] = t17;
    M[15] = t18;
    P[0] = t3;
    P[1] = t4;
    P[2] = t5;
    P[3] = t6;
    P[4] = B_0*dt_0*t2;
    P[5] = B_1*dt_0*t2;
    P[6] = dt_0*t2*xd_0;
    P[7] = t7;
    P[8] = t8;
    P[9] = t9;
    P[10] = t10;
    P[11] = B_2*dt_0*t2;
    P[12] = B_3*dt_0*t2;
    P[13] = dt_0*t2*xd_1;
    P[14] = t11;
    P[15] = t12;
    P[16] = t13;
    P[17] = t14;
    P[18] = B_4*dt_0*t2;
    P[19] = B_5*dt_0*t2;
    P[20] = dt_0*t2*xd_2;
    P[21] = t15;
    P[22] = t16;
    P[23] = t17;
    P[24] = t18;
    P[25] = B_6*dt_0*t2;
    P[26] = B_7*dt_0*t2;
    P[27] = dt_0*t2*xd_3;
    times[0] = t1;
}

static void two_discrete_a_term_more(const double *a, const double *b, const double *Z, const double *turn,
    double *row_)
{
    const double a_0 = a[0];
    const double a_1 = a[1];
    const double a_2 = a[2];
    const double a_3 = a[3];
    const double b_0 = b[0];
    const double b_1 = b[1];
    const double b_2 = b[2];
    const double b_3 = b[3];
    const double b_4 = b[4];
    const double b_5 = b[5];
    const double b_6 = b[6];
    const double Z_0 = Z[0];
    const double Z_1 = Z[1];
    const double Z_2 = Z[2];
    const double Z_3 = Z[3];
    const double Z_4 = Z[4];
    const double Z_5 = Z[5];
    const double Z_6 = Z[6];
    const double Z_7 = Z[7];
    const double Z_8 = Z[8];
    const double Z_9 = Z[9];
    const double Z_10 = Z[10];
    const double Z_11 = Z[11];
    const double Z_12 = Z[12];
    const double Z_13 = Z[13];
    const double Z_14 = Z[14];
    const double Z_15 = Z[15];
    const double Z_16 = Z[16];
    const double Z_17 = Z[17];
    const double Z_18 = Z[18];
    const double Z_19 = Z[19];
    const double Z_20 = Z[20];
    const double Z_21 = Z[21];
    const double Z_22 = Z[22];
    const double Z_23 = Z[23];
    const double Z_24 = Z[24];
    const double Z_25 = Z[25];
    const double Z_26 = Z[26];
    const double Z_27 = Z[27];
    const double turn_0 = turn[0];
    const double t1 = turn_0 - 15.0;
    row_[0] = b_0 - (Z_0*a_0 + Z_7*a_1 + Z_14*a_2 + Z_21*a_3)/t1;
    row_[1] = b_1 - (Z_1*a_0 + Z_8*a_1 + Z_15*a_2 + Z_22*a_3)/t1;
    row_[2] = b_2 - (Z_2*a_0 + Z_9*a_1 + Z_16*a_2 + Z_23*a_3)/t1;
    row_[3] = b_3 - (Z_3*a_0 + Z_10*a_1 + Z_17*a_2 + Z_24*a_3)/t1;
    row_[4] = b_4 - (Z_4*a_0 + Z_11*a_1 + Z_18*a_2 + Z_25*a_3)/t1;
    row_[5] = b_5 - (Z_5*a_0 + Z_12*a_1 + Z_19*a_2 + Z_26*a_3)/t1;
    row_[6] = b_6 - (Z_6*a_0 + Z_13*a_1 + Z_20*a_2 + Z_27*a_3)/t1;
}

static void two_discrete_twice_the_time(const double *z, const double *Z, double *row_)
{
    const double z_0 = z[0];
    const double z_1 = z[1];
    const double z_2 = z[2];
    const double z_3 = z[3];
    const double z_4 = z[4];
    const double z_5 = z[5];
    const double z_6 = z[6];
    const double Z_0 = Z[0];
    const double Z_1 = Z[1];
    const double Z_2 = Z[2];
    const double Z_3 = Z[3];
    const double Z_4 = Z[4];
    const double Z_5 = Z[5];
    const double Z_6 = Z[6];
    const double Z_7 = Z[7];
    const double Z_8 = Z[8];
    const double Z_9 = Z[9];
    const double Z_10 = Z[10];
    const double Z_11 = Z[11];
    const double Z_12 = Z[12];
    const double Z_13 = Z[13];
    const double Z_14 = Z[14];
    const double Z_15 = Z[15];
    const double Z_16 = Z[16];
    const double Z_17 = Z[17];
    const double Z_18 = Z[18];
    const double Z_19 = Z[19];
    const double Z_20 = Z[20];
    const double Z_21 = Z[21];
    const double Z_22 = Z[22];
    const double Z_23 = Z[23];
    const double Z_24 = Z[24];
    const double Z_25 = Z[25];
    const double Z_26 = Z[26];
    const double Z_27 = Z[27];
    row_[0] = 2.0*z_0 + Z_0*z_0 + Z_7*z_1 + Z_14*z_2 + Z_21*z_3;
    row_[1] = 2.0*z_1 + Z_1*z_0 + Z_8*z_1 + Z_15*z_2 + Z_22*z_3;
    row_[2] = 2.0*z_2 + Z_2*z_0 + Z_9*z_1 + Z_16*z_2 + Z_23*z_3;
    row_[3] = 2.0*z_3 + Z_3*z_0 + Z_10*z_1 + Z_17*z_2 + Z_24*z_3;
    row_[4] = 2.0*z_4 + Z_4*z_0 + Z_11*z_1 + Z_18*z_2 + Z_25*z_3;
    row_[5] = 2.0*z_5 + Z_5*z_0 + Z_12*z_1 + Z_19*z_2 + Z_26*z_3;
    row_[6] = 2.0*z_6 + Z_6*z_0 + Z_13*z_1 + Z_20*z_2 + Z_27*z_3;
}

static void two_discrete_held(const double *Z, double *Ad, double *Bd, double *dx)
{
    const double Z_0 = Z[0];
    const double Z_1 = Z[1];
    const double Z_2 = Z[2];
    const double Z_3 = Z[3];
    const double Z_4 = Z[4];
    const double Z_5 = Z[5];
    const double Z_6 = Z[6];
    const double Z_7 = Z[7];
    const double Z_8 = Z[8];
    const double Z_9 = Z[9];
    const double Z_10 = Z[10];
    const double Z_11 = Z[11];
    const double Z_12 = Z[12];
    const double Z_13 = Z[13];
    const double Z_14 = Z[14];
    const double Z_15 = Z[15];
    const double Z_16 = Z[16];
    const double Z_17 = Z[17];
    const double Z_18 = Z[18];
    const double Z_19 = Z[19];
    const double Z_20 = Z[20];
    const double Z_21 = Z[21];
    const double Z_22 = Z[22];
    const double Z_23 = Z[23];
    const double Z_24 = Z[24];
    const double Z_25 = Z[25];
    const double Z_26 = Z[26];
    const double Z_27 = Z[27];
    Ad[0] = Z_0 + 1.0;
    Ad[1] = Z_1;
    Ad[2] = Z_2;
    Ad[3] = Z_3;
    Ad[4] = Z_7;
    Ad[5] = Z_8 + 1.0;
    Ad[6] = Z_9;
    Ad[7] = Z_10;
    Ad[8] = Z_14;
    Ad[9] = Z_15;
    Ad[10] = Z_16 + 1.0;
    Ad[11] = Z_17;
    Ad[12] = Z_21;
    Ad[13] = Z_22;
    Ad[14] = Z_23;
    Ad[15] = Z_24 + 1.0;
    Bd[0] = Z_4;
    Bd[1] = Z_5;
    Bd[2] = Z_11;
    Bd[3] = Z_12;
    Bd[4] = Z_18;
    Bd[5] = Z_19;
    Bd[6] = Z_25;
    Bd[7] = Z_26;
    dx[0] = Z_6;
    dx[1] = Z_13;
    dx[2] = Z_20;
    dx[3] = Z_27;
}

void two_discrete(const double q[2], const double qd[2], const double tau[2], const double wrench[6],
    const double dt[1], double Ad[16], double Bd[8], double dx[4])
{
    double A[16];
    double B[8];
    double xd[4];
    double hold_M[16];
    double hold_P[28];
    double hold_times[1];
    double hold_Z[28];
    double hold_new[28];
    double hold_turn[1];
    double hold_i[1];
    double hold_a[4];
    double hold_b[7];
    double hold_row[7];
    double hold_z[7];
    two_discrete_two_linearised(q, qd, tau, wrench, A, B, xd);
    two_discrete_scaled(A, B, xd, dt, hold_M, hold_P, hold_times);
    for (int k1 = 0; k1 < 28; k1++) { hold_Z[k1] = hold_P[k1]; }
    for (int k2 = 0; k2 < 28; k2++) { hold_new[k2] = 0.0; }
    for (long long i1 = 0; i1 < 14; i1++) {
        hold_turn[0] = (double)i1;
        for (long long i2 = 0; i2 < 4; i2++) {
            hold_i[0] = (double)i2;
            const double place1 = hold_i[0] / 1.0;
            const int i3 = place1 >= 1.0 ? (place1 < 3 ? (int)place1 : 3) : 0;
            for (int k3 = 0; k3 < 4; k3++) { hold_a[k3] = hold_M[4 * i3 + k3]; }
            const double place2 = hold_i[0] / 1.0;
            const int i4 = place2 >= 1.0 ? (place2 < 3 ? (int)place2 : 3) : 0;
            for (int k4 = 0; k4 < 7; k4++) { hold_b[k4] = hold_P[7 * i4 + k4]; }
            two_discrete_a_term_more(hold_a, hold_b, hold_Z, hold_turn, hold_row);
            const double place3 = hold_i[0] / 1.0;
            if (place3 >= 0.0 && place3 < 4.0 && place3 == floor(place3)) {
                for (int k5 = 0; k5 < 7; k5++) { hold_new[7 * (int)place3 + k5] = hold_row[k5]; }
            }
        }
        for (int k6 = 0; k6 < 28; k6++) { hold_Z[k6] = hold_new[k6]; }
    }
    for (long long i5 = 0; (double)(i5 + 1) <= hold_times[0]; i5++) {
        for (long long i6 = 0; i6 < 4; i6++) {
            hold_i[0] = (double)i6;
            const double place4 = hold_i[0] / 1.0;
            const int i7 = place4 >= 1.0 ? (place4 < 3 ? (int)place4 : 3) : 0;
            for (int k7 = 0; k7 < 7; k7++) { hold_z[k7] = hold_Z[7 * i7 + k7]; }
            two_discrete_twice_the_time(hold_z, hold_Z, hold_row);
            const double place5 = hold_i[0] / 1.0;
            if (place5 >= 0.0 && place5 < 4.0 && place5 == floor(place5)) {
                for (int k8 = 0; k8 < 7; k8++) { hold_new[7 * (int)place5 + k8] = hold_row[k8]; }
            }
        }
        for (int k9 = 0; k9 < 28; k9++) { hold_Z[k9] = hold_new[k9]; }
    }
    two_discrete_held(hold_Z, Ad, Bd, dx);
}
