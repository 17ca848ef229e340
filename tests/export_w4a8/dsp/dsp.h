/* For compiling ggml-hexagon's DSP main.c without the vendor SDK: what it uses of the SDK's headers that
 * host/ggml/stubs/ does not have. Values mean nothing; of main.c only the choice of the op is run. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef int AEEResult;
typedef uint64_t remote_handle64;
typedef uint32_t uint32;
typedef struct { uint32_t events[8]; } htp_iface_pmu_conf;
enum { FALSE, TRUE };
enum {
  AEE_SUCCESS, AEE_EFAILED, AEE_ENOMEMORY, AEE_EVERSIONNOTSUPPORT, AEE_EBADPARM, AEE_EITEMBUSY, AEE_EWOULDBLOCK,
  AEE_EEXPIRED,
};

void abort(void);
void *calloc(size_t count, size_t size);

struct dspqueue_buffer { uint32_t fd, size, offset, flags; void *ptr; };
enum { DSPQUEUE_BUFFER_FLAG_FLUSH_SENDER = 1, DSPQUEUE_BUFFER_FLAG_INVALIDATE_RECIPIENT = 2 };
enum { DSPQUEUE_TIMEOUT_NONE };
int dspqueue_import(), dspqueue_close(), dspqueue_write(), dspqueue_read_noblock(), dspqueue_peek();

enum { HAP_PROT_READ = 1, HAP_PROT_WRITE = 2 };
void *HAP_mmap(void *address, int bytes, int protection, int flags, int fd, long offset);
int HAP_munmap(void *address, int bytes);
void *HAP_mmap2(void *address, size_t bytes, int protection, int flags, int fd, long offset);
int HAP_munmap2(void *address, size_t bytes);
enum { HAP_MEM_MAP, HAP_MEM_UNMAP, HAP_MEM_CACHE_NON_SHARED = 0, HAP_MEM_FLAGS_EXTENDED_MAP = 1 };
typedef struct {
  int request_id;
  struct { uint64_t dsp_va, len; int fd, prot, flags, offset; } mmap, munmap;
} HAP_mem_req_payload_t;
int HAP_mem_request();

typedef struct { uint64_t opaque[64]; } compute_res_attr_t;
unsigned HAP_compute_res_acquire();
int HAP_compute_res_acquire_cached(), HAP_compute_res_attr_get_vtcm_ptr_v2(), HAP_compute_res_attr_init(),
    HAP_compute_res_attr_set_cache_mode(), HAP_compute_res_attr_set_hmx_param(),
    HAP_compute_res_attr_set_release_callback(), HAP_compute_res_attr_set_serialize(),
    HAP_compute_res_attr_set_vtcm_param_v2(), HAP_compute_res_query_VTCM(), HAP_compute_res_release(),
    HAP_compute_res_release_cached(), HAP_compute_res_update_priority();
uint64_t HAP_perf_get_qtimer_count(), HAP_perf_qtimer_count_to_us();
int HAP_setFARFRuntimeLoggingParams(), HAP_user_etm_enable(), HAP_user_etm_disable();

enum { HAP_DCVS_VCORNER_MAX, HAP_DCVS_EXP_VCORNER_MAX, HAP_CLK_PERF_HIGH, HAP_POWER_COMPUTE_CLIENT_CLASS };
enum { HAP_power_set_apptype, HAP_power_set_DCVS_v3, HAP_power_set_HVX, HAP_power_set_HMX, HAP_power_set_HMX_v2 };
typedef struct {
  int type, apptype;
  struct {
    struct { int min_corner, max_corner, target_corner; } bus_params, core_params;
    int set_dcvs_enable, dcvs_enable, dcvs_option, set_bus_params, set_core_params, set_latency, latency;
    int set_sleep_disable, sleep_disable;
  } dcvs_v3;
  struct { int power_up; } hvx, hmx;
  struct { int set_power, power_up, set_clock, target_corner, min_corner, max_corner, perf_mode; } hmx_v2;
} HAP_power_request_t;
int HAP_power_set(), HAP_set_dcvs_v3_protected_bus_corners();

typedef uint32_t qurt_addr_t;
typedef struct { int max_hthreads; } qurt_sysenv_max_hthreads_t;
typedef struct { int opaque[16]; } qurt_thread_attr_t;
enum { QURT_MEM_CACHE_FLUSH_INVALIDATE_ALL, QURT_MEM_DCACHE, QURT_PMUCFG, QURT_PMUEVTCFG, QURT_PMUEVTCFG1 };
int qurt_hvx_get_units(), qurt_mem_cache_clean(), qurt_pmu_enable(), qurt_pmu_set(), qurt_sleep(),
    qurt_sysenv_get_max_hw_threads(), qurt_thread_attr_init(), qurt_thread_attr_set_name(),
    qurt_thread_attr_set_priority(), qurt_thread_attr_set_stack_addr(), qurt_thread_attr_set_stack_size(),
    qurt_thread_create(), qurt_thread_get_id(), qurt_thread_get_priority(), qurt_thread_join();
AEEResult htp_iface_stop(remote_handle64 handle);
