/* VTCM and HMX from the DSP's resource service.
 *
 * The functions are those of the public SDK header HAP_compute_res.h, declared here so that
 * the skel builds without the SDK. They are weak: a DSP without them gives HMXWB_E_VTCM.
 * Untested on a device.
 */
#include "place.h"

#include "dma.h"
#include "hmxwb.h"

#define WEAK __attribute__((weak, visibility("default")))
#define TIMEOUT_US 100000u

/* Larger than any version of the service's own structure, which only the service touches. */
struct attributes {
  uint64_t opaque[64];
};

WEAK int compute_resource_attr_init(void *attributes);
WEAK int compute_resource_attr_set_vtcm_param(void *attributes, uint32_t bytes, uint8_t single_page);
WEAK int compute_resource_attr_set_hmx_param(void *attributes, uint8_t enable);
WEAK void *compute_resource_attr_get_vtcm_ptr(void *attributes);
WEAK uint32_t compute_resource_acquire(void *attributes, uint32_t timeout_us);
WEAK int compute_resource_release(uint32_t resource);
WEAK int compute_resource_hmx_lock(uint32_t resource);
WEAK int compute_resource_hmx_unlock(uint32_t resource);
WEAK int compute_resource_query_VTCM(uint32_t application, uint32_t *total, void *total_layout, uint32_t *available,
                                     void *available_layout);

#if defined(__has_include)
#if __has_include(<HAP_power.h>)
#include <HAP_power.h>
#define POWER_VOTE 1
#endif
#endif

/* Votes for HMX power, where the SDK's header says how. Without it the vote is left to the
 * resource service. */
static uint32_t vote(int on) {
#if defined(POWER_VOTE)
  HAP_power_request_t request = {0};
#if __HEXAGON_ARCH__ >= 75
  request.type = HAP_power_set_HMX_v2;
  request.hmx_v2.set_power = 1;
  request.hmx_v2.power_up = on;
#else
  request.type = HAP_power_set_HMX;
  request.hmx.power_up = on;
#endif
  return (uint32_t)HAP_power_set((void *)&vote, &request);
#else
  (void)on;
  return 0;
#endif
}

uint32_t hmxwb_place_take(uint32_t bytes, uint32_t usr, struct hmxwb_place *place) {
  struct attributes attributes;
  (void)usr; /* set by the program's runner */
  if (!compute_resource_attr_init || !compute_resource_attr_set_vtcm_param || !compute_resource_attr_set_hmx_param ||
      !compute_resource_attr_get_vtcm_ptr || !compute_resource_acquire || !compute_resource_release)
    return HMXWB_E_VTCM;
  place->detail = (uint32_t)compute_resource_attr_init(&attributes);
  if (place->detail == 0) place->detail = (uint32_t)compute_resource_attr_set_vtcm_param(&attributes, bytes, 1);
  if (place->detail != 0) return HMXWB_E_VTCM;
  place->detail = (uint32_t)compute_resource_attr_set_hmx_param(&attributes, 1);
  if (place->detail == 0) place->detail = vote(1);
  if (place->detail != 0) return HMXWB_E_POWER;
  place->resource = compute_resource_acquire(&attributes, TIMEOUT_US);
  if (place->resource == 0) {
    (void)vote(0);
    return HMXWB_E_VTCM;
  }
  place->vtcm = compute_resource_attr_get_vtcm_ptr(&attributes);
  place->size = bytes;
  if (place->vtcm && compute_resource_hmx_lock) place->detail = (uint32_t)compute_resource_hmx_lock(place->resource);
  if (place->vtcm && place->detail == 0) return HMXWB_OK;
  const uint32_t why = place->vtcm ? HMXWB_E_POWER : HMXWB_E_VTCM;
  (void)compute_resource_release(place->resource);
  (void)vote(0);
  return why;
}

void hmxwb_place_give_back(struct hmxwb_place *place) {
  if (compute_resource_hmx_unlock) (void)compute_resource_hmx_unlock(place->resource);
  (void)compute_resource_release(place->resource);
  (void)vote(0);
}

void hmxwb_place_facts(struct hmxwb_facts *facts) {
  facts->arch = __HEXAGON_ARCH__;
  facts->runs_on = HMXWB_RUNS_ON_SILICON;
  if (compute_resource_query_VTCM) {
    uint32_t total = 0, available = 0;
    if (compute_resource_query_VTCM(0, &total, 0, &available, 0) == 0) {
      facts->vtcm_bytes = total;
      facts->vtcm_free = available;
    }
  }
}

uint64_t hmxwb_place_cycles(void) {
  uint64_t cycles;
  __asm__ volatile("%0 = c15:14" : "=r"(cycles));
  return cycles;
}

void hmxwb_place_counters(struct hmxwb_counters *counters) { counters->dma_transfers = dma_started(); }
