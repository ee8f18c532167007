/* two_regressor: two regressor (see two_regressor.h) */

#include "two_regressor.h"

#include <math.h>

void two_regressor(const double *q, const double *qd, const double *qdd, double *D)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double qd1 = qd[0];
    const double qd2 = qd[1];
    const double qdd1 = qdd[0];
    const double qdd2 = qdd[1];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double C2 = cos(q2);
    const double S2 = sin(q2);
    const double WP32 = qdd1 + qdd2;
    const double VSP22 = 9.81*S1 + 0.5*qdd1;
    const double VSP12 = -(9.81*C1 + 0.5*qd1*qd1);
    const double VP22 = C2*VSP22 - S2*VSP12;
    const double t1 = qd1 + qd2;
    const double DV332 = t1*t1;
    const double VP12 = C2*VSP12 + S2*VSP22;
    D[0] = qdd1;
    D[1] = 9.81*S1;
    D[2] = 9.81*C1;
    D[3] = WP32;
    D[4] = VP22 + 0.5*(C2*WP32 - DV332*S2);
    D[5] = -(VP12 + 0.5*(C2*DV332 + S2*WP32));
    D[6] = WP32;
    D[7] = VP22;
    D[8] = -VP12;
    D[9] = qdd2;
}
