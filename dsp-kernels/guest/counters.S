/* Reads QEMU's counters at the edges of what is counted. c20 counts packets, c21 instructions, without nops and
 * constant extenders; a read does not count itself. What runs between a read and the edge is the same each time and
 * taken out by count.c.
 */
#define READ_PACKETS(n) .word 0x6a14c000 + n
#define READ_INSTRUCTIONS(n) .word 0x6a15c000 + n

        .text
/* uint32_t counted_call(uint32_t function, const uint32_t arguments[4], struct window *window): what it returned. */
        .globl counted_call
        .p2align 4
counted_call:
        { allocframe(#8) }
        { memd(r29+#0) = r17:16 }
        { r17 = r0; r16 = r2 }
        { r3:2 = memd(r1+#8) }
        { r1:0 = memd(r1+#0) }
        READ_INSTRUCTIONS(4)
        READ_PACKETS(5)
        { memd(r16+#0) = r5:4 }
        { callr r17 }
        READ_INSTRUCTIONS(2)
        READ_PACKETS(3)
        { memd(r16+#8) = r3:2 }
        { r17:16 = memd(r29+#0) }
        { dealloc_return }

/* The handler of SIGILL: r2 is the frame. What it clobbers is in there. */
        .globl trap_entry
        .p2align 4
trap_entry:
        READ_INSTRUCTIONS(0)
        READ_PACKETS(1)
        { call trap_handle }
        READ_INSTRUCTIONS(2)
        READ_PACKETS(3)
        { memd(r0+#0) = r3:2 }
        { r6 = #139 } /* rt_sigreturn */
        { trap0(#1) }

/* Known pieces to calibrate with: one instruction; a packet that traps and one instruction. */
        .globl count_one
        .p2align 4
count_one:
        { jumpr r31 }

        .globl count_trap
        .p2align 4
count_trap:
        .word 0xa800c040 /* r0 = dmpoll */
        { jumpr r31 }
