/* two_inertia_matrix: two inertia-matrix (see two_inertia_matrix.h) */

#include "two_inertia_matrix.h"

#include <math.h>

void two_inertia_matrix(const double *q, double *A)
{
    const double q2 = q[1];
    const double C2 = cos(q2);
    const double t1 = 0.25*C2 + 0.4;
    A[0] = 0.5*C2 + 1.05;
    A[1] = t1;
    A[2] = t1;
    A[3] = 0.4;
}
