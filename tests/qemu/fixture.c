/* A skel for the tests of the qemu target: HVX float in packets of all shapes, and ways to fail. */
#include <stdint.h>
#include <hexagon_types.h>
#include <hvx_hexagon_protos.h>

#define EXPORT __attribute__((visibility("default"), noinline))

/* out[i] = in[i] * in[i] in halves, n vectors: a software-pipelined loop with stores of new values. */
EXPORT uint32_t squares(const HVX_Vector *in, HVX_Vector *out, uint32_t n) {
    for (uint32_t i = 0; i < n; i++) out[i] = Q6_Vhf_equals_Vqf16(Q6_Vqf16_vmpy_VhfVhf(in[i], in[i]));
    return n;
}

/* One packet: a float result beside an instruction that reads the old value of its register. */
EXPORT uint32_t old_value(const HVX_Vector *in, HVX_Vector *out) {
    __asm__ volatile(
        "{ v0 = vmem(%0+#0) }\n"
        "{ v1 = v0 }\n"
        "{ v0.qf16 = vmpy(v1.hf,v1.hf); v2 = v0; r1 = add(%0,#0) }\n"
        "{ v0.hf = v0.qf16 }\n"
        "{ vmem(%1+#0) = v0 }\n"
        "{ vmem(%1+#1) = v2 }\n" ::"r"(in), "r"(out) : "r1", "v0", "v1", "v2", "memory");
    return 0;
}

/* A float instruction at the end of a hardware loop, alone with a nop: adds in[0] four times. */
EXPORT uint32_t loop_end(const HVX_Vector *in, HVX_Vector *out) {
    __asm__ volatile(
        "{ v1 = vmem(%0+#0) }\n"
        "{ v0 = vxor(v0,v0) }\n"
        "loop0(1f,#4)\n"
        ".falign\n"
        "1:\n"
        "{ v0.qf16 = vadd(v0.qf16,v1.hf); nop }:endloop0\n"
        "{ v0.hf = v0.qf16 }\n"
        "{ vmem(%1+#0) = v0 }\n" ::"r"(in), "r"(out) : "v0", "v1", "memory", "sa0", "lc0");
    return 0;
}

/* An operand that is loaded in the same packet and kept by nobody. */
EXPORT uint32_t temporary(const HVX_Vector *in, HVX_Vector *out) {
    __asm__ volatile(
        "{ v1.tmp = vmem(%0+#1); v0.qf16 = vmpy(v1.hf,v1.hf) }\n"
        "{ v0.hf = v0.qf16 }\n"
        "{ vmem(%1+#0) = v0 }\n" ::"r"(in), "r"(out) : "v0", "v1", "memory");
    return 0;
}

/* Branches beside float instructions: taken forward over a wrong addition, then a counted loop backward. */
EXPORT uint32_t branches(const HVX_Vector *in, HVX_Vector *out) {
    __asm__ volatile(
        "{ v1 = vmem(%0+#0); r2 = #3 }\n"
        "{ v0 = vxor(v0,v0); p0 = cmp.eq(r2,#3) }\n"
        "{ v0.qf16 = vadd(v0.qf16,v1.hf); if (p0) jump 2f }\n"
        "{ v0.qf16 = vadd(v0.qf16,v1.hf) }\n"
        "2: { p0 = cmp.gt(r2,#1); r2 = add(r2,#-1) }\n"
        "{ v0.qf16 = vadd(v0.qf16,v1.hf); if (p0) jump 2b }\n"
        "{ v0.qf16 = vadd(v0.qf16,v1.hf); v3 = v0; jump 3f }\n"
        "{ v0 = vxor(v0,v0) }\n"
        "3: { v0.hf = v0.qf16 }\n"
        "{ vmem(%1+#0) = v0 }\n" ::"r"(in), "r"(out) : "r2", "p0", "v0", "v1", "v3", "memory");
    return 0;
}

/* A call and a return beside float instructions: twice in[0]. */
EXPORT uint32_t call_and_return(const HVX_Vector *in, HVX_Vector *out) {
    __asm__ volatile(
        "{ v1 = vmem(%0+#0); r5 = r31 }\n"
        "{ v0 = vxor(v0,v0) }\n"
        "{ v0.qf16 = vadd(v0.qf16,v1.hf); call 1f }\n"
        "{ v0.hf = v0.qf16; vmem(%1+#0) = v0.new }\n"
        "{ jump 2f }\n"
        "1: { v0.qf16 = vadd(v0.qf16,v1.hf); jumpr r31 }\n"
        "2: { r31 = r5 }\n" ::"r"(in), "r"(out) : "r5", "r31", "v0", "v1", "memory");
    return 0;
}

/* Ones times ones: activation at VTCM+0, weights at +2048, bias at +4096, result at +8192. */
EXPORT uint32_t hmx_ones(uint32_t vtcm) {
    register uint32_t act __asm__("r0") = vtcm;
    register uint32_t wt __asm__("r1") = vtcm + 2048;
    register uint32_t bias __asm__("r2") = vtcm + 4096;
    register uint32_t out __asm__("r3") = vtcm + 8192;
    register uint32_t range __asm__("r4") = 0x7FF;
    register uint32_t zero __asm__("r5") = 0;
    __asm__ volatile(
        ".word 0x9202c3fe\n"                  /* bias=mxmem2(r2) */
        ".word 0xa6e0c013\n"                  /* mxclracc.hf */
        ".word 0x920044e4\n.word 0x9201e4ef\n" /* {activation.hf=mxmem(r0,r4); weight.hf=mxmem(r1,r4)} */
        ".word 0xa6e3e504\n"                  /* mxmem(r3,r5):after.hf=acc */
        ::"r"(act), "r"(wt), "r"(bias), "r"(out), "r"(range), "r"(zero) : "memory");
    return 0;
}

EXPORT uint32_t hang(void) {
    for (;;) __asm__ volatile("" ::: "memory");
}

EXPORT uint32_t crash(void) { return *(volatile uint32_t *)16; }

/* A word that nobody knows. */
EXPORT uint32_t unknown(void) {
    __asm__ volatile(".word 0xa6e0c01f");
    return 0;
}
