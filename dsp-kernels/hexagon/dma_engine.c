/* DMA on Hexagon: user DMA descriptors in a ring, finished in the order of their start.
 *
 * | word | 1D (type 0) | 2D (type 1) |
 * |---|---|---|
 * | 0 | next descriptor | the same |
 * | 1 | [31] done, [29] source and [28] destination bypass the cache, [25:24] type, [23:0] bytes | the same without bytes |
 * | 2, 3 | source, destination | the same |
 * | 5 | | [31:16] rows, [15:0] bytes of a row |
 * | 6 | | [31:16] destination stride, [15:0] source stride |
 *
 * Evidence class of the table: `manual` for the fields' places and widths, `inferred` for
 * that a link after the chain has run dry starts it again. One kernel runs at a time, so
 * one ring does for the process.
 */
#include <hexagon_protos.h>
#include <stddef.h>

#include "dma.h"

#define RING 64u
#define DONE (1u << 31)
#define BYPASS (3u << 28)
#define TWO_DIMENSIONS (1u << 24)

struct descriptor {
  volatile uint32_t word[8];
} __attribute__((aligned(64)));

static struct descriptor ring[RING];
static uint32_t started, finished;

static struct descriptor *slot(uint32_t number) { return &ring[number % RING]; }

static void fill(struct descriptor *d, const struct dma_transfer *t) {
  d->word[0] = 0;
  d->word[1] = BYPASS | (t->rows == 1 ? t->width : TWO_DIMENSIONS);
  d->word[2] = (uint32_t)(uintptr_t)t->from;
  d->word[3] = (uint32_t)(uintptr_t)t->to;
  d->word[4] = 0;
  d->word[5] = t->rows << 16 | (t->rows == 1 ? 0 : t->width);
  d->word[6] = t->rows == 1 ? 0 : t->to_stride << 16 | t->from_stride;
  d->word[7] = 0;
}

dma_ticket dma_submit(const struct dma_transfer *transfer) {
  if (started - finished == RING) dma_wait(finished + 1);
  struct descriptor *d = slot(started);
  fill(d, transfer);
  __asm__ volatile("" : : : "memory"); /* the descriptor and the data are written before the start */
  if (started == finished)
    Q6_dmstart_A((void *)d);
  else
    Q6_dmlink_AA((void *)slot(started - 1), (void *)d);
  return ++started;
}

void dma_wait(dma_ticket ticket) {
  while (finished < ticket && finished < started) {
    while (!(slot(finished)->word[1] & DONE)) (void)Q6_R_dmpoll();
    finished++;
  }
  __asm__ volatile("" : : : "memory"); /* nothing is read before the wait is over */
}

void dma_reset(void) {
  dma_wait(started);
  started = finished = 0;
}

uint32_t dma_started(void) { return started; }

uint32_t dma_in_flight(void) { return started - finished; }
