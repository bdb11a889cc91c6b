// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source of compiled-nvcc.ptx and compiled-clang.ptx; update.sh makes them.

#ifdef __clang__
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
extern "C" __device__ int vprintf(const char *, void *);
static __device__ inline unsigned tidX() { return __nvvm_read_ptx_sreg_tid_x(); }
static __device__ inline unsigned tidY() { return __nvvm_read_ptx_sreg_tid_y(); }
static __device__ inline unsigned ctaX() { return __nvvm_read_ptx_sreg_ctaid_x(); }
static __device__ inline unsigned ctaY() { return __nvvm_read_ptx_sreg_ctaid_y(); }
static __device__ inline unsigned ntidX() { return __nvvm_read_ptx_sreg_ntid_x(); }
static __device__ inline void syncBlock() { __syncthreads(); }
static __device__ inline float shuffleDown(float value, int delta) {
  return __nvvm_shfl_sync_down_f32(~0u, value, delta, 31);
}
static __device__ inline void addInt(int *at, int value) {
  __nvvm_atom_add_gen_i(at, value);
}
#else
static __device__ inline unsigned tidX() { return threadIdx.x; }
static __device__ inline unsigned tidY() { return threadIdx.y; }
static __device__ inline unsigned ctaX() { return blockIdx.x; }
static __device__ inline unsigned ctaY() { return blockIdx.y; }
static __device__ inline unsigned ntidX() { return blockDim.x; }
static __device__ inline void syncBlock() { __syncthreads(); }
static __device__ inline float shuffleDown(float value, int delta) {
  return __shfl_down_sync(~0u, value, delta);
}
static __device__ inline void addInt(int *at, int value) {
  atomicAdd(at, value);
}
#endif

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = ctaX() * ntidX() + tidX();
  if (i < n)
    y[i] = a * x[i] + y[i];
}

// Sums each block of 256 through shared memory and shuffles.
extern "C" __global__ void reduce(const float *in, float *out, int n) {
  __shared__ float partial[8];
  int i = ctaX() * 256 + tidX();
  float sum = i < n ? in[i] : 0.0f;
  for (int delta = 16; delta > 0; delta /= 2)
    sum += shuffleDown(sum, delta);
  if (tidX() % 32 == 0)
    partial[tidX() / 32] = sum;
  syncBlock();
  if (tidX() == 0) {
    float total = 0.0f;
    for (int warp = 0; warp < 8; ++warp)
      total += partial[warp];
    out[ctaX()] = total;
  }
}

// c = a * b, n x n, blocks of 16 x 16; n need not be a multiple.
extern "C" __global__ void matmul(const float *a, const float *b, float *c,
                                  int n) {
  __shared__ float ta[16][16], tb[16][16];
  int row = ctaY() * 16 + tidY(), column = ctaX() * 16 + tidX();
  float sum = 0.0f;
  for (int k = 0; k < n; k += 16) {
    int ka = k + tidX(), kb = k + tidY();
    ta[tidY()][tidX()] = row < n && ka < n ? a[row * n + ka] : 0.0f;
    tb[tidY()][tidX()] = kb < n && column < n ? b[kb * n + column] : 0.0f;
    syncBlock();
    for (int i = 0; i < 16; ++i)
      sum += ta[tidY()][i] * tb[i][tidX()];
    syncBlock();
  }
  if (row < n && column < n)
    c[row * n + column] = sum;
}

extern "C" __global__ void histogram(const unsigned char *in, int *bins,
                                     int n) {
  __shared__ int local[64];
  for (int i = tidX(); i < 64; i += ntidX())
    local[i] = 0;
  syncBlock();
  for (int i = tidX(); i < n; i += ntidX())
    addInt(&local[in[i] % 64], 1);
  syncBlock();
  for (int i = tidX(); i < 64; i += ntidX())
    addInt(&bins[i], local[i]);
}

extern "C" __global__ void mandelbrot(int *out, int width, int height,
                                      int limit) {
  int x = ctaX() * ntidX() + tidX(), y = ctaY();
  if (x >= width)
    return;
  float cr = x * 3.0f / width - 2.0f, ci = y * 2.0f / height - 1.0f;
  float zr = 0, zi = 0;
  int steps = 0;
  while (steps < limit && zr * zr + zi * zi < 4.0f) {
    float next = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = next;
    ++steps;
  }
  out[y * width + x] = steps;
}

struct Shape {
  __device__ virtual float area() const = 0;
};
struct Square : Shape {
  float side;
  __device__ Square(float side) : side(side) {}
  __device__ float area() const override { return side * side; }
};
struct Box : Shape {
  float width, height;
  __device__ Box(float width, float height) : width(width), height(height) {}
  __device__ float area() const override { return width * height; }
};

// Virtual functions: lanes of a warp call different ones.
extern "C" __global__ void areas(float *out) {
  unsigned i = tidX();
  Square square(i + 1.0f);
  Box box(i + 2.0f, 3.0f);
  const Shape *shape = i % 3 ? static_cast<const Shape *>(&box) : &square;
  out[i] = shape->area();
}

static __device__ __attribute__((noinline)) int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

extern "C" __global__ void ackermanns(int *out) {
  out[tidX()] = ackermann(tidX() % 3, tidX() % 5);
}

// Sorts in local memory: spills, byte access, long loops.
extern "C" __global__ void sort_local(int *data, int n) {
  int values[32];
  int *mine = data + tidX() * n;
  for (int i = 0; i < n; ++i)
    values[i] = mine[i];
  for (int i = 1; i < n; ++i) {
    int value = values[i], j = i;
    for (; j > 0 && values[j - 1] > value; --j)
      values[j] = values[j - 1];
    values[j] = value;
  }
  for (int i = 0; i < n; ++i)
    mine[i] = values[i];
}

__constant__ double table[4] = {1.5, -2.25, 3.0, 0.125};

extern "C" __global__ void doubles(double *out, unsigned long long *bits) {
  unsigned i = tidX();
  double x = table[i % 4] * i;
  out[i] = x / 3.0 + table[(i + 1) % 4];
  unsigned long long h = i * 0x9e3779b97f4a7c15ull;
  h ^= h >> 31;
  bits[i] = h % (i + 7) + (h << (i % 64));
}
