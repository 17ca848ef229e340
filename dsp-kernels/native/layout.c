/* Sizes of the structs that cross to the host, for its test. */
#include <stddef.h>

#include "kernels.h"
#include "machine.h"

const uint64_t hmxwb_layout[] = {
    sizeof(struct hmxwb_step),
    sizeof(struct hmxwb_problem),
    sizeof(struct hmxwb_plan),
    sizeof(struct hmxwb_counters),
    sizeof(struct hmxwb_operands),
    sizeof(struct hmxwb_machine),
    offsetof(struct hmxwb_problem, usr),
    offsetof(struct hmxwb_plan, region),
    offsetof(struct hmxwb_counters, hvx),
    offsetof(struct hmxwb_counters, dma_transfers),
    offsetof(struct hmxwb_operands, act_size),
    offsetof(struct hmxwb_machine, buffer),
    offsetof(struct hmxwb_machine, found),
    offsetof(struct hmxwb_machine, found_length),
};
