/* two_centroidal_momentum: two centroidal-momentum (see two_centroidal_momentum.h) */

#include "two_centroidal_momentum.h"

#include <math.h>

void two_centroidal_momentum(const double *q, double *AG)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double C2 = cos(q2);
    const double q12 = q1 + q2;
    const double C12 = cos(q12);
    const double S12 = sin(q12);
    const double MS20 = S1 + 0.5*S12;
    const double MS10 = C1 + 0.5*C12;
    const double CM10 = 0.5*MS10;
    const double CM20 = 0.5*MS20;
    AG[0] = -MS20;
    AG[1] = -0.5*S12;
    AG[2] = MS10;
    AG[3] = 0.5*C12;
    AG[4] = 0.0;
    AG[5] = 0.0;
    AG[6] = 0.0;
    AG[7] = 0.0;
    AG[8] = 0.0;
    AG[9] = 0.0;
    AG[10] = 0.5*C2 - CM10*MS10 - CM20*MS20 + 1.05;
    AG[11] = 0.5*(C12*(0.5*C1 - CM10) - S12*(CM20 - 0.5*S1)) + 0.4;
}
