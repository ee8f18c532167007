/* two_transform: two transform (see two_transform.h) */

#include "two_transform.h"

#include <math.h>

void two_transform(const double *q, double *T)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double q12 = q1 + q2;
    const double C12 = cos(q12);
    const double S12 = sin(q12);
    T[0] = C12;
    T[1] = -S12;
    T[2] = 0.0;
    T[3] = 0.5*(C1 + C12);
    T[4] = S12;
    T[5] = C12;
    T[6] = 0.0;
    T[7] = 0.5*(S1 + S12);
    T[8] = 0.0;
    T[9] = 0.0;
    T[10] = 1.0;
    T[11] = 0.0;
    T[12] = 0.0;
    T[13] = 0.0;
    T[14] = 0.0;
    T[15] = 1.0;
}
