/* Integer division for Hexagon, which has no instruction for it: what the compiler calls.
 * Names are the compiler's. Division by zero gives all ones. */
#include <stdint.h>

uint32_t __hexagon_udivsi3(uint32_t a, uint32_t b);
uint32_t __hexagon_umodsi3(uint32_t a, uint32_t b);
uint64_t __hexagon_udivdi3(uint64_t a, uint64_t b);

uint32_t __hexagon_udivsi3(uint32_t a, uint32_t b) {
  uint32_t quotient = 0, rest = 0;
  for (int bit = 31; bit >= 0; bit--) {
    const uint32_t carry = rest >> 31;
    rest = rest << 1 | (a >> bit & 1u);
    if (carry || rest >= b) {
      rest -= b;
      quotient |= 1u << bit;
    }
  }
  return quotient;
}

uint32_t __hexagon_umodsi3(uint32_t a, uint32_t b) { return a - b * __hexagon_udivsi3(a, b); }

uint64_t __hexagon_udivdi3(uint64_t a, uint64_t b) {
  uint64_t quotient = 0, rest = 0;
  for (int bit = 63; bit >= 0; bit--) {
    const uint64_t carry = rest >> 63;
    rest = rest << 1 | (a >> bit & 1u);
    if (carry || rest >= b) {
      rest -= b;
      quotient |= 1ull << bit;
    }
  }
  return quotient;
}
