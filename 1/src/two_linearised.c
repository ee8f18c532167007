/* two_linearised: two linearised (see two_linearised.h) */

#include "two_linearised.h"

#include <math.h>

void two_linearised(const double *q, const double *qd, const double *tau, const double *wrench, double *A, double *B,
    double *xd)
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
