/* two_jacobian_inverse: two jacobian-inverse (see two_jacobian_inverse.h) */

#include "two_jacobian_inverse.h"

#include <math.h>

void two_jacobian_inverse(const double *q, const double *damping, double *JI)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double damping_ = damping[0];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double q12 = q1 + q2;
    const double C12 = cos(q12);
    const double S12 = sin(q12);
    const double PD13 = 0.5*(C1 + C12);
    const double L12 = PD13 - 0.5*C1;
    const double B_1_1 = -0.5*(S1 + S12);
    const double L22 = -(B_1_1 + 0.5*S1);
    const double G_2_1 = L12*PD13 - B_1_1*L22 + 1.0;
    const double DD = damping_*damping_;
    const double ID1 = 1.0/(DD + B_1_1*B_1_1 + PD13*PD13 + 1.0);
    const double L_1_2 = G_2_1*ID1;
    const double ID2 = 1.0/(DD - G_2_1*L_1_2 + L12*L12 + L22*L22 + 1.0);
    const double FIT1_2_0 = -ID2*(L22 + B_1_1*L_1_2);
    const double FIT2_2_0 = ID2*(L12 - L_1_2*PD13);
    const double NIT3_2_0 = -ID2*(L_1_2 - 1.0);
    JI[0] = B_1_1*ID1 - FIT1_2_0*L_1_2;
    JI[1] = ID1*PD13 - FIT2_2_0*L_1_2;
    JI[2] = 0.0;
    JI[3] = 0.0;
    JI[4] = 0.0;
    JI[5] = ID1 - L_1_2*NIT3_2_0;
    JI[6] = FIT1_2_0;
    JI[7] = FIT2_2_0;
    JI[8] = 0.0;
    JI[9] = 0.0;
    JI[10] = 0.0;
    JI[11] = NIT3_2_0;
}
