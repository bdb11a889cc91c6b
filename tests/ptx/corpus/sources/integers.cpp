// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
typedef int i32;
typedef long long i64;
typedef unsigned u32;
typedef unsigned long long u64;
typedef unsigned short u16;
typedef short i16;
typedef unsigned char u8;
typedef signed char i8;
#define K __attribute__((device_kernel))
template <class T> T ops(T a, T b, int s) {
  T r = a + b;
  r ^= a - b;
  r += a * b;
  if (b)
    r -= a / b + a % b;
  r |= (T)(a << (s & 7));
  r &= (T)(a >> (s & 3));
  r = r < a ? (T)(r + 1) : (T)~b;
  return r;
}
extern "C" {
K void k8(i8 *p, i8 a, i8 b, int s) { *p = ops(a, b, s); }
K void ku8(u8 *p, u8 a, u8 b, int s) { *p = ops(a, b, s); }
K void k16(i16 *p, i16 a, i16 b, int s) { *p = ops(a, b, s); }
K void ku16(u16 *p, u16 a, u16 b, int s) { *p = ops(a, b, s); }
K void k32(i32 *p, i32 a, i32 b, int s) { *p = ops(a, b, s); }
K void ku32(u32 *p, u32 a, u32 b, int s) { *p = ops(a, b, s); }
K void k64(i64 *p, i64 a, i64 b, int s) { *p = ops(a, b, s); }
K void ku64(u64 *p, u64 a, u64 b, int s) { *p = ops(a, b, s); }
K void k128(__int128 *p, __int128 a, __int128 b, int s) { *p = ops(a, b, s); }
K void bits(u32 *p, u64 *q, u32 a, u64 b) {
  p[0] = __builtin_popcount(a);
  p[1] = __builtin_clz(a | 1);
  p[2] = __builtin_ctz(a | 2);
  p[3] = __builtin_bitreverse32(a);
  p[4] = __builtin_bswap32(a);
  q[0] = __builtin_popcountll(b);
  q[1] = __builtin_clzll(b | 1);
  q[2] = __builtin_bitreverse64(b);
  q[3] = __builtin_bswap64(b);
  p[5] = __builtin_rotateleft32(a, p[6]);
  q[4] = __builtin_rotateleft64(b, 7);
  p[7] = __builtin_elementwise_add_sat(a, p[8]);
  int x = __builtin_elementwise_add_sat((int)a, (int)p[8]);
  p[9] = x;
  p[10] = __builtin_elementwise_sub_sat(a, p[8]);
  p[11] = (a >> 5) & 31;
  p[12] = __builtin_elementwise_max(a, p[1]);
  p[13] = __builtin_elementwise_abs((int)a);
  p[14] = (a & 0xff00ff) | (p[1] & ~0xff00ff);
  p[15] = ((u64)a * p[2]) >> 32;
  q[5] = ((unsigned __int128)b * q[6]) >> 64;
}
K void sw(int *p, int n) {
  switch (n) {
  case 0:
    *p = 1;
    break;
  case 1:
    *p = n * 7;
    break;
  case 2:
    p[1] = 3;
    break;
  case 3:
    p[2] = p[3];
    break;
  case 4:
    p[5] = p[6] + 1;
    break;
  case 5:
    p[7] = 0;
    break;
  case 6:
    p[9] = p[n];
    break;
  case 7:
    p[n] = 77;
    break;
  default:
    p[8] = 9;
  }
}
struct S {
  int a;
  double b;
  char c[5];
};
struct __attribute__((packed)) P {
  char x;
  int *q;
  short h;
};
int gv = 5;
int garr[4] = {1, 2, 3};
const float tab[3] = {1.5f, -0.0f, 3e38f};
int *ptr = &garr[1];
S gs = {3, 2.5, "abc"};
P pk = {1, garr, 7};
int (*fp[2])(int, int);
__attribute__((noinline)) S mk(int a, S s) {
  s.a += a;
  return s;
}
__attribute__((noinline)) int addf(int a, int b) { return a + b; }
__attribute__((noinline)) int fact(int n) {
  return n < 2 ? 1 : n * fact(n - 1);
}
K void calls(S *p, int n) {
  *p = mk(n, *p);
  fp[0] = addf;
  p->a = fp[n & 1](n, 3) + fact(n);
  gv += *ptr + tab[n] + gs.a + *pk.q;
}
K void va(i64 *p, int n) {
  i64 loc[16];
  for (int i = 0; i < 16; i++)
    loc[i] = p[i] * n;
  for (int i = 0; i < n; i++)
    p[i] = loc[(i * 7) & 15];
  if (n == 99)
    __builtin_trap();
}
K void vecs(float __attribute__((ext_vector_type(4))) * p,
            int __attribute__((ext_vector_type(2))) * q,
            u8 __attribute__((ext_vector_type(4))) * r,
            short __attribute__((ext_vector_type(2))) * h) {
  p[0] = p[1] * p[2] + p[3];
  q[0] = q[1] - q[2];
  r[0] = r[1] + r[2];
  h[0] = h[1] + h[2];
  h[3] = __builtin_elementwise_max(h[1], h[2]);
}
K void vol(volatile int *p, int *q) {
  p[0] = p[1] + 1;
  __atomic_store_n(q, __atomic_load_n(q + 1, __ATOMIC_ACQUIRE),
                   __ATOMIC_RELEASE);
  __atomic_fetch_add(q, 1, __ATOMIC_RELAXED);
  __atomic_fetch_max(q + 1, 3, __ATOMIC_SEQ_CST);
  int e = 3;
  __atomic_compare_exchange_n(q + 2, &e, 4, 0, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
  q[3] = e;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  q[5] = __atomic_load_n(q + 4, __ATOMIC_RELAXED);
  __atomic_exchange_n(q + 6, 3, __ATOMIC_ACQ_REL);
  __atomic_fetch_xor((u64 *)q + 5, 3, __ATOMIC_RELAXED);
  u8 *b = (u8 *)q + 3;
  __atomic_fetch_add(b, 1, __ATOMIC_RELAXED);
  __atomic_fetch_nand(q, 3, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
}
}
