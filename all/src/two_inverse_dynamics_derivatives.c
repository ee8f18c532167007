/* two_inverse_dynamics_derivatives: two inverse-dynamics-derivatives (see two_inverse_dynamics_derivatives.h) */

#include "two_inverse_dynamics_derivatives.h"

#include <math.h>

void two_inverse_dynamics_derivatives(const double *q, const double *qd, const double *qdd, const double *wrench,
    double *dtau_dq, double *dtau_dqd)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double qd1 = qd[0];
    const double qd2 = qd[1];
    const double qdd1 = qdd[0];
    const double qdd2 = qdd[1];
    const double FX2 = wrench[0];
    const double FY2 = wrench[1];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double C2 = cos(q2);
    const double S2 = sin(q2);
    const double t1 = 9.81*C1;
    const double t2 = -0.5*(C2*t1 - 9.81*S1*S2);
    const double t3 = -0.5*(C2*(9.81*C1 + 0.5*qd1*qd1) - S2*(9.81*S1 + 0.5*qdd1));
    const double W32 = qd1 + qd2;
    const double t4 = 0.5*S2*W32;
    const double t5 = 0.5*S2*qd1;
    dtau_dq[0] = t1 - t2;
    dtau_dq[1] = 0.5*(C2*(FX2 - 0.5*W32*W32) - S2*(FY2 + 0.5*(qdd1 + qdd2))) - t3;
    dtau_dq[2] = -t2;
    dtau_dq[3] = -t3;
    dtau_dqd[0] = t5 - t4;
    dtau_dqd[1] = -t4;
    dtau_dqd[2] = t5;
    dtau_dqd[3] = 0.0;
}
