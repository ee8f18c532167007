/* two_centroidal_momentum_rate: two centroidal-momentum-rate (see two_centroidal_momentum_rate.h) */

#include "two_centroidal_momentum_rate.h"

#include <math.h>

void two_centroidal_momentum_rate(const double *q, const double *qd, double *AGDQD)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double qd1 = qd[0];
    const double qd2 = qd[1];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double C2 = cos(q2);
    const double S2 = sin(q2);
    const double t3 = qd1 + qd2;
    const double F12 = -0.5*t3*t3;
    const double DV331 = qd1*qd1;
    const double t1 = DV331 - C2*F12;
    const double FDI22 = F12*S2;
    const double FDI11 = -(C1*t1 + FDI22*S1);
    const double FDI21 = C1*FDI22 - S1*t1;
    const double t2 = 0.5*C2 + 1.0;
    AGDQD[0] = FDI11;
    AGDQD[1] = FDI21;
    AGDQD[2] = 0.0;
    AGDQD[3] = 0.0;
    AGDQD[4] = 0.0;
    AGDQD[5] = 0.25*DV331*S2 + 0.5*(FDI22 + FDI11*(0.5*C1*S2 + S1*t2) - FDI21*(C1*t2 - 0.5*S1*S2));
}
