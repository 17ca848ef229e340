/* Generated from abi/isa.tsv by tests/hmx_packets.rs: do not edit.
 * HMXWB_BLESS=1 cargo test --test hmx_packets writes it anew.
 *
 * Instruction words with fixed registers: Rs = r0, Rt = r1; in a weight load, which is
 * the second word of its packet, Rs = r2, Rt = r3. Packet bits are in the words.
 */
#ifndef HMX_PACKETS_H
#define HMX_PACKETS_H

#define HMX_ACTIVATION_UB_MXMEM_DEEP 0x920041E0 /* activation.ub=mxmem(Rs,Rt):deep */
#define HMX_ACTIVATION_UB_MXMEM_DEEP_CM 0x920041E1 /* activation.ub=mxmem(Rs,Rt):deep:cm */
#define HMX_ACTIVATION_HF_MXMEM_DEEP 0x920041E2 /* activation.hf=mxmem(Rs,Rt):deep */
#define HMX_ACTIVATION_F8_MXMEM_DEEP 0x920041E3 /* activation.f8=mxmem(Rs,Rt):deep */
#define HMX_ACTIVATION_HF_MXMEM 0x920041E4 /* activation.hf=mxmem(Rs,Rt) */
#define HMX_ACTIVATION_F8_MXMEM 0x920041E5 /* activation.f8=mxmem(Rs,Rt) */
#define HMX_ACTIVATION_HF_MXMEM_ABOVE 0x920041E6 /* activation.hf=mxmem(Rs,Rt):above */
#define HMX_ACTIVATION_F8_MXMEM_ABOVE 0x920041E7 /* activation.f8=mxmem(Rs,Rt):above */
#define HMX_ACTIVATION_UB_MXMEM_DILATE 0x920041E8 /* activation.ub=mxmem(Rs,Rt):dilate */
#define HMX_ACTIVATION_UB_MXMEM_DILATE_CM 0x920041E9 /* activation.ub=mxmem(Rs,Rt):dilate:cm */
#define HMX_ACTIVATION_UB_MXMEM 0x920041EC /* activation.ub=mxmem(Rs,Rt) */
#define HMX_ACTIVATION_UB_MXMEM_CM 0x920041ED /* activation.ub=mxmem(Rs,Rt):cm */
#define HMX_ACTIVATION_UB_MXMEM_ABOVE 0x920041EE /* activation.ub=mxmem(Rs,Rt):above */
#define HMX_ACTIVATION_UB_MXMEM_ABOVE_CM 0x920041EF /* activation.ub=mxmem(Rs,Rt):above:cm */
#define HMX_ACTIVATION_UB_MXMEM_SINGLE 0x920041F0 /* activation.ub=mxmem(Rs,Rt):single */
#define HMX_ACTIVATION_UB_MXMEM_SINGLE_CM 0x920041F1 /* activation.ub=mxmem(Rs,Rt):single:cm */
#define HMX_ACTIVATION_HF_MXMEM_SINGLE 0x920041F8 /* activation.hf=mxmem(Rs,Rt):single */
#define HMX_ACTIVATION_F8_MXMEM_SINGLE 0x920041F9 /* activation.f8=mxmem(Rs,Rt):single */
#define HMX_ACTIVATION_HF_MXMEM_DILATE 0x920041FA /* activation.hf=mxmem(Rs,Rt):dilate */
#define HMX_ACTIVATION_F8_MXMEM_DILATE 0x920041FB /* activation.f8=mxmem(Rs,Rt):dilate */
#define HMX_WEIGHT_SC_MXMEM_SINGLE 0x9202E3C0 /* weight.sc=mxmem(Rs,Rt):single */
#define HMX_WEIGHT_SC_MXMEM_DROP 0x9202E3C1 /* weight.sc=mxmem(Rs,Rt):drop */
#define HMX_WEIGHT_SC_MXMEM_DEEP 0x9202E3C2 /* weight.sc=mxmem(Rs,Rt):deep */
#define HMX_WEIGHT_SC_MXMEM_AFTER 0x9202E3C3 /* weight.sc=mxmem(Rs,Rt):after */
#define HMX_WEIGHT_SC_MXMEM_DILATE 0x9202E3C4 /* weight.sc=mxmem(Rs,Rt):dilate */
#define HMX_WEIGHT_UBIT_MXMEM_SINGLE 0x9202E3C5 /* weight.ubit=mxmem(Rs,Rt):single */
#define HMX_WEIGHT_UBIT_MXMEM_DROP 0x9202E3C6 /* weight.ubit=mxmem(Rs,Rt):drop */
#define HMX_WEIGHT_UBIT_MXMEM_DEEP 0x9202E3C7 /* weight.ubit=mxmem(Rs,Rt):deep */
#define HMX_WEIGHT_UBIT_MXMEM_AFTER 0x9202E3C8 /* weight.ubit=mxmem(Rs,Rt):after */
#define HMX_WEIGHT_UBIT_MXMEM_DILATE 0x9202E3C9 /* weight.ubit=mxmem(Rs,Rt):dilate */
#define HMX_WEIGHT_SBIT_MXMEM_SINGLE 0x9202E3CA /* weight.sbit=mxmem(Rs,Rt):single */
#define HMX_WEIGHT_SBIT_MXMEM_DROP 0x9202E3CB /* weight.sbit=mxmem(Rs,Rt):drop */
#define HMX_WEIGHT_SBIT_MXMEM_DEEP 0x9202E3CC /* weight.sbit=mxmem(Rs,Rt):deep */
#define HMX_WEIGHT_SBIT_MXMEM_AFTER 0x9202E3CD /* weight.sbit=mxmem(Rs,Rt):after */
#define HMX_WEIGHT_SBIT_MXMEM_DILATE 0x9202E3CE /* weight.sbit=mxmem(Rs,Rt):dilate */
#define HMX_WEIGHT_SM_MXMEM_SINGLE 0x9202E3CF /* weight.sm=mxmem(Rs,Rt):single */
#define HMX_WEIGHT_SM_MXMEM_DROP 0x9202E3D0 /* weight.sm=mxmem(Rs,Rt):drop */
#define HMX_WEIGHT_SM_MXMEM_DEEP 0x9202E3D1 /* weight.sm=mxmem(Rs,Rt):deep */
#define HMX_WEIGHT_SM_MXMEM_AFTER 0x9202E3D2 /* weight.sm=mxmem(Rs,Rt):after */
#define HMX_WEIGHT_SM_MXMEM_DILATE 0x9202E3D3 /* weight.sm=mxmem(Rs,Rt):dilate */
#define HMX_WEIGHT_B_MXMEM 0x9202E3E0 /* weight.b=mxmem(Rs,Rt) */
#define HMX_WEIGHT_N_MXMEM 0x9202E3E1 /* weight.n=mxmem(Rs,Rt) */
#define HMX_WEIGHT_C_MXMEM 0x9202E3E2 /* weight.c=mxmem(Rs,Rt) */
#define HMX_WEIGHT_UBIT_MXMEM 0x9202E3E3 /* weight.ubit=mxmem(Rs,Rt) */
#define HMX_WEIGHT_SBIT_MXMEM 0x9202E3E4 /* weight.sbit=mxmem(Rs,Rt) */
#define HMX_WEIGHT_B_MXMEM_SINGLE 0x9202E3E6 /* weight.b=mxmem(Rs,Rt):single */
#define HMX_WEIGHT_B_MXMEM_DROP 0x9202E3E7 /* weight.b=mxmem(Rs,Rt):drop */
#define HMX_WEIGHT_B_MXMEM_DEEP 0x9202E3E8 /* weight.b=mxmem(Rs,Rt):deep */
#define HMX_WEIGHT_B_MXMEM_AFTER 0x9202E3E9 /* weight.b=mxmem(Rs,Rt):after */
#define HMX_WEIGHT_B_MXMEM_DILATE 0x9202E3EB /* weight.b=mxmem(Rs,Rt):dilate */
#define HMX_WEIGHT_N_MXMEM_SINGLE 0x9202E3EC /* weight.n=mxmem(Rs,Rt):single */
#define HMX_WEIGHT_N_MXMEM_DROP 0x9202E3ED /* weight.n=mxmem(Rs,Rt):drop */
#define HMX_WEIGHT_N_MXMEM_DEEP 0x9202E3EE /* weight.n=mxmem(Rs,Rt):deep */
#define HMX_WEIGHT_HF_MXMEM 0x9202E3EF /* weight.hf=mxmem(Rs,Rt) */
#define HMX_WEIGHT_SC_MXMEM 0x9202E3F0 /* weight.sc=mxmem(Rs,Rt) */
#define HMX_WEIGHT_SM_MXMEM 0x9202E3F1 /* weight.sm=mxmem(Rs,Rt) */
#define HMX_WEIGHT_HF_MXMEM_SINGLE 0x9202E3F2 /* weight.hf=mxmem(Rs,Rt):single */
#define HMX_WEIGHT_HF_MXMEM_DROP 0x9202E3F3 /* weight.hf=mxmem(Rs,Rt):drop */
#define HMX_WEIGHT_HF_MXMEM_DEEP 0x9202E3F4 /* weight.hf=mxmem(Rs,Rt):deep */
#define HMX_WEIGHT_HF_MXMEM_AFTER 0x9202E3F5 /* weight.hf=mxmem(Rs,Rt):after */
#define HMX_WEIGHT_HF_MXMEM_DILATE 0x9202E3F6 /* weight.hf=mxmem(Rs,Rt):dilate */
#define HMX_WEIGHT_N_MXMEM_AFTER 0x9202E3F7 /* weight.n=mxmem(Rs,Rt):after */
#define HMX_WEIGHT_N_MXMEM_DILATE 0x9202E3F8 /* weight.n=mxmem(Rs,Rt):dilate */
#define HMX_WEIGHT_C_MXMEM_SINGLE 0x9202E3F9 /* weight.c=mxmem(Rs,Rt):single */
#define HMX_WEIGHT_C_MXMEM_DROP 0x9202E3FA /* weight.c=mxmem(Rs,Rt):drop */
#define HMX_WEIGHT_C_MXMEM_DEEP 0x9202E3FB /* weight.c=mxmem(Rs,Rt):deep */
#define HMX_WEIGHT_C_MXMEM_AFTER 0x9202E3FC /* weight.c=mxmem(Rs,Rt):after */
#define HMX_WEIGHT_C_MXMEM_DILATE 0x9202E3FD /* weight.c=mxmem(Rs,Rt):dilate */
#define HMX_WEIGHT_N_MXMEM_2X_SINGLE 0x9202E341 /* weight.n=mxmem(Rs,Rt):2x:single */
#define HMX_WEIGHT_N_MXMEM_2X_DROP 0x9202E342 /* weight.n=mxmem(Rs,Rt):2x:drop */
#define HMX_WEIGHT_N_MXMEM_2X_DEEP 0x9202E343 /* weight.n=mxmem(Rs,Rt):2x:deep */
#define HMX_WEIGHT_N_MXMEM_2X_DILATE 0x9202E344 /* weight.n=mxmem(Rs,Rt):2x:dilate */
#define HMX_WEIGHT_N_MXMEM_2X_AFTER 0x9202E345 /* weight.n=mxmem(Rs,Rt):2x:after */
#define HMX_WEIGHT_N_MXMEM_2X 0x9202E346 /* weight.n=mxmem(Rs,Rt):2x */
#define HMX_WEIGHT_F8_MXMEM 0x9202E347 /* weight.f8=mxmem(Rs,Rt) */
#define HMX_WEIGHT_F8_MXMEM_SINGLE 0x9202E348 /* weight.f8=mxmem(Rs,Rt):single */
#define HMX_WEIGHT_F8_MXMEM_DROP 0x9202E349 /* weight.f8=mxmem(Rs,Rt):drop */
#define HMX_WEIGHT_F8_MXMEM_DEEP 0x9202E34A /* weight.f8=mxmem(Rs,Rt):deep */
#define HMX_WEIGHT_F8_MXMEM_AFTER 0x9202E34B /* weight.f8=mxmem(Rs,Rt):after */
#define HMX_WEIGHT_F8_MXMEM_DILATE 0x9202E34C /* weight.f8=mxmem(Rs,Rt):dilate */
#define HMX_BIAS_MXMEM2 0x9200C3FE /* bias=mxmem2(Rs) */
#define HMX_BIAS_MXMEM 0x9200C3FF /* bias=mxmem(Rs) */
#define HMX_MXMEM_BEFORE_SAT_UB_ACC 0xA6E0C100 /* mxmem(Rs,Rt):before:sat.ub=acc */
#define HMX_MXMEM_BEFORE_CM_SAT_UB_ACC 0xA6E0C101 /* mxmem(Rs,Rt):before:cm:sat.ub=acc */
#define HMX_MXMEM_BEFORE_UB_ACC 0xA6E0C102 /* mxmem(Rs,Rt):before.ub=acc */
#define HMX_MXMEM_BEFORE_CM_UB_ACC 0xA6E0C103 /* mxmem(Rs,Rt):before:cm.ub=acc */
#define HMX_MXMEM_AFTER_SAT_UB_ACC 0xA6E0C104 /* mxmem(Rs,Rt):after:sat.ub=acc */
#define HMX_MXMEM_AFTER_CM_SAT_UB_ACC 0xA6E0C105 /* mxmem(Rs,Rt):after:cm:sat.ub=acc */
#define HMX_MXMEM_AFTER_UB_ACC 0xA6E0C106 /* mxmem(Rs,Rt):after.ub=acc */
#define HMX_MXMEM_AFTER_CM_UB_ACC 0xA6E0C107 /* mxmem(Rs,Rt):after:cm.ub=acc */
#define HMX_MXMEM_BEFORE_RETAIN_SAT_UB_ACC 0xA6E0C108 /* mxmem(Rs,Rt):before:retain:sat.ub=acc */
#define HMX_MXMEM_BEFORE_RETAIN_CM_SAT_UB_ACC 0xA6E0C109 /* mxmem(Rs,Rt):before:retain:cm:sat.ub=acc */
#define HMX_MXMEM_BEFORE_RETAIN_UB_ACC 0xA6E0C10A /* mxmem(Rs,Rt):before:retain.ub=acc */
#define HMX_MXMEM_BEFORE_RETAIN_CM_UB_ACC 0xA6E0C10B /* mxmem(Rs,Rt):before:retain:cm.ub=acc */
#define HMX_MXMEM_AFTER_RETAIN_SAT_UB_ACC 0xA6E0C10C /* mxmem(Rs,Rt):after:retain:sat.ub=acc */
#define HMX_MXMEM_AFTER_RETAIN_CM_SAT_UB_ACC 0xA6E0C10D /* mxmem(Rs,Rt):after:retain:cm:sat.ub=acc */
#define HMX_MXMEM_AFTER_RETAIN_UB_ACC 0xA6E0C10E /* mxmem(Rs,Rt):after:retain.ub=acc */
#define HMX_MXMEM_AFTER_RETAIN_CM_UB_ACC 0xA6E0C10F /* mxmem(Rs,Rt):after:retain:cm.ub=acc */
#define HMX_MXMEM_BIAS 0xA6E0C010 /* mxmem(Rs)=bias */
#define HMX_CVT_UB_ACC 0xA6E0D710 /* cvt.ub=acc(Rs) */
#define HMX_CVT_UH_ACC_2X1 0xA6E0D810 /* cvt.uh=acc(Rs):2x1 */
#define HMX_CVT_UH_ACC_2X2 0xA6E0D910 /* cvt.uh=acc(Rs):2x2 */
#define HMX_CVT_HF_ACC 0xA6E0DA10 /* cvt.hf=acc(Rs) */
#define HMX_CVT_F8_ACC 0xA6E0DB10 /* cvt.f8=acc(Rs) */
#define HMX_CVT_UB_ACC_SC0 0xA6E0DC10 /* cvt.ub=acc(Rs):sc0 */
#define HMX_CVT_UB_ACC_SC1 0xA6E0DD10 /* cvt.ub=acc(Rs):sc1 */
#define HMX_MXCLRACC 0xA6E0C011 /* mxclracc */
#define HMX_MXCLRACC_HF 0xA6E0C013 /* mxclracc.hf */
#define HMX_MXSWAPACC 0xA6E0C014 /* mxswapacc */
#define HMX_MXSWAPACC_HF 0xA6E0C015 /* mxswapacc.hf */
#define HMX_ACC_MXSHL_ACC_16 0xA6E0C017 /* acc=mxshl(acc,#16) */
#define HMX_MXMEM2_BIAS 0xA6E0C016 /* mxmem2(Rs)=bias */
#define HMX_MXMEM_CVT 0xA6E0C118 /* mxmem(Rs,Rt)=cvt */
#define HMX_MXMEM_CM_CVT 0xA6E0C119 /* mxmem(Rs,Rt):cm=cvt */
#define HMX_MXMEM_2X2_CVT 0xA6E0C11A /* mxmem(Rs,Rt):2x2=cvt */
#define HMX_MXMEM_DEEP_CVT 0xA6E0C11B /* mxmem(Rs,Rt):deep=cvt */
#define HMX_MXMEM_CM_DEEP_CVT 0xA6E0C11C /* mxmem(Rs,Rt):cm:deep=cvt */
#define HMX_MXMEM_F8_CVT 0xA6E0C11D /* mxmem(Rs,Rt).f8=cvt */
#define HMX_MXMEM_DEEP_F8_CVT 0xA6E0C11E /* mxmem(Rs,Rt):deep.f8=cvt */
#define HMX_MXMEM_BEFORE_HF_ACC 0xA6E0E100 /* mxmem(Rs,Rt):before.hf=acc */
#define HMX_MXMEM_BEFORE_POS_HF_ACC 0xA6E0E101 /* mxmem(Rs,Rt):before:pos.hf=acc */
#define HMX_MXMEM_BEFORE_SAT_UH_ACC_2X1 0xA6E0E102 /* mxmem(Rs,Rt):before:sat.uh=acc:2x1 */
#define HMX_MXMEM_BEFORE_UH_ACC_2X1 0xA6E0E103 /* mxmem(Rs,Rt):before.uh=acc:2x1 */
#define HMX_MXMEM_AFTER_HF_ACC 0xA6E0E104 /* mxmem(Rs,Rt):after.hf=acc */
#define HMX_MXMEM_BEFORE_RETAIN_POS_HF_ACC 0xA6E0E105 /* mxmem(Rs,Rt):before:retain:pos.hf=acc */
#define HMX_MXMEM_BEFORE_RETAIN_SAT_UH_ACC_2X1 0xA6E0E106 /* mxmem(Rs,Rt):before:retain:sat.uh=acc:2x1 */
#define HMX_MXMEM_BEFORE_RETAIN_UH_ACC_2X1 0xA6E0E107 /* mxmem(Rs,Rt):before:retain.uh=acc:2x1 */
#define HMX_MXMEM_BEFORE_RETAIN_HF_ACC 0xA6E0E108 /* mxmem(Rs,Rt):before:retain.hf=acc */
#define HMX_MXMEM_AFTER_POS_HF_ACC 0xA6E0E109 /* mxmem(Rs,Rt):after:pos.hf=acc */
#define HMX_MXMEM_AFTER_SAT_UH_ACC_2X1 0xA6E0E10A /* mxmem(Rs,Rt):after:sat.uh=acc:2x1 */
#define HMX_MXMEM_AFTER_UH_ACC_2X1 0xA6E0E10B /* mxmem(Rs,Rt):after.uh=acc:2x1 */
#define HMX_MXMEM_AFTER_RETAIN_HF_ACC 0xA6E0E10C /* mxmem(Rs,Rt):after:retain.hf=acc */
#define HMX_MXMEM_AFTER_RETAIN_POS_HF_ACC 0xA6E0E10D /* mxmem(Rs,Rt):after:retain:pos.hf=acc */
#define HMX_MXMEM_AFTER_RETAIN_SAT_UH_ACC_2X1 0xA6E0E10E /* mxmem(Rs,Rt):after:retain:sat.uh=acc:2x1 */
#define HMX_MXMEM_AFTER_RETAIN_UH_ACC_2X1 0xA6E0E10F /* mxmem(Rs,Rt):after:retain.uh=acc:2x1 */
#define HMX_MXMEM_BEFORE_SAT_UH_ACC_2X2 0xA6E0E112 /* mxmem(Rs,Rt):before:sat.uh=acc:2x2 */
#define HMX_MXMEM_BEFORE_UH_ACC_2X2 0xA6E0E113 /* mxmem(Rs,Rt):before.uh=acc:2x2 */
#define HMX_MXMEM_BEFORE_RETAIN_SAT_UH_ACC_2X2 0xA6E0E116 /* mxmem(Rs,Rt):before:retain:sat.uh=acc:2x2 */
#define HMX_MXMEM_BEFORE_RETAIN_UH_ACC_2X2 0xA6E0E117 /* mxmem(Rs,Rt):before:retain.uh=acc:2x2 */
#define HMX_MXMEM_AFTER_SAT_UH_ACC_2X2 0xA6E0E11A /* mxmem(Rs,Rt):after:sat.uh=acc:2x2 */
#define HMX_MXMEM_AFTER_UH_ACC_2X2 0xA6E0E11B /* mxmem(Rs,Rt):after.uh=acc:2x2 */
#define HMX_MXMEM_AFTER_RETAIN_SAT_UH_ACC_2X2 0xA6E0E11E /* mxmem(Rs,Rt):after:retain:sat.uh=acc:2x2 */
#define HMX_MXMEM_AFTER_RETAIN_UH_ACC_2X2 0xA6E0E11F /* mxmem(Rs,Rt):after:retain.uh=acc:2x2 */

/* Bytes of a stub in hexagon/stubs.S. */
#define HMX_STUB_BYTES 16

#define HMX_ACTIVATION_WORDS \
  0x920041E0, 0x920041E1, 0x920041E2, 0x920041E3, 0x920041E4, 0x920041E5, 0x920041E6, 0x920041E7, \
  0x920041E8, 0x920041E9, 0x920041EC, 0x920041ED, 0x920041EE, 0x920041EF, 0x920041F0, 0x920041F1, \
  0x920041F8, 0x920041F9, 0x920041FA, 0x920041FB
#define HMX_ACTIVATION_MASKS \
  0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, \
  0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, \
  0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF

#define HMX_WEIGHT_WORDS \
  0x9202E3C0, 0x9202E3C1, 0x9202E3C2, 0x9202E3C3, 0x9202E3C4, 0x9202E3C5, 0x9202E3C6, 0x9202E3C7, \
  0x9202E3C8, 0x9202E3C9, 0x9202E3CA, 0x9202E3CB, 0x9202E3CC, 0x9202E3CD, 0x9202E3CE, 0x9202E3CF, \
  0x9202E3D0, 0x9202E3D1, 0x9202E3D2, 0x9202E3D3, 0x9202E3E0, 0x9202E3E1, 0x9202E3E2, 0x9202E3E3, \
  0x9202E3E4, 0x9202E3E6, 0x9202E3E7, 0x9202E3E8, 0x9202E3E9, 0x9202E3EB, 0x9202E3EC, 0x9202E3ED, \
  0x9202E3EE, 0x9202E3EF, 0x9202E3F0, 0x9202E3F1, 0x9202E3F2, 0x9202E3F3, 0x9202E3F4, 0x9202E3F5, \
  0x9202E3F6, 0x9202E3F7, 0x9202E3F8, 0x9202E3F9, 0x9202E3FA, 0x9202E3FB, 0x9202E3FC, 0x9202E3FD, \
  0x9202E341, 0x9202E342, 0x9202E343, 0x9202E344, 0x9202E345, 0x9202E346, 0x9202E347, 0x9202E348, \
  0x9202E349, 0x9202E34A, 0x9202E34B, 0x9202E34C
#define HMX_WEIGHT_MASKS \
  0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, \
  0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, \
  0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, \
  0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, \
  0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, \
  0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, \
  0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF, \
  0xFFE020FF, 0xFFE020FF, 0xFFE020FF, 0xFFE020FF

#define HMX_SINGLE_WORDS \
  0x9200C3FE, 0x9200C3FF, 0xA6E0C100, 0xA6E0C101, 0xA6E0C102, 0xA6E0C103, 0xA6E0C104, 0xA6E0C105, \
  0xA6E0C106, 0xA6E0C107, 0xA6E0C108, 0xA6E0C109, 0xA6E0C10A, 0xA6E0C10B, 0xA6E0C10C, 0xA6E0C10D, \
  0xA6E0C10E, 0xA6E0C10F, 0xA6E0C010, 0xA6E0D710, 0xA6E0D810, 0xA6E0D910, 0xA6E0DA10, 0xA6E0DB10, \
  0xA6E0DC10, 0xA6E0DD10, 0xA6E0C011, 0xA6E0C013, 0xA6E0C014, 0xA6E0C015, 0xA6E0C017, 0xA6E0C016, \
  0xA6E0C118, 0xA6E0C119, 0xA6E0C11A, 0xA6E0C11B, 0xA6E0C11C, 0xA6E0C11D, 0xA6E0C11E, 0xA6E0E100, \
  0xA6E0E101, 0xA6E0E102, 0xA6E0E103, 0xA6E0E104, 0xA6E0E105, 0xA6E0E106, 0xA6E0E107, 0xA6E0E108, \
  0xA6E0E109, 0xA6E0E10A, 0xA6E0E10B, 0xA6E0E10C, 0xA6E0E10D, 0xA6E0E10E, 0xA6E0E10F, 0xA6E0E112, \
  0xA6E0E113, 0xA6E0E116, 0xA6E0E117, 0xA6E0E11A, 0xA6E0E11B, 0xA6E0E11E, 0xA6E0E11F
#define HMX_SINGLE_MASKS \
  0xFFE00FFF, 0xFFE00FFF, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, \
  0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, \
  0xFFE0203F, 0xFFE0203F, 0xFFE03F3F, 0xFFE03F3F, 0xFFE03F3F, 0xFFE03F3F, 0xFFE03F3F, 0xFFE03F3F, \
  0xFFE03F3F, 0xFFE03F3F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, \
  0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, \
  0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, \
  0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, \
  0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F, 0xFFE0203F

#endif
