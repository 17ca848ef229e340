/* f32 division for positive normal numbers, rounded to nearest even, without a library.
 *
 * Hexagon has no divide instruction and a skel links no run-time library for it. */
#ifndef HMXWB_DIVIDE_H
#define HMXWB_DIVIDE_H

#include <stdint.h>

union f32 {
  float value;
  uint32_t bits;
};

static inline float float_of_bits(uint32_t bits) {
  union f32 u;
  u.bits = bits;
  return u.value;
}

static inline uint32_t bits_of_float(float value) {
  union f32 u;
  u.value = value;
  return u.bits;
}

/* Bits of a / b. Both are bits of positive normal numbers, and so must the quotient be. */
static inline uint32_t divide_f32(uint32_t a, uint32_t b) {
  uint32_t rest = (a & 0x7FFFFFu) | 0x800000u, quotient = 0;
  const uint32_t by = (b & 0x7FFFFFu) | 0x800000u;
  uint32_t exponent = (a >> 23) - (b >> 23) + 127;
  if (rest < by) {
    rest <<= 1;
    exponent--;
  }
  for (int bit = 0; bit < 25; bit++) { /* the leading 1, 23 fraction bits, one for rounding */
    quotient <<= 1;
    if (rest >= by) {
      rest -= by;
      quotient |= 1;
    }
    rest <<= 1;
  }
  const uint32_t kept = quotient >> 1;
  const uint32_t up = (quotient & 1u) && (rest != 0 || (kept & 1u));
  return (exponent << 23) + (kept - 0x800000u) + up;
}

#endif
