/* What host and DSP share: problems, plans, counters, probe programs.
 *
 * Fixed-width fields only, no pointers, the same layout on a 64-bit host and on
 * Hexagon (little-endian, natural alignment, no hidden padding). A change of any
 * struct raises HMXWB_ABI_VERSION; both sides refuse another version.
 */
#ifndef HMXWB_H
#define HMXWB_H

#include <stdint.h>

#define HMXWB_ABI_VERSION 1u

/* Results of a call. 0 is success. */
#define HMXWB_OK 0
#define HMXWB_E_VERSION 1 /* struct of another HMXWB_ABI_VERSION: rebuild host and skel together */
#define HMXWB_E_PROBLEM 2 /* the problem is malformed: a zero size, an unknown kernel or type, a stride too small */
#define HMXWB_E_PLAN 3 /* the plan does not suit the problem: make it with this version's planner */
#define HMXWB_E_BUFFER 4 /* a buffer is smaller than the problem says */
#define HMXWB_E_PACKET 5 /* not an HMX packet this build can execute */
#define HMXWB_E_MACHINE 6 /* the native machine reported a fault; the host has the details */

/* One packet of a probe program. One word: any instruction that stands alone.
 * Two words: activation load, then weight load. The register fields of the words do
 * not matter; the operands are the values in rs and rt. rs of an address operand
 * counts from the start of the VTCM image. */
struct hmxwb_step {
  uint32_t count; /* 1 or 2 */
  uint32_t word[2];
  uint32_t rs[2];
  uint32_t rt[2];
  uint32_t relocate; /* bit i set: rs[i] is an address, add where the image lies */
};

/* Kernels. */
#define HMXWB_MM_HF 1u /* fp16 x fp16, weights hf_tile */
#define HMXWB_MM_W4A8 2u /* int4 x uint8, a scale for each block of 32, weights q4_0_n_tile */
#define HMXWB_MM_W4A8_CHANNEL 3u /* int4 x uint8, a scale for each column, weights i4_n_tile */
#define HMXWB_MM_W4A16_FUSED 4u /* int4 expanded in VTCM, fp16 multiply, weights q4_0_tile */
#define HMXWB_MM_W4A16_TWOPASS 5u /* int4 expanded to memory first, weights q4_0_tile */

/* Element types of activations and results. */
#define HMXWB_F32 1u
#define HMXWB_F16 2u
#define HMXWB_I32 3u /* results of the w4a8 kernels only: the integer sum without any scale */

/* Faults that tests plant on purpose. Any build without HMXWB_FAULTS refuses all but
 * HMXWB_FAULT_NONE. */
#define HMXWB_FAULT_NONE 0u
#define HMXWB_FAULT_SWAPPED_NIBBLES 1u
#define HMXWB_FAULT_TRANSPOSED_TILE 2u
#define HMXWB_FAULT_NO_TAIL_MASK 3u
#define HMXWB_FAULT_STALE_BUFFER 4u
#define HMXWB_FAULT_NO_WAIT 5u
#define HMXWB_FAULT_NEIGHBOUR_SCALE 6u
#define HMXWB_FAULT_SATURATING_READOUT 7u

/* out[m][n] = sum over k of act[m][k] * weight[n][k]; formats: docs/formats.md. */
struct hmxwb_problem {
  uint32_t version;
  uint32_t kernel;
  uint32_t m, n, k;
  uint32_t act_type; /* HMXWB_F32 or HMXWB_F16 */
  uint32_t out_type; /* HMXWB_F32, HMXWB_F16, or HMXWB_I32 */
  uint32_t act_stride; /* bytes from row to row */
  uint32_t out_stride; /* bytes from row to row */
  uint32_t usr; /* user status register: bit 20 inf/nan enable, bit 21 nan propagate */
  uint32_t fault; /* HMXWB_FAULT_NONE */
  uint32_t reserved;
};

/* What a piece of VTCM is for. Which of them a kernel uses: docs/kernels.md. */
#define HMXWB_REGION_BIAS 0 /* constants of the HMX convert */
#define HMXWB_REGION_ACT 1 /* activation croutons, [row tile][k tile] */
#define HMXWB_REGION_ACT_ROWS 2 /* activation rows as they come from memory */
#define HMXWB_REGION_ROW_FACTS 3 /* scale and zero point of each activation row */
#define HMXWB_REGION_RAW0 4 /* packed weights as they come from memory, two buffers */
#define HMXWB_REGION_RAW1 5
#define HMXWB_REGION_SCALE0 6 /* their scales, two buffers */
#define HMXWB_REGION_SCALE1 7
#define HMXWB_REGION_WEIGHT0 8 /* weights as HMX reads them, two buffers */
#define HMXWB_REGION_WEIGHT1 9
#define HMXWB_REGION_FACTOR 10 /* scale and weight sum of each column, for the integer kernels */
#define HMXWB_REGION_READ0 11 /* HMX readout, two buffers */
#define HMXWB_REGION_READ1 12
#define HMXWB_REGION_SUM 13 /* running sums of one output tile */
#define HMXWB_REGION_OUT_ROWS0 14 /* result rows on their way to memory, two buffers */
#define HMXWB_REGION_OUT_ROWS1 15
#define HMXWB_REGIONS 16

/* A piece of VTCM: bytes from its start. Size 0: not used. */
struct hmxwb_region {
  uint32_t offset;
  uint32_t size;
};

/* Where a kernel puts what in VTCM and how it cuts the work. Made on the host, checked by the kernel. */
struct hmxwb_plan {
  uint32_t version;
  uint32_t kernel;
  uint32_t vtcm_size; /* bytes of VTCM it was made for */
  uint32_t row_tiles; /* row tiles whose activations lie in VTCM at a time */
  uint32_t column_tiles; /* column tiles of one weight chunk */
  uint32_t tasks; /* pieces an HVX stage is cut into, at least 1 */
  uint32_t order; /* of two jobs that may overlap: 0 multiply first, 1 expansion first */
  uint32_t reserved;
  struct hmxwb_region region[HMXWB_REGIONS];
};

/* Kinds of HVX instructions that are counted. */
#define HMXWB_HVX_LOAD 0
#define HMXWB_HVX_STORE 1
#define HMXWB_HVX_ALU 2 /* add, subtract, logic, compare, min, max, select, splat */
#define HMXWB_HVX_SHIFT 3
#define HMXWB_HVX_PERMUTE 4 /* shuffle, deal, rotate, pack, unpack */
#define HMXWB_HVX_LOOKUP 5
#define HMXWB_HVX_MULTIPLY 6 /* integer and float multiplies */
#define HMXWB_HVX_FLOAT 7 /* float add, conversions */
#define HMXWB_HVX_KINDS 8

/* What a kernel did. On hardware only the DMA and DDR fields are filled, the rest is 0. */
struct hmxwb_counters {
  uint64_t hmx_multiply; /* activation + weight packets */
  uint64_t hmx_macs; /* multiply-accumulates in them */
  uint64_t hmx_convert; /* converts; a convert-store counts here and as a store */
  uint64_t hmx_store;
  uint64_t hmx_bias; /* loads and stores of the bias registers */
  uint64_t hmx_other; /* clears, swaps, shifts */
  uint64_t hvx[HMXWB_HVX_KINDS];
  uint64_t vtcm_read; /* bytes, by HVX, HMX and DMA */
  uint64_t vtcm_written;
  uint64_t ddr_weight_read; /* bytes */
  uint64_t ddr_act_read;
  uint64_t ddr_out_written;
  uint64_t ddr_scratch_written; /* fp16 weights of the two-pass kernel */
  uint64_t ddr_scratch_read;
  uint64_t dma_transfers; /* descriptors */
};

#endif
