/* Stages that the int4 x uint8 kernels share. Internal. */
#ifndef HMXWB_INTEGER_H
#define HMXWB_INTEGER_H

#include "hvx.h"
#include "job.h"

#define LINES (UB_ROWS / 4) /* lines of a uint8 crouton: 4 rows each */

/* What is known of one column tile: 32 scales, 32 negated sums of the weights. */
#define FACTORS (2 * VECTOR)

/* The same spread over the lanes of a readout: vector j has columns 8j .. 8j+7, each four times. */
struct spread {
  HVX_Vector scale[4];
  HVX_Vector negated[4];
};

/* Bytes of the accumulator that a readout of sums over `k_tiles` tiles needs: 3 or 4. */
uint32_t readout_bytes(uint32_t k_tiles);

/* Convert constants: the word for byte i of the accumulator at BIAS + 128*i. Clears the accumulator. */
void readout_prepare(const struct job *job);

/* HMX: stores the bytes of the accumulator as croutons one after another, and clears it. */
void readout(const struct job *job, uint8_t *to, uint32_t bytes);

/* One line of a readout as int32: lane 4*c + r of vector j is row r, column 8*j + c. */
void readout_line(const uint8_t *from, uint32_t line, uint32_t bytes, HVX_Vector words[4]);

/* Minus the sum of a tile's weights for each column, added to `so_far`. */
HVX_Vector negated_sum(HVX_Vector so_far, const uint8_t *nibbles);

/* Spreads the factors at `factors`. */
struct spread spread_factors(const uint8_t *factors);

/* Zero points of a row tile: byte r of word i belongs to row 4*i + r. */
void zero_points(const struct job *job, uint32_t row_tile, uint32_t packed[LINES]);

/* Takes the four vectors of a line apart into four rows of 32 columns, times the rows' scales. */
void line_to_rows(const struct job *job, const HVX_Vector words[4], uint32_t row_tile, uint32_t line, uint8_t *rows);

/* Sends the staged rows of one output tile to memory. */
uint32_t integer_results(const struct job *job, uint32_t row, uint32_t column_tile, const uint8_t *rows);

/* Rows of a row tile that exist. */
static inline uint32_t rows_of(const struct job *job, uint32_t first_row) {
  return least(UB_ROWS, job->problem->m - first_row);
}

#endif
