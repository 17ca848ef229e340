/* The watched machine: see machine.h. */
#include "machine.h"

#include <string.h>

#include "hmx.h"
#include "hvx_native.h"

static HMXWB_THREAD_LOCAL struct hmxwb_machine *current;
HMXWB_THREAD_LOCAL uint64_t hmxwb_hvx_count[HMXWB_HVX_KINDS];

void hmxwb_machine_install(struct hmxwb_machine *machine) {
  if (current) memcpy(current->counters->hvx, hmxwb_hvx_count, sizeof hmxwb_hvx_count);
  memset(hmxwb_hvx_count, 0, sizeof hmxwb_hvx_count);
  current = machine;
}

struct hmxwb_machine *hmxwb_machine(void) { return current; }

void hmxwb_found(uint32_t found, uint64_t at, uint64_t length) {
  if (!current || current->found != HMXWB_FOUND_NOTHING) return;
  current->found = found;
  current->found_at = at;
  current->found_length = length;
}

uint32_t hmx_address(const void *p) {
  if (!current) return 0;
  return HMX_NATIVE_BASE + (uint32_t)((uintptr_t)p - (uintptr_t)current->vtcm);
}

/* Whether an access lies in VTCM and is aligned; its offset. */
static int placed(const void *p, uint32_t length, uint32_t align, uint32_t *at) {
  if (!current) return 0;
  const uintptr_t offset = (uintptr_t)p - (uintptr_t)current->vtcm; /* wraps when below VTCM */
  if (offset > current->vtcm_size || length > current->vtcm_size - offset) {
    hmxwb_found(HMXWB_FOUND_OUTSIDE, offset, length);
    return 0;
  }
  if (offset % align != 0) {
    hmxwb_found(HMXWB_FOUND_MISALIGNED, offset, align);
    return 0;
  }
  *at = (uint32_t)offset;
  return 1;
}

static void note(uint8_t state, uint64_t at, uint32_t length) {
  hmxwb_found(state == HMXWB_SHADOW_GUARD     ? HMXWB_FOUND_GUARD
              : state == HMXWB_SHADOW_PENDING ? HMXWB_FOUND_PENDING
                                              : HMXWB_FOUND_UNWRITTEN,
              at, length);
}

int hmxwb_reads(const void *p, uint32_t length, uint32_t align) {
  uint32_t at;
  if (!placed(p, length, align, &at)) return 0;
  current->counters->vtcm_read += length;
  for (uint32_t i = 0; i < length; i++) {
    if (current->shadow[at + i] == HMXWB_SHADOW_WRITTEN) continue;
    note(current->shadow[at + i], at + i, length - i);
    break;
  }
  return 1;
}

int hmxwb_writes(const void *p, uint32_t length, uint32_t align) {
  uint32_t at;
  if (!placed(p, length, align, &at)) return 0;
  current->counters->vtcm_written += length;
  for (uint32_t i = 0; i < length; i++) {
    uint8_t *state = &current->shadow[at + i];
    if (*state <= HMXWB_SHADOW_WRITTEN) {
      *state = HMXWB_SHADOW_WRITTEN;
    } else {
      note(*state, at + i, length - i);
      return 0;
    }
  }
  return 1;
}
