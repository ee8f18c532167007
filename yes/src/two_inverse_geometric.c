/* two_inverse_geometric: all solutions of the inverse geometric model of two (see two_inverse_geometric.h) */

#include "two_inverse_geometric.h"

#include <math.h>

static double real_min(double a, double b)
{
    return a <= b || a != a ? a : b;
}

static double real_max(double a, double b)
{
    return a >= b || a != a ? a : b;
}

static void two_inverse_geometric_asked(const double *T, const double *seeded, const double *limits, double *pose,
    double *limited, double *choosing)
{
    const double T_0 = T[0];
    const double T_1 = T[1];
    const double T_2 = T[2];
    const double T_3 = T[3];
    const double T_4 = T[4];
    const double T_5 = T[5];
    const double T_6 = T[6];
    const double T_7 = T[7];
    const double T_8 = T[8];
    const double T_9 = T[9];
    const double T_10 = T[10];
    const double T_11 = T[11];
    const double T_12 = T[12];
    const double T_13 = T[13];
    const double T_14 = T[14];
    const double T_15 = T[15];
    const double seeded_0 = seeded[0];
    const double limits_0 = limits[0];
    const double limits_1 = limits[1];
    const double limits_2 = limits[2];
    const double limits_3 = limits[3];
    const double t1 = T_0*T_0 + T_4*T_4 + T_8*T_8 - 1.0;
    const double t2 = T_0*T_1 + T_4*T_5 + T_8*T_9;
    const double t3 = T_1*T_1 + T_5*T_5 + T_9*T_9 - 1.0;
    const double t4 = T_2 - T_4*T_9 + T_5*T_8;
    const double t5 = T_6 + T_0*T_9 - T_1*T_8;
    const double t6 = T_10 - T_0*T_5 + T_1*T_4;
    const double t7 = T_15 - 1.0;
    const double t8 = (double)(((!(1000000000.0 <= fabs(limits_2))) || ((!(1000000000.0 <= fabs(limits_1))) ||
        (!(1000000000.0 <= fabs(limits_0))))) || (!(1000000000.0 <= fabs(limits_3))));
    pose[0] = (double)((t1*t1 + t2*t2 + t3*t3 + t4*t4 + t5*t5 + t6*t6 + T_12*T_12 + T_13*T_13 + T_14*T_14 + t7*t7 <=
        1e-12) && (T_3*T_3 + T_7*T_7 + T_11*T_11 < 1e+300));
    limited[0] = t8;
    choosing[0] = (double)((t8 != 0.0) || (seeded_0 != 0.0));
}

static void two_inverse_geometric_closed_form(const double *T, double *Q, double *valid, double *doubtful)
{
    const double Px = T[3];
    const double Py = T[7];
    const double Pz = T[11];
    const double h1 = Px*Px + Py*Py;
    const double t1 = fabs(Pz);
    const double t2 = t1 + fabs(Px) + fabs(Py) + 0.5;
    const double t3 = (t2*t2)*(t2*t2);
    const double t18 = (double)(h1 < 1e-26*t3);
    const double i1 = 1.0/((t18 != 0.0) ? 1.0 : h1);
    const double W1 = h1 - h1*h1;
    const double w1 = sqrt(real_max(W1, 0.0));
    const double t4 = Px*w1;
    const double t5 = Py*h1;
    const double t6 = (t18 != 0.0) ? 0.0 : -i1*(t4 - t5);
    const double t7 = Px*h1;
    const double t8 = Py*w1;
    const double t9 = (t18 != 0.0) ? 1.0 : i1*(t7 + t8);
    const double S2a = 2.0*(Py - 0.5*t6);
    const double C2a = 2.0*(Px - 0.5*t9);
    const double t10 = (t18 != 0.0) ? 0.0 : i1*(t4 + t5);
    const double t11 = (t18 != 0.0) ? 1.0 : i1*(t7 - t8);
    const double S2b = 2.0*(Py - 0.5*t10);
    const double C2b = 2.0*(Px - 0.5*t11);
    const double t12 = real_max(t1, real_max(real_max(fabs(Px - 0.5*(C2a + t9)), 0.0), fabs(Py - 0.5*(S2a + t6))));
    const double t13 = 1e-10*t2;
    const double t14 = real_max(fabs(C2a*C2a + S2a*S2a - 1.0), 0.0);
    const double t15 = real_max(t1, real_max(real_max(fabs(Px - 0.5*(C2b + t11)), 0.0), fabs(Py - 0.5*(S2b + t10))));
    const double t16 = real_max(fabs(C2b*C2b + S2b*S2b - 1.0), 0.0);
    const double t17 = 0.001*t2;
    const double t19 = (double)(h1 < 1e-12*t3);
    const double t20 = (double)((-1e-09*h1 <= W1) || (t19 != 0.0));
    const double t21 = (double)((t12 <= t13) && (t14 <= 1e-10));
    const double t22 = (double)((t15 <= t13) && (t16 <= 1e-10));
    const double t23 = (double)(((fabs(W1) <= 1e-09*h1) || (t19 != 0.0)) && (t20 != 0.0));
    Q[0] = atan2(t6, t9);
    Q[1] = atan2(S2a*t9 - C2a*t6, C2a*t9 + S2a*t6);
    Q[2] = atan2(t10, t11);
    Q[3] = -atan2(C2b*t10 - S2b*t11, C2b*t11 + S2b*t10);
    valid[0] = (double)((t20 != 0.0) && (t21 != 0.0));
    valid[1] = (double)((t20 != 0.0) && (t22 != 0.0));
    doubtful[0] = (double)(((t23 != 0.0) || ((t20 != 0.0) && ((1.0 - t21 != 0.0) && ((t12 <= t17) && (t14 <= 0.001)))))
        || ((t23 != 0.0) || ((t20 != 0.0) && ((1.0 - t22 != 0.0) && ((t15 <= t17) && (t16 <= 0.001))))));
}

static void two_inverse_geometric_measures(const double *T, double *size, double *tolerance, double *seed_tolerance)
{
    const double T_3 = T[3];
    const double T_7 = T[7];
    const double T_11 = T[11];
    size[0] = real_max(fabs(T_3) + fabs(T_7) + fabs(T_11) + 0.5, 1e-300);
    tolerance[0] = 1e-10;
    seed_tolerance[0] = 1e-12;
}

static void two_inverse_geometric_scaled(const double *size, const double *row_, double *x)
{
    (void)size;
    const double row_0 = row_[0];
    const double row_1 = row_[1];
    x[0] = row_0;
    x[1] = row_1;
}

static void two_inverse_geometric_closure(const double *T, const double *size, const double *x, double *e, double *J,
    double *frame, double *damping)
{
    const double T_3 = T[3];
    const double T_7 = T[7];
    const double T_11 = T[11];
    const double size_0 = size[0];
    const double x_0 = x[0];
    const double x_1 = x[1];
    const double C0 = cos(x_0);
    const double S0 = sin(x_0);
    const double C1 = cos(x_1);
    const double S1 = sin(x_1);
    const double t1 = 1.0/size_0;
    const double t2 = C0*C1 - S0*S1;
    const double t3 = 0.5*C0*t1;
    const double t4 = t3 + 0.5*t1*t2;
    const double t5 = t4 - T_3*t1;
    const double t6 = C0*S1 + C1*S0;
    const double t7 = 0.5*S0*t1;
    const double t8 = t7 + 0.5*t1*t6;
    const double t9 = t8 - T_7*t1;
    const double t10 = T_11*t1;
    e[0] = -t5;
    e[1] = -t9;
    e[2] = t10;
    J[0] = -t8;
    J[1] = t7 - t8;
    J[2] = t4;
    J[3] = t4 - t3;
    J[4] = 0.0;
    J[5] = 0.0;
    frame[0] = t2;
    frame[1] = -t6;
    frame[2] = 0.0;
    frame[3] = t4;
    frame[4] = t6;
    frame[5] = t2;
    frame[6] = 0.0;
    frame[7] = t8;
    frame[8] = 0.0;
    frame[9] = 0.0;
    frame[10] = 1.0;
    frame[11] = 0.0;
    damping[0] = real_min(sqrt(t5*t5 + t9*t9 + t10*t10), 0.3) + 1e-08;
}

static void two_inverse_geometric_damped(const double *J, const double *e, const double *damping, double *s, double *R)
{
    const double J_0 = J[0];
    const double J_1 = J[1];
    const double J_2 = J[2];
    const double J_3 = J[3];
    const double J_4 = J[4];
    const double J_5 = J[5];
    const double e_0 = e[0];
    const double e_1 = e[1];
    const double e_2 = e[2];
    const double damping_0 = damping[0];
    const double t1 = damping_0*damping_0;
    const double t2 = 1.0/sqrt(t1 + J_0*J_0 + J_2*J_2 + J_4*J_4);
    const double t3 = J_0*t2;
    const double t4 = J_2*t2;
    const double t5 = J_4*t2;
    const double t6 = J_1*t3 + J_3*t4 + J_5*t5;
    const double t7 = damping_0*t2;
    const double t8 = t6*t7;
    const double t9 = J_1 - t3*t6;
    const double t10 = J_3 - t4*t6;
    const double t11 = J_5 - t5*t6;
    const double t12 = 1.0/sqrt(t1 + t8*t8 + t9*t9 + t10*t10 + t11*t11);
    const double t13 = t8*t12;
    const double t14 = e_0*t3 + e_1*t4 + e_2*t5;
    const double t15 = t7*t14;
    const double t16 = t10*t12;
    const double t17 = e_1 - t4*t14;
    const double t18 = t11*t12;
    const double t19 = e_2 - t5*t14;
    const double t20 = t9*t12;
    const double t21 = e_0 - t3*t14;
    const double t22 = t13*t15 + t16*t17 + t18*t19 + t20*t21;
    const double t23 = t12*t22;
    const double t24 = t2*(t14 - t6*t23);
    s[0] = t24;
    s[1] = t23;
    R[0] = t2;
    R[1] = t6;
    R[2] = 0.0;
    R[3] = t12;
}

static void two_inverse_geometric_limited(const double *e, const double *s, double *dx)
{
    const double e_0 = e[0];
    const double e_1 = e[1];
    const double e_2 = e[2];
    const double s_0 = s[0];
    const double s_1 = s[1];
    const double t1 = real_min(0.5/real_max(real_max(real_max(fabs(s_0), 0.0), fabs(s_1)), 0.5), 1.0);
    const double t2 = (double)(1e-30 < e_0*e_0 + e_1*e_1 + e_2*e_2);
    dx[0] = (t2 != 0.0) ? -s_0*t1 : 0.0;
    dx[1] = (t2 != 0.0) ? -s_1*t1 : 0.0;
}

static void two_inverse_geometric_judged(const double *T, const double *size, const double *x, const double *frame,
    const double *dx, const double *tolerance, double *q, double *ok, double *arrived)
{
    const double T_3 = T[3];
    const double T_7 = T[7];
    const double T_11 = T[11];
    const double size_0 = size[0];
    const double x_0 = x[0];
    const double x_1 = x[1];
    const double frame_3 = frame[3];
    const double frame_7 = frame[7];
    const double frame_11 = frame[11];
    const double dx_0 = dx[0];
    const double dx_1 = dx[1];
    const double tolerance_0 = tolerance[0];
    const double t1 = 1.0/size_0;
    q[0] = x_0 + 6.283185307179586*floor(-0.15915494309189535*(x_0 - 3.141592653589793));
    q[1] = x_1 + 6.283185307179586*floor(-0.15915494309189535*(x_1 - 3.141592653589793));
    ok[0] = (double)(real_max(real_max(fabs(frame_3 - T_3*t1), fabs(frame_7 - T_7*t1)), fabs(frame_11 - T_11*t1)) <=
        tolerance_0);
    arrived[0] = (double)(real_max(fabs(dx_0), fabs(dx_1)) <= 1e-05);
}

static void two_inverse_geometric_neighbours(double *neighbours)
{
    neighbours[0] = 0.0;
    neighbours[1] = 0.0;
    neighbours[2] = 0.0;
    neighbours[3] = 0.0;
    neighbours[4] = 0.0;
    neighbours[5] = 0.0;
    neighbours[6] = 6.10006e-07;
    neighbours[7] = 6.15882e-07;
    neighbours[8] = 3.0651e-08;
    neighbours[9] = -4.28397e-07;
    neighbours[10] = -8.92139e-07;
    neighbours[11] = -2.33262e-07;
    neighbours[12] = -1.83054e-07;
    neighbours[13] = -9.0945e-07;
    neighbours[14] = -9.02485e-07;
    neighbours[15] = 9.98352e-07;
    neighbours[16] = 3.04738e-07;
    neighbours[17] = -5.3098e-07;
    neighbours[18] = -1.30105e-07;
    neighbours[19] = 9.48372e-07;
    neighbours[20] = 7.95355e-07;
    neighbours[21] = 6.88462e-07;
    neighbours[22] = -2.15191e-07;
    neighbours[23] = -1.3954e-08;
    neighbours[24] = 3.53379e-07;
    neighbours[25] = -8.78395e-07;
    neighbours[26] = 1.11192e-07;
    neighbours[27] = -4.57097e-07;
    neighbours[28] = 7.59302e-07;
    neighbours[29] = -8.71571e-07;
    neighbours[30] = 3.58363e-07;
    neighbours[31] = 7.40177e-07;
    neighbours[32] = -5.45363e-07;
    neighbours[33] = 7.90896e-07;
    neighbours[34] = 7.44391e-07;
    neighbours[35] = -9.62966e-07;
    neighbours[36] = 4.1499113e-05;
    neighbours[37] = -9.9760063e-05;
    neighbours[38] = 6.72793e-07;
    neighbours[39] = -1.266659e-05;
    neighbours[40] = -5.9349433e-05;
    neighbours[41] = -3.5011471e-05;
    neighbours[42] = 6.1243066e-05;
    neighbours[43] = -3.6709583e-05;
    neighbours[44] = -7.0192283e-05;
    neighbours[45] = 3.9702398e-05;
    neighbours[46] = -1.029118e-05;
    neighbours[47] = 5.9787898e-05;
    neighbours[48] = -5.2896709e-05;
    neighbours[49] = -3.6043069e-05;
    neighbours[50] = 5.9975905e-05;
    neighbours[51] = 1.413628e-06;
    neighbours[52] = 1.277e-06;
    neighbours[53] = -5.2761174e-05;
    neighbours[54] = -9.7092744e-05;
    neighbours[55] = 8.664478e-05;
    neighbours[56] = -8.2834842e-05;
    neighbours[57] = 6.898536e-05;
    neighbours[58] = -2.6423852e-05;
    neighbours[59] = 9.0204596e-05;
    neighbours[60] = -2.0114948e-05;
    neighbours[61] = 8.7288412e-05;
    neighbours[62] = 1.1231955e-05;
    neighbours[63] = -5.1972934e-05;
    neighbours[64] = 4.8284334e-05;
    neighbours[65] = 3.4877943e-05;
    neighbours[66] = 0.003684104248;
    neighbours[67] = -0.000723512798;
    neighbours[68] = -0.005562228817;
    neighbours[69] = 0.00281880283;
    neighbours[70] = -0.007858210077;
    neighbours[71] = 0.003844445493;
    neighbours[72] = 0.002707735998;
    neighbours[73] = -0.002469749488;
    neighbours[74] = 0.005970466916;
    neighbours[75] = -0.00611949048;
    neighbours[76] = -0.002190821724;
    neighbours[77] = 0.005958677722;
    neighbours[78] = -0.002390492587;
    neighbours[79] = 0.004265157282;
    neighbours[80] = 0.002250356083;
    neighbours[81] = 0.008820019505;
    neighbours[82] = 0.00983353434;
    neighbours[83] = 0.004473525093;
    neighbours[84] = 0.006176876181;
    neighbours[85] = -0.006942699537;
    neighbours[86] = 0.004257805251;
    neighbours[87] = 0.006952487605;
    neighbours[88] = -0.00197548504;
    neighbours[89] = 0.001065000796;
    neighbours[90] = -0.000410244965;
    neighbours[91] = 0.009170459996;
    neighbours[92] = -0.003654443194;
    neighbours[93] = -0.001958309461;
    neighbours[94] = -0.009981604218;
    neighbours[95] = -0.001596309306;
}

static void two_inverse_geometric_moved(const double *T, const double *size, const double *twist, double *Y)
{
    const double T_0 = T[0];
    const double T_1 = T[1];
    const double T_2 = T[2];
    const double T_3 = T[3];
    const double T_4 = T[4];
    const double T_5 = T[5];
    const double T_6 = T[6];
    const double T_7 = T[7];
    const double T_8 = T[8];
    const double T_9 = T[9];
    const double T_10 = T[10];
    const double T_11 = T[11];
    const double T_12 = T[12];
    const double T_13 = T[13];
    const double T_14 = T[14];
    const double T_15 = T[15];
    const double size_0 = size[0];
    const double twist_0 = twist[0];
    const double twist_1 = twist[1];
    const double twist_2 = twist[2];
    const double twist_3 = twist[3];
    const double twist_4 = twist[4];
    const double twist_5 = twist[5];
    Y[0] = T_0 - T_4*twist_2 + T_8*twist_1;
    Y[1] = T_1 - T_5*twist_2 + T_9*twist_1;
    Y[2] = T_2 - T_6*twist_2 + T_10*twist_1;
    Y[3] = T_3 + size_0*twist_3;
    Y[4] = T_4 + T_0*twist_2 - T_8*twist_0;
    Y[5] = T_5 + T_1*twist_2 - T_9*twist_0;
    Y[6] = T_6 + T_2*twist_2 - T_10*twist_0;
    Y[7] = T_7 + size_0*twist_4;
    Y[8] = T_8 - T_0*twist_1 + T_4*twist_0;
    Y[9] = T_9 - T_1*twist_1 + T_5*twist_0;
    Y[10] = T_10 - T_2*twist_1 + T_6*twist_0;
    Y[11] = T_11 + size_0*twist_5;
    Y[12] = T_12;
    Y[13] = T_13;
    Y[14] = T_14;
    Y[15] = T_15;
}

static void two_inverse_geometric_slackened(const double *R, double *slack)
{
    const double R_0 = R[0];
    const double R_1 = R[1];
    const double R_3 = R[3];
    const double t1 = 0.515501*R_0;
    const double t2 = R_3*(R_1*t1 - 0.988168);
    const double t3 = R_3*t2;
    const double t4 = R_0*(t1 + R_1*t3);
    const double t5 = 1.0/real_max(sqrt(t3*t3 + t4*t4), 1e-300);
    const double t6 = R_0*t4*t5;
    const double t7 = R_3*(R_1*t6 + t3*t5);
    const double t8 = R_3*t7;
    const double t9 = R_0*(t6 + R_1*t8);
    slack[0] = (double)(0.5 < 1.0000000000000002e-10*real_max(sqrt(t8*t8 + t9*t9), 1e-300));
}

static void two_inverse_geometric_stepped(const double *R, const double *x, const double *joint, double *held,
    double *y, double *loose)
{
    const double R_0 = R[0];
    const double R_1 = R[1];
    const double R_3 = R[3];
    const double x_0 = x[0];
    const double x_1 = x[1];
    const double joint_0 = joint[0];
    const double t7 = (double)(fabs(joint_0) < 0.5);
    const double t1 = 1.0000000000000002e-10*R_0*t7;
    const double t8 = (double)(fabs(joint_0 - 1.0) < 0.5);
    const double t2 = R_3*(R_1*t1 - 1.0000000000000002e-10*t8);
    const double t3 = R_3*t2;
    const double t4 = R_0*(t1 + R_1*t3);
    const double t5 = real_max(sqrt(t3*t3 + t4*t4), 1e-300);
    const double t6 = 0.05/t5;
    held[0] = t7;
    held[1] = t8;
    y[0] = x_0 + t4*t6;
    y[1] = x_1 - t3*t6;
    loose[0] = (double)(0.3 < t5);
}

static void two_inverse_geometric_hold(const double *J, const double *held, double *J_now)
{
    const double J_0 = J[0];
    const double J_1 = J[1];
    const double J_2 = J[2];
    const double J_3 = J[3];
    const double J_4 = J[4];
    const double J_5 = J[5];
    const double held_0 = held[0];
    const double held_1 = held[1];
    const double t1 = held_0 - 1.0;
    const double t2 = held_1 - 1.0;
    J_now[0] = -J_0*t1;
    J_now[1] = -J_1*t2;
    J_now[2] = -J_2*t1;
    J_now[3] = -J_3*t2;
    J_now[4] = -J_4*t1;
    J_now[5] = -J_5*t2;
}

static void two_inverse_geometric_walked(const double *x, const double *y, const double *z, const double *frame_x,
    const double *frame_y, double *moves, double *z_now)
{
    const double x_0 = x[0];
    const double x_1 = x[1];
    const double y_0 = y[0];
    const double y_1 = y[1];
    const double z_0 = z[0];
    const double z_1 = z[1];
    const double frame_x_3 = frame_x[3];
    const double frame_x_7 = frame_x[7];
    const double frame_x_11 = frame_x[11];
    const double frame_y_3 = frame_y[3];
    const double frame_y_7 = frame_y[7];
    const double frame_y_11 = frame_y[11];
    const double t2 = x_0 - y_0;
    const double t3 = x_1 - y_1;
    const double t1 = real_max(sqrt(t2*t2 + t3*t3), 1e-300);
    const double t4 = (double)(((0.0125 < t1) && (t1 < 0.2)) && (real_max(real_max(fabs(frame_x_3 - frame_y_3),
        fabs(frame_x_7 - frame_y_7)), fabs(frame_x_11 - frame_y_11)) <= 1e-12));
    moves[0] = t4;
    z_now[0] = (t4 != 0.0) ? y_0 : z_0;
    z_now[1] = (t4 != 0.0) ? y_1 : z_1;
}

static void two_inverse_geometric_part_way(const double *x, const double *y, double *y_now)
{
    const double x_0 = x[0];
    const double x_1 = x[1];
    const double y_0 = y[0];
    const double y_1 = y[1];
    y_now[0] = x_0 - 0.6*(x_0 - y_0);
    y_now[1] = x_1 - 0.6*(x_1 - y_1);
}

static void two_inverse_geometric_departed(const double *x, const double *z, double *w, double *v, double *best,
    double *stride)
{
    const double x_0 = x[0];
    const double x_1 = x[1];
    const double z_0 = z[0];
    const double z_1 = z[1];
    const double t1 = x_0 - z_0;
    const double t2 = x_1 - z_1;
    const double t3 = 1.0/real_max(sqrt(t1*t1 + t2*t2), 1e-300);
    w[0] = z_0;
    w[1] = z_1;
    v[0] = -t1*t3;
    v[1] = -t2*t3;
    best[0] = x_0;
    best[1] = x_1;
    stride[0] = 0.4;
}

static void two_inverse_geometric_ahead(const double *w, const double *v, const double *stride, double *there)
{
    const double w_0 = w[0];
    const double w_1 = w[1];
    const double v_0 = v[0];
    const double v_1 = v[1];
    const double stride_0 = stride[0];
    there[0] = w_0 + stride_0*v_0;
    there[1] = w_1 + stride_0*v_1;
}

static void two_inverse_geometric_corrected(const double *there, const double *s, double *there_now)
{
    const double there_0 = there[0];
    const double there_1 = there[1];
    const double s_0 = s[0];
    const double s_1 = s[1];
    there_now[0] = s_0 + there_0;
    there_now[1] = s_1 + there_1;
}

static void two_inverse_geometric_strode(const double *R, const double *stride, const double *size, const double *s,
    const double *there, const double *w, const double *v, const double *best, const double *seed, double *w_now,
    double *v_now, double *best_now, double *stride_now)
{
    (void)size;
    const double R_0 = R[0];
    const double R_1 = R[1];
    const double R_3 = R[3];
    const double stride_0 = stride[0];
    const double s_0 = s[0];
    const double s_1 = s[1];
    const double there_0 = there[0];
    const double there_1 = there[1];
    const double w_0 = w[0];
    const double w_1 = w[1];
    const double v_0 = v[0];
    const double v_1 = v[1];
    const double best_0 = best[0];
    const double best_1 = best[1];
    const double seed_0 = seed[0];
    const double seed_1 = seed[1];
    const double t1 = 1.0000000000000002e-10*R_0*v_0;
    const double t2 = R_3*(1.0000000000000002e-10*v_1 - R_1*t1);
    const double t3 = R_3*t2;
    const double t4 = R_0*(t1 - R_1*t3);
    const double t5 = real_max(sqrt(t3*t3 + t4*t4), 1e-300);
    const double t6 = 1.0/t5;
    const double t7 = (double)((0.04 < stride_0) && ((0.2*stride_0 < real_max(sqrt(s_0*s_0 + s_1*s_1), 1e-300)) || (t5 <
        0.5)));
    const double t8 = seed_0 - there_0 + 6.283185307179586*floor(-0.15915494309189535*(seed_0 - there_0 -
        3.141592653589793));
    const double t9 = seed_1 - there_1 + 6.283185307179586*floor(-0.15915494309189535*(seed_1 - there_1 -
        3.141592653589793));
    const double t10 = best_0 - seed_0 - 6.283185307179586*floor(0.15915494309189535*(best_0 - seed_0 +
        3.141592653589793));
    const double t11 = best_1 - seed_1 - 6.283185307179586*floor(0.15915494309189535*(best_1 - seed_1 +
        3.141592653589793));
    const double t12 = (double)((1.0 - t7 != 0.0) && (t8*t8 + t9*t9 < t10*t10 + t11*t11));
    w_now[0] = (t7 != 0.0) ? w_0 : there_0;
    w_now[1] = (t7 != 0.0) ? w_1 : there_1;
    v_now[0] = (t7 != 0.0) ? v_0 : t4*t6;
    v_now[1] = (t7 != 0.0) ? v_1 : t3*t6;
    best_now[0] = (t12 != 0.0) ? there_0 : best_0;
    best_now[1] = (t12 != 0.0) ? there_1 : best_1;
    stride_now[0] = (t7 != 0.0) ? 0.5*stride_0 : real_min(1.5*stride_0, 0.4);
}

static void two_inverse_geometric_pulled(const double *R, const double *size, const double *s, const double *z,
    const double *pull, const double *moved, const double *seed, double *z_now, double *pull_now, double *moved_now,
    double *settled)
{
    (void)size;
    const double R_0 = R[0];
    const double R_1 = R[1];
    const double R_3 = R[3];
    const double s_0 = s[0];
    const double s_1 = s[1];
    const double z_0 = z[0];
    const double z_1 = z[1];
    const double pull_0 = pull[0];
    const double pull_1 = pull[1];
    const double moved_0 = moved[0];
    const double moved_1 = moved[1];
    const double seed_0 = seed[0];
    const double seed_1 = seed[1];
    const double t1 = 1.0000000000000002e-10*R_0*(seed_0 - z_0 + 6.283185307179586*floor(-0.15915494309189535*(seed_0 -
        z_0 - 3.141592653589793)));
    const double t2 = R_3*(R_1*t1 - 1.0000000000000002e-10*(seed_1 - z_1 +
        6.283185307179586*floor(-0.15915494309189535*(seed_1 - z_1 - 3.141592653589793))));
    const double t3 = R_3*t2;
    const double t4 = R_0*(t1 + R_1*t3);
    const double t5 = moved_0*(pull_0 - t4) + moved_1*(pull_1 + t3);
    const double t6 = real_min(real_max((0.0 < t5) ? (moved_0*moved_0 + moved_1*moved_1)/real_max(t5, 1e-300) : 0.7,
        0.175), 50.0);
    const double t7 = real_min(0.3/real_max(real_max(fabs(t3*t6), real_max(fabs(t4*t6), 0.0)), 0.3), 1.0);
    const double t8 = t4*t6*t7;
    const double t9 = t3*t6*t7;
    z_now[0] = s_0 + t8 + z_0;
    z_now[1] = s_1 - t9 + z_1;
    pull_now[0] = t4;
    pull_now[1] = -t3;
    moved_now[0] = t8;
    moved_now[1] = -t9;
    settled[0] = (double)(real_max(fabs(t8), fabs(t9)) <= 1e-10);
}

static void two_inverse_geometric_better(const double *size, const double *ok_there, const double *x, const double *z,
    const double *seed, double *q)
{
    (void)size;
    const double ok_there_0 = ok_there[0];
    const double x_0 = x[0];
    const double x_1 = x[1];
    const double z_0 = z[0];
    const double z_1 = z[1];
    const double seed_0 = seed[0];
    const double seed_1 = seed[1];
    const double t3 = seed_0 - z_0 + 6.283185307179586*floor(-0.15915494309189535*(seed_0 - z_0 - 3.141592653589793));
    const double t4 = seed_1 - z_1 + 6.283185307179586*floor(-0.15915494309189535*(seed_1 - z_1 - 3.141592653589793));
    const double t5 = seed_0 - x_0 + 6.283185307179586*floor(-0.15915494309189535*(seed_0 - x_0 - 3.141592653589793));
    const double t6 = seed_1 - x_1 + 6.283185307179586*floor(-0.15915494309189535*(seed_1 - x_1 - 3.141592653589793));
    const double t7 = (double)((ok_there_0 != 0.0) && (t3*t3 + t4*t4 < t5*t5 + t6*t6));
    const double t1 = (t7 != 0.0) ? z_0 : x_0;
    const double t2 = (t7 != 0.0) ? z_1 : x_1;
    q[0] = t1 + 6.283185307179586*floor(-0.15915494309189535*(t1 - 3.141592653589793));
    q[1] = t2 + 6.283185307179586*floor(-0.15915494309189535*(t2 - 3.141592653589793));
}

static void two_inverse_geometric_moving_within(const double *q, const double *ok, const double *limits,
    const double *moving, double *moving_now)
{
    const double q_0 = q[0];
    const double q_1 = q[1];
    const double ok_0 = ok[0];
    const double limits_0 = limits[0];
    const double limits_1 = limits[1];
    const double limits_2 = limits[2];
    const double limits_3 = limits[3];
    const double moving_0 = moving[0];
    moving_now[0] = (double)((moving_0 != 0.0) || (((ok_0 != 0.0) && (-floor(0.15915494309189535*(q_0 -
        real_max(limits_0, -1000000000.0) + 1e-06)) <= floor(-0.15915494309189535*(q_0 - real_min(limits_2,
        1000000000.0) - 1e-06)))) && (-floor(0.15915494309189535*(q_1 - real_max(limits_1, -1000000000.0) + 1e-06)) <=
        floor(-0.15915494309189535*(q_1 - real_min(limits_3, 1000000000.0) - 1e-06)))));
}

static void two_inverse_geometric_nearest_copy(const double *solution, const double *seed, const double *seeded,
    const double *limits, const double *limited, double *copy, double *within_, double *key)
{
    const double solution_0 = solution[0];
    const double solution_1 = solution[1];
    const double seed_0 = seed[0];
    const double seed_1 = seed[1];
    const double seeded_0 = seeded[0];
    const double limits_0 = limits[0];
    const double limits_1 = limits[1];
    const double limits_2 = limits[2];
    const double limits_3 = limits[3];
    const double limited_0 = limited[0];
    const double t1 = seed_0 - solution_0;
    const double t2 = floor(0.15915494309189535*((fabs(t1) < 1000000000.0) ? t1 : 0.0) + 0.5);
    const double t3 = floor(-0.15915494309189535*(solution_0 - real_min(limits_2, 1000000000.0) - 1e-06));
    const double t9 = (double)(seeded_0 != 0.0);
    const double t10 = floor(0.15915494309189535*(solution_0 - real_max(limits_0, -1000000000.0) + 1e-06));
    const double t4 = real_max(real_min(t3, (t9 != 0.0) ? t2 : 0.0), -t10);
    const double t5 = seed_1 - solution_1;
    const double t6 = floor(0.15915494309189535*((fabs(t5) < 1000000000.0) ? t5 : 0.0) + 0.5);
    const double t7 = floor(-0.15915494309189535*(solution_1 - real_min(limits_3, 1000000000.0) - 1e-06));
    const double t11 = floor(0.15915494309189535*(solution_1 - real_max(limits_1, -1000000000.0) + 1e-06));
    const double t8 = real_max(real_min(t7, (t9 != 0.0) ? t6 : 0.0), -t11);
    const double t12 = (double)(limited_0 != 0.0);
    const double t13 = (t12 != 0.0) ? solution_1 + 6.283185307179586*t8 - seed_1 : solution_1 + 6.283185307179586*t6 -
        seed_1;
    const double t14 = (t12 != 0.0) ? solution_0 + 6.283185307179586*t4 - seed_0 : solution_0 + 6.283185307179586*t2 -
        seed_0;
    copy[0] = (t12 != 0.0) ? solution_0 + 6.283185307179586*t4 : solution_0;
    copy[1] = (t12 != 0.0) ? solution_1 + 6.283185307179586*t8 : solution_1;
    within_[0] = (double)((1.0 - limited_0 != 0.0) || ((-t10 <= t3) && (-t11 <= t7)));
    key[0] = (t9 != 0.0) ? t13*t13 + t14*t14 : 0.0;
}

static void two_inverse_geometric_verdict(const double *pose, const double *found, const double *count,
    const double *moving, double *status)
{
    const double pose_0 = pose[0];
    const double found_0 = found[0];
    const double count_0 = count[0];
    const double moving_0 = moving[0];
    status[0] = (pose_0 != 0.0) ? ((0.0 < count_0) ? ((moving_0 != 0.0) ? 2.0 : 1.0) : ((0.0 < found_0) ? 3.0 : 0.0)) :
        -1.0;
}

/* The first rows in the order of their keys, smallest first, equal ones as they were, those without a number last. */
static void kernel_sort_8_2(const double *values, const double *keys, const double *count, double *sorted)
{
    enum { n = 8, k = 2 };
    int order[n > 0 ? n : 1];
    const int total = count[0] >= 1.0 ? (count[0] < n ? (int)count[0] : n) : 0;
    for (int i = 0; i < n; i++) { order[i] = i; }
    for (int i = 1; i < total; i++) {
        int place = i;
        for (; place > 0; place--) {
            const double before = keys[order[place - 1]];
            if (!(keys[i] < before || (before != before && keys[i] == keys[i]))) { break; }
            order[place] = order[place - 1];
        }
        order[place] = i;
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < k; j++) { sorted[k * i + j] = values[k * order[i] + j]; }
    }
}

/* Appends a row unless it is there already. */
static int two_inverse_geometric_keep(const double *row, double *into, int total)
{
    const double whole = 6.283185307179586;
    for (int i = 0; i < total; i++) {
        int k = 0;
        for (; k < 2; k++) {
            double apart = fabs(row[k] - into[2 * i + k]);
            apart = fabs(apart - whole * floor(apart / whole + 0.5));
            if (!(apart <= 1e-05)) { break; }
        }
        if (k == 2) { return total; }
    }
    if (total >= 8) { return total; }
    for (int k = 0; k < 2; k++) { into[2 * total + k] = row[k]; }
    return total + 1;
}

/* Appends a row if there is room. */
static int two_inverse_geometric_keep_(const double *row, double *into, int total)
{
    if (total >= 33) { return total; }
    for (int k = 0; k < 2; k++) { into[2 * total + k] = row[k]; }
    return total + 1;
}

/* Appends a row unless it is there already. */
static int two_inverse_geometric_keep_2(const double *row, double *into, int total)
{
    const double whole = 6.283185307179586;
    for (int i = 0; i < total; i++) {
        int k = 0;
        for (; k < 2; k++) {
            double apart = fabs(row[k] - into[2 * i + k]);
            apart = fabs(apart - whole * floor(apart / whole + 0.5));
            if (!(apart <= 0.001)) { break; }
        }
        if (k == 2) { return total; }
    }
    if (total >= 8) { return total; }
    for (int k = 0; k < 2; k++) { into[2 * total + k] = row[k]; }
    return total + 1;
}

/* Appends a row if there is room. */
static int two_inverse_geometric_keep_3(const double *row, double *into, int total)
{
    if (total >= 8) { return total; }
    for (int k = 0; k < 2; k++) { into[2 * total + k] = row[k]; }
    return total + 1;
}

/* Appends a row if there is room. */
static int two_inverse_geometric_keep_4(const double *row, double *into, int total)
{
    if (total >= 8) { return total; }
    for (int k = 0; k < 1; k++) { into[1 * total + k] = row[k]; }
    return total + 1;
}

void two_inverse_geometric(const double T[16], const double seed[2], const double seeded[1], const double limits[4],
    double solutions[16], double count[1], double status[1])
{
    double pose[1];
    double limited[1];
    double choosing[1];
    double Q[4];
    double valid[2];
    double doubtful[1];
    double moving[1];
    double size[1];
    double tolerance[1];
    double seed_tolerance[1];
    double candidates[66];
    double candidate_count[1];
    double row_[2];
    double x[2];
    double e[3];
    double J[6];
    double frame[12];
    double damping[1];
    double s[2];
    double R[4];
    double dx[2];
    double q[2];
    double ok[1];
    double arrived[1];
    double neighbours[96];
    double twist[6];
    double Y[16];
    double rows[4];
    double rows_valid[2];
    double rows_doubtful[1];
    double every[2];
    double faint[1];
    double moves[1];
    double z[2];
    double R_x[4];
    double slack[1];
    double frame_x[12];
    double joint[1];
    double held[2];
    double y[2];
    double loose[1];
    double frame_y[12];
    double w[2];
    double v[2];
    double best[2];
    double stride[1];
    double there[2];
    double pull[2];
    double moved[2];
    double settled[1];
    double ok_there[1];
    double arrived_there[1];
    double found[1];
    double kept[16];
    double keys[8];
    double kept_count[1];
    double key_count[1];
    double solution[2];
    double copy[2];
    double within_[1];
    double key[1];
    (void)rows_valid;
    (void)rows_doubtful;
    (void)arrived_there;
    two_inverse_geometric_asked(T, seeded, limits, pose, limited, choosing);
    two_inverse_geometric_closed_form(T, Q, valid, doubtful);
    for (int k1 = 0; k1 < 16; k1++) { solutions[k1] = 0.0; }
    count[0] = 0.0;
    moving[0] = 0.0;
    if (pose[0] != 0.0) {
        if (doubtful[0] != 0.0) {
            two_inverse_geometric_measures(T, size, tolerance, seed_tolerance);
            for (int k2 = 0; k2 < 66; k2++) { candidates[k2] = 0.0; }
            candidate_count[0] = 0.0;
            if (seeded[0] != 0.0) {
                for (int k3 = 0; k3 < 2; k3++) { row_[k3] = seed[k3]; }
                two_inverse_geometric_scaled(size, row_, x);
                two_inverse_geometric_closure(T, size, x, e, J, frame, damping);
                two_inverse_geometric_damped(J, e, damping, s, R);
                two_inverse_geometric_limited(e, s, dx);
                two_inverse_geometric_judged(T, size, x, frame, dx, seed_tolerance, q, ok, arrived);
                int total1 = count[0] >= 1.0 ? (count[0] < 8 ? (int)count[0] : 8) : 0;
                if (ok[0] != 0.0) { total1 = two_inverse_geometric_keep(q, solutions, total1); }
                count[0] = total1;
                int total2 = candidate_count[0] >= 1.0 ? (candidate_count[0] < 33 ? (int)candidate_count[0] : 33) : 0;
                if (seeded[0] != 0.0) { total2 = two_inverse_geometric_keep_(seed, candidates, total2); }
                candidate_count[0] = total2;
            }
            two_inverse_geometric_neighbours(neighbours);
            for (int i1 = 0; i1 < 16; i1++) {
                for (int k4 = 0; k4 < 6; k4++) { twist[k4] = neighbours[6 * i1 + k4]; }
                two_inverse_geometric_moved(T, size, twist, Y);
                two_inverse_geometric_closed_form(Y, rows, rows_valid, rows_doubtful);
                for (int k5 = 0; k5 < 2; k5++) { every[k5] = 1.0; }
                int total3 = candidate_count[0] >= 1.0 ? (candidate_count[0] < 33 ? (int)candidate_count[0] : 33) : 0;
                for (int i2 = 0; i2 < 2; i2++) {
                    if (every[i2] != 0.0) { total3 = two_inverse_geometric_keep_(rows + 2 * i2, candidates, total3); }
                }
                candidate_count[0] = total3;
            }
            faint[0] = 1e-05;
            for (int i3 = 0; i3 < 33 && i3 + 1 <= candidate_count[0]; i3++) {
                for (int k6 = 0; k6 < 2; k6++) { row_[k6] = candidates[2 * i3 + k6]; }
                two_inverse_geometric_scaled(size, row_, x);
                for (int i4 = 0; i4 < 40; i4++) {
                    double largest = 0.0;
                    two_inverse_geometric_closure(T, size, x, e, J, frame, damping);
                    two_inverse_geometric_damped(J, e, damping, s, R);
                    two_inverse_geometric_limited(e, s, dx);
                    for (int k7 = 0; k7 < 2; k7++) {
                        const double apart = fabs(dx[k7]);
                        if (!(apart <= largest)) { largest = apart; }
                        if (!(largest < HUGE_VAL)) { break; }
                    }
                    if (!(largest < HUGE_VAL)) { break; }
                    for (int k7 = 0; k7 < 2; k7++) { x[k7] -= dx[k7]; }
                    if (largest <= 1e-10) { break; }
                }
                two_inverse_geometric_closure(T, size, x, e, J, frame, damping);
                two_inverse_geometric_damped(J, e, damping, s, R);
                two_inverse_geometric_limited(e, s, dx);
                two_inverse_geometric_judged(T, size, x, frame, dx, tolerance, q, ok, arrived);
                if (ok[0] != 0.0) {
                    moves[0] = 0.0;
                    for (int k8 = 0; k8 < 2; k8++) { z[k8] = x[k8]; }
                    two_inverse_geometric_damped(J, e, faint, s, R_x);
                    two_inverse_geometric_slackened(R_x, slack);
                    if (slack[0] != 0.0) {
                        for (int k9 = 0; k9 < 12; k9++) { frame_x[k9] = frame[k9]; }
                        for (long long i5 = 0; i5 < 2; i5++) {
                            joint[0] = (double)i5;
                            two_inverse_geometric_stepped(R_x, x, joint, held, y, loose);
                            if (loose[0] != 0.0) {
                                for (int i6 = 0; i6 < 12; i6++) {
                                    double largest = 0.0;
                                    two_inverse_geometric_closure(T, size, y, e, J, frame, damping);
                                    two_inverse_geometric_hold(J, held, J);
                                    two_inverse_geometric_damped(J, e, damping, s, R);
                                    two_inverse_geometric_limited(e, s, dx);
                                    for (int k10 = 0; k10 < 2; k10++) {
                                        const double apart = fabs(dx[k10]);
                                        if (!(apart <= largest)) { largest = apart; }
                                        if (!(largest < HUGE_VAL)) { break; }
                                    }
                                    if (!(largest < HUGE_VAL)) { break; }
                                    for (int k10 = 0; k10 < 2; k10++) { y[k10] -= dx[k10]; }
                                    if (largest <= 1e-10) { break; }
                                }
                                two_inverse_geometric_closure(T, size, y, e, J, frame_y, damping);
                                two_inverse_geometric_walked(x, y, z, frame_x, frame_y, moves, z);
                                if (moves[0] != 0.0) {
                                    two_inverse_geometric_part_way(x, y, y);
                                    for (int i7 = 0; i7 < 12; i7++) {
                                        double largest = 0.0;
                                        two_inverse_geometric_closure(T, size, y, e, J, frame, damping);
                                        two_inverse_geometric_hold(J, held, J);
                                        two_inverse_geometric_damped(J, e, damping, s, R);
                                        two_inverse_geometric_limited(e, s, dx);
                                        for (int k11 = 0; k11 < 2; k11++) {
                                            const double apart = fabs(dx[k11]);
                                            if (!(apart <= largest)) { largest = apart; }
                                            if (!(largest < HUGE_VAL)) { break; }
                                        }
                                        if (!(largest < HUGE_VAL)) { break; }
                                        for (int k11 = 0; k11 < 2; k11++) { y[k11] -= dx[k11]; }
                                        if (largest <= 1e-10) { break; }
                                    }
                                    two_inverse_geometric_closure(T, size, y, e, J, frame_y, damping);
                                    two_inverse_geometric_walked(x, y, z, frame_x, frame_y, moves, z);
                                }
                            }
                            if (moves[0] != 0.0) { break; }
                        }
                    }
                    if (moves[0] != 0.0) {
                        two_inverse_geometric_departed(x, z, w, v, best, stride);
                        for (long long i8 = 0; i8 < 96; i8++) {
                            two_inverse_geometric_ahead(w, v, stride, there);
                            for (long long i9 = 0; i9 < 2; i9++) {
                                two_inverse_geometric_closure(T, size, there, e, J, frame, damping);
                                two_inverse_geometric_damped(J, e, faint, s, R);
                                two_inverse_geometric_corrected(there, s, there);
                            }
                            two_inverse_geometric_strode(R, stride, size, s, there, w, v, best, seed, w, v, best,
                                stride);
                        }
                        for (int k12 = 0; k12 < 2; k12++) { z[k12] = best[k12]; }
                        for (int k13 = 0; k13 < 2; k13++) { pull[k13] = 0.0; }
                        for (int k14 = 0; k14 < 2; k14++) { moved[k14] = 0.0; }
                        for (long long i10 = 0; i10 < 60; i10++) {
                            two_inverse_geometric_closure(T, size, z, e, J, frame, damping);
                            two_inverse_geometric_damped(J, e, faint, s, R);
                            two_inverse_geometric_pulled(R, size, s, z, pull, moved, seed, z, pull, moved, settled);
                            if (settled[0] != 0.0) { break; }
                        }
                        for (int i11 = 0; i11 < 40; i11++) {
                            double largest = 0.0;
                            two_inverse_geometric_closure(T, size, z, e, J, frame, damping);
                            two_inverse_geometric_damped(J, e, damping, s, R);
                            two_inverse_geometric_limited(e, s, dx);
                            for (int k15 = 0; k15 < 2; k15++) {
                                const double apart = fabs(dx[k15]);
                                if (!(apart <= largest)) { largest = apart; }
                                if (!(largest < HUGE_VAL)) { break; }
                            }
                            if (!(largest < HUGE_VAL)) { break; }
                            for (int k15 = 0; k15 < 2; k15++) { z[k15] -= dx[k15]; }
                            if (largest <= 1e-10) { break; }
                        }
                        two_inverse_geometric_closure(T, size, z, e, J, frame, damping);
                        two_inverse_geometric_damped(J, e, damping, s, R);
                        two_inverse_geometric_limited(e, s, dx);
                        two_inverse_geometric_judged(T, size, z, frame, dx, tolerance, q, ok_there, arrived_there);
                        two_inverse_geometric_better(size, ok_there, x, z, seed, q);
                        two_inverse_geometric_moving_within(q, ok, limits, moving, moving);
                        int total4 = count[0] >= 1.0 ? (count[0] < 8 ? (int)count[0] : 8) : 0;
                        if (ok[0] != 0.0) { total4 = two_inverse_geometric_keep_2(q, solutions, total4); }
                        count[0] = total4;
                    } else {
                        int total5 = count[0] >= 1.0 ? (count[0] < 8 ? (int)count[0] : 8) : 0;
                        if (arrived[0] != 0.0) { total5 = two_inverse_geometric_keep(q, solutions, total5); }
                        count[0] = total5;
                    }
                }
            }
        } else {
            int total6 = count[0] >= 1.0 ? (count[0] < 8 ? (int)count[0] : 8) : 0;
            for (int i12 = 0; i12 < 2; i12++) {
                if (valid[i12] != 0.0) { total6 = two_inverse_geometric_keep(Q + 2 * i12, solutions, total6); }
            }
            count[0] = total6;
        }
    }
    found[0] = count[0];
    if (choosing[0] != 0.0) {
        for (int k16 = 0; k16 < 16; k16++) { kept[k16] = 0.0; }
        for (int k17 = 0; k17 < 8; k17++) { keys[k17] = 0.0; }
        kept_count[0] = 0.0;
        key_count[0] = 0.0;
        for (int i13 = 0; i13 < 8 && i13 + 1 <= count[0]; i13++) {
            for (int k18 = 0; k18 < 2; k18++) { solution[k18] = solutions[2 * i13 + k18]; }
            two_inverse_geometric_nearest_copy(solution, seed, seeded, limits, limited, copy, within_, key);
            int total7 = kept_count[0] >= 1.0 ? (kept_count[0] < 8 ? (int)kept_count[0] : 8) : 0;
            if (within_[0] != 0.0) { total7 = two_inverse_geometric_keep_3(copy, kept, total7); }
            kept_count[0] = total7;
            int total8 = key_count[0] >= 1.0 ? (key_count[0] < 8 ? (int)key_count[0] : 8) : 0;
            if (within_[0] != 0.0) { total8 = two_inverse_geometric_keep_4(key, keys, total8); }
            key_count[0] = total8;
        }
        kernel_sort_8_2(kept, keys, kept_count, solutions);
        count[0] = kept_count[0];
    }
    two_inverse_geometric_verdict(pose, found, count, moving, status);
}
