/* DMA on this computer: a copy happens when somebody waits for it. */
#include "dma.h"

#include <string.h>

#include "machine.h"
#include "thread_local.h"

#define IN_FLIGHT 256u

static HMXWB_THREAD_LOCAL struct dma_transfer queue[IN_FLIGHT];
static HMXWB_THREAD_LOCAL uint32_t started, finished;

/* The buffer of a purpose: HMXWB_BUFFERS of the machine. */
static const uint32_t buffer_of[DMA_PURPOSES] = {0, 1, 2, 2, 3};

static int to_memory(uint32_t purpose) { return purpose == DMA_SCRATCH_OUT || purpose == DMA_RESULT; }

static uint64_t *counter_of(struct hmxwb_counters *c, uint32_t purpose) {
  switch (purpose) {
    case DMA_ACTIVATION: return &c->ddr_act_read;
    case DMA_WEIGHT: return &c->ddr_weight_read;
    case DMA_SCRATCH_IN: return &c->ddr_scratch_read;
    case DMA_SCRATCH_OUT: return &c->ddr_scratch_written;
    default: return &c->ddr_out_written;
  }
}

/* Whether a descriptor's fields fit. dma_start cuts transfers so that they do. */
static int fits(const struct dma_transfer *t) {
  if (t->rows == 1) return t->width <= DMA_LENGTH_MAX;
  return t->width <= DMA_FIELD_MAX && t->rows <= DMA_FIELD_MAX && t->to_stride <= DMA_FIELD_MAX &&
         t->from_stride <= DMA_FIELD_MAX;
}

/* Whether the memory side of a transfer stays inside its buffer. */
static int inside(const struct hmxwb_machine *m, const struct dma_transfer *t) {
  const struct hmxwb_buffer *b = &m->buffer[buffer_of[t->purpose]];
  const int out = to_memory(t->purpose);
  const uintptr_t offset = (uintptr_t)(out ? t->to : t->from) - (uintptr_t)b->start;
  const uint64_t stride = out ? t->to_stride : t->from_stride;
  const uint64_t length = stride * (t->rows - 1) + t->width;
  if (offset <= b->size && length <= b->size - offset && (!out || b->writable)) return 1;
  hmxwb_found(HMXWB_FOUND_DMA_BUFFER, offset, length);
  return 0;
}

/* The VTCM side of a row: to be read now, or to be poisoned until the wait. */
static int claim(const struct hmxwb_machine *m, const struct dma_transfer *t, uint32_t row) {
  if (to_memory(t->purpose)) {
    if (!hmxwb_reads(t->from + (uintptr_t)row * t->from_stride, t->width, 1)) return 0;
    memset(t->to + (uintptr_t)row * t->to_stride, (int)m->poison, t->width);
    return 1;
  }
  uint8_t *to = t->to + (uintptr_t)row * t->to_stride;
  if (!hmxwb_writes(to, t->width, 1)) return 0;
  memset(to, (int)m->poison, t->width);
  memset(m->shadow + (to - m->vtcm), HMXWB_SHADOW_PENDING, t->width);
  return 1;
}

static void finish(struct hmxwb_machine *m, const struct dma_transfer *t) {
  for (uint32_t row = 0; row < t->rows; row++) {
    uint8_t *to = t->to + (uintptr_t)row * t->to_stride;
    memcpy(to, t->from + (uintptr_t)row * t->from_stride, t->width);
    if (!to_memory(t->purpose)) memset(m->shadow + (to - m->vtcm), HMXWB_SHADOW_WRITTEN, t->width);
  }
}

dma_ticket dma_submit(const struct dma_transfer *transfer) {
  struct hmxwb_machine *m = hmxwb_machine();
  if (!m || m->found != HMXWB_FOUND_NOTHING) return DMA_NO_TICKET;
  if (!fits(transfer)) {
    hmxwb_found(HMXWB_FOUND_DMA_LIMIT, transfer->width, transfer->rows);
    return DMA_NO_TICKET;
  }
  if (!inside(m, transfer)) return DMA_NO_TICKET;
  for (uint32_t row = 0; row < transfer->rows; row++)
    if (!claim(m, transfer, row)) return DMA_NO_TICKET;
  if (started - finished == IN_FLIGHT) dma_wait(finished + 1); /* as hardware: the oldest has to go first */
  queue[started % IN_FLIGHT] = *transfer;
  m->counters->dma_transfers++;
  *counter_of(m->counters, transfer->purpose) += (uint64_t)transfer->width * transfer->rows;
  return ++started;
}

void dma_wait(dma_ticket ticket) {
  struct hmxwb_machine *m = hmxwb_machine();
  while (m && finished < ticket && finished < started) finish(m, &queue[finished++ % IN_FLIGHT]);
}

void dma_reset(void) { started = finished = 0; }

uint32_t dma_started(void) { return started; }

uint32_t dma_in_flight(void) { return started - finished; }
