/* The watched machine: see machine.h. */
#include "machine.h"

#include <string.h>

#include "hmx.h"
#include "hvx_native.h"

static HMXWB_THREAD_LOCAL struct hmxwb_machine *current;
HMXWB_THREAD_LOCAL uint64_t hmxwb_hvx_count[HMXWB_HVX_KINDS];

#if defined(HMXWB_SANITIZED)
#include <stdlib.h>

/* In builds with sanitizers HMXWB_PLANT names one that scripts/sanitize.sh wants to see at work: what it is for goes
 * wrong on purpose. A kernel leaves VTCM by a byte; a sum leaves int. */
static void plant(const struct hmxwb_machine *machine) {
  const char *name = getenv("HMXWB_PLANT");
  if (!machine || !name) return;
  if (!strcmp(name, "address")) ((volatile uint8_t *)machine->vtcm)[machine->vtcm_size] = 0xFF;
  if (!strcmp(name, "undefined")) {
    volatile int most = 0x7FFFFFFF;
    most = most + 1;
  }
}
#endif

void hmxwb_machine_install(struct hmxwb_machine *machine) {
#if defined(HMXWB_SANITIZED)
  plant(machine);
#endif
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

/* All shadow states of a range ORed together. */
static uint8_t states(uint32_t at, uint32_t length) {
  const uint8_t *state = current->shadow + at;
  uint64_t all = 0, eight;
  for (; length >= 8; length -= 8, state += 8) {
    memcpy(&eight, state, 8);
    all |= eight;
  }
  for (; length > 0; length--) all |= *state++;
  all |= all >> 32;
  all |= all >> 16;
  return (uint8_t)(all | all >> 8);
}

/* Notes the first byte of a range whose state has one of `bits`. */
static void note(uint32_t at, uint32_t length, uint8_t bits) {
  uint32_t i = 0;
  while (i < length - 1 && !(current->shadow[at + i] & bits)) i++;
  const uint8_t state = current->shadow[at + i];
  hmxwb_found(state == HMXWB_SHADOW_GUARD     ? HMXWB_FOUND_GUARD
              : state == HMXWB_SHADOW_PENDING ? HMXWB_FOUND_PENDING
                                              : HMXWB_FOUND_UNWRITTEN,
              at + i, length - i);
}

int hmxwb_reads(const void *p, uint32_t length, uint32_t align) {
  uint32_t at;
  if (!placed(p, length, align, &at)) return 0;
  current->counters->vtcm_read += length;
  if (states(at, length) != HMXWB_SHADOW_WRITTEN) note(at, length, 0xFF);
  return 1;
}

int hmxwb_writes(const void *p, uint32_t length, uint32_t align) {
  uint32_t at;
  if (!placed(p, length, align, &at)) return 0;
  current->counters->vtcm_written += length;
  if (states(at, length) & HMXWB_SHADOW_FORBIDDEN) {
    note(at, length, HMXWB_SHADOW_FORBIDDEN);
    return 0;
  }
  memset(current->shadow + at, HMXWB_SHADOW_WRITTEN, length);
  return 1;
}
