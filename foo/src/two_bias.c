/* two_bias: two bias (see two_bias.h) */

#include "two_bias.h"

#include <math.h>

void two_bias(const double *q, const double *qd, const double *wrench, double *H)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double qd1 = qd[0];
    const double qd2 = qd[1];
    const double FX2 = wrench[0];
    const double FY2 = wrench[1];
    const double CZ2 = wrench[5];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double C2 = cos(q2);
    const double S2 = sin(q2);
    const double M32 = CZ2 + 0.5*(9.81*C2*S1 + S2*(9.81*C1 + 0.5*qd1*qd1));
    const double t1 = qd1 + qd2;
    H[0] = M32 + 9.81*S1 + 0.5*(C2*FY2 + S2*(FX2 - 0.5*t1*t1));
    H[1] = M32;
}
