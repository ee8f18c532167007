/* two_velocities: two velocities (see two_velocities.h) */

#include "two_velocities.h"

#include <math.h>

void two_velocities(const double *q, const double *qd, double *V)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double qd1 = qd[0];
    const double qd2 = qd[1];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double q12 = q1 + q2;
    const double C12 = cos(q12);
    const double S12 = sin(q12);
    const double W32 = qd1 + qd2;
    V[0] = -0.5*(S1*qd1 + S12*W32);
    V[1] = 0.5*(C1*qd1 + C12*W32);
    V[2] = 0.0;
    V[3] = 0.0;
    V[4] = 0.0;
    V[5] = W32;
}
