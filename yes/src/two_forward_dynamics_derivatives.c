/* two_forward_dynamics_derivatives: two forward-dynamics-derivatives (see two_forward_dynamics_derivatives.h) */

#include "two_forward_dynamics_derivatives.h"

#include <math.h>

void two_forward_dynamics_derivatives(const double *q, const double *qd, const double *tau, const double *wrench,
    double *dqdd_dq, double *dqdd_dqd, double *dqdd_dtau)
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
    const double q12 = q1 + q2;
    const double C12 = cos(q12);
    const double S12 = sin(q12);
    const double t1 = C1*C12 + S1*S12;
    const double t2 = S12*S12;
    const double SGP42 = 0.19999999999999998*t2 + 0.10000000000000002;
    const double SGP12 = 0.3 - 0.19999999999999998*t2;
    const double A_2_2 = SGP12 + SGP42;
    const double A_1_2 = A_2_2 + 0.25*t1;
    const double IDA2 = 1.0/A_2_2;
    const double L_1_2 = A_1_2*IDA2;
    const double IDA1 = 1.0/(A_2_2 + 0.5*t1 - A_1_2*L_1_2 + 0.65);
    const double t3 = 4.905*C12*L_1_2 - 9.81*(C1 + 0.5*C12);
    const double DE1 = qd1*qd1;
    const double t4 = C1*DE1;
    const double t5 = C12*DE1;
    const double B2 = tau2 + 0.25*S1*t5 - CZ2 - 0.5*S12*(0.5*t4 + 9.81);
    const double QD22 = 2.0*qd2;
    const double PLA22 = 0.5*C12*QD22;
    const double SGP22 = 0.19999999999999998*C12*S12;
    const double GMA112 = -QD22*SGP22;
    const double GMP221 = 0.5*PLA22*S1 - GMA112;
    const double PLA12 = -0.5*QD22*S12;
    const double GMP111 = GMA112 + 0.5*C1*PLA12;
    const double t6 = GMP111 + GMP221;
    const double QQ2 = qd2*qd2;
    const double t7 = C12*QQ2;
    const double FRP12 = C12*FX2 - FY2*S12;
    const double t8 = QQ2*S12;
    const double FRP22 = C12*FY2 + FX2*S12;
    const double t9 = CZ2 - tau1 + B2*L_1_2 + qd1*t6 + 0.5*(C1*(FRP22 - 0.5*t8) - S1*(FRP12 - 0.5*t7)) + 9.81*(S1 +
        0.5*S12);
    const double qdd1 = -IDA1*t9;
    const double t10 = S12*(C1*qdd1 - DE1*S1);
    const double t11 = C12*(0.5*t4 + 0.5*S1*qdd1 + 9.81);
    const double NQ3_2_1 = 0.5*t11 - 0.25*t10;
    const double AI_2_1 = -IDA1*L_1_2;
    const double qdd2 = B2*IDA2 - AI_2_1*t9;
    const double t12 = qdd1 + qdd2;
    const double t13 = 0.25*t10 - 0.5*t11 - 0.5*C1*(FRP12 - 0.5*t7 - PLA22*qd1 - 0.5*(t5 + S12*t12)) + L_1_2*NQ3_2_1 -
        0.5*S1*(FRP22 - 0.5*t8 + PLA12*qd1 + 0.5*(C12*t12 - DE1*S12));
    const double t14 = qd1*(C1*S12 - C12*S1);
    const double t15 = t6 - 0.5*L_1_2*t14;
    const double t16 = C1*(PLA12 - S12*qd1) + S1*(PLA22 + C12*qd1);
    dqdd_dq[0] = IDA1*t3;
    dqdd_dq[1] = IDA1*t13;
    dqdd_dq[2] = AI_2_1*t3 - 4.905*C12*IDA2;
    dqdd_dq[3] = AI_2_1*t13 - IDA2*NQ3_2_1;
    dqdd_dqd[0] = -IDA1*t15;
    dqdd_dqd[1] = -0.5*IDA1*t16;
    dqdd_dqd[2] = -(AI_2_1*t15 + 0.5*IDA2*t14);
    dqdd_dqd[3] = -0.5*AI_2_1*t16;
    dqdd_dtau[0] = IDA1;
    dqdd_dtau[1] = AI_2_1;
    dqdd_dtau[2] = AI_2_1;
    dqdd_dtau[3] = IDA2 - AI_2_1*L_1_2;
}
