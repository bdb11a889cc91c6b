// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The algorithms of kernels.cu as plain C++, on as many threads as asked for.

#ifndef TESSERA_BENCH_VGPU_PLAIN_H
#define TESSERA_BENCH_VGPU_PLAIN_H

#include <cstddef>

namespace tessera::bench::plain {

struct Body {
  float x, y, z, mass;
};

void saxpy(unsigned threads, float a, const float *x, float *y, std::size_t n);
float reduce(unsigned threads, const float *in, std::size_t n);
void matmul(unsigned threads, const float *a, const float *b, float *c,
            std::size_t n);
void nbody(unsigned threads, const Body *bodies, Body *forces, std::size_t n);
void softmax(unsigned threads, const float *in, float *out, std::size_t rows,
             std::size_t columns);
void histogram(unsigned threads, const unsigned char *in, unsigned *bins,
               std::size_t n);

} // namespace tessera::bench::plain

#endif // TESSERA_BENCH_VGPU_PLAIN_H
