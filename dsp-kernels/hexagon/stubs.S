// One stub for every HMX packet there is: every instruction that stands alone, and every
// activation load with every weight load. Arguments: r0 = Rs, r1 = Rt of the first word,
// r2 = Rs, r3 = Rt of the second. All stubs have the same size (HMX_STUB_BYTES), so that
// the interpreter finds one by its number. The lists come from the instruction table.
// Both tables are exported, so that `hmx skel check` knows them: what stands in them runs only
// when a probe asks for it, and a probe that needs a newer version is refused before.
#include "stubs.h"

	.text
	.p2align 4
	.globl hmxwb_single_stubs
	.protected hmxwb_single_stubs
	.type hmxwb_single_stubs, @function
hmxwb_single_stubs:
	.irp single, HMX_SINGLE_WORDS
	.word \single
	{ jumpr r31 }
	{ nop }
	{ nop }
	.endr
	.size hmxwb_single_stubs, . - hmxwb_single_stubs

	.p2align 4
	.globl hmxwb_pair_stubs
	.protected hmxwb_pair_stubs
	.type hmxwb_pair_stubs, @function
hmxwb_pair_stubs:
	.irp activation, HMX_ACTIVATION_WORDS
	.irp weight, HMX_WEIGHT_WORDS
	.word \activation
	.word \weight
	{ jumpr r31 }
	{ nop }
	.endr
	.endr
	.size hmxwb_pair_stubs, . - hmxwb_pair_stubs
