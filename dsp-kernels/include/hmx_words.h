/* HMX instruction words. Generated from abi/isa.tsv; do not edit.
 * Renew with: BLESS=1 cargo test -p hmx-abi --test generated
 *
 * Each name is the word with register numbers and packet bits 0. Put them in with HMX_WORD:
 *
 *   HMX_WORD(HMX_ACTIVATION_HF, 0, 1, HMX_MORE)   activation.hf=mxmem(r0,r1), more words follow
 *   HMX_WORD(HMX_WEIGHT_HF, 2, 3, HMX_LAST)       weight.hf=mxmem(r2,r3), ends the packet
 *
 * An activation load and a weight load make one packet, in that order; every other
 * instruction is a packet of its own. Where an instruction has no Rs or no Rt, pass 0.
 */
#ifndef HMX_WORDS_H
#define HMX_WORDS_H

/* Packet bits: more words follow in the packet, or this is its last word. */
#define HMX_MORE 0x00004000u
#define HMX_LAST 0x0000c000u

/* The word of an instruction with register numbers (0 to 31) and packet bits. */
#define HMX_WORD(instruction, rs, rt, packet) \
  ((instruction) | (((rs) & 31u) << 16) | (((rt) & 31u) << 8) | (packet))

/* Activation loads */
#define HMX_ACTIVATION_UB_DEEP 0x920000e0u /* activation.ub=mxmem(Rs,Rt):deep, v68 on */
#define HMX_ACTIVATION_UB_DEEP_CM 0x920000e1u /* activation.ub=mxmem(Rs,Rt):deep:cm, v68 on */
#define HMX_ACTIVATION_HF_DEEP 0x920000e2u /* activation.hf=mxmem(Rs,Rt):deep, v68 on */
#define HMX_ACTIVATION_F8_DEEP 0x920000e3u /* activation.f8=mxmem(Rs,Rt):deep, v79 on */
#define HMX_ACTIVATION_HF 0x920000e4u /* activation.hf=mxmem(Rs,Rt), v68 on */
#define HMX_ACTIVATION_F8 0x920000e5u /* activation.f8=mxmem(Rs,Rt), v79 on */
#define HMX_ACTIVATION_HF_ABOVE 0x920000e6u /* activation.hf=mxmem(Rs,Rt):above, v68 on */
#define HMX_ACTIVATION_F8_ABOVE 0x920000e7u /* activation.f8=mxmem(Rs,Rt):above, v79 on */
#define HMX_ACTIVATION_UB_DILATE 0x920000e8u /* activation.ub=mxmem(Rs,Rt):dilate, v68 on */
#define HMX_ACTIVATION_UB_DILATE_CM 0x920000e9u /* activation.ub=mxmem(Rs,Rt):dilate:cm, v68 on */
#define HMX_ACTIVATION_UB 0x920000ecu /* activation.ub=mxmem(Rs,Rt), v68 on */
#define HMX_ACTIVATION_UB_CM 0x920000edu /* activation.ub=mxmem(Rs,Rt):cm, v68 on */
#define HMX_ACTIVATION_UB_ABOVE 0x920000eeu /* activation.ub=mxmem(Rs,Rt):above, v68 on */
#define HMX_ACTIVATION_UB_ABOVE_CM 0x920000efu /* activation.ub=mxmem(Rs,Rt):above:cm, v68 on */
#define HMX_ACTIVATION_UB_SINGLE 0x920000f0u /* activation.ub=mxmem(Rs,Rt):single, v68 on */
#define HMX_ACTIVATION_UB_SINGLE_CM 0x920000f1u /* activation.ub=mxmem(Rs,Rt):single:cm, v68 on */
#define HMX_ACTIVATION_HF_SINGLE 0x920000f8u /* activation.hf=mxmem(Rs,Rt):single, v68 on */
#define HMX_ACTIVATION_F8_SINGLE 0x920000f9u /* activation.f8=mxmem(Rs,Rt):single, v79 on */
#define HMX_ACTIVATION_HF_DILATE 0x920000fau /* activation.hf=mxmem(Rs,Rt):dilate, v68 on */
#define HMX_ACTIVATION_F8_DILATE 0x920000fbu /* activation.f8=mxmem(Rs,Rt):dilate, v79 on */

/* Weight loads */
#define HMX_WEIGHT_SC_SINGLE 0x920020c0u /* weight.sc=mxmem(Rs,Rt):single, v68 on */
#define HMX_WEIGHT_SC_DROP 0x920020c1u /* weight.sc=mxmem(Rs,Rt):drop, v68 on */
#define HMX_WEIGHT_SC_DEEP 0x920020c2u /* weight.sc=mxmem(Rs,Rt):deep, v68 on */
#define HMX_WEIGHT_SC_AFTER 0x920020c3u /* weight.sc=mxmem(Rs,Rt):after, v68 on */
#define HMX_WEIGHT_SC_DILATE 0x920020c4u /* weight.sc=mxmem(Rs,Rt):dilate, v68 on */
#define HMX_WEIGHT_UBIT_SINGLE 0x920020c5u /* weight.ubit=mxmem(Rs,Rt):single, v68 on */
#define HMX_WEIGHT_UBIT_DROP 0x920020c6u /* weight.ubit=mxmem(Rs,Rt):drop, v68 on */
#define HMX_WEIGHT_UBIT_DEEP 0x920020c7u /* weight.ubit=mxmem(Rs,Rt):deep, v68 on */
#define HMX_WEIGHT_UBIT_AFTER 0x920020c8u /* weight.ubit=mxmem(Rs,Rt):after, v68 on */
#define HMX_WEIGHT_UBIT_DILATE 0x920020c9u /* weight.ubit=mxmem(Rs,Rt):dilate, v68 on */
#define HMX_WEIGHT_SBIT_SINGLE 0x920020cau /* weight.sbit=mxmem(Rs,Rt):single, v68 on */
#define HMX_WEIGHT_SBIT_DROP 0x920020cbu /* weight.sbit=mxmem(Rs,Rt):drop, v68 on */
#define HMX_WEIGHT_SBIT_DEEP 0x920020ccu /* weight.sbit=mxmem(Rs,Rt):deep, v68 on */
#define HMX_WEIGHT_SBIT_AFTER 0x920020cdu /* weight.sbit=mxmem(Rs,Rt):after, v68 on */
#define HMX_WEIGHT_SBIT_DILATE 0x920020ceu /* weight.sbit=mxmem(Rs,Rt):dilate, v68 on */
#define HMX_WEIGHT_SM_SINGLE 0x920020cfu /* weight.sm=mxmem(Rs,Rt):single, v68 on */
#define HMX_WEIGHT_SM_DROP 0x920020d0u /* weight.sm=mxmem(Rs,Rt):drop, v68 on */
#define HMX_WEIGHT_SM_DEEP 0x920020d1u /* weight.sm=mxmem(Rs,Rt):deep, v68 on */
#define HMX_WEIGHT_SM_AFTER 0x920020d2u /* weight.sm=mxmem(Rs,Rt):after, v68 on */
#define HMX_WEIGHT_SM_DILATE 0x920020d3u /* weight.sm=mxmem(Rs,Rt):dilate, v68 on */
#define HMX_WEIGHT_B 0x920020e0u /* weight.b=mxmem(Rs,Rt), v68 on */
#define HMX_WEIGHT_N 0x920020e1u /* weight.n=mxmem(Rs,Rt), v68 on */
#define HMX_WEIGHT_C 0x920020e2u /* weight.c=mxmem(Rs,Rt), v68 on */
#define HMX_WEIGHT_UBIT 0x920020e3u /* weight.ubit=mxmem(Rs,Rt), v68 on */
#define HMX_WEIGHT_SBIT 0x920020e4u /* weight.sbit=mxmem(Rs,Rt), v68 on */
#define HMX_WEIGHT_B_SINGLE 0x920020e6u /* weight.b=mxmem(Rs,Rt):single, v68 on */
#define HMX_WEIGHT_B_DROP 0x920020e7u /* weight.b=mxmem(Rs,Rt):drop, v68 on */
#define HMX_WEIGHT_B_DEEP 0x920020e8u /* weight.b=mxmem(Rs,Rt):deep, v68 on */
#define HMX_WEIGHT_B_AFTER 0x920020e9u /* weight.b=mxmem(Rs,Rt):after, v68 on */
#define HMX_WEIGHT_B_DILATE 0x920020ebu /* weight.b=mxmem(Rs,Rt):dilate, v68 on */
#define HMX_WEIGHT_N_SINGLE 0x920020ecu /* weight.n=mxmem(Rs,Rt):single, v68 on */
#define HMX_WEIGHT_N_DROP 0x920020edu /* weight.n=mxmem(Rs,Rt):drop, v68 on */
#define HMX_WEIGHT_N_DEEP 0x920020eeu /* weight.n=mxmem(Rs,Rt):deep, v68 on */
#define HMX_WEIGHT_HF 0x920020efu /* weight.hf=mxmem(Rs,Rt), v68 on */
#define HMX_WEIGHT_SC 0x920020f0u /* weight.sc=mxmem(Rs,Rt), v68 on */
#define HMX_WEIGHT_SM 0x920020f1u /* weight.sm=mxmem(Rs,Rt), v68 on */
#define HMX_WEIGHT_HF_SINGLE 0x920020f2u /* weight.hf=mxmem(Rs,Rt):single, v68 on */
#define HMX_WEIGHT_HF_DROP 0x920020f3u /* weight.hf=mxmem(Rs,Rt):drop, v68 on */
#define HMX_WEIGHT_HF_DEEP 0x920020f4u /* weight.hf=mxmem(Rs,Rt):deep, v68 on */
#define HMX_WEIGHT_HF_AFTER 0x920020f5u /* weight.hf=mxmem(Rs,Rt):after, v68 on */
#define HMX_WEIGHT_HF_DILATE 0x920020f6u /* weight.hf=mxmem(Rs,Rt):dilate, v68 on */
#define HMX_WEIGHT_N_AFTER 0x920020f7u /* weight.n=mxmem(Rs,Rt):after, v68 on */
#define HMX_WEIGHT_N_DILATE 0x920020f8u /* weight.n=mxmem(Rs,Rt):dilate, v68 on */
#define HMX_WEIGHT_C_SINGLE 0x920020f9u /* weight.c=mxmem(Rs,Rt):single, v68 on */
#define HMX_WEIGHT_C_DROP 0x920020fau /* weight.c=mxmem(Rs,Rt):drop, v68 on */
#define HMX_WEIGHT_C_DEEP 0x920020fbu /* weight.c=mxmem(Rs,Rt):deep, v68 on */
#define HMX_WEIGHT_C_AFTER 0x920020fcu /* weight.c=mxmem(Rs,Rt):after, v68 on */
#define HMX_WEIGHT_C_DILATE 0x920020fdu /* weight.c=mxmem(Rs,Rt):dilate, v68 on */
#define HMX_WEIGHT_N_2X_SINGLE 0x92002041u /* weight.n=mxmem(Rs,Rt):2x:single, v73 on */
#define HMX_WEIGHT_N_2X_DROP 0x92002042u /* weight.n=mxmem(Rs,Rt):2x:drop, v73 on */
#define HMX_WEIGHT_N_2X_DEEP 0x92002043u /* weight.n=mxmem(Rs,Rt):2x:deep, v73 on */
#define HMX_WEIGHT_N_2X_DILATE 0x92002044u /* weight.n=mxmem(Rs,Rt):2x:dilate, v73 on */
#define HMX_WEIGHT_N_2X_AFTER 0x92002045u /* weight.n=mxmem(Rs,Rt):2x:after, v73 on */
#define HMX_WEIGHT_N_2X 0x92002046u /* weight.n=mxmem(Rs,Rt):2x, v73 on */
#define HMX_WEIGHT_F8 0x92002047u /* weight.f8=mxmem(Rs,Rt), v79 on */
#define HMX_WEIGHT_F8_SINGLE 0x92002048u /* weight.f8=mxmem(Rs,Rt):single, v79 on */
#define HMX_WEIGHT_F8_DROP 0x92002049u /* weight.f8=mxmem(Rs,Rt):drop, v79 on */
#define HMX_WEIGHT_F8_DEEP 0x9200204au /* weight.f8=mxmem(Rs,Rt):deep, v79 on */
#define HMX_WEIGHT_F8_AFTER 0x9200204bu /* weight.f8=mxmem(Rs,Rt):after, v79 on */
#define HMX_WEIGHT_F8_DILATE 0x9200204cu /* weight.f8=mxmem(Rs,Rt):dilate, v79 on */

/* Bias registers */
#define HMX_LOAD_BIAS_WIDE 0x920003feu /* bias=mxmem2(Rs), v68 on */
#define HMX_LOAD_BIAS 0x920003ffu /* bias=mxmem(Rs), v68 on */
#define HMX_STORE_BIAS 0xa6e00010u /* mxmem(Rs)=bias, v68 on */
#define HMX_STORE_BIAS_WIDE 0xa6e00016u /* mxmem2(Rs)=bias, v68 on */

/* Convert and store in one step */
#define HMX_CONVERT_STORE_BEFORE_SAT_UB 0xa6e00000u /* mxmem(Rs,Rt):before:sat.ub=acc, v68 on */
#define HMX_CONVERT_STORE_BEFORE_CM_SAT_UB 0xa6e00001u /* mxmem(Rs,Rt):before:cm:sat.ub=acc, v68 on */
#define HMX_CONVERT_STORE_BEFORE_UB 0xa6e00002u /* mxmem(Rs,Rt):before.ub=acc, v68 on */
#define HMX_CONVERT_STORE_BEFORE_CM_UB 0xa6e00003u /* mxmem(Rs,Rt):before:cm.ub=acc, v68 on */
#define HMX_CONVERT_STORE_AFTER_SAT_UB 0xa6e00004u /* mxmem(Rs,Rt):after:sat.ub=acc, v68 on */
#define HMX_CONVERT_STORE_AFTER_CM_SAT_UB 0xa6e00005u /* mxmem(Rs,Rt):after:cm:sat.ub=acc, v68 on */
#define HMX_CONVERT_STORE_AFTER_UB 0xa6e00006u /* mxmem(Rs,Rt):after.ub=acc, v68 on */
#define HMX_CONVERT_STORE_AFTER_CM_UB 0xa6e00007u /* mxmem(Rs,Rt):after:cm.ub=acc, v68 on */
#define HMX_CONVERT_STORE_BEFORE_RETAIN_SAT_UB 0xa6e00008u /* mxmem(Rs,Rt):before:retain:sat.ub=acc, v68 on */
#define HMX_CONVERT_STORE_BEFORE_RETAIN_CM_SAT_UB 0xa6e00009u /* mxmem(Rs,Rt):before:retain:cm:sat.ub=acc, v68 on */
#define HMX_CONVERT_STORE_BEFORE_RETAIN_UB 0xa6e0000au /* mxmem(Rs,Rt):before:retain.ub=acc, v68 on */
#define HMX_CONVERT_STORE_BEFORE_RETAIN_CM_UB 0xa6e0000bu /* mxmem(Rs,Rt):before:retain:cm.ub=acc, v68 on */
#define HMX_CONVERT_STORE_AFTER_RETAIN_SAT_UB 0xa6e0000cu /* mxmem(Rs,Rt):after:retain:sat.ub=acc, v68 on */
#define HMX_CONVERT_STORE_AFTER_RETAIN_CM_SAT_UB 0xa6e0000du /* mxmem(Rs,Rt):after:retain:cm:sat.ub=acc, v68 on */
#define HMX_CONVERT_STORE_AFTER_RETAIN_UB 0xa6e0000eu /* mxmem(Rs,Rt):after:retain.ub=acc, v68 on */
#define HMX_CONVERT_STORE_AFTER_RETAIN_CM_UB 0xa6e0000fu /* mxmem(Rs,Rt):after:retain:cm.ub=acc, v68 on */
#define HMX_CONVERT_STORE_BEFORE_HF 0xa6e02000u /* mxmem(Rs,Rt):before.hf=acc, v68 on */
#define HMX_CONVERT_STORE_BEFORE_POS_HF 0xa6e02001u /* mxmem(Rs,Rt):before:pos.hf=acc, v68 on */
#define HMX_CONVERT_STORE_BEFORE_SAT_UH_2X1 0xa6e02002u /* mxmem(Rs,Rt):before:sat.uh=acc:2x1, v68 on */
#define HMX_CONVERT_STORE_BEFORE_UH_2X1 0xa6e02003u /* mxmem(Rs,Rt):before.uh=acc:2x1, v68 on */
#define HMX_CONVERT_STORE_AFTER_HF 0xa6e02004u /* mxmem(Rs,Rt):after.hf=acc, v68 on */
#define HMX_CONVERT_STORE_BEFORE_RETAIN_POS_HF 0xa6e02005u /* mxmem(Rs,Rt):before:retain:pos.hf=acc, v68 on */
#define HMX_CONVERT_STORE_BEFORE_RETAIN_SAT_UH_2X1 0xa6e02006u /* mxmem(Rs,Rt):before:retain:sat.uh=acc:2x1, v68 on */
#define HMX_CONVERT_STORE_BEFORE_RETAIN_UH_2X1 0xa6e02007u /* mxmem(Rs,Rt):before:retain.uh=acc:2x1, v68 on */
#define HMX_CONVERT_STORE_BEFORE_RETAIN_HF 0xa6e02008u /* mxmem(Rs,Rt):before:retain.hf=acc, v68 on */
#define HMX_CONVERT_STORE_AFTER_POS_HF 0xa6e02009u /* mxmem(Rs,Rt):after:pos.hf=acc, v68 on */
#define HMX_CONVERT_STORE_AFTER_SAT_UH_2X1 0xa6e0200au /* mxmem(Rs,Rt):after:sat.uh=acc:2x1, v68 on */
#define HMX_CONVERT_STORE_AFTER_UH_2X1 0xa6e0200bu /* mxmem(Rs,Rt):after.uh=acc:2x1, v68 on */
#define HMX_CONVERT_STORE_AFTER_RETAIN_HF 0xa6e0200cu /* mxmem(Rs,Rt):after:retain.hf=acc, v68 on */
#define HMX_CONVERT_STORE_AFTER_RETAIN_POS_HF 0xa6e0200du /* mxmem(Rs,Rt):after:retain:pos.hf=acc, v68 on */
#define HMX_CONVERT_STORE_AFTER_RETAIN_SAT_UH_2X1 0xa6e0200eu /* mxmem(Rs,Rt):after:retain:sat.uh=acc:2x1, v68 on */
#define HMX_CONVERT_STORE_AFTER_RETAIN_UH_2X1 0xa6e0200fu /* mxmem(Rs,Rt):after:retain.uh=acc:2x1, v68 on */
#define HMX_CONVERT_STORE_BEFORE_SAT_UH_2X2 0xa6e02012u /* mxmem(Rs,Rt):before:sat.uh=acc:2x2, v68 on */
#define HMX_CONVERT_STORE_BEFORE_UH_2X2 0xa6e02013u /* mxmem(Rs,Rt):before.uh=acc:2x2, v68 on */
#define HMX_CONVERT_STORE_BEFORE_RETAIN_SAT_UH_2X2 0xa6e02016u /* mxmem(Rs,Rt):before:retain:sat.uh=acc:2x2, v68 on */
#define HMX_CONVERT_STORE_BEFORE_RETAIN_UH_2X2 0xa6e02017u /* mxmem(Rs,Rt):before:retain.uh=acc:2x2, v68 on */
#define HMX_CONVERT_STORE_AFTER_SAT_UH_2X2 0xa6e0201au /* mxmem(Rs,Rt):after:sat.uh=acc:2x2, v68 on */
#define HMX_CONVERT_STORE_AFTER_UH_2X2 0xa6e0201bu /* mxmem(Rs,Rt):after.uh=acc:2x2, v68 on */
#define HMX_CONVERT_STORE_AFTER_RETAIN_SAT_UH_2X2 0xa6e0201eu /* mxmem(Rs,Rt):after:retain:sat.uh=acc:2x2, v68 on */
#define HMX_CONVERT_STORE_AFTER_RETAIN_UH_2X2 0xa6e0201fu /* mxmem(Rs,Rt):after:retain.uh=acc:2x2, v68 on */

/* Convert (first of two steps) */
#define HMX_CVT_UB 0xa6e01710u /* cvt.ub=acc(Rs), v73 on */
#define HMX_CVT_UH_2X1 0xa6e01810u /* cvt.uh=acc(Rs):2x1, v73 on */
#define HMX_CVT_UH_2X2 0xa6e01910u /* cvt.uh=acc(Rs):2x2, v73 on */
#define HMX_CVT_HF 0xa6e01a10u /* cvt.hf=acc(Rs), v73 on */
#define HMX_CVT_F8 0xa6e01b10u /* cvt.f8=acc(Rs), v81 on */
#define HMX_CVT_UB_SC0 0xa6e01c10u /* cvt.ub=acc(Rs):sc0, v73 on */
#define HMX_CVT_UB_SC1 0xa6e01d10u /* cvt.ub=acc(Rs):sc1, v73 on */

/* Store (second of two steps) */
#define HMX_STORE_CVT 0xa6e00018u /* mxmem(Rs,Rt)=cvt, v73 on */
#define HMX_STORE_CVT_CM 0xa6e00019u /* mxmem(Rs,Rt):cm=cvt, v73 on */
#define HMX_STORE_CVT_2X2 0xa6e0001au /* mxmem(Rs,Rt):2x2=cvt, v73 on */
#define HMX_STORE_CVT_DEEP 0xa6e0001bu /* mxmem(Rs,Rt):deep=cvt, v79 on */
#define HMX_STORE_CVT_CM_DEEP 0xa6e0001cu /* mxmem(Rs,Rt):cm:deep=cvt, v79 on */
#define HMX_STORE_CVT_F8 0xa6e0001du /* mxmem(Rs,Rt).f8=cvt, v81 on */
#define HMX_STORE_CVT_DEEP_F8 0xa6e0001eu /* mxmem(Rs,Rt):deep.f8=cvt, v81 on */

/* Accumulator */
#define HMX_MXCLRACC 0xa6e00011u /* mxclracc, v68 on */
#define HMX_MXCLRACC_HF 0xa6e00013u /* mxclracc.hf, v68 on */
#define HMX_MXSWAPACC 0xa6e00014u /* mxswapacc, v68 on */
#define HMX_MXSWAPACC_HF 0xa6e00015u /* mxswapacc.hf, v68 on */
#define HMX_SHIFT_ACC 0xa6e00017u /* acc=mxshl(acc,#16), v68 to v75 */

#endif
