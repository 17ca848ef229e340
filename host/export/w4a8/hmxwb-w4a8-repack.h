// Q4_0 rows of ggml to the tiles that the op HMXWB_W4A8 reads, and back. Needs nothing of ggml.
//
// A matrix has ne1 rows (output channels n) of ne0 values (input channels k); ne0 is a multiple of 32.
// Rows are padded to a multiple of 32 with q = 8, d = 0. Tiles of 32 x 32 follow one another,
// all tiles along k of the first 32 rows, then those of the next 32. A tile has 576 bytes:
//
// | bytes | content |
// |---|---|
// | 0..511 | byte (k/8)*128 + n*4 + k%4: value (k, n) in its low nibble when (k/4)%2 = 0, else in its high one; the nibble is q XOR 8, which is q - 8 in two's complement |
// | 512..575 | d of row n as fp16, at 512 + 2n |
//
// The SHA-256 of the packed ramp (hmxwb_w4a8_ramp) is HMXWB_W4A8_RAMP_SHA256: another digest means another order.
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define HMXWB_W4A8_BLOCK 32       // values of a Q4_0 block
#define HMXWB_W4A8_BLOCK_BYTES 18 // d, then byte j with value j low and value j + 16 high
#define HMXWB_W4A8_TILE_BYTES 576
#define HMXWB_W4A8_TILE_SCALES 512 // where the scales of a tile begin

#define HMXWB_W4A8_RAMP_ROWS 48
#define HMXWB_W4A8_RAMP_COLUMNS 96
#define HMXWB_W4A8_RAMP_SHA256 "@RAMP_SHA256@"

// Bytes of a packed matrix.
static inline size_t hmxwb_w4a8_packed_bytes(int64_t ne0, int64_t ne1) {
    return (size_t) ((ne1 + 31) / 32) * (size_t) (ne0 / 32) * HMXWB_W4A8_TILE_BYTES;
}

// Where the nibble of (k, n) lies in a tile: its byte, and by how many bits it is shifted.
static inline int hmxwb_w4a8_byte(int k, int n) {
    return k / 8 * 128 + n * 4 + k % 4;
}

static inline int hmxwb_w4a8_shift(int k) {
    return k / 4 % 2 * 4;
}

// Packs all rows. `rows`: ne1 rows of ne0/32 blocks without gaps; `tiles`: hmxwb_w4a8_packed_bytes bytes.
static inline void hmxwb_w4a8_pack(const void * rows, int64_t ne0, int64_t ne1, void * tiles) {
    const int64_t blocks = ne0 / HMXWB_W4A8_BLOCK;
    memset(tiles, 0, hmxwb_w4a8_packed_bytes(ne0, ne1)); // nibble 0 is q = 8
    for (int64_t row = 0; row < ne1; row++) {
        for (int64_t b = 0; b < blocks; b++) {
            const uint8_t * block = (const uint8_t *) rows + (row * blocks + b) * HMXWB_W4A8_BLOCK_BYTES;
            uint8_t *       tile  = (uint8_t *) tiles + (row / 32 * blocks + b) * HMXWB_W4A8_TILE_BYTES;
            const int       n     = (int) (row % 32);
            memcpy(tile + HMXWB_W4A8_TILE_SCALES + 2 * n, block, 2);
            for (int k = 0; k < HMXWB_W4A8_BLOCK; k++) {
                const int q = block[2 + k % 16] >> (k / 16 * 4) & 15;
                tile[hmxwb_w4a8_byte(k, n)] |= (uint8_t) ((q ^ 8) << hmxwb_w4a8_shift(k));
            }
        }
    }
}

// One Q4_0 block of row `row` from its tile.
static inline void hmxwb_w4a8_unpack_block(const uint8_t * tile, int64_t row, uint8_t block[HMXWB_W4A8_BLOCK_BYTES]) {
    const int n = (int) (row % 32);
    memcpy(block, tile + HMXWB_W4A8_TILE_SCALES + 2 * n, 2);
    memset(block + 2, 0, 16);
    for (int k = 0; k < HMXWB_W4A8_BLOCK; k++) {
        const int q = (tile[hmxwb_w4a8_byte(k, n)] >> hmxwb_w4a8_shift(k) & 15) ^ 8;
        block[2 + k % 16] |= (uint8_t) (q << (k / 16 * 4));
    }
}

// Unpacks `size` bytes from byte `offset` of the Q4_0 rows on: any range within them. Exact inverse of the packing.
static inline void hmxwb_w4a8_unpack(const void * tiles, int64_t ne0, size_t offset, size_t size, void * out) {
    const int64_t blocks = ne0 / HMXWB_W4A8_BLOCK;
    uint8_t *     to     = (uint8_t *) out;
    while (size > 0) {
        const int64_t number = (int64_t) (offset / HMXWB_W4A8_BLOCK_BYTES), row = number / blocks, b = number % blocks;
        const size_t  skip   = offset % HMXWB_W4A8_BLOCK_BYTES;
        const size_t  rest   = HMXWB_W4A8_BLOCK_BYTES - skip, count = size < rest ? size : rest;
        uint8_t       block[HMXWB_W4A8_BLOCK_BYTES];
        hmxwb_w4a8_unpack_block((const uint8_t *) tiles + (row / 32 * blocks + b) * HMXWB_W4A8_TILE_BYTES, row, block);
        memcpy(to, block + skip, count);
        to += count;
        offset += count;
        size -= count;
    }
}

// The ramp: 48 rows of 96 values, q = (7r + 3c + c/16) mod 16, d of block b of row r = fp16 bits 0x3000 + 3r + b.
// `rows`: 48 * 3 * 18 bytes; packed it has 3456.
static inline void hmxwb_w4a8_ramp(uint8_t * rows) {
    for (int r = 0; r < HMXWB_W4A8_RAMP_ROWS; r++) {
        for (int b = 0; b < HMXWB_W4A8_RAMP_COLUMNS / HMXWB_W4A8_BLOCK; b++, rows += HMXWB_W4A8_BLOCK_BYTES) {
            const int d = 0x3000 + 3 * r + b;
            rows[0]     = (uint8_t) (d & 255);
            rows[1]     = (uint8_t) (d >> 8);
            for (int j = 0; j < 16; j++) {
                const int c = b * HMXWB_W4A8_BLOCK + j, low = 7 * r + 3 * c + c / 16;
                const int high = 7 * r + 3 * (c + 16) + (c + 16) / 16;
                rows[2 + j]    = (uint8_t) ((low & 15) | (high & 15) << 4);
            }
        }
    }
}
