/* Pieces of code that run what is left of a packet when some of its instructions were emulated.
 *
 * early:  { rest }  { jump next }             a rest that always goes on behind the packet
 *         { rest }  { trap }                  a rest that ends a loop or may go elsewhere
 * late:   { rest, no loop end }  { trap }     and, for a packet that ends a loop,
 *         { nop; nop; nop } with the loop end  { trap }
 *
 * A PC-relative branch in the rest goes to a { trap } of its own. The handler of a trap knows where to go on: it
 * runs no instruction that would be counted, as a jump would when it is taken only now and then.
 */
#include "packet.h"

#define SLOTS 2048u
#define PARSE 0xC000u
#define MORE 0x4000u
#define LAST 0xC000u
#define NOP 0x7F000000u
#define TRAP 0xA6E0C011u /* mxclracc: any word that QEMU does not know */

struct slot {
    uint32_t pc;     /* the packet */
    uint32_t kind;   /* 1 early, 2 late */
    uint32_t next;   /* behind the packet */
    uint32_t target; /* of its branch */
    uint32_t loop;   /* late: the packet ends a loop */
    uint32_t code[MAX_PACKET + 1];
    uint32_t tail[4]; /* late: the loop end */
    uint32_t taken;   /* where a branch in the packet goes */
};

static struct slot *slots;
static uint32_t used;

static uint32_t jump(const uint32_t *from, uint32_t to) {
    uint32_t distance = (uint32_t)((int32_t)(to - (uint32_t)from) >> 2); /* jump #r22:2 */
    return 0x5800C000u | (distance & 0x1FFFu) << 1 | (distance >> 13 & 0x1FFu) << 16;
}

/* Makes the branch in the rest go to s->taken. */
static void place_branch(struct slot *s, const volatile struct hmxwb_guest_trap *trap) {
    if (!trap->branch) return;
    uint32_t distance = (uint32_t)((int32_t)((uint32_t)&s->taken - (uint32_t)s->code) >> 2);
    uint32_t *word = &s->code[trap->branch - 1];
    for (uint32_t bit = 0; bit < 32; bit++) {
        if (!(trap->field >> bit & 1)) continue;
        *word = (*word & ~(1u << bit)) | (distance & 1) << bit;
        distance >>= 1;
    }
    s->taken = TRAP;
    s->target = trap->target;
}

void trampoline_install(uint32_t at) {
    slots = guest_map(at, SLOTS * sizeof *slots, PROT_READ | PROT_WRITE | PROT_EXEC,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1);
}

/* The slot of a packet, made when it is not there yet. The oldest ones are overwritten when all are in use. */
static struct slot *slot_for(const volatile struct hmxwb_guest_trap *trap, uint32_t kind, int *fresh) {
    uint32_t full = used < SLOTS ? used : SLOTS;
    for (struct slot *s = slots; s < slots + full; s++)
        if (s->pc == trap->pc && s->kind == kind) return *fresh = 0, s;
    struct slot *s = &slots[used++ % SLOTS];
    s->pc = trap->pc;
    s->kind = kind;
    s->next = trap->pc + 4 * trap->count;
    return *fresh = 1, s;
}

uint32_t trampoline_early(const volatile struct hmxwb_guest_trap *trap) {
    int fresh;
    struct slot *s = slot_for(trap, 1, &fresh);
    if (fresh) {
        uint32_t n = trap->count;
        for (uint32_t i = 0; i < n; i++) s->code[i] = trap->rest[i];
        s->code[n] = trap->leaves ? TRAP : jump(&s->code[n], s->next);
        place_branch(s, trap);
    }
    return (uint32_t)s->code;
}

uint32_t trampoline_late(const volatile struct hmxwb_guest_trap *trap) {
    int fresh;
    struct slot *s = slot_for(trap, 2, &fresh);
    if (fresh) {
        uint32_t n = trap->count;
        for (uint32_t i = 0; i < n; i++) s->code[i] = (trap->rest[i] & ~PARSE) | (i + 1 < n ? MORE : LAST);
        s->code[n] = TRAP;
        /* Parse bits 10 in the first word end loop 0, in the second loop 1. */
        s->loop = 0;
        for (uint32_t i = 0; i < 2; i++) {
            uint32_t parse = i + 1 < n ? trap->word[i] & PARSE : MORE;
            s->tail[i] = NOP | parse;
            s->loop |= parse == 0x8000u;
        }
        s->tail[2] = NOP | LAST;
        s->tail[3] = TRAP;
        place_branch(s, trap);
    }
    return (uint32_t)s->code;
}

uint32_t trampoline_next(uint32_t pc, int *write) {
    if (pc <= (uint32_t)slots || pc > (uint32_t)(slots + SLOTS)) return 0;
    const struct slot *s = slots + (pc - 1 - (uint32_t)slots) / sizeof *slots;
    if (pc == (uint32_t)&s->tail[4]) return s->next;
    *write = s->kind == 2;
    if (pc == (uint32_t)(&s->taken + 1)) return s->target;
    return s->loop && s->kind == 2 ? (uint32_t)s->tail : s->next;
}
