// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define K extern "C" __attribute__((device_kernel))
typedef _Float16 h;
typedef __bf16 b;
template <class T> T f(T a, T c, T d) {
  T r = a * c + d;
  r -= a / c;
  r = __builtin_elementwise_max(r, a);
  r = __builtin_elementwise_min(r, c);
  r = __builtin_elementwise_abs(r) - (-d);
  if (r < a || r != r)
    r += (T)1;
  if (!(a >= c))
    r *= (T)2;
  return r;
}
K void kf(float *p, float a, float c) { *p = f(a, c, *p); }
K void kd(double *p, double a, double c) { *p = f(a, c, *p); }
K void kh(h *p, h a, h c) { *p = f(a, c, *p); }
K void kb(b *p, b a, b c) { *p = f(a, c, *p); }
K void math(float *p, double *d, h *x) {
  p[0] = __builtin_sqrtf(p[1]);
  d[0] = __builtin_sqrt(d[1]);
  p[2] = __builtin_floorf(p[1]);
  p[3] = __builtin_ceilf(p[1]);
  p[4] = __builtin_truncf(p[1]);
  p[5] = __builtin_rintf(p[1]);
  p[6] = __builtin_roundevenf(p[2]);
  d[2] = __builtin_floor(d[1]);
  d[3] = __builtin_trunc(d[3]);
  p[7] = __builtin_fmaf(p[1], p[2], p[3]);
  d[4] = __builtin_fma(d[1], d[2], d[3]);
  p[8] = __builtin_copysignf(p[1], p[2]);
  d[5] = __builtin_copysign(d[1], d[2]);
  p[9] = __builtin_isnan(p[1]);
  p[10] = __builtin_isinf(p[3]);
  p[11] = __builtin_fminf(p[1], p[2]);
  p[12] = __builtin_elementwise_minimum(p[1], p[2]);
  d[6] = __builtin_fmax(d[1], d[2]);
  x[0] = x[1] + x[2] * x[3];
  p[13] = __builtin_roundf(p[1]);
  p[14] = __builtin_nearbyintf(p[2]);
  d[7] = __builtin_round(d[2]);
}
K void conv(int *i, unsigned *u, long long *l, unsigned long long *ul, float *f,
            double *d, h *x, b *y, short *s, signed char *c,
            unsigned char *uc) {
  i[0] = f[0];
  i[1] = d[0];
  u[0] = f[1];
  u[1] = d[1];
  l[0] = f[2];
  l[1] = d[2];
  ul[0] = f[3];
  ul[1] = d[3];
  f[4] = i[2];
  f[5] = u[2];
  f[6] = l[2];
  f[7] = ul[2];
  d[4] = i[2];
  d[5] = u[3];
  d[6] = l[3];
  d[7] = ul[4];
  d[8] = f[8];
  f[9] = d[9];
  x[0] = f[1];
  f[10] = x[1];
  x[2] = d[2];
  d[10] = x[3];
  y[0] = f[3];
  f[11] = y[2];
  i[3] = x[4];
  x[5] = i[5];
  y[3] = i[4];
  i[6] = y[5];
  s[0] = f[1];
  c[0] = f[2];
  uc[0] = d[2];
  f[12] = s[1];
  f[13] = c[1];
  d[11] = uc[3];
  i[7] = s[2];
  i[8] = c[3];
  u[5] = uc[4];
  l[3] = c[5];
  l[4] = i[3];
  ul[5] = u[7];
  s[3] = i[9];
  c[7] = l[3];
  d[12] = y[3];
  y[7] = d[3];
  i[10] = (bool)f[3];
  f[14] = i[3] > 3;
}
typedef h h2 __attribute__((ext_vector_type(2)));
typedef b b2 __attribute__((ext_vector_type(2)));
K void packed(h2 *p, b2 *q) {
  p[0] = p[1] * p[2] + p[3];
  q[0] = q[1] * q[2] + q[3];
  p[4] = __builtin_elementwise_max(p[1], p[2]);
  q[4] = __builtin_elementwise_max(q[1], q[2]);
  p[5] = -p[6];
  q[5] = __builtin_elementwise_abs(q[6]);
  p[7] = p[1] - p[2];
  p[8] = __builtin_elementwise_fma(p[1], p[2], p[3]);
  q[8] = __builtin_elementwise_fma(q[1], q[2], q[3]);
}
