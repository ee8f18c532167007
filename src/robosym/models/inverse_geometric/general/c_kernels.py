"""C99 for any arm: rigid motions, linear equations, Newton on the closure, distinct solutions, the solving function.

The arm itself comes before these texts: ``kind``, ``sign``, ``link`` and the constants in capitals. Rigid motions are
three rows of four. ``newton.py`` and ``solver.py`` say the same in Python.
"""

from __future__ import annotations

MOTIONS = r"""
/* c = a b. */
static void product(const double *a, const double *b, double *c)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            c[4 * i + j] = a[4 * i] * b[j] + a[4 * i + 1] * b[4 + j] + a[4 * i + 2] * b[8 + j];
        }
        c[4 * i + 3] += a[4 * i + 3];
    }
}

/* g times the motion of a joint about (kind 0) or along (1) its z axis. */
static void move(double *g, int of_kind, double q)
{
    const double c = of_kind ? 1.0 : cos(q), s = of_kind ? 0.0 : sin(q);
    for (int i = 0; i < 12; i += 4) {
        const double x = g[i], y = g[i + 1];
        if (of_kind) {
            g[i + 3] += g[i + 2] * q;
        } else {
            g[i] = c * x + s * y;
            g[i + 1] = c * y - s * x;
        }
    }
}

/* An angle in (-pi, pi]. */
static double wrapped(double angle)
{
    const double rest = fmod(PI - angle, 2.0 * PI);
    return PI - (rest < 0.0 ? rest + 2.0 * PI : rest);
}
"""

LINEAR = r"""
/* b (n x m) becomes a^-1 b, by LU with partial pivoting; 0 if a (n x n, lost) is singular. */
static int eliminated(int n, int m, double *a, double *b)
{
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int i = c + 1; i < n; i++) {
            if (fabs(a[i * n + c]) > fabs(a[pivot * n + c])) { pivot = i; }
        }
        if (!(fabs(a[pivot * n + c]) > 0.0)) { return 0; }
        if (pivot != c) {
            for (int j = c; j < n; j++) {
                const double t = a[c * n + j];
                a[c * n + j] = a[pivot * n + j];
                a[pivot * n + j] = t;
            }
            for (int j = 0; j < m; j++) {
                const double t = b[c * m + j];
                b[c * m + j] = b[pivot * m + j];
                b[pivot * m + j] = t;
            }
        }
        for (int i = c + 1; i < n; i++) {
            const double factor = a[i * n + c] / a[c * n + c];
            if (factor == 0.0) { continue; }
            for (int j = c + 1; j < n; j++) { a[i * n + j] -= factor * a[c * n + j]; }
            for (int j = 0; j < m; j++) { b[i * m + j] -= factor * b[c * m + j]; }
        }
    }
    for (int c = n - 1; c >= 0; c--) {
        for (int j = 0; j < m; j++) { b[c * m + j] /= a[c * n + c]; }
        for (int i = 0; i < c; i++) {
            const double factor = a[i * n + c];
            for (int j = 0; j < m; j++) { b[i * m + j] -= factor * b[c * m + j]; }
        }
    }
    for (int i = 0; i < n * m; i++) {
        if (!isfinite(b[i])) { return 0; }
    }
    return 1;
}

/* x (n x m) with a x = b; nearly the shortest least-squares solution where a is singular, 0 where it is not finite. */
static void linear(int n, int m, const double *a, const double *b, double *x)
{
    double work[SIZE * SIZE], trace = 0.0;
    for (int i = 0; i < n * n; i++) {
        work[i] = a[i];
        trace += a[i] * a[i];
    }
    for (int i = 0; i < n * m; i++) { x[i] = b[i]; }
    if (eliminated(n, m, work, x)) { return; }
    for (int i = 0; i < n; i++) { /* (a' a + small) x = a' b */
        for (int j = 0; j < n; j++) {
            work[i * n + j] = i == j ? 1e-15 * trace : 0.0;
            for (int k = 0; k < n; k++) { work[i * n + j] += a[k * n + i] * a[k * n + j]; }
        }
        for (int j = 0; j < m; j++) {
            x[i * m + j] = 0.0;
            for (int k = 0; k < n; k++) { x[i * m + j] += a[k * n + i] * b[k * m + j]; }
        }
    }
    if (eliminated(n, m, work, x)) { return; }
    for (int i = 0; i < n * m; i++) { x[i] = 0.0; }
}
"""

NEWTON = r"""
/* The size of what is missing from q to the pose T; its twist and the Jacobian (6 x 6), unless NULL is given. */
static double closure(const double *T, const double *q, double *twist, double *jacobian)
{
    double g[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, next[12], axis[6][3], origin[6][3], sum = 0.0;
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 3; k++) {
            axis[i][k] = g[4 * k + 2];
            origin[i][k] = g[4 * k + 3];
        }
        move(g, kind[i], sign[i] * q[i]);
        if (i < 5) {
            product(g, link[i], next);
            for (int k = 0; k < 12; k++) { g[k] = next[k]; }
        }
    }
    for (int k = 0; k < 12; k++) { sum += (T[k] - g[k]) * (T[k] - g[k]); }
    if (!twist) { return sqrt(sum); }
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        twist[k] = T[4 * k + 3] - g[4 * k + 3];
        twist[3 + k] = 0.0;
        for (int j = 0; j < 3; j++) {
            twist[3 + k] += 0.5 * (g[4 * u + j] * T[4 * v + j] - g[4 * v + j] * T[4 * u + j]);
        }
        for (int i = 0; i < 6; i++) {
            const double arm_u = g[4 * u + 3] - origin[i][u], arm_v = g[4 * v + 3] - origin[i][v];
            const double turned = axis[i][u] * arm_v - axis[i][v] * arm_u;
            jacobian[6 * k + i] = sign[i] * (kind[i] ? axis[i][k] : turned);
            jacobian[6 * (3 + k) + i] = kind[i] ? 0.0 : sign[i] * axis[i][k];
        }
    }
    return sqrt(sum);
}

/* q is brought onto the pose T; the size of what is left. */
static double refined(const double *T, double *q)
{
    double at[6], twist[6], jacobian[36], step[6], residual = HUGE_VAL;
    for (int i = 0; i < 6; i++) { at[i] = q[i]; }
    for (int turn = 0;; turn++) {
        const double left = closure(T, at, twist, jacobian);
        const int better = left < residual;
        if (better) {
            residual = left;
            for (int i = 0; i < 6; i++) { q[i] = at[i]; }
        }
        /* Quadratic convergence: a step that no longer halves the residual is rounding, once it is small. */
        if (turn == ITERATIONS || !(left > CONVERGED) || !isfinite(left) || (!better && left <= 1e-8)) { break; }
        if (turn >= PATIENCE && left >= 1e-3) { break; }
        double longest = LONGEST_STEP;
        linear(6, 1, jacobian, twist, step);
        for (int i = 0; i < 6; i++) { longest = fmax(longest, fabs(step[i])); }
        for (int i = 0; i < 6; i++) { at[i] += step[i] * (LONGEST_STEP / longest); }
    }
    return residual;
}

/* Candidates of one pose: the residual and six joint positions each. */
typedef struct {
    int count, doubtful, distinct;
    double row[ROWS][7];
    int kept[ROWS];
} Candidates;

/* Refines a start and adds it if it is a solution; if not, a sure one casts doubt on the pose. */
static void tried(const double *T, double *q, int sure, Candidates *found)
{
    for (int i = 0; i < 6; i++) {
        if (!isfinite(q[i])) { return; }
    }
    const double residual = refined(T, q);
    if (!(residual < TOLERANCE)) {
        found->doubtful |= sure;
    } else if (found->count < ROWS) {
        double *row = found->row[found->count++];
        row[0] = residual;
        for (int i = 0; i < 6; i++) { row[1 + i] = kind[i] ? q[i] : wrapped(q[i]); }
    }
}

static int comes_before(const double *a, const double *b)
{
    for (int i = 1; i < 7; i++) {
        const double x = rint(1e6 * a[i]), y = rint(1e6 * b[i]);
        if (x != y) { return x < y; }
    }
    return 0;
}

/* Two that agree are the same, and two close ones if half-way between them the residual is no larger: a double root,
   where Newton is slow and stops early. */
static int same(const double *T, const double *a, const double *b)
{
    double apart = 0.0, middle[6];
    for (int i = 0; i < 6; i++) {
        const double difference = kind[i] ? a[1 + i] - b[1 + i] : wrapped(a[1 + i] - b[1 + i]);
        apart = fmax(apart, fabs(difference));
        middle[i] = b[1 + i] + 0.5 * difference;
    }
    if (apart < SAME || apart >= CLOSE) { return apart < SAME; }
    return closure(T, middle, 0, 0) < 4.0 * fmax(CONVERGED, fmax(a[0], b[0]));
}

/* Sorts the candidates and marks those that repeat no earlier one. */
static void sorted(const double *T, Candidates *found)
{
    found->distinct = 0;
    for (int j = 1; j < found->count; j++) {
        for (int i = j; i > 0 && comes_before(found->row[i], found->row[i - 1]); i--) {
            for (int k = 0; k < 7; k++) {
                const double t = found->row[i][k];
                found->row[i][k] = found->row[i - 1][k];
                found->row[i - 1][k] = t;
            }
        }
    }
    for (int j = 0; j < found->count; j++) {
        found->kept[j] = 1;
        for (int i = 0; i < j && found->kept[j]; i++) {
            found->kept[j] = !(found->kept[i] && same(T, found->row[i], found->row[j]));
        }
        found->distinct += found->kept[j];
    }
}
"""

SOLVE = r"""
/* The pose that the joints have to reach, without base and tool, in units of LENGTH; 0 if T is no pose. */
static int reduced(const double *T, double *pose)
{
    double g[12], turned[12], off = 0.0;
    for (int i = 0; i < 16; i++) {
        if (!isfinite(T[i]) || (i > 11 && fabs(T[i] - (i == 15)) > 1e-6)) { return 0; }
    }
    for (int i = 0; i < 12; i++) { g[i] = T[i]; }
    for (int turn = 0; turn < 5; turn++) { /* R <- R (3 - R' R) / 2 makes a rotation of it */
        double gram[3][3];
        off = 0.0;
        for (int i = 0; i < 9; i++) {
            const int j = i / 3, k = i % 3;
            gram[j][k] = g[j] * g[k] + g[4 + j] * g[4 + k] + g[8 + j] * g[8 + k];
            off = fmax(off, fabs(gram[j][k] - (j == k)));
        }
        if (off > 1e-3) { return 0; }
        if (off <= 1e-13) { break; }
        for (int i = 0; i < 12; i += 4) {
            const double x[3] = {g[i], g[i + 1], g[i + 2]};
            for (int k = 0; k < 3; k++) {
                g[i + k] = 1.5 * x[k] - 0.5 * (x[0] * gram[0][k] + x[1] * gram[1][k] + x[2] * gram[2][k]);
            }
        }
    }
    if (g[0] * (g[5] * g[10] - g[6] * g[9]) - g[1] * (g[4] * g[10] - g[6] * g[8])
        + g[2] * (g[4] * g[9] - g[5] * g[8]) < 0.0) { return 0; }
    product(before, g, turned);
    product(turned, after, pose);
    for (int i = 3; i < 12; i += 4) { pose[i] /= LENGTH; }
    return 1;
}

int @NAME@_solve(const double T[16], double solutions[96])
{
    Candidates found;
    double pose[12];
    int total = 0;
    if (!reduced(T, pose)) { return 0; }
    found.count = found.doubtful = found.distinct = 0;
    for (int i = 0; i < METHODS; i++) {
        if (i >= ALWAYS) { /* the spare ones, while the result looks incomplete: complex solutions come in pairs */
            if (!found.doubtful && found.distinct % 2 == 0 && found.distinct >= USUAL) { break; }
        }
        starts(i, pose, &found);
        if (i + 1 < ALWAYS) { continue; }
        sorted(pose, &found);
        if (i >= ALWAYS || !REGULAR) { found.doubtful = 0; }
    }
    for (int j = 0; j < found.count; j++) {
        if (!found.kept[j] || total == 16) { continue; }
        for (int i = 0; i < 6; i++) {
            solutions[6 * total + i] = found.row[j][1 + i] * (kind[i] ? LENGTH : 1.0);
        }
        total++;
    }
    return total;
}
"""

THREE_PRISMATIC = r"""
/* Rotations Ra K1 Rb K2 Rc = K3 close alone: b from the zz element, then a and c; the lengths are linear. */
static void starts(int method, const double *T, Candidates *found)
{
    double K3[12], turned[12];
    product(rotations[0], T, turned);
    product(turned, rotations[3], K3);
    const double cosine = (K3[10] - rotations[1][10] * rotations[2][10]) / (AMPLITUDE > 1e-12 ? AMPLITUDE : 1.0);
    if (fabs(cosine) > 1.0 + 1e-9) { return; }
    const double turn = acos(fmax(-1.0, fmin(1.0, cosine)));
    for (int branch = 0; branch < 2; branch++) {
        double middle[12], g[12], next[12], q[6], part[3], directions[9], lengths[3];
        for (int i = 0; i < 12; i++) { g[i] = rotations[1][i]; }
        part[1] = MIDDLE + (branch ? -turn : turn);
        move(g, 0, part[1]);
        product(g, rotations[2], middle);
        part[0] = atan2(K3[6], K3[2]) - atan2(middle[6], middle[2]);
        const double c = cos(part[0]), s = sin(part[0]);
        double rest[2][2]; /* of (Ra middle)' K3 */
        for (int i = 0; i < 2; i++) {
            const double x = c * middle[i] - s * middle[4 + i], y = s * middle[i] + c * middle[4 + i];
            for (int j = 0; j < 2; j++) { rest[i][j] = x * K3[j] + y * K3[4 + j] + middle[8 + i] * K3[8 + j]; }
        }
        part[2] = atan2(rest[1][0] - rest[0][1], rest[0][0] + rest[1][1]);
        for (int i = 0; i < 12; i++) { g[i] = i % 5 == 0 ? 1.0 : 0.0; }
        for (int i = 0, a = 0, b = 0; i < 6; i++) {
            if (kind[i]) {
                for (int k = 0; k < 3; k++) { directions[3 * k + b] = sign[i] * g[4 * k + 2]; }
                b++;
            } else {
                q[i] = sign[i] * part[a++];
                move(g, 0, sign[i] * q[i]);
            }
            if (i < 5) {
                product(g, link[i], next);
                for (int k = 0; k < 12; k++) { g[k] = next[k]; }
            }
        }
        for (int k = 0; k < 3; k++) { part[k] = T[4 * k + 3] - g[4 * k + 3]; }
        linear(3, 1, directions, part, lengths);
        for (int i = 0, b = 0; i < 6; i++) {
            if (kind[i]) { q[i] = lengths[b++]; }
        }
        tried(T, q, method == 0, found);
    }
}
"""
