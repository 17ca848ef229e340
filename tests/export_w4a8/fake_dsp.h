// The DSP as ggml-hexagon.cpp sees it, for host.cpp: memory is memory, a batch of ops is written down and answered.
#pragma once

#include <cstdlib>
#include <cstring>
#include <vector>

// The last batch.
static std::vector<htp_op_desc> batch_ops;
static std::vector<htp_tensor>  batch_tensors;
static htp_opbatch_rsp          answer;
static dspqueue_buffer          answer_buffer;

void * rpcmem_alloc2(int, uint32_t, size_t size) { return aligned_alloc(4096, (size + 4095) / 4096 * 4096); }
void   rpcmem_free(void * p) { free(p); }
int    rpcmem_to_fd(void *) { return 1; }
int    fastrpc_mmap(int, int, void *, int, size_t, fastrpc_map_flags) { return 0; }
int    fastrpc_munmap(int, int, void *, size_t) { return 0; }
int    remote_session_control(uint32_t, void *, uint32_t) { return 0; }
int    remote_handle64_control(remote_handle64, uint32_t, void *, uint32_t) { return 0; }
int    remote_system_request(system_req_payload *) { return 1; }
int    htpdrv_init(void) { return 0; }
int    htpdrv_get_arch(int, int * arch) { return *arch = 81, 0; }
domain * htpdrv_get_domain(int) { return nullptr; }

int htp_iface_open(const char *, remote_handle64 *) { return 0; }
int htp_iface_close(remote_handle64) { return 0; }
int htp_iface_start(remote_handle64, uint32_t, uint64_t, uint32_t, uint32_t, uint64_t) { return 0; }
int htp_iface_stop(remote_handle64) { return 0; }
int htp_iface_munmap(remote_handle64, uint32_t) { return 0; }
int htp_iface_profiler(remote_handle64, uint32_t, const htp_iface_pmu_conf *) { return 0; }
int htp_iface_etm(remote_handle64, uint32_t) { return 0; }
int htp_iface_hwinfo(remote_handle64, uint32_t * threads, uint32_t * hvx, uint32_t * hmx, unsigned long long * vtcm) {
    *threads = *hvx = 4;
    *hmx            = 1;
    *vtcm           = 8 << 20;
    return 0;
}

int dspqueue_create(int, uint32_t, uint32_t, uint32_t, dspqueue_callback_t, dspqueue_callback_t, void *, dspqueue_t *) {
    return 0;
}
int dspqueue_close(dspqueue_t) { return 0; }
int dspqueue_export(dspqueue_t, uint64_t *) { return 0; }

int dspqueue_write(dspqueue_t, uint32_t, uint32_t, dspqueue_buffer * buffer, uint32_t, const uint8_t * message, uint32_t) {
    htp_opbatch_req request;
    memcpy(&request, message, sizeof(request));
    auto tensors = (const htp_tensor *) ((const uint8_t *) buffer->ptr + request.n_bufs * sizeof(htp_buf_desc));
    auto ops     = (const htp_op_desc *) (tensors + request.n_tensors);
    batch_tensors.assign(tensors, tensors + request.n_tensors);
    batch_ops.assign(ops, ops + request.n_ops);
    answer           = {};
    answer.seq       = request.seq;
    answer.status    = HTP_STATUS_OK;
    answer.n_bufs    = request.n_bufs;
    answer.n_tensors = request.n_tensors;
    answer.n_ops     = request.n_ops;
    answer_buffer    = *buffer;
    return 0;
}

int dspqueue_read(dspqueue_t, uint32_t *, uint32_t, uint32_t * count, dspqueue_buffer * buffers, uint32_t, uint32_t * length,
                  uint8_t * message, uint32_t) {
    *count     = 1;
    buffers[0] = answer_buffer;
    *length    = sizeof(answer);
    memcpy(message, &answer, sizeof(answer));
    return 0;
}

// Of ggml-backend-meta.cpp, which is not linked.
bool ggml_backend_buffer_is_meta(ggml_backend_buffer_t) { return false; }
void ggml_backend_meta_buffer_set_usage(ggml_backend_buffer_t, enum ggml_backend_buffer_usage) {}
