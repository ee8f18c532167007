/* two_forward_dynamics: two forward-dynamics (see two_forward_dynamics.h) */

#include "two_forward_dynamics.h"

#include <math.h>

void two_forward_dynamics(const double *q, const double *qd, const double *tau, const double *wrench, double *qdd)
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
    const double A_1_2 = 0.25*C2 + 0.4;
    const double L_1_2 = 2.5*A_1_2;
    const double M32 = CZ2 + 0.5*(9.81*C2*S1 + S2*(9.81*C1 + 0.5*qd1*qd1));
    const double B2 = tau2 - M32;
    const double t1 = qd1 + qd2;
    const double qdd1 = -(M32 + 9.81*S1 - tau1 + B2*L_1_2 + 0.5*(C2*FY2 + S2*(FX2 - 0.5*t1*t1)))/(0.5*C2 - A_1_2*L_1_2 +
        1.05);
    qdd[0] = qdd1;
    qdd[1] = 2.5*B2 - L_1_2*qdd1;
}
