/* HVX for the kernels: the SDK's intrinsics, and what differs between versions.
 *
 * From v79 on the IEEE float instructions are used (clang needs -mhvx-ieee-fp for them).
 * Before, the same values go through qf32, converted back after every operation; whether
 * that rounds like IEEE in every case is `inferred`.
 */
#ifndef HMXWB_HVX_H
#define HMXWB_HVX_H

#include <stdint.h>

#if defined(__hexagon__)

#include <hexagon_types.h>

#include <hexagon_protos.h>
#include <hvx_hexagon_protos.h>

static inline HVX_Vector hvx_load(const void *p) { return *(const HVX_Vector *)p; }
static inline void hvx_store(void *p, HVX_Vector u) { *(HVX_Vector *)p = u; }
static inline uint32_t vtcm_load_word(const void *p) { return *(const volatile uint32_t *)p; }
static inline void vtcm_store_word(void *p, uint32_t u) { *(volatile uint32_t *)p = u; }

#if __HEXAGON_ARCH__ >= 79
#define HVX_IEEE 1
#endif

#else

#include "../native/hvx_native.h"
#define HVX_IEEE 1

#endif

#if defined(HVX_IEEE)

/* hf: u * v, one rounding. */
static inline HVX_Vector hvx_multiply_hf(HVX_Vector u, HVX_Vector v) { return Q6_Vhf_vmpy_VhfVhf(u, v); }
/* sf: u * v of fp16 lanes, exact: lo the even lanes, hi the odd ones. */
static inline HVX_VectorPair hvx_multiply_hf_wide(HVX_Vector u, HVX_Vector v) { return Q6_Wsf_vmpy_VhfVhf(u, v); }
/* sf: u * v, one rounding. */
static inline HVX_Vector hvx_multiply_sf(HVX_Vector u, HVX_Vector v) { return Q6_Vsf_vmpy_VsfVsf(u, v); }
/* sf: u + v, one rounding. */
static inline HVX_Vector hvx_add_sf(HVX_Vector u, HVX_Vector v) { return Q6_Vsf_vadd_VsfVsf(u, v); }
/* hf: even lanes from u, odd lanes from v, one rounding. */
static inline HVX_Vector hvx_narrow_sf(HVX_Vector u, HVX_Vector v) { return Q6_Vhf_vcvt_VsfVsf(u, v); }

#else

static inline HVX_Vector hvx_multiply_hf(HVX_Vector u, HVX_Vector v) {
  return Q6_Vhf_equals_Wqf32(Q6_Wqf32_vmpy_VhfVhf(u, v));
}
static inline HVX_VectorPair hvx_multiply_hf_wide(HVX_Vector u, HVX_Vector v) {
  const HVX_VectorPair p = Q6_Wqf32_vmpy_VhfVhf(u, v);
  return Q6_W_vcombine_VV(Q6_Vsf_equals_Vqf32(Q6_V_hi_W(p)), Q6_Vsf_equals_Vqf32(Q6_V_lo_W(p)));
}
static inline HVX_Vector hvx_multiply_sf(HVX_Vector u, HVX_Vector v) {
  return Q6_Vsf_equals_Vqf32(Q6_Vqf32_vmpy_VsfVsf(u, v));
}
static inline HVX_Vector hvx_add_sf(HVX_Vector u, HVX_Vector v) {
  return Q6_Vsf_equals_Vqf32(Q6_Vqf32_vadd_VsfVsf(u, v));
}
static inline HVX_Vector hvx_narrow_sf(HVX_Vector u, HVX_Vector v) {
  const HVX_Vector zero = Q6_V_vzero();
  return Q6_Vhf_equals_Wqf32(
      Q6_W_vcombine_VV(Q6_Vqf32_vadd_VsfVsf(v, zero), Q6_Vqf32_vadd_VsfVsf(u, zero)));
}

#endif

#endif
