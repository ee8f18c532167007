/* two_expanded: two expanded (see two_expanded.h) */

#include "two_expanded.h"

#include <math.h>

void two_expanded(const double *q, double *A, double *coriolis_coefficients, double *centrifugal_coefficients,
    double *Q)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double S1 = sin(q1);
    const double C2 = cos(q2);
    const double S2 = sin(q2);
    const double S12 = sin(q1 + q2);
    const double t1 = 0.25*C2 + 0.4;
    A[0] = 0.5*C2 + 1.05;
    A[1] = t1;
    A[2] = t1;
    A[3] = 0.4;
    coriolis_coefficients[0] = -0.5*S2;
    coriolis_coefficients[1] = 0.0;
    centrifugal_coefficients[0] = 0.0;
    centrifugal_coefficients[1] = -0.25*S2;
    centrifugal_coefficients[2] = 0.25*S2;
    centrifugal_coefficients[3] = 0.0;
    Q[0] = 9.81*S1 + 4.905*S12;
    Q[1] = 4.905*S12;
}
