/* What A - root takes to nearly nothing, its largest entry one: inverse iteration on a factorisation with pivots. */
static void $function(const double *A, const double *root, double *v)
{
    enum { n = $n };
    double a[n][n], norm = 0.0;
    int order[n];
    for (int i = 0; i < n * n; i++) {
        a[i / n][i % n] = A[i] - (i / n == i % n ? root[0] : 0.0);
        if (fabs(a[i / n][i % n]) > norm) { norm = fabs(a[i / n][i % n]); }
    }
    const double least = norm > 0.0 ? 2.2e-16 * norm : 1.0;
    for (int c = 0; c < n; c++) {
        order[c] = c;
        for (int i = c + 1; i < n; i++) {
            if (fabs(a[i][c]) > fabs(a[order[c]][c])) { order[c] = i; }
        }
        for (int j = 0; j < n; j++) {
            const double t = a[c][j];
            a[c][j] = a[order[c]][j];
            a[order[c]][j] = t;
        }
        if (!(fabs(a[c][c]) > least)) { a[c][c] = least; }
        for (int i = c + 1; i < n; i++) {
            a[i][c] /= a[c][c];
            for (int j = c + 1; j < n; j++) { a[i][j] -= a[i][c] * a[c][j]; }
        }
    }
    for (int i = 0; i < n; i++) { v[i] = 1.0; }
    for (int turn = 0; turn < 3; turn++) {
        double largest = 0.0;
        for (int c = 0; c < n && turn > 0; c++) {
            const double t = v[order[c]];
            v[order[c]] = v[c];
            v[c] = t;
        }
        for (int i = 1; i < n && turn > 0; i++) {
            for (int j = 0; j < i; j++) { v[i] -= a[i][j] * v[j]; }
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int j = i + 1; j < n; j++) { v[i] -= a[i][j] * v[j]; }
            v[i] /= a[i][i];
            if (fabs(v[i]) > 1e200) { /* far beyond any other entry: only the direction matters */
                for (int j = 0; j < n; j++) { v[j] *= 1e-200; }
            }
        }
        for (int i = 0; i < n; i++) {
            if (fabs(v[i]) > fabs(largest)) { largest = v[i]; }
        }
        const int fine = fabs(largest) > 0.0 && fabs(largest) < HUGE_VAL;
        for (int i = 0; i < n; i++) { v[i] = fine && v[i] == v[i] ? v[i] / largest : 0.0; }
    }
}
