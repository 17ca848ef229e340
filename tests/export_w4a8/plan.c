/* Prints the plans of problems: one a line on both sides. In: kernel m n k act_type out_type vtcm_size.
 * Out: bytes row_tiles column_tiles, then offset and size of each region. C and C++. */
#include <stdio.h>

#include "hmxwb-w4a8-ops.h"

int main(void) {
  struct hmxwb_problem p = hmxwb_w4a8_problem(1, 1, 1, 4, 4);
  unsigned vtcm_size;
  while (scanf("%u %u %u %u %u %u %u", &p.kernel, &p.m, &p.n, &p.k, &p.act_type, &p.out_type, &vtcm_size) == 7) {
    struct hmxwb_plan plan;
    const unsigned long long bytes = hmxwb_make_plan(&p, vtcm_size, &plan);
    printf("%llu %u %u", bytes, plan.row_tiles, plan.column_tiles);
    for (uint32_t id = 0; id < HMXWB_REGIONS; id++) printf(" %u %u", plan.region[id].offset, plan.region[id].size);
    printf("\n");
  }
  return 0;
}
