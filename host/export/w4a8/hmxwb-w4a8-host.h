// Host side of the op HMXWB_W4A8: which weights are packed for it, which products go to it, their parameters.
// Part of ggml-hexagon.cpp, which includes it behind its session, buffer and tensor types.
#pragma once

#include "hmxwb-w4a8-repack.h"
#include "htp/hmxwb-w4a8-ops.h"

static_assert(sizeof(hmxwb_w4a8_kernel_params) <= sizeof(htp_opnode::kernel_params), "kernel_params are too small");

static bool ggml_backend_buffer_is_hexagon(const struct ggml_backend_buffer * b);

// A weight of this type and shape can be packed for the op: Q4_0, two dimensions, whole blocks, no view, and the
// smallest piece of a product with it fits in VTCM. Says nothing about the activations, so that all products with
// a weight agree.
static bool hmxwb_w4a8_fits(const ggml_hexagon_session * sess, const ggml_tensor * t) {
    hmxwb_w4a8_kernel_params params;
    return sess && t->type == GGML_TYPE_Q4_0 && t->ne[2] == 1 && t->ne[3] == 1 && t->ne[0] % HMXWB_W4A8_BLOCK == 0 &&
           t->ne[0] <= 0xFFFFFF && t->ne[1] <= 0xFFFFFF && !t->view_src && ggml_is_contiguous(t) && sess->n_hmx > 0 &&
           opt_mm_select >= 2 && sess->vtcm_size <= UINT32_MAX &&
           hmxwb_w4a8_make_params(1, (uint32_t) t->ne[1], (uint32_t) t->ne[0], (uint32_t) sess->vtcm_size, &params);
}

// Whether a tensor in a buffer of this backend is to be packed, or is packed, for the op.
static bool hmxwb_w4a8_packs(const ggml_tensor * t) {
    if (!t->buffer || !t->extra || !ggml_backend_buffer_is_hexagon(t->buffer)) {
        return false;
    }
    auto extra = (const ggml_hexagon_tensor_extra *) t->extra;
    auto sbuf  = (const ggml_hexagon_shared_buffer *) t->buffer->context;
    return (extra->flags & GGML_HEXAGON_TENSOR_REPACK) != 0 && hmxwb_w4a8_fits(sbuf->sess, t);
}

// Whether a tensor is a weight for the op: packed, or not allocated yet.
static bool hmxwb_w4a8_is_weight(const ggml_hexagon_session * sess, const ggml_tensor * t) {
    return t->buffer ? hmxwb_w4a8_packs(t) : hmxwb_w4a8_fits(sess, t);
}

// Whether supports_op has to ask hmxwb_w4a8_supported: one of the sources is a weight for the op, or a view of one.
static bool hmxwb_w4a8_decides(const ggml_hexagon_session * sess, const ggml_tensor * op) {
    if (ggml_op_is_empty(op->op)) {
        return false;
    }
    for (int i = 0; i < GGML_MAX_SRC; i++) {
        const ggml_tensor * t = op->src[i];
        if (t && hmxwb_w4a8_is_weight(sess, t->view_src ? t->view_src : t)) {
            return true;
        }
    }
    return false;
}

// Of the ops that read such a weight only MUL_MAT is there, with f32 activations whose rows are dense.
static bool hmxwb_w4a8_supported(const ggml_hexagon_session * sess, const ggml_tensor * op) {
    const ggml_tensor * weight = op->src[0];
    const ggml_tensor * act    = op->src[1];
    if (op->op != GGML_OP_MUL_MAT || weight->view_src || !hmxwb_w4a8_is_weight(sess, weight)) {
        return false;
    }
    if (act->type != GGML_TYPE_F32 || op->type != GGML_TYPE_F32 || act->ne[1] > 0xFFFFFF || act->nb[0] != 4 ||
        op->nb[0] != 4) {
        return false;
    }
    for (int i = 1; i < GGML_MAX_DIMS; i++) {
        if (act->nb[i] % 4 != 0 || op->nb[i] % 4 != 0 || act->nb[i] > UINT32_MAX || op->nb[i] > UINT32_MAX) {
            return false;
        }
    }
    if (act->nb[1] < (size_t) act->ne[0] * 4 || op->nb[1] < (size_t) op->ne[0] * 4) {
        return false;
    }
    if (!weight->buffer) {
        sess->needs_repack.insert(weight);
    }
    return true;
}

// Parameters of a product that hmxwb_w4a8_supported agreed to.
static void hmxwb_w4a8_precompute(const ggml_hexagon_session * sess, const ggml_tensor * op, int32_t * kernel_params) {
    hmxwb_w4a8_kernel_params params;
    const bool fits = hmxwb_w4a8_make_params((uint32_t) op->src[1]->ne[1], (uint32_t) op->src[0]->ne[1],
                                             (uint32_t) op->src[0]->ne[0], (uint32_t) sess->vtcm_size, &params);
    GGML_ASSERT(fits);
    memcpy(kernel_params, &params, sizeof(params));
}
