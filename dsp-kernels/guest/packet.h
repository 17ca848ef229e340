/* Packets as words: what the trap handler needs to know of their encoding. */
#ifndef HMXWB_GUEST_PACKET_H
#define HMXWB_GUEST_PACKET_H

#include "guest.h"

#define MAX_PACKET 4u

/* The last word of a packet: parse bits 11, or 00 for a duplex, which is always last. */
static inline int ends_packet(uint32_t word) {
    uint32_t parse = word >> 14 & 3;
    return parse == 3 || parse == 0;
}

/* The two encoding classes that hold HMX and nothing that reads a vector register. */
static inline int is_hmx_class(uint32_t word) {
    return word >> 24 == 0x92 || word >> 21 == 0x537;
}

/* `Vd.cur = vmem(...)` or `Vd.tmp = vmem(...)`, not predicated: base+offset, post-increment by an
 * immediate or by a modifier register. */
static inline int is_forwarding_load(uint32_t word) {
    uint32_t form = word >> 24, how = word >> 5 & 7;
    return (form == 0x28 || form == 0x29 || form == 0x2B) && !(word & 0x00A00000u) && (how == 1 || how == 2);
}

/* The signed offset of `vmem(Rt+#s4)`, in vectors: bits 13 and 10:8. */
static inline int32_t vmem_offset(uint32_t word) {
    int32_t raw = (int32_t)((word >> 10 & 8) | (word >> 8 & 7));
    return raw >= 8 ? raw - 16 : raw;
}

/* Carries out a user DMA instruction on the registers; 0 when the word is none.
 * A transfer is done at once when it is started, so there is nothing to wait for later. */
int user_dma(uint32_t word, uint32_t *r);

/* Makes room for trampolines at `at`, near enough to the skel for a jump. */
void trampoline_install(uint32_t at);
/* Code that runs trap->rest and goes on behind the packet. */
uint32_t trampoline_early(const volatile struct hmxwb_guest_trap *trap);
/* Code that runs trap->rest and traps again. */
uint32_t trampoline_late(const volatile struct hmxwb_guest_trap *trap);
/* Where to go on when the word before `pc` is a trap of a trampoline, and whether the vectors of its packet are to be
 * written first; 0 for any other address. */
uint32_t trampoline_next(uint32_t pc, int *write);

#endif
