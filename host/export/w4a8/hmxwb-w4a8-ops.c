/* The op HMXWB_W4A8: MUL_MAT of a packed Q4_0 weight (hmxwb-w4a8-repack.h) with f32 activations, f32 out.
 *
 * The kernel mm_w4a8 with its sources as they are, and behind them what ties it to this runtime: memory moves
 * through the DMA queue of thread 0, HMX packets run on the HMX queue, VTCM is that of the context. */
#pragma clang diagnostic ignored "-Wunused-function"

#include <HAP_farf.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define GGML_COMMON_DECL_C
#include "ggml-common.h"
#include "dma-queue.h"
#include "hmx-queue.h"
#include "hmxwb-w4a8-ops.h"
#include "htp-ctx.h"
#include "htp-ops.h"
#include "htp-tensor.h"

#pragma GCC visibility push(hidden)

#include "check.c"
#include "dma.c"
#include "fault.c"
#include "integer.c"
#include "mm_w4a8.c"
#include "quantise.c"
#include "rows.c"
#include "weights.c"

#pragma GCC visibility pop

/* The runtime. */

/* Of the op that runs: the runtime runs one at a time. */
static struct {
  struct htp_context *ctx;
  const struct htp_tensor *weight;
  uint32_t started, finished; /* transfers */
} op;

/* The weights may lie beyond 4 GiB, the kernel has the low bits of their address: the offset is exact in 32 bits. */
static dma_addr_t source_of(const struct dma_transfer *t) {
  if (t->purpose != DMA_WEIGHT) return (dma_addr_t)(uintptr_t)t->from;
  return (dma_addr_t)op.weight->data + (uint32_t)((uintptr_t)t->from - (uintptr_t)op.weight->data);
}

dma_ticket dma_submit(const struct dma_transfer *transfer) {
  const dma_data data = dma_make_data((uintptr_t)transfer->to, source_of(transfer));
  __asm__ volatile("" : : : "memory"); /* the data are written before the start */
  while (!dma_queue_push(op.ctx->dma[0], data, transfer->to_stride, transfer->from_stride, transfer->width,
                         transfer->rows))
    dma_wait(op.finished + 1); /* the queue is full */
  return ++op.started;
}

void dma_wait(dma_ticket ticket) {
  for (; op.finished < ticket && op.finished < op.started; op.finished++) (void)dma_queue_pop(op.ctx->dma[0]);
  __asm__ volatile("" : : : "memory"); /* nothing is read before the wait is over */
}

void dma_reset(void) {
  dma_queue_flush(op.ctx->dma[0]);
  op.started = op.finished = 0;
}

uint32_t dma_started(void) { return op.started; }

uint32_t dma_in_flight(void) { return op.started - op.finished; }

/* The thread of the queue holds the HMX lock while it runs `function`. */
struct hmx_work hmx_start(const struct job *job, hmx_function function, void *data) {
  const struct hmx_work work = {function, data};
  (void)job;
  __asm__ volatile("" : : : "memory"); /* what HVX wrote is written before */
  while (!hmx_queue_push(op.ctx->hmx_queue, hmx_queue_make_desc(function, data))) hex_pause();
  return work;
}

void hmx_wait(struct hmx_work work) {
  if (work.function) (void)hmx_queue_pop(op.ctx->hmx_queue);
  __asm__ volatile("" : : : "memory"); /* nothing is read before */
}

/* Types and shapes are those of a product with a packed weight. The weight's padded shape is what the host sends. */
static int is_product(const struct htp_tensor *weight, const struct htp_tensor *act, const struct htp_tensor *out) {
  return weight && act && out && weight->type == HTP_TYPE_Q4_0 && (weight->flags & HTP_TENSOR_REPACK) &&
         act->type == HTP_TYPE_F32 && out->type == HTP_TYPE_F32 && weight->ne[2] == 1 && weight->ne[3] == 1 &&
         weight->ne[0] % TILE == 0 && weight->ne[0] == act->ne[0] &&
         weight->ne[1] == divide_up(out->ne[0], TILE) * TILE && out->ne[1] == act->ne[1] &&
         out->ne[2] == act->ne[2] && out->ne[3] == act->ne[3] && act->nb[0] == 4 && out->nb[0] == 4 &&
         !htp_tensor_is_extended(act) && !htp_tensor_is_extended(out);
}

/* One of the matrices of activations: number i2 along ne[2], i3 along ne[3]. */
static int multiply_matrix(const struct hmxwb_problem *problem, const struct hmxwb_plan *plan,
                           const struct htp_ops_context *octx, uint32_t i2, uint32_t i3) {
  const struct htp_tensor *weight = octx->src[0], *act = octx->src[1], *out = octx->dst;
  const uint64_t act_at = (uint64_t)i2 * act->nb[2] + (uint64_t)i3 * act->nb[3];
  const uint64_t out_at = (uint64_t)i2 * out->nb[2] + (uint64_t)i3 * out->nb[3];
  if (act_at > act->size || out_at > out->size) return HMXWB_E_BUFFER;
  struct job job = {problem, plan, {0}, octx->ctx->vtcm_base, 0, 0, 0, 0};
  job.memory.act = (const uint8_t *)htp_tensor_data(act) + act_at;
  job.memory.act_size = act->size - act_at;
  job.memory.weight = htp_tensor_data(weight);
  job.memory.weight_size = weight->size;
  job.memory.out = (uint8_t *)htp_tensor_data(out) + out_at;
  job.memory.out_size = out->size - out_at;
  const int status = check_job(&job);
  if (status != HMXWB_OK) return status;
  dma_reset();
  mm_w4a8(&job);
  return HMXWB_OK;
}

int op_hmxwb_w4a8(struct htp_ops_context *octx) {
  const struct hmxwb_w4a8_kernel_params *params = (const void *)octx->kernel_params;
  const struct htp_tensor *weight = octx->src[0], *act = octx->src[1], *out = octx->dst;
  struct htp_context *ctx = octx->ctx;
  struct hmxwb_plan plan;
  if (params->format != HMXWB_W4A8_FORMAT || !is_product(weight, act, out)) return HTP_STATUS_INVAL_PARAMS;
  if (!ctx->hmx_queue || ((uintptr_t)ctx->vtcm_base & 2047) != 0) return HTP_STATUS_NO_SUPPORT;
  if (ctx->mdev.count > 1 && ctx->mdev.idx != 0) return HTP_STATUS_OK; /* the first device of a group does it all */
  if (params->row_tiles == 0 || params->column_tiles == 0) return HTP_STATUS_INVAL_PARAMS;
  const struct hmxwb_problem problem =
      hmxwb_w4a8_problem(act->ne[1], out->ne[0], act->ne[0], act->nb[1], out->nb[1]);
  const uint32_t vtcm_size = (uint32_t)ctx->vtcm_size;
  if (hmxwb_lay_out(&problem, params->row_tiles, params->column_tiles, vtcm_size, &plan) > vtcm_size)
    return HTP_STATUS_VTCM_TOO_SMALL;
  op.ctx = ctx;
  op.weight = weight;
  for (uint32_t i3 = 0; i3 < act->ne[3]; i3++)
    for (uint32_t i2 = 0; i2 < act->ne[2]; i2++) {
      const int status = multiply_matrix(&problem, &plan, octx, i2, i3);
      if (status == HMXWB_OK) continue;
      FARF(ERROR, "hmxwb-w4a8: error %d for m %u n %u k %u", status, problem.m, problem.n, problem.k);
      return status == HMXWB_E_PLAN ? HTP_STATUS_VTCM_TOO_SMALL : HTP_STATUS_INVAL_PARAMS;
    }
  return HTP_STATUS_OK;
}
