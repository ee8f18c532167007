/* The eigenvalues of A, (real, imaginary) by rows: reflections to Hessenberg form, then QR with double shifts.
   One that is not found after many turns is given as (0, HUGE_VAL). */
static void $function(const double *A, double *roots)
{
    enum { n = $n };
    double h[n][n], norm = 0.0;
    for (int i = 0; i < n * n; i++) { h[i / n][i % n] = A[i]; }
    for (int c = 0; c + 2 < n; c++) {
        double v[n], size = 0.0, square = 0.0;
        for (int i = c + 1; i < n; i++) { size += fabs(h[i][c]); }
        if (!(size > 0.0)) { continue; }
        for (int i = c + 1; i < n; i++) {
            v[i] = h[i][c] / size;
            square += v[i] * v[i];
        }
        v[c + 1] += v[c + 1] >= 0.0 ? sqrt(square) : -sqrt(square);
        square = 0.0;
        for (int i = c + 1; i < n; i++) { square += v[i] * v[i]; }
        for (int j = c; j < n; j++) {
            double s = 0.0;
            for (int i = c + 1; i < n; i++) { s += v[i] * h[i][j]; }
            s *= 2.0 / square;
            for (int i = c + 1; i < n; i++) { h[i][j] -= s * v[i]; }
        }
        for (int i = 0; i < n; i++) {
            double s = 0.0;
            for (int j = c + 1; j < n; j++) { s += v[j] * h[i][j]; }
            s *= 2.0 / square;
            for (int j = c + 1; j < n; j++) { h[i][j] -= s * v[j]; }
        }
        for (int i = c + 2; i < n; i++) { h[i][c] = 0.0; }
    }
    for (int i = 0; i < n; i++) {
        for (int j = i > 0 ? i - 1 : 0; j < n; j++) { norm += fabs(h[i][j]); }
    }
    int last = norm < HUGE_VAL ? n - 1 : -1, turn = 0;
    for (int i = 0; i < n; i++) {
        roots[2 * i] = 0.0;
        roots[2 * i + 1] = HUGE_VAL;
    }
    while (last >= 0) {
        int low = last;
        for (; low > 0; low--) {
            double near = fabs(h[low - 1][low - 1]) + fabs(h[low][low]);
            near = near > 0.0 ? near : norm;
            if (fabs(h[low][low - 1]) <= 2.2e-16 * near) {
                h[low][low - 1] = 0.0;
                break;
            }
        }
        if (low == last) {
            roots[2 * last] = h[last][last];
            roots[2 * last + 1] = 0.0;
            last--;
            turn = 0;
            continue;
        }
        const double x = h[last][last], y = h[last - 1][last - 1], w = h[last][last - 1] * h[last - 1][last];
        if (low == last - 1) {
            const double p = 0.5 * (y - x), q = p * p + w, z = sqrt(fabs(q));
            if (q >= 0.0) {
                const double far = p >= 0.0 ? p + z : p - z;
                roots[2 * last - 2] = x + far;
                roots[2 * last] = far != 0.0 ? x - w / far : x;
                roots[2 * last - 1] = roots[2 * last + 1] = 0.0;
            } else {
                roots[2 * last - 2] = roots[2 * last] = x + p;
                roots[2 * last - 1] = z;
                roots[2 * last + 1] = -z;
            }
            last -= 2;
            turn = 0;
            continue;
        }
        if (turn == 90) {
            last--;
            turn = 0;
            continue;
        }
        double sum = x + y, product = x * y - w;
        turn++;
        if (turn % 10 == 0) { /* a shift out of the ordinary, should the ordinary ones go round in circles */
            const double off = fabs(h[last][last - 1]) + fabs(h[last - 1][last - 2]);
            sum = 1.5 * off + 2.0 * x;
            product = off * off + 1.5 * off * x + x * x;
        }
        double a = h[low][low] * h[low][low] + h[low][low + 1] * h[low + 1][low] - sum * h[low][low] + product;
        double b = h[low + 1][low] * (h[low][low] + h[low + 1][low + 1] - sum);
        double c = low + 2 <= last ? h[low + 1][low] * h[low + 2][low + 1] : 0.0;
        for (int k = low; k < last; k++) { /* the bulge is chased down by reflections of two or three rows */
            const int rows = k + 2 <= last ? 3 : 2;
            if (k > low) {
                a = h[k][k - 1];
                b = h[k + 1][k - 1];
                c = rows == 3 ? h[k + 2][k - 1] : 0.0;
            }
            const double size = fabs(a) + fabs(b) + fabs(c);
            if (!(size > 0.0)) { continue; }
            double v[3] = {a / size, b / size, c / size};
            const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            const double turned = v[0] >= 0.0 ? -length : length;
            v[0] -= turned;
            const double factor = 2.0 / (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            if (k > low) {
                h[k][k - 1] = turned * size;
                for (int i = 1; i < rows; i++) { h[k + i][k - 1] = 0.0; }
            }
            for (int j = k; j < n; j++) {
                double s = 0.0;
                for (int i = 0; i < rows; i++) { s += v[i] * h[k + i][j]; }
                s *= factor;
                for (int i = 0; i < rows; i++) { h[k + i][j] -= s * v[i]; }
            }
            const int bottom = k + 3 < last ? k + 3 : last;
            for (int i = 0; i <= bottom; i++) {
                double s = 0.0;
                for (int j = 0; j < rows; j++) { s += v[j] * h[i][k + j]; }
                s *= factor;
                for (int j = 0; j < rows; j++) { h[i][k + j] -= s * v[j]; }
            }
        }
    }
}
