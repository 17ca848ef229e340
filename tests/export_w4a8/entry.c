/* The exported op under QEMU: through the runtime's own choice of the op (main.c), its DMA queue, and its HMX queue,
 * whose thread is replaced by running each job when it is pushed. From v79 on main.c reads counters that clang has no
 * name for: there the op is called directly. */
#if __HVX_ARCH__ < 79
#include "main.c"
#else
#include <HAP_farf.h>
#include <string.h>

#include "htp-ctx.h"
#include "htp-tensor.h"
#define execute_op op_hmxwb_w4a8
#endif

#include "hmxwb-w4a8-ops.h"

/* What the host of this test puts at the start of DDR. Addresses, bytes, elements. */
struct request {
  uint32_t weight, act, out, weight_size, act_size, out_size;
  uint32_t m, n, k, planes2, planes3;
  uint32_t act_nb[4], out_nb[4];
  uint32_t vtcm, vtcm_size;
  uint32_t vtcm_planned; /* bytes that the parameters are made for */
  uint32_t devices, device; /* of a group */
};

static struct htp_context ctx;
static struct hmx_queue_s hmx;
static struct hmx_queue_desc jobs[16];
static uint8_t dma_memory[32768] __attribute__((aligned(128)));

/* The runtime wakes its HMX thread with this after each push. */
int qurt_futex_wake(void *at, int count) {
  (void)at, (void)count;
  for (; hmx.idx_read != hmx.idx_write; hmx.idx_read = (hmx.idx_read + 1) & hmx.idx_mask) {
    struct hmx_queue_desc *job = &hmx.desc[hmx.idx_read];
    job->func(job->data);
    job->done = 1;
  }
  return 0;
}

static struct htp_tensor tensor(uint32_t data, uint32_t size, uint32_t type, const uint32_t ne[4], const uint32_t nb[4]) {
  struct htp_tensor t = {.data = data, .size = size, .type = type};
  for (uint32_t i = 0; i < 4; i++) t.ne[i] = ne[i], t.nb[i] = nb[i];
  return t;
}

/* HTP_STATUS_*. */
__attribute__((visibility("default"))) uint32_t run_op(const struct request *r) {
  const uint32_t tiles = (r->n + 31) / 32, row = r->k / 32 * 18;
  const uint32_t weight_ne[4] = {r->k, tiles * 32, 1, 1}, weight_nb[4] = {18, row, row * tiles * 32, row * tiles * 32};
  const uint32_t act_ne[4] = {r->k, r->m, r->planes2, r->planes3}, out_ne[4] = {r->n, r->m, r->planes2, r->planes3};
  struct htp_tensor weight = tensor(r->weight, r->weight_size, HTP_TYPE_Q4_0, weight_ne, weight_nb);
  struct htp_tensor act = tensor(r->act, r->act_size, HTP_TYPE_F32, act_ne, r->act_nb);
  struct htp_tensor out = tensor(r->out, r->out_size, HTP_TYPE_F32, out_ne, r->out_nb);
  struct htp_ops_context octx = {.ctx = &ctx, .op = HTP_OP_HMXWB_W4A8};
  weight.flags = HTP_TENSOR_WEIGHT | HTP_TENSOR_REPACK;
  hmx = (struct hmx_queue_s){.desc = jobs, .idx_mask = 15, .capacity = 16};
  ctx.hmx_queue = &hmx;
  ctx.dma[0] = dma_queue_init(dma_memory, 64, &ctx.trace[0]);
  ctx.vtcm_base = (uint8_t *)r->vtcm;
  ctx.vtcm_size = r->vtcm_size;
  ctx.n_threads = 1;
  ctx.mdev.count = (uint16_t)r->devices;
  ctx.mdev.idx = (uint16_t)r->device;
  octx.src[0] = &weight, octx.src[1] = &act, octx.dst = &out;
  if (!hmxwb_w4a8_make_params(r->m, r->n, r->k, r->vtcm_planned, (void *)octx.kernel_params)) return 100;
  const int status = execute_op(&octx);
  return hmx_queue_empty(&hmx) && dma_queue_empty(ctx.dma[0]) ? (uint32_t)status : 101; /* nothing may be left in them */
}

#if __HVX_ARCH__ < 79
#define NONE(name) \
  int name(struct htp_ops_context *octx) { return octx ? HTP_STATUS_NO_SUPPORT : 0; }
NONE(op_matmul) NONE(op_matmul_id) NONE(op_matmul_nx) NONE(op_matmul_id_nx) NONE(op_binary) NONE(op_unary) NONE(op_sum)
NONE(op_sum_rows) NONE(op_argmax) NONE(op_activations) NONE(op_softmax) NONE(op_add_id) NONE(op_rope)
NONE(op_flash_attn_ext) NONE(op_set_rows) NONE(op_get_rows) NONE(op_cpy) NONE(op_repeat) NONE(op_argsort) NONE(op_top_k)
NONE(op_ssm_conv) NONE(op_cumsum) NONE(op_fill) NONE(op_concat) NONE(op_diag) NONE(op_solve_tri) NONE(op_gated_delta_net)
NONE(op_pad) NONE(op_im2col) NONE(op_allreduce) NONE(op_roll)
#endif

/* clang's copy of small structures; the vendor's C library has it. */
void *__hexagon_memcpy_likely_aligned_min32bytes_mult8bytes(void *to, const void *from, size_t size) {
  return memcpy(to, from, size);
}
