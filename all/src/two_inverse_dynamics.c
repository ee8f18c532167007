/* two_inverse_dynamics: two inverse-dynamics (see two_inverse_dynamics.h) */

#include "two_inverse_dynamics.h"

#include <math.h>

void two_inverse_dynamics(const double *q, const double *qd, const double *qdd, const double *wrench, double *tau)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double qd1 = qd[0];
    const double qd2 = qd[1];
    const double qdd1 = qdd[0];
    const double qdd2 = qdd[1];
    const double FX2 = wrench[0];
    const double FY2 = wrench[1];
    const double CZ2 = wrench[5];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double C2 = cos(q2);
    const double S2 = sin(q2);
    const double WP32 = qdd1 + qdd2;
    const double M32 = CZ2 + 0.4*WP32 + 0.5*(C2*(9.81*S1 + 0.5*qdd1) + S2*(9.81*C1 + 0.5*qd1*qd1));
    const double t1 = qd1 + qd2;
    tau[0] = M32 + 9.81*S1 + 0.65*qdd1 + 0.5*(C2*(FY2 + 0.5*WP32) + S2*(FX2 - 0.5*t1*t1));
    tau[1] = M32;
}
