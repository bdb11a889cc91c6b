// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mathematical functions and small formats. numbers_test.cpp says what each
// kernel computes.

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

extern "C" __global__ void math_double(const double *in, double *out) {
  const double x = in[threadIdx.x];
  double *to = out + 8 * threadIdx.x;
  to[0] = sqrt(x);
  to[1] = sin(x);
  to[2] = cos(x);
  to[3] = exp(x / 10);
  to[4] = pow(x, 1.7);
  to[5] = fma(x, x, -1.0);
  to[6] = log(x);
  to[7] = 1 / x;
}

extern "C" __global__ void math_float(const float *in, float *out) {
  const float x = in[threadIdx.x];
  float *to = out + 10 * threadIdx.x;
  to[0] = sqrtf(x);
  to[1] = sinf(x);
  to[2] = cosf(x);
  to[3] = expf(x / 10);
  to[4] = powf(x, 1.7f);
  to[5] = tanhf(x);
  to[6] = logf(x);
  to[7] = rsqrtf(x);
  to[8] = erff(x / 50);
  to[9] = fmodf(x, 0.75f);
}

extern "C" __global__ void halves(const float *in, float *out) {
  const __half x = __float2half(in[threadIdx.x]);
  const __half2 xx = __half2half2(x);
  const __half2 s = __hfma2(xx, xx, __floats2half2_rn(1, 2));
  float *to = out + 6 * threadIdx.x;
  to[0] = __half2float(x);
  to[1] = __low2float(s);
  to[2] = __high2float(s);
  to[3] = __half2float(hsqrt(x));
  to[4] = __half2float(__hmax(x, __float2half(2)));
  to[5] = __hgt(x, __float2half(1)) ? 1 : 0;
}

extern "C" __global__ void bfloats(const float *in, float *out) {
  const __nv_bfloat16 x = __float2bfloat16(in[threadIdx.x]);
  const __nv_bfloat162 xx = __bfloat162bfloat162(x);
  const __nv_bfloat162 s = __hfma2(xx, xx, xx);
  float *to = out + 3 * threadIdx.x;
  to[0] = __bfloat162float(x);
  to[1] = __low2float(s);
  to[2] = __bfloat162float(x * __float2bfloat16(0.5f) + x);
}

extern "C" __global__ void eighths(const float *in, float *out) {
  const float x = in[threadIdx.x];
  const __nv_fp8_e4m3 a(x);
  const __nv_fp8_e5m2 b(x);
  out[2 * threadIdx.x] = float(a);
  out[2 * threadIdx.x + 1] = float(b);
}
