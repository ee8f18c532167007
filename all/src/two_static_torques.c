/* two_static_torques: two static-torques (see two_static_torques.h) */

#include "two_static_torques.h"

#include <math.h>

void two_static_torques(const double *q, const double *wrench, double *tau)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double wrench_FX = wrench[0];
    const double wrench_FY = wrench[1];
    const double wrench_CZ = wrench[5];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double C2 = cos(q2);
    const double S2 = sin(q2);
    const double FYR = C1*wrench_FY - S1*wrench_FX;
    const double CZR = wrench_CZ + 0.5*(C2*FYR - S2*(C1*wrench_FX + S1*wrench_FY));
    tau[0] = CZR + 0.5*FYR;
    tau[1] = CZR;
}
