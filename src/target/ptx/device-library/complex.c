// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products and quotients of complex numbers by the rules of C11, annex G.5.1:
// a result that has to be infinite is not NaN. Clang calls these functions
// where the naive formula gave NaN in both parts, and for every quotient. The
// float forms compute in double, where none of their steps overflows; they
// return a vector, as the host's calling convention has it.

typedef float float2 __attribute__((ext_vector_type(2)));

static double boxed(double x) {
  return __builtin_copysign(__builtin_isinf(x) ? 1.0 : 0.0, x);
}

static double zeroIfNan(double x) {
  return __builtin_isnan(x) ? __builtin_copysign(0.0, x) : x;
}

static _Complex double multiply(double a, double b, double c, double d) {
  double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
  double re = ac - bd, im = ad + bc;
  if (!__builtin_isnan(re) || !__builtin_isnan(im))
    return __builtin_complex(re, im);
  int infinite = 0;
  if (__builtin_isinf(a) || __builtin_isinf(b)) {
    a = boxed(a), b = boxed(b);
    c = zeroIfNan(c), d = zeroIfNan(d);
    infinite = 1;
  }
  if (__builtin_isinf(c) || __builtin_isinf(d)) {
    c = boxed(c), d = boxed(d);
    a = zeroIfNan(a), b = zeroIfNan(b);
    infinite = 1;
  }
  if (!infinite && (__builtin_isinf(ac) || __builtin_isinf(bd) ||
                    __builtin_isinf(ad) || __builtin_isinf(bc))) {
    a = zeroIfNan(a), b = zeroIfNan(b);
    c = zeroIfNan(c), d = zeroIfNan(d);
    infinite = 1;
  }
  if (!infinite)
    return __builtin_complex(re, im);
  return __builtin_complex(__builtin_inf() * (a * c - b * d),
                           __builtin_inf() * (a * d + b * c));
}

/// 2^exponent for exponents of normal numbers.
static double powerOfTwo(int exponent) {
  union {
    unsigned long long bits;
    double value;
  } view = {(unsigned long long)(exponent + 1023) << 52};
  return view.value;
}

/// The exponent of a positive finite number: 2^e <= x < 2^(e+1).
static int exponentOf(double x) {
  union {
    double value;
    unsigned long long bits;
  } view = {x};
  if (view.bits >> 52 == 0) { // subnormal
    view.value = x * 0x1p54;
    return (int)(view.bits >> 52) - 1023 - 54;
  }
  return (int)(view.bits >> 52) - 1023;
}

static _Complex double divide(double a, double b, double c, double d) {
  double largest = __builtin_fmax(__builtin_fabs(c), __builtin_fabs(d));
  // Powers of two that bring the divisor near 1, so that its square neither
  // overflows nor vanishes; two of them, since their product may be too large.
  double first = 1, second = 1;
  if (largest > 0 && __builtin_isfinite(largest)) {
    int up = -exponentOf(largest);
    first = powerOfTwo(up / 2);
    second = powerOfTwo(up - up / 2);
  }
  double sc = c * first * second, sd = d * first * second;
  double square = sc * sc + sd * sd;
  double re = (a * sc + b * sd) / square * first * second;
  double im = (b * sc - a * sd) / square * first * second;
  if (!__builtin_isnan(re) || !__builtin_isnan(im))
    return __builtin_complex(re, im);
  if (square == 0 && (!__builtin_isnan(a) || !__builtin_isnan(b))) {
    double infinity = __builtin_copysign(__builtin_inf(), c);
    return __builtin_complex(infinity * a, infinity * b);
  }
  if ((__builtin_isinf(a) || __builtin_isinf(b)) && __builtin_isfinite(c) &&
      __builtin_isfinite(d)) {
    a = boxed(a), b = boxed(b);
    return __builtin_complex(__builtin_inf() * (a * c + b * d),
                             __builtin_inf() * (b * c - a * d));
  }
  if (__builtin_isinf(largest) && __builtin_isfinite(a) &&
      __builtin_isfinite(b)) {
    c = boxed(c), d = boxed(d);
    return __builtin_complex(0.0 * (a * c + b * d), 0.0 * (b * c - a * d));
  }
  return __builtin_complex(re, im);
}

static float2 narrow(_Complex double x) {
  return (float2){(float)__builtin_creal(x), (float)__builtin_cimag(x)};
}

float2 __mulsc3(float a, float b, float c, float d) {
  return narrow(multiply(a, b, c, d));
}

float2 __divsc3(float a, float b, float c, float d) {
  return narrow(divide(a, b, c, d));
}

_Complex double __muldc3(double a, double b, double c, double d) {
  return multiply(a, b, c, d);
}

_Complex double __divdc3(double a, double b, double c, double d) {
  return divide(a, b, c, d);
}
