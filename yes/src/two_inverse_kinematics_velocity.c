/* two_inverse_kinematics_velocity: two inverse-kinematics-velocity (see two_inverse_kinematics_velocity.h) */

#include "two_inverse_kinematics_velocity.h"

#include <math.h>

void two_inverse_kinematics_velocity(const double *q, const double *twist, const double *damping, double *qd)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double twist_vx = twist[0];
    const double twist_vy = twist[1];
    const double twist_wz = twist[5];
    const double damping_ = damping[0];
    const double C2 = cos(q2);
    const double S2 = sin(q2);
    const double q12 = q1 + q2;
    const double C12 = cos(q12);
    const double S12 = sin(q12);
    const double L11 = 0.5*C2 + 0.5;
    const double DD = damping_*damping_;
    const double ID1 = 1.0/(DD + L11*L11 + 0.25*S2*S2 + 1.0);
    const double t1 = C12*twist_vy - S12*twist_vx;
    const double B_1_1 = twist_wz + L11*t1 + 0.5*S2*(C12*twist_vx + S12*twist_vy);
    const double G_2_1 = 0.5*L11 + 1.0;
    const double L_1_2 = G_2_1*ID1;
    const double X_2_1 = (0.5*t1 + twist_wz - B_1_1*L_1_2)/(DD - G_2_1*L_1_2 + 1.25);
    qd[0] = B_1_1*ID1 - L_1_2*X_2_1;
    qd[1] = X_2_1;
}
