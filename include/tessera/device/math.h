// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematics that <cmath> lacks. The functions of <cmath> themselves work in
// kernels. Those here run on the host as well, there with the precision of the
// host's <cmath>.
//
// The device's errors are those that the PTX ISA gives for the instruction that
// each function names ("Floating Point Instructions").

#ifndef TESSERA_DEVICE_MATH_H
#define TESSERA_DEVICE_MATH_H

#include <cmath>

#include <tessera/device/detail.h>

namespace tessera {

/// 1 / sqrt(x), within about an ulp (rsqrt.approx.f32).
TESSERA_ANNOTATE("tessera.intrinsic", "llvm.nvvm.rsqrt.approx.f")
inline float rsqrt(float x) { return 1.0f / std::sqrt(x); }

/// 1 / sqrt(x), as a square root and a division.
TESSERA_FORWARD double rsqrt(double x) { return 1.0 / std::sqrt(x); }

/// a * b + c, rounded once.
TESSERA_FORWARD float fma(float a, float b, float c) {
  return std::fma(a, b, c);
}
TESSERA_FORWARD double fma(double a, double b, double c) {
  return std::fma(a, b, c);
}

/// Fast single-precision functions: one approximating instruction each, or
/// little more.
namespace fast {

/// Meant for x in [-pi, pi]: the absolute error grows with |x|
/// (sin.approx.f32).
TESSERA_ANNOTATE("tessera.intrinsic", "llvm.nvvm.sin.approx.f")
inline float sin(float x) { return std::sin(x); }

/// Meant for x in [-pi, pi]: the absolute error grows with |x|
/// (cos.approx.f32).
TESSERA_ANNOTATE("tessera.intrinsic", "llvm.nvvm.cos.approx.f")
inline float cos(float x) { return std::cos(x); }

/// Two to the power x (ex2.approx.f32).
TESSERA_ANNOTATE("tessera.intrinsic", "llvm.nvvm.ex2.approx.f32")
inline float exp2(float x) { return std::exp2(x); }

/// Logarithm to base 2; near x = 1 only the absolute error is small
/// (lg2.approx.f32).
TESSERA_ANNOTATE("tessera.intrinsic", "llvm.nvvm.lg2.approx.f")
inline float log2(float x) { return std::log2(x); }

/// Square root (sqrt.approx.f32).
TESSERA_ANNOTATE("tessera.intrinsic", "llvm.nvvm.sqrt.approx.f")
inline float sqrt(float x) { return std::sqrt(x); }

/// a / b, for |b| in [2^-126, 2^126] (div.approx.f32).
TESSERA_ANNOTATE("tessera.intrinsic", "llvm.nvvm.div.approx.f")
inline float divide(float a, float b) { return a / b; }

/// e to the power x, through exp2: the error grows with |x|.
TESSERA_FORWARD float exp(float x) { return exp2(x * 1.44269504f); }

/// Natural logarithm, through log2.
TESSERA_FORWARD float log(float x) { return log2(x) * 0.693147181f; }

} // namespace fast

} // namespace tessera

#endif // TESSERA_DEVICE_MATH_H
