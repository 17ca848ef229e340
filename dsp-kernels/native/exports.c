/* Inline code of the kernels as functions, for the host's tests. */
#include "divide.h"
#include "hvx.h"

uint32_t hmxwb_test_divide(uint32_t a, uint32_t b);
uint16_t hmxwb_test_narrow(float f);
float hmxwb_test_widen(uint16_t h);
void hmxwb_test_shuffle(uint8_t *lo, uint8_t *hi, int32_t r, int deal, int by_exchange);

uint32_t hmxwb_test_divide(uint32_t a, uint32_t b) { return divide_f32(a, b); }

uint16_t hmxwb_test_narrow(float f) { return hvx_hf_of_float(f); }

float hmxwb_test_widen(uint16_t h) { return hvx_float_of_hf(h); }

/* vshuff or vdeal of the pair, by the short cuts or by the definition. */
void hmxwb_test_shuffle(uint8_t *lo, uint8_t *hi, int32_t r, int deal, int by_exchange) {
  HVX_VectorPair d;
  memcpy(&d.lo, lo, sizeof d.lo);
  memcpy(&d.hi, hi, sizeof d.hi);
  if (!by_exchange) d = deal ? Q6_W_vdeal_VVR(d.hi, d.lo, r) : Q6_W_vshuff_VVR(d.hi, d.lo, r);
  for (int i = 0; by_exchange && i < 7; i++) {
    const int bit = 1 << (deal ? 6 - i : i);
    if (r & bit) hvx_exchange(&d, bit);
  }
  memcpy(lo, &d.lo, sizeof d.lo);
  memcpy(hi, &d.hi, sizeof d.hi);
}
