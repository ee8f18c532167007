/* two_jacobian: two jacobian (see two_jacobian.h) */

#include "two_jacobian.h"

#include <math.h>

void two_jacobian(const double *q, double *J)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double q12 = q1 + q2;
    const double C12 = cos(q12);
    const double S12 = sin(q12);
    const double PD23 = 0.5*(S1 + S12);
    const double PD13 = 0.5*(C1 + C12);
    J[0] = -PD23;
    J[1] = 0.5*S1 - PD23;
    J[2] = PD13;
    J[3] = PD13 - 0.5*C1;
    J[4] = 0.0;
    J[5] = 0.0;
    J[6] = 0.0;
    J[7] = 0.0;
    J[8] = 0.0;
    J[9] = 0.0;
    J[10] = 1.0;
    J[11] = 1.0;
}
