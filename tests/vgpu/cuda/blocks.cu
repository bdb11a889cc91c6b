// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Block algorithms as CUDA programs have them: reductions, scans, sorting,
// stencils, histograms. blocks_test.cpp says what each computes.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

namespace {

template <class T> struct Plus {
  __device__ T operator()(T a, T b) const { return a + b; }
};
template <class T> struct Maximum {
  __device__ T operator()(T a, T b) const { return a < b ? b : a; }
};

/// The reduction of a block's values in thread 0, by way of its warps.
template <class T, class Op, int Threads> class BlockReduce {
public:
  struct Storage {
    T partial[Threads / 32];
  };
  __device__ explicit BlockReduce(Storage &storage) : storage(storage) {}

  __device__ T operator()(T value, Op op = {}) {
    for (int offset = 16; offset > 0; offset /= 2)
      value = op(value, __shfl_down_sync(0xffffffff, value, offset));
    if (threadIdx.x % 32 == 0)
      storage.partial[threadIdx.x / 32] = value;
    __syncthreads();
    if (threadIdx.x == 0)
      for (int i = 1; i < Threads / 32; ++i)
        value = op(value, storage.partial[i]);
    return value;
  }

private:
  Storage &storage;
};

template <class T, class Op, int Threads>
__device__ void reduceInto(const T *in, T *out, int n, T start) {
  __shared__ typename BlockReduce<T, Op, Threads>::Storage storage;
  T value = start;
  for (int i = blockIdx.x * Threads + threadIdx.x; i < n;
       i += gridDim.x * Threads)
    value = Op()(value, in[i]);
  value = BlockReduce<T, Op, Threads>(storage)(value);
  if (threadIdx.x == 0)
    out[blockIdx.x] = value;
}

__device__ unsigned arrived = 0;

} // namespace

extern "C" __global__ void __launch_bounds__(128)
    reduce_sum_double(const double *in, double *out, int n) {
  reduceInto<double, Plus<double>, 128>(in, out, n, 0.0);
}

extern "C" __global__ void reduce_max_long(const long long *in, long long *out,
                                           int n) {
  reduceInto<long long, Maximum<long long>, 64>(in, out, n, -(1ll << 62));
}

/// The whole sum in one launch: the last block to arrive adds the blocks' sums.
extern "C" __global__ void
reduce_last_block(const int *in, volatile int *partial, int *out, int n) {
  __shared__ BlockReduce<int, Plus<int>, 128>::Storage storage;
  __shared__ bool isLast;
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    sum += in[i];
  sum = BlockReduce<int, Plus<int>, 128>(storage)(sum);
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = sum;
    __threadfence();
    isLast = atomicInc(&arrived, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!isLast)
    return;
  sum = threadIdx.x < gridDim.x ? partial[threadIdx.x] : 0;
  __syncthreads();
  sum = BlockReduce<int, Plus<int>, 128>(storage)(sum);
  if (threadIdx.x == 0)
    *out = sum;
}

/// Exclusive scan of a block's 2n values, up and down a tree.
extern "C" __global__ void scan_tree(const int *in, int *out, int n) {
  extern __shared__ int tree[];
  const int t = threadIdx.x;
  tree[2 * t] = in[2 * t];
  tree[2 * t + 1] = in[2 * t + 1];
  int offset = 1;
  for (int d = n >> 1; d > 0; d >>= 1, offset *= 2) {
    __syncthreads();
    if (t < d)
      tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
  }
  if (t == 0)
    tree[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      const int x = tree[a];
      tree[a] = tree[b];
      tree[b] += x;
    }
  }
  __syncthreads();
  out[2 * t] = tree[2 * t];
  out[2 * t + 1] = tree[2 * t + 1];
}

/// Inclusive scan by warps with shuffles.
extern "C" __global__ void scan_warps(const unsigned *in, unsigned *out) {
  __shared__ unsigned sums[32];
  const unsigned lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  unsigned value = in[threadIdx.x];
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    const unsigned other = __shfl_up_sync(~0u, value, d);
    if (lane >= d)
      value += other;
  }
  if (lane == 31)
    sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    unsigned sum = lane < blockDim.x / 32 ? sums[lane] : 0;
    for (int d = 1; d < 32; d <<= 1) {
      const unsigned other = __shfl_up_sync(~0u, sum, d);
      if (lane >= d)
        sum += other;
    }
    sums[lane] = sum;
  }
  __syncthreads();
  out[threadIdx.x] = value + (warp ? sums[warp - 1] : 0);
}

extern "C" __global__ void sort_bitonic(float *data, int n) {
  extern __shared__ float keys[];
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    keys[i] = data[i];
  __syncthreads();
  for (int size = 2; size <= n; size *= 2)
    for (int stride = size / 2; stride > 0; stride /= 2) {
      for (int i = threadIdx.x; i < n; i += blockDim.x) {
        const int j = i ^ stride;
        if (j > i && (keys[i] > keys[j]) == ((i & size) == 0)) {
          const float x = keys[i];
          keys[i] = keys[j];
          keys[j] = x;
        }
      }
      __syncthreads();
    }
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    data[i] = keys[i];
}

/// A stable radix sort of one block's keys, a bit at a time.
extern "C" __global__ void sort_radix(unsigned *keys) {
  __shared__ unsigned buffer[2][256];
  __shared__ int zeros[8];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned (*from)[256] = &buffer[0], (*to)[256] = &buffer[1];
  (*from)[threadIdx.x] = keys[threadIdx.x];
  for (int bit = 0; bit < 32; ++bit) {
    const unsigned key = (*from)[threadIdx.x];
    const unsigned ones = __ballot_sync(~0u, key >> bit & 1);
    if (lane == 0)
      zeros[warp] = __popc(~ones);
    __syncthreads();
    int before = 0, all = 0;
    for (int i = 0; i < 8; ++i) {
      before += i < warp ? zeros[i] : 0;
      all += zeros[i];
    }
    const unsigned below = (1u << lane) - 1;
    const int place = key >> bit & 1
                          ? all + int(warp * 32 - before) + __popc(ones & below)
                          : before + __popc(~ones & below);
    (*to)[place] = key;
    __syncthreads();
    unsigned (*swap)[256] = from;
    from = to;
    to = swap;
  }
  keys[threadIdx.x] = (*from)[threadIdx.x];
}

/// The heat equation's five points, with a tile and its border in shared
/// memory.
extern "C" __global__ void stencil(const float *__restrict__ in,
                                   float *__restrict__ out, int width,
                                   int height, float k) {
  __shared__ float tile[8 + 2][16 + 2];
  const auto at = [&](int x, int y) {
    x = min(max(x, 0), width - 1);
    y = min(max(y, 0), height - 1);
    return in[y * width + x];
  };
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  for (int i = threadIdx.y; i < 10; i += 8)
    for (int j = threadIdx.x; j < 18; j += 16)
      tile[i][j] =
          at(int(blockIdx.x * 16) + j - 1, int(blockIdx.y * 8) + i - 1);
  __syncthreads();
  if (x >= width || y >= height)
    return;
  const float (*c)[18] = &tile[threadIdx.y + 1];
  const int j = threadIdx.x + 1;
  out[y * width + x] = fmaf(
      k, c[-1][j] + c[1][j] + c[0][j - 1] + c[0][j + 1] - 4 * c[0][j], c[0][j]);
}

/// Warp-aggregated: one atomic for all lanes that pass the filter.
extern "C" __global__ void filter(const int *in, int *out, int *count, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || in[i] % 3 != 0)
    return;
  auto group = cg::coalesced_threads();
  int place = 0;
  if (group.thread_rank() == 0)
    place = atomicAdd(count, group.size());
  out[group.shfl(place, 0) + group.thread_rank()] = in[i];
}

/// One atomic for the lanes of a warp with the same bin.
extern "C" __global__ void histogram(const unsigned char *in, unsigned *bins,
                                     int n) {
  __shared__ unsigned local[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    local[i] = 0;
  __syncthreads();
  const int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) {
    const unsigned same = __match_any_sync(__activemask(), in[i]);
    if (__ffs(same) - 1 == threadIdx.x % 32)
      atomicAdd(&local[in[i]], __popc(same));
  }
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (local[i])
      atomicAdd(&bins[i], local[i]);
}

/// Groups of eight threads: sum, maximum, scan; then the whole block.
extern "C" __global__ void groups(const int *in, int *out) {
  __shared__ int total;
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<8>(block);
  const int value = in[block.thread_rank()];
  if (block.thread_rank() == 0)
    total = 0;
  block.sync();
  const int sum = cg::reduce(tile, value, cg::plus<int>());
  const int most = cg::reduce(tile, value, cg::greater<int>());
  const int before = cg::exclusive_scan(tile, value);
  if (tile.thread_rank() == 0)
    atomicAdd(&total, sum);
  block.sync();
  auto odd = cg::labeled_partition(tile, value & 1);
  int *to = out + 5 * block.thread_rank();
  to[0] = sum;
  to[1] = most;
  to[2] = before;
  to[3] = total;
  to[4] = odd.size();
}
