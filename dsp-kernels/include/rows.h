/* Activation rows from memory, a few at a time, double-buffered. Internal. */
#ifndef HMXWB_ROWS_H
#define HMXWB_ROWS_H

#include "job.h"

struct row_feed {
  const struct job *job;
  uint32_t first_row;
  uint32_t per_step; /* rows of one step */
  uint32_t pitch; /* bytes from row to row in VTCM, a multiple of a vector */
  uint32_t ticket; /* of the transfer that the next step needs */
  uint32_t here; /* of the transfer that this step needs */
};

/* Prepares the buffers and starts the first step's rows. */
void rows_open(struct row_feed *feed, const struct job *job, uint32_t first_row, uint32_t per_step);

/* Starts the rows of step + 1 and waits for those of `step`. */
void rows_next(struct row_feed *feed, uint32_t step, uint32_t steps);

/* Row `row` of a step in VTCM; NULL for a row past M. */
const uint8_t *rows_at(const struct row_feed *feed, uint32_t step, uint32_t row);

#endif
