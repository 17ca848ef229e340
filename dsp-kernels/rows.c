/* Activation rows from memory: see rows.h. */
#include "rows.h"

#include <stddef.h>

#include "dma.h"
#include "hvx.h"

static uint32_t rows_bytes(const struct job *job) {
  return job->problem->k * hmxwb_element_bytes(job->problem->act_type);
}

static uint8_t *slot(const struct row_feed *feed, uint32_t step, uint32_t row) {
  return region(feed->job, HMXWB_REGION_ACT_ROWS) + ((step & 1) * feed->per_step + row) * feed->pitch;
}

static void start(struct row_feed *feed, uint32_t step) {
  const struct hmxwb_problem *p = feed->job->problem;
  const uint32_t row = feed->first_row + step * feed->per_step, bytes = rows_bytes(feed->job);
  if (row >= p->m) return;
  feed->ticket = dma_start(DMA_ACTIVATION, slot(feed, step, 0), feed->pitch,
                           feed->job->memory.act + (uintptr_t)row * p->act_stride, p->act_stride, bytes,
                           least(feed->per_step, p->m - row));
}

void rows_open(struct row_feed *feed, const struct job *job, uint32_t first_row, uint32_t per_step) {
  const struct row_feed fresh = {job, first_row, per_step, hmxwb_row_pitch(job->problem), DMA_NO_TICKET, DMA_NO_TICKET};
  *feed = fresh;
  if (rows_bytes(job) % VECTOR != 0 && !planted(job, HMXWB_FAULT_NO_TAIL_MASK))
    for (uint32_t row = 0; row < 2 * per_step; row++)
      hvx_store(slot(feed, 0, 0) + (row + 1) * feed->pitch - VECTOR, Q6_V_vzero());
  start(feed, 0);
}

void rows_next(struct row_feed *feed, uint32_t step, uint32_t steps) {
  feed->here = feed->ticket;
  if (step + 1 < steps) start(feed, step + 1);
  dma_wait(feed->here);
}

const uint8_t *rows_at(const struct row_feed *feed, uint32_t step, uint32_t row) {
  const uint32_t number = feed->first_row + step * feed->per_step + row;
  if (number >= feed->job->problem->m && !planted(feed->job, HMXWB_FAULT_NO_TAIL_MASK)) return NULL;
  return slot(feed, step, row);
}
