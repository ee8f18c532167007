/* two_passive_dynamics: two passive-dynamics (see two_passive_dynamics.h) */

#include "two_passive_dynamics.h"

#include <math.h>

void two_passive_dynamics(const double *q, const double *qd, const double *v, const double *a, const double *wrench,
    double *tau)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double qd1 = qd[0];
    const double qd2 = qd[1];
    const double v1 = v[0];
    const double v2 = v[1];
    const double a1 = a[0];
    const double a2 = a[1];
    const double FX2 = wrench[0];
    const double FY2 = wrench[1];
    const double CZ2 = wrench[5];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double C2 = cos(q2);
    const double S2 = sin(q2);
    const double WP32 = a1 + a2;
    const double M32 = CZ2 + 0.4*WP32 + 0.5*(C2*(9.81*S1 + 0.5*a1) + S2*(9.81*C1 + 0.5*qd1*v1));
    tau[0] = M32 + 9.81*S1 + 0.65*a1 + 0.5*(C2*(FY2 + 0.5*WP32) + S2*(FX2 - 0.5*(qd1 + qd2)*(v1 + v2)));
    tau[1] = M32;
}
