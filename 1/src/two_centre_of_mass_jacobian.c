/* two_centre_of_mass_jacobian: two centre-of-mass-jacobian (see two_centre_of_mass_jacobian.h) */

#include "two_centre_of_mass_jacobian.h"

#include <math.h>

void two_centre_of_mass_jacobian(const double *q, double *JC)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double q12 = q1 + q2;
    const double C12 = cos(q12);
    const double S12 = sin(q12);
    JC[0] = -(0.5*S1 + 0.25*S12);
    JC[1] = -0.25*S12;
    JC[2] = 0.5*C1 + 0.25*C12;
    JC[3] = 0.25*C12;
    JC[4] = 0.0;
    JC[5] = 0.0;
}
