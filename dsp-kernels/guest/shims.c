/* What a skel imports, under the SDK's names. */
#include "guest.h"

struct shim {
    const char *name;
    void *function;
};

/* ---- compute resources: VTCM is the shared memory, HMX needs no lock ---- */

static uint32_t attr_init(void *attr) { (void)attr; return 0; }
static uint32_t ok(void) { return 0; }
static uint32_t acquire(void *attr, uint32_t timeout_us) { (void)attr, (void)timeout_us; return 1; }
static void *vtcm_pointer(void *attr) { (void)attr; return (void *)HMXWB_GUEST_VTCM; }
static uint32_t vtcm_pointer_v2(void *attr, void **pointer, uint32_t *size) {
    (void)attr;
    *pointer = (void *)HMXWB_GUEST_VTCM;
    *size = CONTROL->vtcm_size;
    return 0;
}
static uint32_t query_vtcm(uint32_t application, uint32_t *total, void *layout, uint32_t *available, void *available_layout) {
    (void)application, (void)layout, (void)available_layout;
    if (total) *total = CONTROL->vtcm_size;
    if (available) *available = CONTROL->vtcm_size;
    return 0;
}

/* ---- C library ---- */

static uint8_t heap[1 << 20] __attribute__((aligned(128)));
static uint32_t heap_used;

/* Memory is given out once and never taken back: a skel that needs more than this is at fault. */
static void *allocate(uint32_t len) {
    uint32_t at = (heap_used + 127) & ~127u;
    if (len > sizeof heap || at > sizeof heap - len) return 0;
    heap_used = at + len;
    return heap + at;
}
static void *allocate_aligned(uint32_t alignment, uint32_t len) {
    return alignment <= 128 ? allocate(len) : 0;
}
static void *allocate_zero(uint32_t n, uint32_t len) {
    void *p = n && len > 0xFFFFFFFFu / n ? 0 : allocate(n * len);
    return p ? memset(p, 0, n * len) : 0;
}
static void release(void *p) { (void)p; }
__attribute__((noreturn)) static void stop(void) {
    guest_text("the skel called abort or a failed assertion", "");
    guest_send(HMXWB_GUEST_DIED, 6);
    guest_exit(5);
}
static void quiet(void) {}

static const struct shim SHIMS[] = {
    {"HAP_compute_res_attr_init", attr_init},
    {"compute_resource_attr_init", attr_init},
    {"HAP_compute_res_attr_set_vtcm_param", ok},
    {"compute_resource_attr_set_vtcm_param", ok},
    {"HAP_compute_res_attr_set_vtcm_param_v2", ok},
    {"compute_resource_attr_set_vtcm_param_v2", ok},
    {"HAP_compute_res_attr_set_hmx_param", ok},
    {"compute_resource_attr_set_hmx_param", ok},
    {"HAP_compute_res_acquire", acquire},
    {"compute_resource_acquire", acquire},
    {"HAP_compute_res_release", ok},
    {"compute_resource_release", ok},
    {"HAP_compute_res_attr_get_vtcm_ptr", vtcm_pointer},
    {"compute_resource_attr_get_vtcm_ptr", vtcm_pointer},
    {"HAP_compute_res_attr_get_vtcm_ptr_v2", vtcm_pointer_v2},
    {"compute_resource_attr_get_vtcm_ptr_v2", vtcm_pointer_v2},
    {"HAP_compute_res_query_VTCM", query_vtcm},
    {"compute_resource_query_VTCM", query_vtcm},
    {"HAP_compute_res_hmx_lock", ok},
    {"compute_resource_hmx_lock", ok},
    {"HAP_compute_res_hmx_unlock", ok},
    {"compute_resource_hmx_unlock", ok},
    {"HAP_power_set", ok},
    {"HAP_power_get", ok},
    {"HAP_debug", quiet},
    {"HAP_debug_v2", quiet},
    {"HAP_debug_runtime", quiet},
    {"memcpy", memcpy},
    {"memmove", memmove},
    {"memset", memset},
    {"memcmp", memcmp},
    {"strlen", strlen},
    {"strcmp", strcmp},
    {"malloc", allocate},
    {"memalign", allocate_aligned},
    {"calloc", allocate_zero},
    {"free", release},
    {"abort", stop},
    {"_Assert", stop},
    {"__cxa_finalize", quiet},
};

uint32_t shim_find(const char *name) {
    for (unsigned i = 0; i < sizeof SHIMS / sizeof *SHIMS; i++)
        if (!strcmp(SHIMS[i].name, name)) return (uint32_t)SHIMS[i].function;
    return 0;
}
