/* Cuts copies into transfers that fit a descriptor. */
#include "dma.h"

/* One row, or rows without gaps: by length. */
static dma_ticket in_one_dimension(struct dma_transfer t, uint64_t length) {
  dma_ticket last = DMA_NO_TICKET;
  t.rows = 1;
  while (length > 0) {
    t.width = length > DMA_LENGTH_MAX ? DMA_LENGTH_MAX & ~127u : (uint32_t)length;
    last = dma_submit(&t);
    t.to += t.width;
    t.from += t.width;
    length -= t.width;
  }
  return last;
}

dma_ticket dma_start(uint32_t purpose, void *to, uint32_t to_stride, const void *from, uint32_t from_stride,
                     uint32_t width, uint32_t rows) {
  struct dma_transfer t = {to, from, to_stride, from_stride, width, rows, purpose};
  dma_ticket last = DMA_NO_TICKET;
  if (width == 0 || rows == 0) return last;
  if (rows == 1 || (to_stride == width && from_stride == width)) return in_one_dimension(t, (uint64_t)width * rows);
  if (width > DMA_FIELD_MAX || to_stride > DMA_FIELD_MAX || from_stride > DMA_FIELD_MAX) {
    for (uint32_t row = 0; row < rows; row++) {
      last = in_one_dimension(t, width);
      t.to += to_stride;
      t.from += from_stride;
    }
    return last;
  }
  for (; rows > 0; rows -= t.rows) {
    t.rows = rows > DMA_FIELD_MAX ? DMA_FIELD_MAX : rows;
    last = dma_submit(&t);
    t.to += (uintptr_t)t.rows * to_stride;
    t.from += (uintptr_t)t.rows * from_stride;
  }
  return last;
}
