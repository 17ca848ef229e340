/* Counts the instructions and packets that a call runs. The handlers' own are left out, and so is every piece
 * between a read of the counters and the edge of what is counted: its length is measured once on code of known
 * length. Packets that the host emulates are the host's to add. */
#include "guest.h"

uint32_t counted_call(uint32_t function, const uint32_t arguments[4], struct window *window);
void count_one(void);
void count_trap(void);

static struct window window;
static uint64_t instructions, packets;
static uint32_t pauses, emulated;
/* What counts too much: once in a call, once in a pause. */
static struct counts call_cost, pause_cost;

struct window *count_pause(uint32_t instructions_now, uint32_t packets_now) {
    /* The counters have 32 bits; so much never runs between two pauses. */
    instructions += instructions_now - window.from.instructions;
    packets += packets_now - window.from.packets;
    pauses++;
    return &window;
}

void count_emulated(void) { emulated++; }

uint32_t count_call(uint32_t function, const uint32_t arguments[4]) {
    instructions = packets = pauses = emulated = 0;
    CONTROL->traps = 0;
    uint32_t result = counted_call(function, arguments, &window);
    instructions += window.to.instructions - window.from.instructions;
    packets += window.to.packets - window.from.packets;
    CONTROL->instructions = instructions - call_cost.instructions - (uint64_t)pauses * pause_cost.instructions + emulated;
    CONTROL->packets = packets - call_cost.packets - (uint64_t)pauses * pause_cost.packets + emulated;
    return result;
}

/* What a call of a function counts, one instruction and packet for its return taken off. */
static struct counts raw(void (*function)(void)) {
    static const uint32_t none[4] __attribute__((aligned(8)));
    count_call((uint32_t)function, none);
    struct counts counted = {(uint32_t)instructions - 1, (uint32_t)packets - 1};
    return counted;
}

void count_calibrate(void) {
    call_cost = raw(count_one);
    struct counts both = raw(count_trap);
    pause_cost.instructions = both.instructions - call_cost.instructions;
    pause_cost.packets = both.packets - call_cost.packets;
}
