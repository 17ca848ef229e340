/* HMX packets as functions.
 *
 * On Hexagon each is one packet of instruction words with fixed registers (r0..r3), so
 * that a compiler without HMX support can build it. On any other computer each is a call
 * of hmx_native_packet, which executes the same words on the functional model.
 * The words come from the instruction table (hmx_words.h, generated).
 *
 * Addresses are VTCM addresses: on Hexagon the pointer, elsewhere the offset from the
 * start of VTCM plus HMX_NATIVE_BASE.
 */
#ifndef HMXWB_HMX_H
#define HMXWB_HMX_H

#include <stdint.h>

#include "hmx_words.h"

/* Rt of a plain product of one crouton: all positions, all 32 channels. */
#define HMX_ONE_CROUTON 0x7FFu
/* Most croutons of one `:deep` packet. */
#define HMX_DEEP_MAX 32u
/* Bytes of a crouton, of an fp16 tile, of an int4 tile. */
#define HMX_CROUTON 2048u
#define HMX_TILE_N 512u

#if defined(__hexagon__)

static inline uint32_t hmx_address(const void *p) { return (uint32_t)(uintptr_t)p; }

/* A packet of one instruction without operands, with Rs, with Rs and Rt. */
#define HMX_NONE(name) __asm__ volatile(".word %c0" : : "i"(HMX_WORD(name, 0, 0, HMX_LAST)) : "memory")
#define HMX_RS(name, rs)                                                                                 \
  do {                                                                                                   \
    register uint32_t hmx_r0 __asm__("r0") = (rs);                                                       \
    __asm__ volatile(".word %c1" : : "r"(hmx_r0), "i"(HMX_WORD(name, 0, 0, HMX_LAST)) : "memory");       \
  } while (0)
#define HMX_RS_RT(name, rs, rt)                                                                          \
  do {                                                                                                   \
    register uint32_t hmx_r0 __asm__("r0") = (rs);                                                       \
    register uint32_t hmx_r1 __asm__("r1") = (rt);                                                       \
    __asm__ volatile(".word %c2"                                                                         \
                     :                                                                                   \
                     : "r"(hmx_r0), "r"(hmx_r1), "i"(HMX_WORD(name, 0, 1, HMX_LAST))                     \
                     : "memory");                                                                        \
  } while (0)
/* Activation load and weight load in one packet. */
#define HMX_PAIR(act, act_rs, act_rt, weight, weight_rs, weight_rt)                                      \
  do {                                                                                                   \
    register uint32_t hmx_r0 __asm__("r0") = (act_rs);                                                   \
    register uint32_t hmx_r1 __asm__("r1") = (act_rt);                                                   \
    register uint32_t hmx_r2 __asm__("r2") = (weight_rs);                                                \
    register uint32_t hmx_r3 __asm__("r3") = (weight_rt);                                                \
    __asm__ volatile(".word %c4\n\t.word %c5"                                                            \
                     :                                                                                   \
                     : "r"(hmx_r0), "r"(hmx_r1), "r"(hmx_r2), "r"(hmx_r3),                               \
                       "i"(HMX_WORD(act, 0, 1, HMX_MORE)), "i"(HMX_WORD(weight, 2, 3, HMX_LAST))         \
                     : "memory");                                                                        \
  } while (0)

#else

/* Where VTCM seems to lie for the model. */
#define HMX_NATIVE_BASE 0xD8000000u

/* In host/native.rs: executes one packet of `count` words on this thread's machine.
 * 0 when it did; the first fault is kept by the machine and everything after it is ignored. */
int32_t hmx_native_packet(uint32_t count, const uint32_t *word, const uint32_t *rs, const uint32_t *rt);

/* In native/machine.c: the VTCM address of a pointer into this thread's VTCM. */
uint32_t hmx_address(const void *p);

static inline void hmx_native_pair(uint32_t act, uint32_t act_rs, uint32_t act_rt, uint32_t weight, uint32_t weight_rs,
                                   uint32_t weight_rt) {
  const uint32_t word[2] = {act, weight}, rs[2] = {act_rs, weight_rs}, rt[2] = {act_rt, weight_rt};
  (void)hmx_native_packet(2, word, rs, rt);
}

static inline void hmx_native_single(uint32_t word, uint32_t rs, uint32_t rt) {
  (void)hmx_native_packet(1, &word, &rs, &rt);
}

#define HMX_NONE(name) hmx_native_single(HMX_WORD(name, 0, 0, HMX_LAST), 0, 0)
#define HMX_RS(name, rs) hmx_native_single(HMX_WORD(name, 0, 0, HMX_LAST), rs, 0)
#define HMX_RS_RT(name, rs, rt) hmx_native_single(HMX_WORD(name, 0, 1, HMX_LAST), rs, rt)
#define HMX_PAIR(act, act_rs, act_rt, weight, weight_rs, weight_rt)                                    \
  hmx_native_pair(HMX_WORD(act, 0, 1, HMX_MORE), act_rs, act_rt, HMX_WORD(weight, 2, 3, HMX_LAST), \
                  weight_rs, weight_rt)

#endif

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
