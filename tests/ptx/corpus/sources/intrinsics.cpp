// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define K extern "C" __attribute__((device_kernel))
#define S __attribute__((address_space(3)))
extern S int dyn[];
static S float tile[32][33];
K void k(int *p, float *f, unsigned m) {
  int t = __nvvm_read_ptx_sreg_tid_x(), b = __nvvm_read_ptx_sreg_ctaid_x(),
      n = __nvvm_read_ptx_sreg_ntid_x();
  tile[t & 31][b & 31] = f[t];
  __syncthreads();
  f[t] = tile[b & 31][t & 31];
  dyn[t] = p[t];
  __nvvm_barrier_sync(1);
  __nvvm_barrier_sync_cnt(2, 64);
  p[t] = __nvvm_shfl_sync_down_i32(m, dyn[t ^ 1], 1, 31) +
         __nvvm_shfl_sync_bfly_i32(m, t, 1, 31) +
         __nvvm_shfl_sync_up_i32(m, b, 1, 0) +
         __nvvm_shfl_sync_idx_i32(m, b, n, 31);
  f[1] = __nvvm_shfl_sync_idx_f32(m, f[2], 3, 31);
  p[1] = __nvvm_vote_ballot_sync(m, t > 3);
  p[2] = __nvvm_vote_any_sync(m, t > 4);
  p[3] = __nvvm_vote_all_sync(m, t > 5);
  p[9] = __nvvm_vote_uni_sync(m, t > 8);
  p[4] = __nvvm_activemask();
  p[5] = __nvvm_bar0_popc(t);
  p[6] = __nvvm_bar0_and(t);
  p[7] = __nvvm_bar0_or(t);
  __nvvm_membar_cta();
  __nvvm_membar_gl();
  __nvvm_membar_sys();
  __nvvm_bar_warp_sync(m);
  f[3] = __nvvm_rcp_approx_ftz_f(f[4]);
  f[5] = __nvvm_ex2_approx_f(f[6]);
  f[7] = __nvvm_lg2_approx_ftz_f(f[8]);
  f[9] = __nvvm_sin_approx_f(f[1]);
  f[10] = __nvvm_cos_approx_ftz_f(f[1]);
  f[11] = __nvvm_rsqrt_approx_f(f[2]);
  f[12] = __nvvm_sqrt_approx_f(f[2]);
  f[13] = __nvvm_add_rz_f(f[1], f[2]);
  f[14] = __nvvm_mul_rp_ftz_f(f[1], f[2]);
  f[15] = __nvvm_fma_rm_f(f[1], f[2], f[3]);
  f[17] = __nvvm_div_rz_f(f[1], f[2]);
  p[10] = __nvvm_f2i_rn(f[3]);
  p[11] = __nvvm_f2ui_rp_ftz(f[2]);
  p[12] = __nvvm_prmt(t, b, n);
  p[13] = __nvvm_mulhi_i(t, b);
  p[14] = __nvvm_mul24_i(t, b);
  p[15] = __nvvm_sad_i(t, b, n);
  p[17] = __nvvm_match_any_sync_i32(m, t);
  int q;
  p[18] = __nvvm_match_all_sync_i32p(m, t, &q);
  p[19] = q;
  p[20] = __nvvm_read_ptx_sreg_laneid();
  p[21] = __nvvm_read_ptx_sreg_clock64();
  p[22] = __nvvm_read_ptx_sreg_lanemask_lt();
  __nvvm_nanosleep(30);
  p[23] = __nvvm_read_ptx_sreg_warpid();
  p[24] = __nvvm_isspacep_shared(p);
  p[25] = __nvvm_isspacep_global(p);
  f[20] = __nvvm_ldg_f(f + 21);
  f[22] = __nvvm_saturate_f(f[3]);
  f[23] = __nvvm_fmin_ftz_f(f[2], f[3]);
  p[26] = __nvvm_fns(t, b, n);
  p[30] = __nvvm_read_ptx_sreg_globaltimer();
#if SM >= 80
  p[27] = __nvvm_redux_sync_add(t, m);
  p[28] = __nvvm_redux_sync_xor(t, m);
  f[24] = __nvvm_fmin_nan_f(f[1], f[2]);
  f[25] = __nvvm_f2tf32_rna(f[3]);
  __nvvm_cp_async_ca_shared_global_4(
      dyn, (__attribute__((address_space(1))) void *)p);
  __nvvm_cp_async_commit_group();
  __nvvm_cp_async_wait_group(0);
  __nvvm_cp_async_wait_all();
#endif
  __nvvm_exit();
}
