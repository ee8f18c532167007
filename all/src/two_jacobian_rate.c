/* two_jacobian_rate: two jacobian-rate (see two_jacobian_rate.h) */

#include "two_jacobian_rate.h"

#include <math.h>

void two_jacobian_rate(const double *q, const double *qd, double *JD)
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
    const double t1 = qd1 + qd2;
    const double t2 = C1*qd1;
    const double t3 = 0.5*t2 + 0.5*C12*t1;
    const double t4 = S1*qd1;
    const double t5 = 0.5*t4 + 0.5*S12*t1;
    JD[0] = -t3;
    JD[1] = 0.5*t2 - t3;
    JD[2] = -t5;
    JD[3] = 0.5*t4 - t5;
    JD[4] = 0.0;
    JD[5] = 0.0;
    JD[6] = 0.0;
    JD[7] = 0.0;
    JD[8] = 0.0;
    JD[9] = 0.0;
    JD[10] = 0.0;
    JD[11] = 0.0;
}
