/* two_passive_regressor: two passive-regressor (see two_passive_regressor.h) */

#include "two_passive_regressor.h"

#include <math.h>

void two_passive_regressor(const double *q, const double *qd, const double *v, const double *a, double *Y)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double qd1 = qd[0];
    const double qd2 = qd[1];
    const double v1 = v[0];
    const double v2 = v[1];
    const double a1 = a[0];
    const double a2 = a[1];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double C2 = cos(q2);
    const double S2 = sin(q2);
    const double WP32 = a1 + a2;
    const double VSP12 = -(9.81*C1 + 0.5*qd1*v1);
    const double VSP22 = 9.81*S1 + 0.5*a1;
    const double VP22 = C2*VSP22 - S2*VSP12;
    const double DV332 = (qd1 + qd2)*(v1 + v2);
    const double VP12 = C2*VSP12 + S2*VSP22;
    Y[0] = a1;
    Y[1] = 9.81*S1;
    Y[2] = 9.81*C1;
    Y[3] = WP32;
    Y[4] = VP22 + 0.5*(C2*WP32 - DV332*S2);
    Y[5] = -(VP12 + 0.5*(C2*DV332 + S2*WP32));
    Y[6] = WP32;
    Y[7] = VP22;
    Y[8] = -VP12;
    Y[9] = a2;
}
