/* two_jacobian_determinant: two jacobian-determinant (see two_jacobian_determinant.h) */

#include "two_jacobian_determinant.h"

#include <math.h>

void two_jacobian_determinant(const double *q, double *det)
{
    const double q2 = q[1];
    const double S2 = sin(q2);
    det[0] = 0.25*S2;
}
