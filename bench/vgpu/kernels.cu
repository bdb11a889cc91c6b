// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of the virtual GPU's benchmark; kernels.sh makes kernels.ptx.

#define device static __attribute__((device)) inline
#define kernel extern "C" __attribute__((global)) void
#define shared static __attribute__((shared))

// No header of CUDA is read.
struct alignas(16) float4 {
  float x, y, z, w;
};

device unsigned thread() { return __nvvm_read_ptx_sreg_tid_x(); }
device unsigned row() { return __nvvm_read_ptx_sreg_tid_y(); }
device unsigned block() { return __nvvm_read_ptx_sreg_ctaid_x(); }
device unsigned blockRow() { return __nvvm_read_ptx_sreg_ctaid_y(); }
device unsigned threads() { return __nvvm_read_ptx_sreg_ntid_x(); }
device unsigned blocks() { return __nvvm_read_ptx_sreg_nctaid_x(); }

kernel saxpy(float a, const float *x, float *y, unsigned n) {
  unsigned i = block() * threads() + thread();
  if (i < n)
    y[i] = a * x[i] + y[i];
}

// One partial sum for each block, of a range of its own.
kernel reduce(const float *in, float *out, unsigned n) {
  shared float partial[256];
  float sum = 0;
  unsigned share = n / blocks(), end = (block() + 1) * share;
  for (unsigned i = block() * share + thread(); i < end; i += threads())
    sum += in[i];
  partial[thread()] = sum;
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (thread() < half)
      partial[thread()] += partial[thread() + half];
    __syncthreads();
  }
  if (thread() == 0)
    out[block()] = partial[0];
}

// Blocks of 32 by 32 threads.
kernel matmul(const float *a, const float *b, float *c, unsigned n) {
  shared float tileA[32][32], tileB[32][32];
  unsigned x = thread(), y = row();
  unsigned column = block() * 32 + x, line = blockRow() * 32 + y;
  float sum = 0;
  for (unsigned k = 0; k < n; k += 32) {
    tileA[y][x] = a[line * n + k + x];
    tileB[y][x] = b[(k + y) * n + column];
    __syncthreads();
    for (unsigned i = 0; i < 32; ++i)
      sum += tileA[y][i] * tileB[i][x];
    __syncthreads();
  }
  c[line * n + column] = sum;
}

// x, y, z, mass.
kernel nbody(const float4 *bodies, float4 *forces, unsigned n) {
  shared float4 tile[128];
  unsigned i = block() * threads() + thread();
  float4 own = bodies[i];
  float fx = 0, fy = 0, fz = 0;
  for (unsigned first = 0; first < n; first += 128) {
    tile[thread()] = bodies[first + thread()];
    __syncthreads();
    for (unsigned k = 0; k < 128; ++k) {
      float4 other = tile[k];
      float dx = other.x - own.x, dy = other.y - own.y, dz = other.z - own.z;
      float square = dx * dx + dy * dy + dz * dz + 1e-4f;
      float inverse = __nvvm_rsqrt_approx_f(square);
      float force = other.w * inverse * inverse * inverse;
      fx += dx * force;
      fy += dy * force;
      fz += dz * force;
    }
    __syncthreads();
  }
  forces[i] = {fx, fy, fz, 0};
}

// A warp for each row.
kernel softmax(const float *in, float *out, unsigned columns) {
  unsigned line = (block() * threads() + thread()) / 32, lane = thread() % 32;
  const float *from = in + line * columns;
  float *to = out + line * columns;
  float most = -__builtin_inff();
  for (unsigned i = lane; i < columns; i += 32)
    most = from[i] > most ? from[i] : most;
  for (int step = 16; step > 0; step /= 2) {
    float other = __nvvm_shfl_sync_bfly_f32(~0u, most, step, 31);
    most = other > most ? other : most;
  }
  float sum = 0;
  for (unsigned i = lane; i < columns; i += 32) {
    float e = __nvvm_ex2_approx_f((from[i] - most) * 1.44269504f);
    to[i] = e;
    sum += e;
  }
  for (int step = 16; step > 0; step /= 2)
    sum += __nvvm_shfl_sync_bfly_f32(~0u, sum, step, 31);
  float scale = 1 / sum;
  for (unsigned i = lane; i < columns; i += 32)
    to[i] *= scale;
}

// 256 bins; each block has its own, in shared memory, and a range of its own.
kernel histogram(const unsigned char *in, unsigned *bins, unsigned n) {
  shared unsigned own[256];
  own[thread()] = 0;
  __syncthreads();
  unsigned share = n / blocks(), end = (block() + 1) * share;
  for (unsigned i = block() * share + thread(); i < end; i += threads())
    __nvvm_atom_add_gen_i((int *)&own[in[i]], 1);
  __syncthreads();
  __nvvm_atom_add_gen_i((int *)&bins[thread()], own[thread()]);
}
