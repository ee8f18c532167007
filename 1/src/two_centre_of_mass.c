/* two_centre_of_mass: two centre-of-mass (see two_centre_of_mass.h) */

#include "two_centre_of_mass.h"

#include <math.h>

void two_centre_of_mass(const double *q, double *C)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double q12 = q1 + q2;
    const double C12 = cos(q12);
    const double S12 = sin(q12);
    C[0] = 0.5*C1 + 0.25*C12;
    C[1] = 0.5*S1 + 0.25*S12;
    C[2] = 0.0;
}
