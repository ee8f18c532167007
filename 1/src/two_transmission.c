/* two_transmission: two transmission (see two_transmission.h) */

#include "two_transmission.h"

#include <math.h>

void two_transmission(const double *q, const double *qd, const double *tau, double *q_m, double *qd_m, double *tau_m,
    double *J, double *J_inverse)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double qd1 = qd[0];
    const double qd2 = qd[1];
    const double tau1 = tau[0];
    const double tau2 = tau[1];
    q_m[0] = 10.0*q1;
    q_m[1] = q2;
    qd_m[0] = 10.0*qd1;
    qd_m[1] = qd2;
    tau_m[0] = 0.1*tau1;
    tau_m[1] = tau2;
    J[0] = 0.1;
    J[1] = 0.0;
    J[2] = 0.0;
    J[3] = 1.0;
    J_inverse[0] = 10.0;
    J_inverse[1] = 0.0;
    J_inverse[2] = 0.0;
    J_inverse[3] = 1.0;
}
