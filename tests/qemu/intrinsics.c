/* Every intrinsic of hvx_native.h behind one function, built twice: for Hexagon as a skel, where QEMU runs the
 * real instruction, and for this computer as a program. tests/qemu_intrinsics.rs compares the two, and reads
 * names and numbers off the lines below.
 *
 * u, v, x are in[0], in[1], in[2]; the result is out[0], or out[0] and out[1] for a pair. */
#if !defined(__hexagon__)
#include <stdio.h>
#endif

#include "hvx.h"

#define V(number, name, arguments) case number: out[0] = name arguments; break;
#define W(number, name, arguments) case number: w = name arguments; out[0] = Q6_V_lo_W(w); out[1] = Q6_V_hi_W(w); break;
#define R(number, name, arguments) case number: out[0] = Q6_V_vsplat_R(name arguments); break;

#if defined(__hexagon__)
__attribute__((visibility("default"), noinline))
#endif
uint32_t intrinsic(uint32_t number, const HVX_Vector *in, HVX_Vector *out, int32_t r) {
    const HVX_Vector u = in[0], v = in[1], x = in[2];
    HVX_VectorPair w;
    switch (number) {
    V(0, Q6_V_vzero, ())
    V(1, Q6_V_vsplat_R, (r))
    V(2, Q6_V_vand_VV, (u, v))
    V(3, Q6_V_vxor_VV, (u, v))
    V(4, Q6_Vw_vadd_VwVw, (u, v))
    V(5, Q6_Vw_vsub_VwVw, (u, v))
    V(6, Q6_Vw_vmax_VwVw, (u, v))
    V(7, Q6_Vw_vmin_VwVw, (u, v))
    V(8, Q6_Vw_vasr_VwR, (u, r))
    V(9, Q6_Vuh_vlsr_VuhR, (u, r))
    V(10, Q6_Vw_vmpyiacc_VwVwRub, (x, u, r))
    V(11, Q6_Vuw_vrmpyacc_VuwVubRub, (x, u, r))
    V(12, Q6_Vh_vsat_VwVw, (u, v))
    V(13, Q6_Vub_vsat_VhVh, (u, v))
    V(14, Q6_V_vror_VR, (u, r))
    V(15, Q6_Vb_vshuff_Vb, (u))
    V(16, Q6_Vh_vdeal_Vh, (u))
    W(17, Q6_W_vshuff_VVR, (u, v, r))
    W(18, Q6_W_vdeal_VVR, (u, v, r))
    W(19, Q6_Wh_vunpack_Vb, (u))
    W(20, Q6_Wh_vlut16_VbVhR_nomatch, (u, v, r))
    R(21, Q6_R_vextract_VR, (u, r))
    V(22, Q6_Vhf_vmpy_VhfVhf, (u, v))
    W(23, Q6_Wsf_vmpy_VhfVhf, (u, v))
    V(24, Q6_Vsf_vmpy_VsfVsf, (u, v))
    V(25, Q6_Vsf_vadd_VsfVsf, (u, v))
    V(26, Q6_Vsf_equals_Vw, (u))
    V(27, Q6_Vhf_vcvt_VsfVsf, (u, v))
    V(28, Q6_V_lo_W, (Q6_W_vshuff_VVR(u, v, r)))
    V(29, Q6_V_hi_W, (Q6_W_vshuff_VVR(u, v, r)))
    default: return 1;
    }
    return 0;
}

#if !defined(__hexagon__)
/* What the header needs of the native machine: counters that nobody reads here. */
HMXWB_THREAD_LOCAL uint64_t hmxwb_hvx_count[HMXWB_HVX_KINDS];

/* Records of {number, r, u, v, x} in, {out[0], out[1]} out. */
int main(void) {
    uint32_t head[2];
    HVX_Vector in[3], out[2];
    while (fread(head, sizeof head, 1, stdin) == 1 && fread(in, sizeof in, 1, stdin) == 1) {
        memset(out, 0, sizeof out);
        if (intrinsic(head[0], in, out, (int32_t)head[1])) return 1;
        fwrite(out, sizeof out, 1, stdout);
    }
    return 0;
}
#endif
