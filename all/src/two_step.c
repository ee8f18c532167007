/* two_step: two step (see two_step.h) */

#include "two_step.h"

#include <math.h>

void two_step(const double *q, const double *qd, const double *tau, const double *wrench, const double *dt,
    double *q_next, double *qd_next)
{
    const double q1 = q[0];
    const double q2 = q[1];
    const double qd1 = qd[0];
    const double qd2 = qd[1];
    const double tau1 = tau[0];
    const double tau2 = tau[1];
    const double FX2 = wrench[0];
    const double FY2 = wrench[1];
    const double CZ2 = wrench[5];
    const double dt_ = dt[0];
    const double C1 = cos(q1);
    const double S1 = sin(q1);
    const double C2 = cos(q2);
    const double S2 = sin(q2);
    const double t1 = 0.16666666666666666*dt_;
    const double t2 = 0.5*dt_;
    const double t3 = 0.25*C2 + 0.4;
    const double t4 = 2.5*t3;
    const double t5 = CZ2 + 0.5*(9.81*C2*S1 + S2*(9.81*C1 + 0.5*qd1*qd1));
    const double t6 = t5 - tau2;
    const double t7 = qd1 + qd2;
    const double t8 = (9.81*S1 + t5 - tau1 - t4*t6 + 0.5*(C2*FY2 + S2*(FX2 - 0.5*t7*t7)))/(0.5*C2 - t3*t4 + 1.05);
    const double t9 = t4*t8;
    const double t10 = t2*(2.5*t6 - t9);
    const double t11 = q2 + t2*(qd2 - t10);
    const double C = cos(t11);
    const double t12 = 0.25*C + 0.4;
    const double t13 = 2.5*t12;
    const double t14 = t2*t8;
    const double t15 = qd1 - t14;
    const double t16 = q1 + t2*t15;
    const double S = sin(t16);
    const double S_b = sin(t11);
    const double t17 = q2 + qd2*t2;
    const double C_b = cos(t17);
    const double t18 = 0.25*C_b + 0.4;
    const double t19 = 2.5*t18;
    const double t20 = q1 + qd1*t2;
    const double S_c = sin(t20);
    const double S_d = sin(t17);
    const double C_c = cos(t20);
    const double t21 = CZ2 + 0.5*(9.81*C_b*S_c + S_d*(9.81*C_c + 0.5*t15*t15));
    const double t22 = t21 - tau2;
    const double t41 = t7 - t10 - t14;
    const double t23 = (9.81*S_c + t21 - tau1 - t19*t22 + 0.5*(C_b*FY2 + S_d*(FX2 - 0.5*t41*t41)))/(0.5*C_b - t18*t19 +
        1.05);
    const double t24 = t2*t23;
    const double t25 = qd1 - t24;
    const double C_d = cos(t16);
    const double t26 = CZ2 + 0.5*(9.81*C*S + S_b*(9.81*C_d + 0.5*t25*t25));
    const double t27 = t26 - tau2;
    const double t28 = t19*t23;
    const double t29 = t2*(2.5*t22 - t28);
    const double t42 = t7 - t24 - t29;
    const double t30 = (9.81*S + t26 - tau1 - t13*t27 + 0.5*(C*FY2 + S_b*(FX2 - 0.5*t42*t42)))/(0.5*C - t12*t13 + 1.05);
    const double t31 = dt_*t30;
    const double t32 = t13*t30;
    const double t33 = dt_*(2.5*t27 - t32);
    const double t34 = q2 + dt_*(qd2 - t29);
    const double C_e = cos(t34);
    const double t35 = 0.25*C_e + 0.4;
    const double t36 = 2.5*t35;
    const double t37 = q1 + dt_*t25;
    const double S_e = sin(t37);
    const double S_f = sin(t34);
    const double C_f = cos(t37);
    const double t43 = qd1 - t31;
    const double t38 = CZ2 + 0.5*(9.81*C_e*S_e + S_f*(9.81*C_f + 0.5*t43*t43));
    const double t39 = t38 - tau2;
    const double t44 = t7 - t31 - t33;
    const double t40 = (9.81*S_e + t38 - tau1 - t36*t39 + 0.5*(C_e*FY2 + S_f*(FX2 - 0.5*t44*t44)))/(0.5*C_e - t35*t36 +
        1.05);
    q_next[0] = q1 - t1*(t31 - 2.0*(3.0*qd1 - t14 - t24));
    q_next[1] = q2 - t1*(t33 - 2.0*(3.0*qd2 - t10 - t29));
    qd_next[0] = qd1 - t1*(t8 + t40 + 2.0*(t23 + t30));
    qd_next[1] = qd2 + t1*(t9 + t36*t40 - 2.5*(t6 + t39) + 2.0*(t28 + t32 - 2.5*(t22 + t27)));
}
