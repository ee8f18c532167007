"""C99 for the elimination: the pencil of a pose, its eigenvalues and eigenvectors, and joint positions from them.

``elimination.py`` and ``roots.py`` say the same in Python. Here the pencil is made of the invariants of the axis of joint 6
at three positions of joint 4 by three of joint 5, which determine the quadratic forms.
"""

from __future__ import annotations

EIGEN = r"""
/* a (n x n) becomes D^-1 a D with rows and columns of like size; D, powers of two, is given. */
static void balanced(int n, double *a, double *d)
{
    int changed = 1;
    for (int i = 0; i < n; i++) { d[i] = 1.0; }
    for (int turn = 0; turn < 10 && changed; turn++) {
        changed = 0;
        for (int i = 0; i < n; i++) {
            double row = 0.0, column = 0.0;
            int power;
            for (int j = 0; j < n; j++) {
                if (j == i) { continue; }
                row += fabs(a[i * n + j]);
                column += fabs(a[j * n + i]);
            }
            if (!(row > 0.0 && column > 0.0)) { continue; }
            frexp(sqrt(row / column), &power);
            const double f = ldexp(1.0, power - 1);
            if (!(column * f + row / f < 0.95 * (column + row))) { continue; }
            changed = 1;
            d[i] *= f;
            for (int j = 0; j < n; j++) { a[j * n + i] *= f; }
            for (int j = 0; j < n; j++) { a[i * n + j] /= f; }
        }
    }
}

/* a becomes Q' a Q of Hessenberg form; row k of v is the unit vector of the reflection that makes column k so. */
static void hessenberg(int n, double *a, double (*v)[SIZE])
{
    for (int k = 0; k + 2 < n; k++) {
        double norm = 0.0, square = 0.0;
        for (int i = k + 1; i < n; i++) { norm = hypot(norm, a[i * n + k]); }
        for (int i = 0; i < n; i++) { v[k][i] = i > k ? a[i * n + k] : 0.0; }
        v[k][k + 1] += v[k][k + 1] >= 0.0 ? norm : -norm;
        for (int i = k + 1; i < n; i++) { square += v[k][i] * v[k][i]; }
        if (!(square > 0.0)) { continue; }
        square = sqrt(square);
        for (int i = k + 1; i < n; i++) { v[k][i] /= square; }
        double s[SIZE] = {0};
        for (int i = k + 1; i < n; i++) {
            for (int j = k; j < n; j++) { s[j] += 2.0 * v[k][i] * a[i * n + j]; }
        }
        for (int i = k + 1; i < n; i++) {
            for (int j = k; j < n; j++) { a[i * n + j] -= v[k][i] * s[j]; }
        }
        for (int i = 0; i < n; i++) {
            double t = 0.0;
            for (int j = k + 1; j < n; j++) { t += 2.0 * v[k][j] * a[i * n + j]; }
            for (int j = k + 1; j < n; j++) { a[i * n + j] -= t * v[k][j]; }
        }
        for (int i = k + 2; i < n; i++) { a[i * n + k] = 0.0; }
    }
}

/* One implicit QR step on the rows low to high of h; its two shifts are the roots of (x - a) (x - d) = bc. */
static void double_step(int n, double *h, int low, int high, double a, double d, double bc)
{
    const double *top = h + low * n + low, *below = top + n;
    double x = ((top[0] - a) * (top[0] - d) - bc) / below[0] + top[1], y = (top[0] - a) + (below[1] - d);
    double z = below[n + 1];
    for (int k = low; k < high; k++) {
        const int three = k + 2 <= high, bottom = k + 3 < high ? k + 3 : high;
        if (k > low) {
            x = h[k * n + k - 1];
            y = h[(k + 1) * n + k - 1];
            z = three ? h[(k + 2) * n + k - 1] : 0.0;
        }
        const double size = fabs(x) + fabs(y) + fabs(z);
        if (!(size > 0.0)) { continue; }
        x /= size;
        y /= size;
        z /= size;
        const double norm = sqrt(x * x + y * y + z * z), head = x >= 0.0 ? x + norm : x - norm;
        const double v1 = y / head, v2 = z / head, b = 2.0 / (1.0 + v1 * v1 + v2 * v2);
        double *r0 = h + k * n, *r1 = r0 + n, *r2 = three ? r1 + n : r1;
        for (int j = k > low ? k - 1 : k; j <= high; j++) {
            const double s = b * (r0[j] + v1 * r1[j] + (three ? v2 * r2[j] : 0.0));
            r0[j] -= s;
            r1[j] -= s * v1;
            if (three) { r2[j] -= s * v2; }
        }
        for (int i = low; i <= bottom; i++) {
            double *c = h + i * n + k;
            const double s = b * (c[0] + v1 * c[1] + (three ? v2 * c[2] : 0.0));
            c[0] -= s;
            c[1] -= s * v1;
            if (three) { c[2] -= s * v2; }
        }
        if (k > low) {
            r1[k - 1] = 0.0;
            if (three) { r2[k - 1] = 0.0; }
        }
    }
}

/* The eigenvalues re + i im, im >= 0 (one of each pair), of a Hessenberg matrix h (lost); how many. Not all, should the
   iteration fail. */
static int eigenvalues(int n, double *h, double *re, double *im)
{
    int high = n - 1, turn = 0, count = 0;
    double norm = 0.0, small = EPSILON;
    for (int i = 0; i < n * n; i++) { norm = fmax(norm, fabs(h[i])); }
    while (high >= 0 && turn < 100) {
        int low = high;
        for (; low > 0; low--) {
            const double near = fabs(h[(low - 1) * n + low - 1]) + fabs(h[low * n + low]);
            if (fabs(h[low * n + low - 1]) <= small * (near > 0.0 ? near : norm)) { break; }
        }
        if (low == high) {
            re[count] = h[high * n + high];
            im[count++] = 0.0;
            high -= 1;
            turn = 0;
            small = EPSILON;
            continue;
        }
        const double a = h[(high - 1) * n + high - 1], d = h[high * n + high];
        const double bc = h[(high - 1) * n + high] * h[high * n + high - 1];
        if (low == high - 1) {
            const double p = 0.5 * (a - d), square = p * p + bc, root = sqrt(fabs(square));
            if (square >= 0.0) {
                const double far = p >= 0.0 ? p + root : p - root;
                re[count] = d + far;
                im[count++] = 0.0;
                re[count] = far != 0.0 ? d - bc / far : d;
                im[count++] = 0.0;
            } else {
                re[count] = d + p;
                im[count++] = root;
            }
            high -= 2;
            turn = 0;
            small = EPSILON;
            continue;
        }
        turn++;
        if (turn % 10 == 0) { /* other shifts and less is asked for, should the usual ones go round in circles */
            const double s = fabs(h[high * n + high - 1]) + fabs(h[(high - 1) * n + high - 2]);
            double_step(n, h, low, high, d + 0.75 * s, d + 0.75 * s, -0.4375 * s * s);
            small *= 4.0;
        } else {
            double_step(n, h, low, high, a, d, bc);
        }
    }
    return count;
}

typedef struct {
    double re, im;
} Complex;

static Complex less(Complex a, Complex f, Complex b)
{
    const Complex c = {a.re - (f.re * b.re - f.im * b.im), a.im - (f.re * b.im + f.im * b.re)};
    return c;
}

static Complex over(Complex a, Complex b)
{
    const double s = fabs(b.re) + fabs(b.im), x = b.re / s, y = b.im / s, d = s * (x * x + y * y);
    const Complex c = {(a.re * x + a.im * y) / d, (a.im * x - a.re * y) / d};
    return c;
}

/* The eigenvector w of the Hessenberg matrix h by inverse iteration: LU once, three times forward and back. */
static void eigenvector(int n, const double *h, double re, double im, Complex *w)
{
    Complex u[SIZE * SIZE], factor[SIZE];
    int swapped[SIZE] = {0};
    double norm = 0.0;
    for (int i = 0; i < n * n; i++) {
        norm = fmax(norm, fabs(h[i]));
        u[i].re = i % (n + 1) == 0 ? h[i] - re : h[i];
        u[i].im = i % (n + 1) == 0 ? -im : 0.0;
    }
    const double least = norm > 0.0 ? EPSILON * norm : 1.0;
    for (int c = 0; c < n; c++) {
        Complex *row = u + c * n, *next = row + n;
        swapped[c] = c + 1 < n && fabs(next[c].re) + fabs(next[c].im) > fabs(row[c].re) + fabs(row[c].im);
        for (int j = c; swapped[c] && j < n; j++) {
            const Complex t = row[j];
            row[j] = next[j];
            next[j] = t;
        }
        if (fabs(row[c].re) + fabs(row[c].im) < least) {
            row[c].re = least;
            row[c].im = 0.0;
        }
        if (c + 1 == n) { break; }
        factor[c] = over(next[c], row[c]);
        for (int j = c + 1; j < n; j++) { next[j] = less(next[j], factor[c], row[j]); }
    }
    for (int i = 0; i < n; i++) {
        w[i].re = 1.0 / (1 + i % 5);
        w[i].im = 0.0;
    }
    for (int turn = 0; turn < 3; turn++) {
        double largest = 0.0;
        for (int c = 0; turn && c + 1 < n; c++) {
            if (swapped[c]) {
                const Complex t = w[c];
                w[c] = w[c + 1];
                w[c + 1] = t;
            }
            w[c + 1] = less(w[c + 1], factor[c], w[c]);
        }
        for (int c = n - 1; c >= 0; c--) {
            for (int j = c + 1; j < n; j++) { w[c] = less(w[c], u[c * n + j], w[j]); }
            w[c] = over(w[c], u[c * n + c]);
            largest = fmax(largest, fabs(w[c].re) + fabs(w[c].im));
        }
        for (int i = 0; i < n && largest > 0.0; i++) {
            w[i].re /= largest;
            w[i].im /= largest;
        }
    }
}
"""

TYPES = r"""
/* One way to eliminate. The loop of six joints is labelled anew: joints 1 and 2 are eliminated linearly, the angle of 3 is
   the unknown of the pencil, 4 and 5 are in the monomials, 6 does not move its own axis, which is what is compared. */
typedef struct {
    int size, monomials, lifts, constant, linear, quadratic; /* of the pencil; equations by their degree */
    int reverse, place, infinite;                            /* the pose comes after joint 'place' */
    double zero, real; /* of the hidden angle; the largest imaginary part of an angle that is tried */
    int order[6], kinds[6];
    const double (*gap)[12];     /* the constant motions after the joints */
    const double (*row)[15];     /* coefficients of the equations in the invariants */
    const double (*back)[15];    /* the monomials of joints 1 and 2 from the invariants, less 'offset' */
    const double *offset;
    const double *present;       /* which of those monomials occur */
    const int (*exponent)[2];    /* of the monomials of joints 4 and 5 */
    const double *weight;
    const int (*from)[12];       /* the equations times the half-angle of a joint: places and factors */
    const double (*times)[12];
} Elimination;
"""

ELIMINATION = r"""
static void invariants(const double *g, double *f)
{
    const double p[3] = {g[3], g[7], g[11]}, l[3] = {g[2], g[6], g[10]};
    const double pp = p[0] * p[0] + p[1] * p[1] + p[2] * p[2], pl = p[0] * l[0] + p[1] * l[1] + p[2] * l[2];
    for (int k = 0; k < 3; k++) {
        const int u = (k + 1) % 3, v = (k + 2) % 3;
        f[k] = p[k];
        f[3 + k] = l[k];
        f[8 + k] = p[u] * l[v] - p[v] * l[u];
        f[11 + k] = pp * l[k] - 2.0 * pl * p[k];
    }
    f[6] = pp;
    f[7] = pl;
    f[14] = 1.0;
}

/* The coefficients (15 x 9) of the products of forms u u, sqrt(2) u v, v v of joints 4 and 5 in the invariants. */
static void forms(const Elimination *e, double (*gap)[12], double (*G)[9])
{
    static const double sample[2][3] = {{0.0, 0.5 * PI, PI}, {0.0, 1.0, -1.0}};
    static const double form[2][3][3] = {{{1.0, 0.0, 0.0}, {-ROOT, 2.0 * ROOT, -ROOT}, {0.0, 0.0, 1.0}},
                                         {{1.0, 0.0, 0.0}, {0.0, 0.5 * ROOT, -0.5 * ROOT}, {-1.0, 0.5, 0.5}}};
    const int k4 = e->kinds[3], k5 = e->kinds[4];
    double f[3][3][15], g[12], left[12], line[12];
    for (int a = 0; a < 3; a++) {
        for (int i = 0; i < 12; i++) { g[i] = gap[2][i]; }
        move(g, k4, sample[k4][a]);
        product(g, gap[3], left);
        for (int b = 0; b < 3; b++) {
            for (int i = 0; i < 12; i++) { g[i] = left[i]; }
            move(g, k5, sample[k5][b]);
            product(g, gap[4], line);
            invariants(line, f[a][b]);
        }
    }
    for (int i = 0; i < 15; i++) {
        double half[3][3];
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                const double *w = form[k5][b];
                half[a][b] = w[0] * f[a][0][i] + w[1] * f[a][1][i] + w[2] * f[a][2][i];
            }
        }
        for (int a = 0; a < 3; a++) {
            const double *w = form[k4][a];
            for (int b = 0; b < 3; b++) { G[i][3 * a + b] = w[0] * half[0][b] + w[1] * half[1][b] + w[2] * half[2][b]; }
        }
    }
}

/* One equation, lifted or not, in the monomials. */
static void equation(const Elimination *e, int lift, double factor, const double *row, double (*G)[9], double *into)
{
    double value[9] = {0};
    for (int i = 0; i < 15; i++) {
        for (int k = 0; k < 9; k++) { value[k] += row[i] * G[i][k]; }
    }
    for (int k = 0; k < e->monomials; k++) { into[k] = factor * e->times[lift][k] * value[e->from[lift][k]]; }
}

/* The pencil A x + B, its rows of size one; a quadratic equation c0 + c1 x + c2 x x has w = x c2 m beside it. */
static void pencil(const Elimination *e, double (*G)[9], double *A, double *B)
{
    const int n = e->size, m = e->monomials, last = e->constant + 2 * e->linear;
    int at = 0, extra = m;
    for (int i = 0; i < n * n; i++) { A[i] = B[i] = 0.0; }
    for (int lift = 0; lift < e->lifts; lift++) {
        for (int i = 0; i < e->constant; i++, at++) { equation(e, lift, 1.0, e->row[i], G, B + at * n); }
        for (int i = 0; i < e->linear; i++, at++) {
            equation(e, lift, 1.0, e->row[e->constant + i], G, B + at * n);
            equation(e, lift, 1.0, e->row[e->constant + e->linear + i], G, A + at * n);
        }
        for (int i = 0; i < e->quadratic; i++, at++, extra++) {
            equation(e, lift, 1.0, e->row[last + i], G, B + at * n);
            equation(e, lift, 1.0, e->row[last + e->quadratic + i], G, A + at * n);
            equation(e, lift, -1.0, e->row[last + 2 * e->quadratic + i], G, A + extra * n);
            A[at * n + extra] = B[extra * n + extra] = 1.0;
        }
    }
    for (int i = 0; i < n * n; i += n) {
        double scale = 0.0;
        for (int j = i; j < i + n; j++) { scale += A[j] * A[j] + B[j] * B[j]; }
        scale = scale > 0.0 ? sqrt(scale) : 1.0;
        for (int j = i; j < i + n; j++) {
            A[j] /= scale;
            B[j] /= scale;
        }
    }
}

/* Joints 4 and 5: v / u from all pairs of monomials that differ by v / u. */
static double unknown(const Elimination *e, int which, const double *m)
{
    double uu = 0.0, uv = 0.0, vv = 0.0;
    for (int i = 0; i < e->monomials; i++) {
        for (int j = 0; j < e->monomials; j++) {
            if (e->exponent[j][which] != e->exponent[i][which] + 1) { continue; }
            if (e->exponent[j][1 - which] != e->exponent[i][1 - which]) { continue; }
            const double u = m[i] / e->weight[i], v = m[j] / e->weight[j];
            uu += u * u;
            uv += u * v;
            vv += v * v;
        }
    }
    if (e->kinds[3 + which]) { return uv / (uu > 0.0 ? uu : 1.0); }
    return atan2(2.0 * uv, uu - vv);
}

/* A joint (2 or 1) from the products of its terms (1, cos, sin or 1, r, r r) with those of the other one. */
static double eliminated_joint(int of_kind, const double *terms, const double *present, int own, int other)
{
    double along = 0.0, across = 0.0, weight = 0.0;
    for (int j = 0; j < 3 * other; j += other) {
        const double one = terms[j] * present[j];
        along += one * terms[own + j] * present[own + j];
        across += one * terms[2 * own + j] * present[2 * own + j];
        weight += one * one * present[own + j];
    }
    return of_kind ? -along / fmax(weight, 1e-300) : -atan2(across, along);
}

/* All joints of the arm from the hidden angle and the monomials m. */
static void joints(const Elimination *e, double (*gap)[12], double hidden, const double *m, double *q)
{
    double g[12], left[12], right[12], f[15], terms[9] = {1.0}, own[6];
    own[2] = hidden;
    own[3] = unknown(e, 0, m);
    own[4] = unknown(e, 1, m);
    for (int i = 0; i < 12; i++) { left[i] = i % 5 == 0 ? 1.0 : 0.0; }
    for (int i = 2; i < 5; i++) {
        for (int k = 0; k < 12; k++) { g[k] = left[k]; }
        move(g, e->kinds[i], own[i]);
        product(g, gap[i], left);
    }
    invariants(left, f);
    for (int k = 0; k < 8; k++) {
        terms[1 + k] = 0.0;
        for (int i = 0; i < 15; i++) { terms[1 + k] += e->back[k][i] * (f[i] - e->offset[i]); }
    }
    own[1] = eliminated_joint(e->kinds[1], terms, e->present, 3, 1);
    own[0] = eliminated_joint(e->kinds[0], terms, e->present, 1, 3);
    for (int k = 0; k < 12; k++) { g[k] = gap[5][k]; }
    for (int i = 0; i < 2; i++) {
        move(g, e->kinds[i], own[i]);
        product(g, gap[i], right);
        for (int k = 0; k < 12; k++) { g[k] = right[k]; }
    }
    product(right, left, g); /* joint 6 undoes it */
    own[5] = atan2(g[1] - g[4], g[0] + g[5]);
    for (int i = 0; i < 6; i++) { q[e->order[i]] = (e->reverse ? -1.0 : 1.0) * sign[e->order[i]] * own[i]; }
}

/* The eigenvector of the original matrix, the monomials alone: real, its largest entry one. */
static void monomials(const Elimination *e, double (*v)[SIZE], const double *d, Complex *w, double *m)
{
    int largest = 0;
    for (int k = e->size - 3; k >= 0; k--) {
        double x = 0.0, y = 0.0;
        for (int i = k + 1; i < e->size; i++) {
            x += 2.0 * v[k][i] * w[i].re;
            y += 2.0 * v[k][i] * w[i].im;
        }
        for (int i = k + 1; i < e->size; i++) {
            w[i].re -= x * v[k][i];
            w[i].im -= y * v[k][i];
        }
    }
    for (int i = 0; i < e->monomials; i++) {
        w[i].re *= d[i];
        w[i].im *= d[i];
        if (hypot(w[i].re, w[i].im) > hypot(w[largest].re, w[largest].im)) { largest = i; }
    }
    const double square = w[largest].re * w[largest].re + w[largest].im * w[largest].im;
    for (int i = 0; i < e->monomials; i++) {
        m[i] = (w[i].re * w[largest].re + w[i].im * w[largest].im) / (square > 0.0 ? square : 1.0);
    }
}

/* The solutions that one elimination proposes for the pose T are tried. */
static void starts(int method, const double *T, Candidates *found)
{
    const Elimination *e = &eliminations[method];
    const int n = e->size;
    double gap[6][12], G[15][9], A[SIZE * SIZE], B[SIZE * SIZE], H[SIZE * SIZE], v[SIZE][SIZE];
    double d[SIZE], re[SIZE], im[SIZE], m[SIZE], q[6];
    Complex w[SIZE];
    for (int i = 0; i < 72; i++) { gap[i / 12][i % 12] = e->gap[i / 12][i % 12]; }
    for (int i = 0; i < 12; i++) { /* the pose, or its inverse */
        const int r = i / 4, c = i % 4;
        double value = T[i];
        if (!e->reverse) {
            value = c < 3 ? T[4 * c + r] : -(T[r] * T[3] + T[4 + r] * T[7] + T[8 + r] * T[11]);
        }
        gap[e->place - 1][i] = value;
    }
    forms(e, gap, G);
    pencil(e, G, A, B);
    linear(n, n, B, A, H);
    balanced(n, H, d);
    hessenberg(n, H, v);
    for (int i = 0; i < n * n; i++) { A[i] = H[i]; }
    const int count = eigenvalues(n, A, re, im);
    for (int i = 0; i < count; i++) {
        /* The angle is zero + pi + 2 atan(eigenvalue), of real part 'angle' and imaginary part 'off'. */
        const double x = re[i], y = im[i], off = 0.5 * log1p(4.0 * y / (x * x + (y - 1.0) * (y - 1.0)));
        const double angle = e->zero + PI + atan2(2.0 * x, 1.0 - x * x - y * y);
        if (!(off <= e->real)) { continue; }
        const int finite = !e->infinite || fabs(cos(0.5 * (angle - e->zero))) > 1e-5;
        eigenvector(n, H, x, y, w);
        monomials(e, v, d, w, m);
        joints(e, gap, angle, m, q);
        tried(T, q, finite && off < 1e-7, found);
    }
}
"""
