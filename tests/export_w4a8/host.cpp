// The patched host part of ggml-hexagon with ggml itself and a DSP that is only written down: weights are packed for
// the op and come back, products go to it with their parameters, everything else is refused or left to the runtime.
#include "ggml-hexagon.cpp"

#include <cstdio>

#include "fake_dsp.h"

#define CHECK(condition)                                                  \
    do {                                                                  \
        if (!(condition)) {                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            exit(1);                                                      \
        }                                                                 \
    } while (0)

static ggml_backend_dev_t device;
static ggml_context *     context;

static bool supported(const ggml_tensor * op) { return device->iface.supports_op(device, op); }

// Puts tensors of the context that have no memory yet into a buffer of the device.
static void allocate(std::initializer_list<ggml_tensor *> tensors, bool weights) {
    auto   type  = device->iface.get_buffer_type(device);
    auto   bytes = [&](ggml_tensor * t) { return (ggml_backend_buft_get_alloc_size(type, t) + 127) / 128 * 128; };
    size_t size  = 0;
    for (auto * t : tensors) size += bytes(t);
    auto buffer = ggml_backend_buft_alloc_buffer(type, size);
    CHECK(buffer);
    if (weights) ggml_backend_buffer_set_usage(buffer, GGML_BACKEND_BUFFER_USAGE_WEIGHTS);
    auto * at = (char *) ggml_backend_buffer_get_base(buffer);
    for (auto * t : tensors) {
        CHECK(ggml_backend_tensor_alloc(buffer, t, at) == GGML_STATUS_SUCCESS);
        at += bytes(t);
    }
}

static std::vector<uint8_t> random_bytes(size_t count) {
    std::vector<uint8_t> bytes(count);
    uint32_t             state = 1;
    for (auto & byte : bytes) byte = (uint8_t) ((state = state * 1664525 + 1013904223) >> 24);
    return bytes;
}

// Runs one op, and what follows it.
static void compute(ggml_backend_t backend, ggml_tensor * last) {
    ggml_cgraph * graph = ggml_new_graph(context);
    ggml_build_forward_expand(graph, last);
    batch_ops.clear();
    CHECK(backend->iface.graph_compute(backend, graph) == GGML_STATUS_SUCCESS);
    backend->iface.synchronize(backend);
}

int main() {
    const int64_t n = 40, k = 96, m = 5;
    auto          reg = ggml_backend_hexagon_reg();
    CHECK(reg);
    device       = reg->iface.get_device(reg, 0);
    auto backend = device->iface.init_backend(device, nullptr);
    context      = ggml_init({ 16 << 20, nullptr, true });

    auto * weight  = ggml_new_tensor_2d(context, GGML_TYPE_Q4_0, k, n);
    auto * act     = ggml_new_tensor_2d(context, GGML_TYPE_F32, k, m);
    auto * batch   = ggml_new_tensor_4d(context, GGML_TYPE_F32, k, m, 2, 3);
    auto * half    = ggml_new_tensor_2d(context, GGML_TYPE_F16, k, m);
    auto * rows    = ggml_new_tensor_1d(context, GGML_TYPE_I32, 3);
    auto * stack   = ggml_new_tensor_3d(context, GGML_TYPE_Q4_0, k, n, 2);
    auto * bias    = ggml_new_tensor_2d(context, GGML_TYPE_F32, n, m);
    auto * product = ggml_mul_mat(context, weight, act);
    auto * sum     = ggml_add(context, product, bias);
    auto * many    = ggml_mul_mat(context, weight, batch);
    auto * of_half = ggml_mul_mat(context, weight, half);
    auto * picked  = ggml_get_rows(context, weight, rows);
    auto * of_view = ggml_mul_mat(context, ggml_view_2d(context, weight, k, 8, weight->nb[1], 32 * weight->nb[1]), act);
    auto * other   = ggml_mul_mat(context, stack, ggml_new_tensor_3d(context, GGML_TYPE_F32, k, m, 2));

    // As a model loader asks: before there is memory. And after.
    for (int allocated = 0; allocated < 2; allocated++) {
        CHECK(supported(product) && supported(many) && supported(other));
        CHECK(!supported(of_half) && !supported(picked) && !supported(of_view));
        if (allocated) break;
        allocate({ weight, stack }, true);
        const auto q4_0 = random_bytes(ggml_nbytes(weight));
        ggml_backend_tensor_set(weight, q4_0.data(), 0, q4_0.size());
        std::vector<uint8_t> tiles(hmxwb_w4a8_packed_bytes(k, n));
        hmxwb_w4a8_pack(q4_0.data(), k, n, tiles.data());
        CHECK(memcmp(weight->data, tiles.data(), tiles.size()) == 0);
        // In two pieces: the same. And back, as a whole and row by row.
        memset(weight->data, 0xCC, tiles.size());
        ggml_backend_tensor_set(weight, q4_0.data(), 0, 1000);
        ggml_backend_tensor_set(weight, q4_0.data() + 1000, 1000, q4_0.size() - 1000);
        CHECK(memcmp(weight->data, tiles.data(), tiles.size()) == 0);
        std::vector<uint8_t> back(q4_0.size(), 0xCC);
        ggml_backend_tensor_get(weight, back.data(), 0, back.size());
        CHECK(back == q4_0);
        const size_t row = weight->nb[1];
        std::fill(back.begin(), back.end(), 0xCC);
        weight->buffer->iface.get_tensor_2d(weight->buffer, weight, back.data(), 0, 18, n, row, row);
        for (int64_t r = 0; r < n; r++) CHECK(memcmp(&back[r * row], &q4_0[r * row], 18) == 0 && back[r * row + 18] == 0xCC);
        const auto rest = random_bytes(ggml_nbytes(stack));
        ggml_backend_tensor_set(stack, rest.data(), 0, rest.size());
        std::vector<uint8_t> again(rest.size());
        ggml_backend_tensor_get(stack, again.data(), 0, again.size());
        CHECK(again == rest);
        allocate({ act, batch, half, rows, bias, product, sum, many, other->src[1], other }, false);
    }

    // The product goes to the op with the parameters of its shape, and is not fused with the addition behind it.
    compute(backend, sum);
    CHECK(batch_ops.size() == 2 && batch_ops[0].opcode == HTP_OP_HMXWB_W4A8 && batch_ops[1].opcode == HTP_OP_ADD);
    hmxwb_w4a8_kernel_params params, wanted;
    memcpy(&params, batch_ops[0].kernel_params, sizeof(params));
    CHECK(hmxwb_w4a8_make_params(m, n, k, 8 << 20, &wanted) && memcmp(&params, &wanted, sizeof(params)) == 0);
    const htp_tensor & sent = batch_tensors[batch_ops[0].src[0]];
    CHECK(sent.ne[0] == k && sent.ne[1] == 64 && (sent.flags & HTP_TENSOR_REPACK) && sent.size == 2 * 3 * 576);
    compute(backend, many);
    CHECK(batch_ops.size() == 1 && batch_ops[0].opcode == HTP_OP_HMXWB_W4A8);
    compute(backend, other);
    CHECK(batch_ops.size() == 1 && batch_ops[0].opcode == HTP_OP_MUL_MAT);
    fflush(nullptr);
    _Exit(0);
}
