/* Start, message loop, invokes. */
#include "guest.h"

/* FastRPC argument, as the DSP sees it: an in or out buffer, or a handle. */
union remote_arg {
    struct { void *pv; uint32_t len; } buf;
    uint64_t h64;
};

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

static uint32_t invoke(uint32_t entry) {
    static union remote_arg args[HMXWB_GUEST_MAX_BUFS];
    uint32_t count = CONTROL->buf_count;
    if (count > HMXWB_GUEST_MAX_BUFS) count = HMXWB_GUEST_MAX_BUFS;
    for (uint32_t i = 0; i < count; i++) {
        args[i].buf.pv = (void *)CONTROL->buf[i].address;
        args[i].buf.len = CONTROL->buf[i].len;
    }
    /* int entry(uint64_t handle, uint32_t scalars, union remote_arg *args) */
    const uint32_t arguments[4] __attribute__((aligned(8))) = {CONTROL->handle, 0, CONTROL->scalars, (uint32_t)args};
    uint32_t result = count_call(entry, arguments);
    for (uint32_t i = 0; i < count; i++) /* an out handle comes back in its slot */
        CONTROL->buf[i].address = (uint32_t)args[i].h64;
    return result;
}

static uint32_t call(uint32_t function) {
    volatile uint32_t *a = CONTROL->call.args;
    const uint32_t arguments[4] __attribute__((aligned(8))) = {a[0], a[1], a[2], a[3]};
    return count_call(function, arguments);
}

/* Runs `work` on the named symbol when it is there, else says so. */
static void with_symbol(const struct skel *skel, const volatile char *name, uint32_t (*work)(uint32_t)) {
    uint32_t function = skel_symbol(skel, (const char *)name);
    if (function) {
        guest_send(HMXWB_GUEST_DONE, work(function));
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
    count_calibrate();
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
