/* One HMX packet from C, as assembly that a compiler with HMX support takes.
 *
 * The same macros as hmx_packet.h; exported sources have this file in its place. Each
 * HMX_TEXT_ macro is the text of one instruction for the given registers; the exporter
 * writes those that are used (from the instruction table).
 */
#ifndef HMXWB_HMX_MNEMONICS_H
#define HMXWB_HMX_MNEMONICS_H

#include <stdint.h>

#include "hmx_text.h"

static inline uint32_t hmx_address(const void *p) { return (uint32_t)(uintptr_t)p; }

/* A packet of one instruction without operands, with Rs, with Rs and Rt. */
#define HMX_NONE(name) __asm__ volatile("{ " HMX_TEXT_##name("", "") " }" : : : "memory")
#define HMX_RS(name, rs) __asm__ volatile("{ " HMX_TEXT_##name("%0", "") " }" : : "r"(rs) : "memory")
#define HMX_RS_RT(name, rs, rt) \
  __asm__ volatile("{ " HMX_TEXT_##name("%0", "%1") " }" : : "r"(rs), "r"(rt) : "memory")
/* Activation load and weight load in one packet. */
#define HMX_PAIR(act, act_rs, act_rt, weight, weight_rs, weight_rt)                                            \
  __asm__ volatile("{ " HMX_TEXT_##act("%0", "%1") "\n  " HMX_TEXT_##weight("%2", "%3") " }"                   \
                   :                                                                                           \
                   : "r"(act_rs), "r"(act_rt), "r"(weight_rs), "r"(weight_rt)                                  \
                   : "memory")

#endif
