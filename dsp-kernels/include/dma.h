/* Copies between memory and VTCM that run beside the core.
 *
 * A start returns a ticket at once; the bytes are there only after a wait for that ticket
 * (or a later one: transfers finish in the order of their start). Until then neither side
 * may be touched. On Hexagon this is user DMA; on other computers the copy really happens
 * in the wait, and the destination is poisoned until then, so a missing wait shows.
 */
#ifndef HMXWB_DMA_H
#define HMXWB_DMA_H

#include <stdint.h>

/* What a transfer is for: says which buffer the memory side is in, and what is counted. */
#define DMA_ACTIVATION 0u /* to VTCM */
#define DMA_WEIGHT 1u /* to VTCM */
#define DMA_SCRATCH_IN 2u /* to VTCM */
#define DMA_SCRATCH_OUT 3u /* to memory */
#define DMA_RESULT 4u /* to memory */
#define DMA_PURPOSES 5u

/* Limits of the descriptors: 16 bits for the fields of a 2D transfer, 24 for a 1D length. */
#define DMA_FIELD_MAX 0xFFFFu
#define DMA_LENGTH_MAX 0xFFFFFFu

typedef uint32_t dma_ticket;

/* A ticket that every wait accepts at once. */
#define DMA_NO_TICKET 0u

/* One descriptor: `rows` pieces of `width` bytes. 1D has one row; its width is the length. */
struct dma_transfer {
  uint8_t *to;
  const uint8_t *from;
  uint32_t to_stride; /* bytes from row to row */
  uint32_t from_stride;
  uint32_t width;
  uint32_t rows;
  uint32_t purpose;
};

/* Starts a copy of `rows` rows. Any size: what does not fit one descriptor is cut into several. */
dma_ticket dma_start(uint32_t purpose, void *to, uint32_t to_stride, const void *from, uint32_t from_stride,
                     uint32_t width, uint32_t rows);

/* Waits until the transfer with this ticket and all before it are done. */
void dma_wait(dma_ticket ticket);

/* Forgets earlier tickets: for the start of a kernel. Nothing may be in flight. */
void dma_reset(void);

/* Transfers started since the reset, and those nobody waited for yet. */
uint32_t dma_started(void);
uint32_t dma_in_flight(void);

/* The engine beneath: one descriptor whose fields fit. dma_start cuts, this copies. */
dma_ticket dma_submit(const struct dma_transfer *transfer);

#endif
