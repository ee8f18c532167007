/* two_jdot_qdot: two jdot-qdot (see two_jdot_qdot.h) */

#include "two_jdot_qdot.h"

#include <math.h>

void two_jdot_qdot(const double *q, const double *qd, double *JDQD)
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
    JDQD[0] = -0.5*(C1*qd1*qd1 + C12*W32*W32);
    JDQD[1] = -0.5*(S1*qd1*qd1 + S12*W32*W32);
    JDQD[2] = 0.0;
    JDQD[3] = 0.0;
    JDQD[4] = 0.0;
    JDQD[5] = 0.0;
}
