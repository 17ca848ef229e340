/* Packets that the emulator does not know (SIGILL): user DMA is done here, the rest by the host. */
#include "guest.h"
#include "packet.h"

#define SIGILL 4
#define SA_SIGINFO 4u
#define SA_RESTORER 0x04000000u

/* Words of the signal frame: general register i is word 6+i, the saved program counter is word 48.
 * It holds the address just behind the packet that trapped. (tests/qemu.rs would notice another
 * layout: its fixtures use registers as operands.) */
#define FRAME_R 6
#define FRAME_PC 48

struct action {
    void (*handler)(int, uint32_t *, uint32_t *);
    uint32_t flags;
    void (*restorer)(void); /* never used: no handler returns */
    uint32_t mask[2];
};

void vectors_save(volatile uint8_t *to);
void vectors_load(const volatile uint8_t *from);
/* counters.S: calls trap_handle. */
void trap_entry(int, uint32_t *, uint32_t *);

static uint32_t code_start;
/* Vectors to be written when the rest of a packet has run (RESUME_LATE). */
static uint32_t late;

/* The packet that ends at `after`. */
static void find_packet(uint32_t after) {
    uint32_t pc = after - 4;
    while (after - pc < 4 * MAX_PACKET && pc > code_start && !ends_packet(*(uint32_t *)(pc - 4))) pc -= 4;
    CONTROL->trap.pc = pc;
    CONTROL->trap.count = (after - pc) / 4;
    for (uint32_t i = 0; i < MAX_PACKET; i++)
        CONTROL->trap.word[i] = pc + 4 * i < after ? *(uint32_t *)(pc + 4 * i) : 0;
}

/* What the packet's .tmp and .cur loads bring is an operand of its other instructions. */
static void preload(const uint32_t *frame) {
    for (uint32_t i = 0; i < CONTROL->trap.count; i++) {
        uint32_t word = CONTROL->trap.word[i];
        if (!is_forwarding_load(word)) continue;
        uint32_t at = frame[FRAME_R + (word >> 16 & 31)];
        if ((word >> 24 & 0xF) == 8) at += (uint32_t)vmem_offset(word) * 128;
        const uint8_t *from = (const uint8_t *)(at & ~127u);
        for (int k = 0; k < 128; k++) CONTROL->trap.v[word & 31][k] = from[k];
    }
}

/* Writes the vectors that the host computed and leaves the others alone. */
static void write_vectors(uint32_t written) {
    static uint8_t now[32][128] __attribute__((aligned(128)));
    vectors_save(now[0]);
    for (int i = 0; i < 32; i++)
        if (written >> i & 1)
            for (int k = 0; k < 128; k++) now[i][k] = CONTROL->trap.v[i][k];
    vectors_load(now[0]);
}

static void ask_host(uint32_t *frame) {
    uint32_t count = CONTROL->trap.count;
    int vectors = 0;
    for (uint32_t i = 0; i < count; i++) vectors |= !is_hmx_class(CONTROL->trap.word[i]);
    for (int i = 0; i < 32; i++) CONTROL->trap.r[i] = frame[FRAME_R + i];
    CONTROL->trap.vectors = (uint32_t)vectors;
    if (vectors) {
        vectors_save(CONTROL->trap.v[0]);
        preload(frame);
    }
    guest_send(HMXWB_GUEST_TRAP, CONTROL->trap.pc);
    struct hmxwb_guest_message answer;
    if (guest_read(HMXWB_GUEST_FD_REQUEST, &answer, sizeof answer) || answer.kind != HMXWB_GUEST_RESUME) guest_exit(0);
    if (answer.value == HMXWB_RESUME_EARLY) {
        write_vectors(CONTROL->trap.written);
        frame[FRAME_PC] = trampoline_early(&CONTROL->trap);
    } else if (answer.value == HMXWB_RESUME_LATE) {
        late = CONTROL->trap.written;
        frame[FRAME_PC] = trampoline_late(&CONTROL->trap);
    } else if (vectors) {
        write_vectors(CONTROL->trap.written);
    }
}

/* A word trapped; the counters as they stood. */
__attribute__((used)) struct window *trap_handle(uint32_t instructions, uint32_t packets, uint32_t *frame) {
    struct window *window = count_pause(instructions, packets);
    int write = 0;
    uint32_t next = trampoline_next(frame[FRAME_PC], &write);
    if (next) { /* the rest of a packet has run */
        if (write) write_vectors(late);
        frame[FRAME_PC] = next;
        return window;
    }
    find_packet(frame[FRAME_PC]);
    CONTROL->traps++;
    if (CONTROL->trap.count == 1 && user_dma(CONTROL->trap.word[0], frame + FRAME_R))
        count_emulated();
    else
        ask_host(frame);
    return window;
}

static void on_death(int signal, uint32_t *info, uint32_t *frame) {
    CONTROL->trap.pc = frame[FRAME_PC];
    CONTROL->trap.count = 0;
    CONTROL->trap.r[0] = info[3]; /* the address that faulted, where there is one */
    for (int i = 1; i < 32; i++) CONTROL->trap.r[i] = frame[FRAME_R + i];
    guest_send(HMXWB_GUEST_DIED, (uint32_t)signal);
    guest_exit(4);
}

void trap_install(const struct skel *skel) {
    code_start = skel->code_start;
    trampoline_install((skel->code_end + 0xFFFFFu) & ~0xFFFFFu);
    /* trap, bus error, arithmetic, segmentation fault; alarm: the host asks where a hung guest is */
    static const int deadly[] = {5, 7, 8, 11, 14};
    struct action action = {trap_entry, SA_SIGINFO | SA_RESTORER, 0, {0, 0}};
    sys6(SYS_RT_SIGACTION, SIGILL, (long)&action, 0, 8, 0, 0);
    action.handler = on_death;
    for (unsigned i = 0; i < sizeof deadly / sizeof *deadly; i++)
        sys6(SYS_RT_SIGACTION, deadly[i], (long)&action, 0, 8, 0, 0);
}
