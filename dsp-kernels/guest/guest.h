/* The QEMU guest runner: loads a skel, takes invokes over a pipe, gives packets that the
 * emulator does not know to the host. */
#ifndef HMXWB_GUEST_RUNNER_H
#define HMXWB_GUEST_RUNNER_H

#include "hmxwb_guest.h"
#include "system.h"

/* The control page, shared with the host. */
#define CONTROL ((volatile struct hmxwb_guest_control *)HMXWB_GUEST_CONTROL)

/* A loaded skel. */
struct skel {
    uint32_t base;          /* address of virtual address 0 */
    uint32_t code_start;    /* first executable byte */
    uint32_t code_end;      /* first byte behind the executable ones */
    const char *strings;    /* dynamic string table */
    const uint8_t *symbols; /* dynamic symbol table (Elf32_Sym) */
    uint32_t symbol_count;
};

/* Sends a message; exits when the host is gone. */
void guest_send(uint32_t kind, uint32_t value);
/* Puts up to 247 characters into control.text. */
void guest_text(const char *a, const char *b);

/* Maps the skel at HMXWB_GUEST_FD_SKEL and links it against the shims; 0 on success, else
 * the failure has been sent. */
int skel_load(struct skel *skel);
/* Address of an exported symbol, 0 when there is none. */
uint32_t skel_symbol(const struct skel *skel, const char *name);

/* Address of the shim for an import, 0 when there is none. */
uint32_t shim_find(const char *name);

/* Installs the signal handlers; packets before `skel->code_start` are never looked at. */
void trap_install(const struct skel *skel);

/* Readings of QEMU's counters; the layout is known to counters.S. */
struct counts {
    uint32_t instructions, packets;
} __attribute__((aligned(8)));
/* The piece of a call that is being counted. */
struct window {
    struct counts from, to;
};

/* Measures what the counting itself takes; the trap handler must be there. */
void count_calibrate(void);
/* Calls a function and leaves in control.instructions and control.packets what it ran. `arguments` is 8-byte aligned. */
uint32_t count_call(uint32_t function, const uint32_t arguments[4]);
/* The call is interrupted: the counters as they stood; where the handler leaves them when it goes on. */
struct window *count_pause(uint32_t instructions, uint32_t packets);
/* A packet of one instruction has been carried out here and not by QEMU. */
void count_emulated(void);

#endif
