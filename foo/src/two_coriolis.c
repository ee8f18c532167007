/* two_coriolis: two coriolis (see two_coriolis.h) */

#include "two_coriolis.h"

#include <math.h>

void two_coriolis(const double *q, const double *qd, double *coriolis_matrix)
{
    const double q2 = q[1];
    const double qd1 = qd[0];
    const double qd2 = qd[1];
    const double S2 = sin(q2);
    const double t1 = S2*qd2;
    const double t2 = S2*qd1;
    coriolis_matrix[0] = -0.25*t1;
    coriolis_matrix[1] = -(0.25*t1 + 0.25*t2);
    coriolis_matrix[2] = 0.25*t2;
    coriolis_matrix[3] = 0.0;
}
