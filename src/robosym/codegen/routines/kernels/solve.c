/* A X = B by Gaussian elimination, the largest entry of a column as pivot; X = 0 if A is singular. */
static void $function(const double *A, const double *B, double *X)
{
    enum { n = $n, k = $k };
    double a[n * n];
    for (int i = 0; i < n * n; i++) { a[i] = A[i]; }
    for (int i = 0; i < n * k; i++) { X[i] = B[i]; }
    int singular = 0;
    for (int c = 0; c < n && !singular; c++) {
        int pivot = c;
        for (int i = c + 1; i < n; i++) {
            if (fabs(a[n * i + c]) > fabs(a[n * pivot + c])) { pivot = i; }
        }
        singular = !(fabs(a[n * pivot + c]) > 0.0);
        if (singular) { break; }
        if (pivot != c) {
            for (int j = c; j < n; j++) {
                const double t = a[n * c + j];
                a[n * c + j] = a[n * pivot + j];
                a[n * pivot + j] = t;
            }
            for (int j = 0; j < k; j++) {
                const double t = X[k * c + j];
                X[k * c + j] = X[k * pivot + j];
                X[k * pivot + j] = t;
            }
        }
        for (int i = c + 1; i < n; i++) {
            const double f = a[n * i + c] / a[n * c + c];
            for (int j = c + 1; j < n; j++) { a[n * i + j] -= f * a[n * c + j]; }
            for (int j = 0; j < k; j++) { X[k * i + j] -= f * X[k * c + j]; }
        }
    }
    for (int c = n - 1; c >= 0 && !singular; c--) {
        for (int j = 0; j < k; j++) {
            double sum = X[k * c + j];
            for (int i = c + 1; i < n; i++) { sum -= a[n * c + i] * X[k * i + j]; }
            X[k * c + j] = sum / a[n * c + c];
            singular = singular || !(fabs(X[k * c + j]) < HUGE_VAL);
        }
    }
    for (int i = 0; i < n * k && singular; i++) { X[i] = 0.0; }
}
