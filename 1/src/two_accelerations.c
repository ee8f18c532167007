/* two_accelerations: two accelerations (see two_accelerations.h) */

#include "two_accelerations.h"

#include <math.h>

void two_accelerations(const double *q, const double *qd, const double *qdd, double *VD)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double qd1 = qd[0];
    const double qd2 = qd[1];
    const double qdd1 = qdd[0];
    const double qdd2 = qdd[1];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double q12 = q1 + q2;
    const double C12 = cos(q12);
    const double S12 = sin(q12);
    const double WP32 = qdd1 + qdd2;
    const double W32 = qd1 + qd2;
    VD[0] = -0.5*(C1*qd1*qd1 + C12*W32*W32 + S1*qdd1 + S12*WP32);
    VD[1] = 0.5*(C1*qdd1 + C12*WP32 - S1*qd1*qd1 - S12*W32*W32);
    VD[2] = 0.0;
    VD[3] = 0.0;
    VD[4] = 0.0;
    VD[5] = WP32;
}
