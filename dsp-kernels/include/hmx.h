/* HMX packets as functions.
 *
 * Addresses are VTCM addresses: on Hexagon the pointer, elsewhere the offset from the
 * start of VTCM plus HMX_NATIVE_BASE. How a packet is made: hmx_packet.h.
 */
#ifndef HMXWB_HMX_H
#define HMXWB_HMX_H

#include <stdint.h>

#include "hmx_packet.h"

/* Rt of a plain product of one crouton: all positions, all 32 channels. */
#define HMX_ONE_CROUTON 0x7FFu
/* Most croutons of one `:deep` packet. */
#define HMX_DEEP_MAX 32u
/* Bytes of a crouton, of an fp16 tile, of an int4 tile. */
#define HMX_CROUTON 2048u
#define HMX_TILE_N 512u

/* Zeroes the float planes of both accumulator sets. */
static inline void hmx_clear_hf(void) { HMX_NONE(HMX_MXCLRACC_HF); }

/* Zeroes the fixed-point planes of both accumulator sets. */
static inline void hmx_clear(void) { HMX_NONE(HMX_MXCLRACC); }

/* Bias set 0 from 256 bytes, 256-aligned: 32 low words, 32 high words. */
static inline void hmx_load_bias2(const void *bias) { HMX_RS(HMX_LOAD_BIAS_WIDE, hmx_address(bias)); }

/* Bias set 0 from 128 bytes, 128-aligned: 32 low words; the high words become 0. */
static inline void hmx_load_bias(const void *bias) { HMX_RS(HMX_LOAD_BIAS, hmx_address(bias)); }

/* acc += act x weight, fp16: 1 to HMX_DEEP_MAX neighbouring tiles of both along k. */
static inline void hmx_multiply_hf(const void *act, const void *weight, uint32_t tiles) {
  const uint32_t range = tiles * HMX_CROUTON - 1;
  HMX_PAIR(HMX_ACTIVATION_HF_DEEP, hmx_address(act), range, HMX_WEIGHT_HF, hmx_address(weight), range);
}

/* acc += act x weight, uint8 x int4, one tile of 32 along k. */
static inline void hmx_multiply_n(const void *act, const void *weight) {
  HMX_PAIR(HMX_ACTIVATION_UB, hmx_address(act), HMX_ONE_CROUTON, HMX_WEIGHT_N, hmx_address(weight),
           HMX_TILE_N - 1);
}

/* acc += act x weight, uint8 x int4: 1 to HMX_DEEP_MAX neighbouring tiles of both along k. */
static inline void hmx_multiply_n_deep(const void *act, const void *weight, uint32_t tiles) {
  HMX_PAIR(HMX_ACTIVATION_UB_DEEP, hmx_address(act), tiles * HMX_CROUTON - 1, HMX_WEIGHT_N,
           hmx_address(weight), tiles * HMX_TILE_N - 1);
}

/* Converts the float plane to fp16, stores the tile, zeroes the plane, changes the set. */
static inline void hmx_store_hf(void *tile) { HMX_RS_RT(HMX_CONVERT_STORE_AFTER_HF, hmx_address(tile), 0); }

/* Converts the fixed-point plane to bytes (wrapping), stores the crouton, zeroes the plane, changes the set. */
static inline void hmx_store_ub(void *crouton) { HMX_RS_RT(HMX_CONVERT_STORE_AFTER_UB, hmx_address(crouton), 0); }

/* The same, but the plane and the set stay as they are. */
static inline void hmx_store_ub_retain(void *crouton) {
  HMX_RS_RT(HMX_CONVERT_STORE_AFTER_RETAIN_UB, hmx_address(crouton), 0);
}

#if defined(HMXWB_FAULTS)
/* The same with saturation: wrong for a readout byte by byte, planted by tests only. */
static inline void hmx_store_ub_retain_saturated(void *crouton) {
  HMX_RS_RT(HMX_CONVERT_STORE_AFTER_RETAIN_SAT_UB, hmx_address(crouton), 0);
}
#endif

#endif
