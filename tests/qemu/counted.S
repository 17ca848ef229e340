/* Functions whose instructions and packets are counted in tests/qemu_counters.rs. r0 = DDR, r1 = VTCM. What a packet
 * counts is written behind it; nops and constant extenders count nothing. */
        .macro function name
        .globl \name
        .type \name,@function
        .p2align 4
\name:
        .endm

        .text
function plain                                                       /* 9 in 5 */
        { r2 = memw(r0+#0); r3 = #2; nop }                           /* 2 */
        { r2 = ##0x12345678; r4 = add(r2,##0x1234567) }              /* 2 */
        { p0 = cmp.eq(r3,#2); r5 = add(r3,r4) }                      /* 2 */
        { if (p0) jump:nt 1f; r5 = memw(r0+#4) }                     /* 2, taken */
        { r5 = #0 }
1:      { jumpr r31 }                                                /* 1 */

function loop                                                        /* 8 in 7 */
        { loop0(1f,#5); r2 = memw(r0+#0) }                           /* 2 */
1:      { r2 = add(r2,#1); nop; nop }:endloop0                       /* 1, five times */
        { jumpr r31 }                                                /* 1 */

function alone                                                       /* 5 in 4 */
        { v0.qf16 = vmpy(v1.hf,v2.hf) }                              /* 1 */
        { v0.hf = v0.qf16; nop }                                     /* 1 */
        { v0.qf16 = vmpy(v1.hf,v2.hf); v3.qf16 = vadd(v1.hf,v1.hf) } /* 2 */
        { jumpr r31 }                                                /* 1 */

function beside                                                      /* 6 in 3 */
        { v0.qf16 = vmpy(v1.hf,v2.hf); r2 = add(r0,#1); r3 = memw(r0+#0) } /* 3 */
        { v0.hf = v0.qf16; vmem(r0+#0) = v0.new }                    /* 2 */
        { jumpr r31 }                                                /* 1 */

function old                                                         /* 6 in 3 */
        { v0.qf16 = vmpy(v1.hf,v2.hf); v3 = v0; r2 = add(r0,#1) }    /* 3 */
        { v4 = v0; v0.hf = v0.qf16 }                                 /* 2 */
        { jumpr r31 }                                                /* 1 */

function loop_end                                                    /* 9 in 8 */
        { loop0(1f,#6); r2 = memw(r0+#0) }                           /* 2 */
        .falign
1:      { v0.qf16 = vadd(v0.qf16,v1.hf); nop }:endloop0              /* 1, six times */
        { jumpr r31 }                                                /* 1 */

function loop_old                                                    /* 11 in 6 */
        { loop0(1f,#4); r2 = memw(r0+#0) }                           /* 2 */
        .falign
1:      { v0.qf16 = vadd(v0.qf16,v1.hf); v3 = v0 }:endloop0          /* 2, four times */
        { jumpr r31 }                                                /* 1 */

function loop_store                                                  /* 11 in 6 */
        { loop0(1f,#4); r2 = memw(r0+#0) }                           /* 2 */
        .falign
1:      { v0.hf = v1.qf16; vmem(r0++#1) = v0.new }:endloop0          /* 2, four times */
        { jumpr r31 }                                                /* 1 */

function branches                                                    /* 13 in 7 */
        { r2 = memw(r0+#0); r3 = #1 }                                /* 2 */
        { p0 = cmp.eq(r3,#1) }                                       /* 1 */
        { v0.qf16 = vadd(v0.qf16,v1.hf); if (!p0) jump:nt 2f }       /* 2, not taken */
        { v0.qf16 = vadd(v0.qf16,v1.hf); if (p0) jump:nt 1f }        /* 2, taken */
        { r2 = #0 }
1:      { v0.qf16 = vadd(v0.qf16,v1.hf); v3 = v0; if (p0) jump:nt 2f } /* 3, taken */
        { r2 = #0 }
2:      { r3 = memw(r0+#0) }                                         /* 1 */
        { v0.hf = v0.qf16; jumpr r31 }                               /* 2 */

/* Returns to a place in a register beside a float instruction; calls itself once: 9 in 6. */
function returns
        { r5 = r31 }                                                 /* 1 */
        { v0.qf16 = vadd(v0.qf16,v1.hf); call 1f }                   /* 2 */
        { r31 = r5; r2 = memw(r0+#0) }                               /* 2 */
        { v0.qf16 = vadd(v0.qf16,v1.hf); jumpr r31 }                 /* 2 */
        .falign
1:      { r2 = memw(r0+#0) }                                         /* 1 */
        { jumpr r31 }                                                /* 1 */

function dma                                                         /* 3 in 3 */
        .word 0xa800c042                                             /* r2=dmpoll: 1 */
        .word 0xa800c042                                             /* 1 */
        { jumpr r31 }                                                /* 1 */

function matrix                                                      /* 10 in 8 */
        { r4 = ##0x7ff }                                             /* 1 */
        { r2 = add(r1,#4096); r3 = add(r1,##8192) }                  /* 2 */
        .word 0x9202c3fe                                             /* bias=mxmem2(r2): 1 */
        .word 0xa6e0c013                                             /* mxclracc.hf: 1 */
        .word 0x920144e4, 0x9201e4ef                                 /* {activation.hf=mxmem(r1,r4); weight.hf=mxmem(r1,r4)}: 2 */
        { r5 = #0 }                                                  /* 1 */
        .word 0xa6e3e504                                             /* mxmem(r3,r5):after.hf=acc: 1 */
        { jumpr r31 }                                                /* 1 */
