/* What the QEMU guest runner and the host share: the control page and the messages on the two pipes.
 *
 * File descriptors that the runner finds open:
 *   3 requests (read), 4 answers (write), 5 control page, 6 VTCM, 7 DDR, 8 the skel file.
 * 5 to 7 are shared memory. All numbers are little-endian, as on both sides.
 */
#ifndef HMXWB_GUEST_H
#define HMXWB_GUEST_H

#include <stdint.h>

#define HMXWB_GUEST_MAGIC 0x584d4847u /* "GHMX" */
#define HMXWB_GUEST_VERSION 2u

/* Where the runner maps the shared memory, as guest addresses. */
#define HMXWB_GUEST_CONTROL 0xC0000000u
#define HMXWB_GUEST_DDR 0x50000000u
#define HMXWB_GUEST_VTCM 0xD8000000u

#define HMXWB_GUEST_FD_REQUEST 3
#define HMXWB_GUEST_FD_ANSWER 4
#define HMXWB_GUEST_FD_CONTROL 5
#define HMXWB_GUEST_FD_VTCM 6
#define HMXWB_GUEST_FD_DDR 7
#define HMXWB_GUEST_FD_SKEL 8

/* Most buffers of one invoke (255 in, 255 out). */
#define HMXWB_GUEST_MAX_BUFS 510

/* Message kinds. Host to guest: INVOKE, RESUME, QUIT, CALL. Guest to host: READY, TRAP, DONE, DIED, NO_SYMBOL, BAD_SKEL. */
enum hmxwb_guest_kind {
    HMXWB_GUEST_READY = 1,     /* value: address of the first byte of the loaded skel */
    HMXWB_GUEST_INVOKE = 2,    /* run the skel's entry on control.scalars and control.buf */
    HMXWB_GUEST_DONE = 3,      /* value: what the entry returned */
    HMXWB_GUEST_TRAP = 4,      /* a packet the emulator does not know is in control.trap */
    HMXWB_GUEST_RESUME = 5,    /* value: HMXWB_RESUME_* */
    HMXWB_GUEST_DIED = 6,      /* value: signal number; control.trap.pc says where */
    HMXWB_GUEST_NO_SYMBOL = 7, /* control.text: an import or the entry that is not there */
    HMXWB_GUEST_BAD_SKEL = 8,  /* control.text: why the skel cannot be loaded */
    HMXWB_GUEST_QUIT = 9,
    HMXWB_GUEST_CALL = 10      /* call control.call.name with control.call.args (tests of intrinsics) */
};

/* How to go on after a trap (value of RESUME). */
#define HMXWB_RESUME_NEXT 0u  /* the whole packet is done: go on behind it */
#define HMXWB_RESUME_EARLY 1u /* write the vectors, then run trap.rest, then go on */
#define HMXWB_RESUME_LATE 2u  /* run trap.rest, then write the vectors, then go on */

/* One message, both ways. */
struct hmxwb_guest_message {
    uint32_t kind;
    uint32_t value;
};

/* A packet that trapped. */
struct hmxwb_guest_trap {
    uint32_t pc;      /* address of the packet */
    uint32_t count;   /* its words, 1 to 4 */
    uint32_t word[4];
    uint32_t rest[4]; /* host's answer: the packet with nops for what it emulated */
    uint32_t r[32];   /* general registers; the host may change them */
    uint32_t vectors; /* 1: v is filled in */
    uint32_t written; /* host's answer: bit i set means v[i] is new */
    uint32_t branch;  /* host's answer: 1 + index of a PC-relative branch in rest, whose distance field is to be filled; 0: none */
    uint32_t field;   /* its distance field: bit i of the distance, in words, goes to the i-th set bit */
    uint32_t target;  /* where the branch goes, as a guest address */
    uint32_t leaves;  /* host's answer: 1: rest ends a loop, or may go elsewhere than behind the packet */
    uint32_t pad[16];
    uint8_t v[32][128]; /* vector registers */
};

/* One buffer of an invoke. */
struct hmxwb_guest_buf {
    uint32_t address; /* guest address, inside DDR */
    uint32_t len;     /* bytes */
};

/* A direct call of a function of the skel, for tests. */
struct hmxwb_guest_call {
    char name[96];
    uint32_t args[4];
};

/* The control page. */
struct hmxwb_guest_control {
    uint32_t magic;
    uint32_t version;
    uint32_t vtcm_size;
    uint32_t ddr_size;
    uint32_t skel_size;   /* bytes of the skel file */
    uint32_t scalars;     /* FastRPC scalars word of the invoke */
    uint32_t handle;      /* module handle of the invoke */
    uint32_t buf_count;
    char entry[96];       /* symbol of the skel's entry */
    char text[248];       /* detail of a failure */
    uint64_t instructions; /* instructions that QEMU ran in the last call, and its DMA instructions */
    uint64_t packets;      /* packets, the same way */
    uint64_t traps;        /* packets emulated in the last call */
    uint64_t dma_transfers;
    uint64_t dma_bytes;
    struct hmxwb_guest_buf buf[HMXWB_GUEST_MAX_BUFS];
    struct hmxwb_guest_call call;
    struct hmxwb_guest_trap trap __attribute__((aligned(128)));
};

#endif
