/* two_base_parameters: two base-parameters (see two_base_parameters.h) */

#include "two_base_parameters.h"

#include <math.h>

void two_base_parameters(double *base)
{
    base[0] = 0.65;
    base[1] = 1.0;
    base[2] = 0.4;
    base[3] = 0.5;
}
