/* Damage that tests plant to see whether verification finds it. Only with HMXWB_FAULTS. */
#include "hvx.h"
#include "job.h"

#if defined(HMXWB_FAULTS)

/* Exchanges two elements of `bits` bits, at bit offsets a and b. */
static void exchange(uint8_t *tile, uint32_t a, uint32_t b, uint32_t bits) {
  uint32_t *wa = (uint32_t *)(void *)(tile + a / 32 * 4), *wb = (uint32_t *)(void *)(tile + b / 32 * 4);
  const uint32_t mask = (1u << bits) - 1;
  const uint32_t va = vtcm_load_word(wa) >> a % 32 & mask, vb = vtcm_load_word(wb) >> b % 32 & mask;
  vtcm_store_word(wa, (vtcm_load_word(wa) & ~(mask << a % 32)) | vb << a % 32);
  vtcm_store_word(wb, (vtcm_load_word(wb) & ~(mask << b % 32)) | va << b % 32);
}

static uint32_t hf_bit(uint32_t k, uint32_t n) { return ((k >> 1) * 128 + n * 4 + (k & 1) * 2) * 8; }

static uint32_t n_bit(uint32_t k, uint32_t n) { return ((k >> 3) * 128 + n * 4 + (k & 3)) * 8 + (k >> 2 & 1) * 4; }

static void transpose(uint8_t *tiles, uint32_t count, uint32_t tile_bytes, uint32_t bits,
                      uint32_t (*bit)(uint32_t, uint32_t)) {
  for (uint32_t t = 0; t < count; t++)
    for (uint32_t k = 1; k < TILE; k++)
      for (uint32_t n = 0; n < k; n++) exchange(tiles + t * tile_bytes, bit(k, n), bit(n, k), bits);
}

void plant_in_nibbles(const struct job *job, uint8_t *nibbles, uint32_t count) {
  if (!planted(job, HMXWB_FAULT_SWAPPED_NIBBLES)) return;
  for (uint32_t i = 0; i < count * NIBBLES / 4; i++) {
    const uint32_t w = vtcm_load_word(nibbles + 4 * i);
    vtcm_store_word(nibbles + 4 * i, (w & 0x0F0F0F0Fu) << 4 | (w >> 4 & 0x0F0F0F0Fu));
  }
}

void plant_in_hf_tiles(const struct job *job, uint8_t *tiles, uint32_t count) {
  if (planted(job, HMXWB_FAULT_TRANSPOSED_TILE)) transpose(tiles, count, HF_TILE, 16, hf_bit);
}

void plant_in_n_tiles(const struct job *job, uint8_t *tiles, uint32_t count) {
  if (planted(job, HMXWB_FAULT_TRANSPOSED_TILE)) transpose(tiles, count, NIBBLES, 4, n_bit);
  plant_in_nibbles(job, tiles, count);
}

#else

void plant_in_nibbles(const struct job *job, uint8_t *nibbles, uint32_t count) {
  (void)job;
  (void)nibbles;
  (void)count;
}

void plant_in_hf_tiles(const struct job *job, uint8_t *tiles, uint32_t count) {
  (void)job;
  (void)tiles;
  (void)count;
}

void plant_in_n_tiles(const struct job *job, uint8_t *tiles, uint32_t count) {
  (void)job;
  (void)tiles;
  (void)count;
}

#endif
