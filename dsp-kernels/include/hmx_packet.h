/* One HMX packet from C.
 *
 * On Hexagon each is one packet of instruction words with fixed registers (r0..r3), so
 * that a compiler without HMX support can build it. On any other computer each is a call
 * of hmx_native_packet, which executes the same words on the functional model.
 * The words come from the instruction table (hmx_words.h, generated). Exported sources
 * have hmx_mnemonics.h in place of this file.
 */
#ifndef HMXWB_HMX_PACKET_H
#define HMXWB_HMX_PACKET_H

#include <stdint.h>

#include "hmx_words.h"

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

#endif
