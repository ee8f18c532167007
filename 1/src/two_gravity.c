/* two_gravity: two gravity (see two_gravity.h) */

#include "two_gravity.h"

#include <math.h>

void two_gravity(const double *q, double *Q)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double S1 = sin(q1);
    const double S12 = sin(q1 + q2);
    Q[0] = 9.81*S1 + 4.905*S12;
    Q[1] = 4.905*S12;
}
