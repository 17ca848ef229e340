/* Sizes of tiles, in bytes where nothing else is said. */
#ifndef HMXWB_TILE_H
#define HMXWB_TILE_H

#include <stdint.h>

#define TILE 32u /* rows, columns and depth of a tile */
#define HF_TILE 2048u /* bytes of an fp16 tile */
#define NIBBLES 512u /* bytes of the weights of a 4-bit tile */
#define SCALES 64u /* bytes of its scales */
#define Q4_TILE (NIBBLES + SCALES)
#define VECTOR 128u
#define UB_ROWS 64u /* rows of a uint8 crouton */

static inline uint32_t divide_up(uint32_t a, uint32_t b) { return (a + b - 1) / b; }
static inline uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

#endif
