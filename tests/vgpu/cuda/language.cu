// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What C++ offers in device code: functions, objects, memory, output.
// language_test.cpp says what each kernel computes.

#include <cassert>
#include <cstdio>
#include <new>

namespace {

struct Shape {
  __device__ virtual double area() const = 0;
  __device__ virtual ~Shape() {}
};
struct Square : Shape {
  double side;
  __device__ explicit Square(double side) : side(side) {}
  __device__ double area() const override { return side * side; }
};
struct Circle : Shape {
  double radius;
  __device__ explicit Circle(double radius) : radius(radius) {}
  __device__ double area() const override { return 3.0 * radius * radius; }
};

__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
using Operation = int (*)(int, int);
__device__ Operation operations[] = {add, subtract, multiply};

__constant__ float weights[5] = {1, 4, 6, 4, 1};
__device__ const char *const names[] = {"zero", "one", "two"};

__device__ __noinline__ unsigned long long ackermann(unsigned m, unsigned n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, unsigned(ackermann(m, n - 1)));
}

struct Particle {
  float3 position;
  short tag;
  char kind;
  double weight;
};
struct Big {
  int values[12];
};
__device__ __noinline__ Big shifted(Big in, int by) {
  Big out;
  for (int i = 0; i < 12; ++i)
    out.values[i] = in.values[(i + by) % 12];
  return out;
}

union Bits {
  float number;
  unsigned bits;
  unsigned char bytes[4];
};

struct Node {
  int value;
  Node *next;
};

__device__ int lock = 0;

} // namespace

extern "C" __global__ void virtual_calls(double *out) {
  Shape *shape;
  if (threadIdx.x % 2)
    shape = new Square(threadIdx.x);
  else
    shape = new Circle(threadIdx.x);
  out[threadIdx.x] = shape->area();
  delete shape;
}

extern "C" __global__ void function_pointers(const int *in, int *out) {
  const int i = threadIdx.x;
  out[i] = operations[i % 3](in[i], i);
}

extern "C" __global__ void recursion(unsigned long long *out) {
  out[threadIdx.x] = ackermann(threadIdx.x % 3, threadIdx.x / 3);
}

extern "C" __global__ void constants(const float *in, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 5; ++k)
    sum += weights[k] * in[min(max(i + k - 2, 0), n - 1)];
  if (i < n)
    out[i] = sum / 16;
}

extern "C" __global__ void structs(Particle p, Big big, double *out) {
  __shared__ Particle shared[32];
  shared[threadIdx.x] = p;
  shared[threadIdx.x].tag += short(threadIdx.x);
  shared[threadIdx.x].position.y *= threadIdx.x;
  __syncthreads();
  const Particle &other = shared[31 - threadIdx.x];
  const Big rotated = shifted(big, threadIdx.x);
  out[threadIdx.x] = other.tag + other.position.y + other.weight + other.kind +
                     rotated.values[3];
}

extern "C" __global__ void unions(const float *in, unsigned *out) {
  Bits b;
  b.number = in[threadIdx.x];
  b.bytes[3] ^= 0x80;
  out[threadIdx.x] = b.bits;
}

/// A list of its thread's number of nodes, on the device's heap.
extern "C" __global__ void lists(int *out) {
  Node *head = nullptr;
  for (int i = 0; i < int(threadIdx.x); ++i) {
    auto *node = static_cast<Node *>(malloc(sizeof(Node)));
    node->value = i * i;
    node->next = head;
    head = node;
  }
  int sum = 0;
  while (head) {
    Node *next = head->next;
    sum += head->value;
    free(head);
    head = next;
  }
  out[threadIdx.x] = sum;
}

/// Whether an allocation of `bytes` for each thread came about.
extern "C" __global__ void allocate(unsigned long long bytes, int *out) {
  void *volatile memory = malloc(bytes); // no compiler may do without
  out[threadIdx.x] = memory != nullptr;
  free(memory);
}

extern "C" __global__ void free_twice(int *out) {
  int *volatile memory = new int[4];
  memory[1] = 7;
  *out = memory[1];
  delete[] memory;
  delete[] memory;
}

extern "C" __global__ void spin_lock(int *counter) {
  unsigned wait = 8;
  while (atomicCAS(&lock, 0, 1) != 0) {
    __nanosleep(wait);
    wait = wait < 256 ? 2 * wait : wait;
  }
  __threadfence();
  *static_cast<volatile int *>(counter) =
      *static_cast<volatile int *>(counter) + 1;
  __threadfence();
  atomicExch(&lock, 0);
}

extern "C" __global__ void print(int n, double x) {
  if (threadIdx.x == 0)
    printf("%s %d %5.2f %c %llx\n", names[n], n, x, 'q', 0x123456789abcull);
}

extern "C" __global__ void check(const int *in) {
  assert(in[threadIdx.x] >= 0);
}

extern "C" __global__ void abort_early() { __trap(); }

extern "C" __global__ void divide(const long long *a, const long long *b,
                                  long long *out) {
  const int i = threadIdx.x;
  const auto ua = static_cast<unsigned long long>(a[i]),
             ub = static_cast<unsigned long long>(b[i]);
  out[4 * i] = a[i] / b[i];
  out[4 * i + 1] = a[i] % b[i];
  out[4 * i + 2] = static_cast<long long>(ua / ub);
  out[4 * i + 3] = static_cast<long long>(ua % ub);
}

extern "C" __global__ void bit_tricks(const unsigned *in, unsigned *out) {
  const unsigned x = in[threadIdx.x], y = in[(threadIdx.x + 1) % 32];
  unsigned *to = out + 8 * threadIdx.x;
  to[0] = __clz(x);
  to[1] = __ffs(x);
  to[2] = __popc(x);
  to[3] = __brev(x);
  to[4] = __byte_perm(x, y, 0x5410);
  to[5] = __funnelshift_l(x, y, 7);
  to[6] = __umulhi(x, y);
  to[7] = __sad(int(x), int(y), 3);
}

/// Local arrays with indices that are not known, and a switch.
extern "C" __global__ void interpret(const unsigned char *program, int length,
                                     int *out) {
  int stack[8];
  int top = 0;
  for (int i = 0; i < length; ++i)
    switch (program[i]) {
    case 0:
      stack[top++] = threadIdx.x;
      break;
    case 1:
      stack[top++] = i;
      break;
    case 2:
      --top;
      stack[top - 1] += stack[top];
      break;
    case 3:
      --top;
      stack[top - 1] *= stack[top];
      break;
    case 4:
      stack[top] = stack[top - 1];
      ++top;
      break;
    case 5:
      stack[top - 1] = -stack[top - 1];
      break;
    case 6:
      if (stack[top - 1] & 1)
        stack[top - 1] = 3 * stack[top - 1] + 1;
      break;
    default:
      stack[top - 1] >>= 1;
    }
  out[threadIdx.x] = stack[0];
}
