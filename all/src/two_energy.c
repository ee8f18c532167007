/* two_energy: two energy (see two_energy.h) */

#include "two_energy.h"

#include <math.h>

void two_energy(const double *q, const double *qd, double *kinetic, double *potential, double *total)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double qd1 = qd[0];
    const double qd2 = qd[1];
    const double C1 = cos(q1);
    const double C2 = cos(q2);
    const double C12 = cos(q1 + q2);
    const double W32 = qd1 + qd2;
    const double E = 0.5*(W32*(0.4*W32 + 0.5*C2*qd1) + 0.65*qd1*qd1);
    const double U = -9.81*(C1 + 0.5*C12);
    kinetic[0] = E;
    potential[0] = U;
    total[0] = E + U;
}
