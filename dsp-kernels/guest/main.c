/* Start, message loop, invokes. */
#include "guest.h"

/* FastRPC argument, as the DSP sees it: an in or out buffer, or a handle. */
union remote_arg {
    struct { void *pv; uint32_t len; } buf;
    uint64_t h64;
};

typedef int (*entry_fn)(uint64_t handle, uint32_t scalars, union remote_arg *args);
typedef uint32_t (*call_fn)(uint32_t, uint32_t, uint32_t, uint32_t);

void guest_send(uint32_t kind, uint32_t value) {
    struct hmxwb_guest_message message = {kind, value};
    if (guest_write(HMXWB_GUEST_FD_ANSWER, &message, sizeof message)) guest_exit(1);
}

void guest_text(const char *a, const char *b) {
    uint32_t n = 0;
    for (; *a && n < sizeof CONTROL->text - 1; a++) CONTROL->text[n++] = *a;
    for (; *b && n < sizeof CONTROL->text - 1; b++) CONTROL->text[n++] = *b;
    CONTROL->text[n] = 0;
}

static void measured(uint32_t (*work)(const struct skel *), const struct skel *skel) {
    CONTROL->traps = 0;
    trap_overhead();
    uint64_t before = guest_instructions();
    uint32_t result = work(skel);
    uint64_t after = guest_instructions();
    CONTROL->instructions = after - before - trap_overhead();
    guest_send(HMXWB_GUEST_DONE, result);
}

static uint32_t invoke(const struct skel *skel) {
    static union remote_arg args[HMXWB_GUEST_MAX_BUFS];
    uint32_t count = CONTROL->buf_count;
    if (count > HMXWB_GUEST_MAX_BUFS) count = HMXWB_GUEST_MAX_BUFS;
    for (uint32_t i = 0; i < count; i++) {
        args[i].buf.pv = (void *)CONTROL->buf[i].address;
        args[i].buf.len = CONTROL->buf[i].len;
    }
    entry_fn entry = (entry_fn)skel_symbol(skel, (const char *)CONTROL->entry);
    uint32_t result = (uint32_t)entry(CONTROL->handle, CONTROL->scalars, args);
    for (uint32_t i = 0; i < count; i++) /* an out handle comes back in its slot */
        CONTROL->buf[i].address = (uint32_t)args[i].h64;
    return result;
}

static uint32_t call(const struct skel *skel) {
    call_fn function = (call_fn)skel_symbol(skel, (const char *)CONTROL->call.name);
    volatile uint32_t *a = CONTROL->call.args;
    return function(a[0], a[1], a[2], a[3]);
}

/* Runs `work` when the named symbol is there, else says so. */
static void with_symbol(const struct skel *skel, const volatile char *name, uint32_t (*work)(const struct skel *)) {
    if (skel_symbol(skel, (const char *)name)) {
        measured(work, skel);
    } else {
        guest_text((const char *)name, "");
        guest_send(HMXWB_GUEST_NO_SYMBOL, 0);
    }
}

static int map_shared(void) {
    const int rw = PROT_READ | PROT_WRITE, shared = MAP_SHARED | MAP_FIXED;
    uint32_t size = (sizeof(struct hmxwb_guest_control) + 0xFFFFu) & ~0xFFFFu;
    if (!guest_map(HMXWB_GUEST_CONTROL, size, rw, shared, HMXWB_GUEST_FD_CONTROL)) return 0;
    if (CONTROL->magic != HMXWB_GUEST_MAGIC || CONTROL->version != HMXWB_GUEST_VERSION) return 0;
    return guest_map(HMXWB_GUEST_VTCM, CONTROL->vtcm_size, rw, shared, HMXWB_GUEST_FD_VTCM) &&
           guest_map(HMXWB_GUEST_DDR, CONTROL->ddr_size, rw, shared, HMXWB_GUEST_FD_DDR);
}

__attribute__((noreturn, used)) void guest_main(void) {
    static struct skel skel;
    if (!map_shared()) guest_exit(2);
    if (skel_load(&skel)) guest_exit(3);
    trap_install(&skel);
    guest_send(HMXWB_GUEST_READY, skel.base);
    for (;;) {
        struct hmxwb_guest_message message;
        if (guest_read(HMXWB_GUEST_FD_REQUEST, &message, sizeof message)) guest_exit(0);
        switch (message.kind) {
        case HMXWB_GUEST_INVOKE: with_symbol(&skel, CONTROL->entry, invoke); break;
        case HMXWB_GUEST_CALL: with_symbol(&skel, CONTROL->call.name, call); break;
        default: guest_exit(0);
        }
    }
}

__asm__(".globl _start\n_start:\n{ r29 = and(r29, #-128) }\n{ call guest_main }\n");
