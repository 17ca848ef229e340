/* The machine native code runs on: one VTCM per thread, watched.
 *
 * Every access of a kernel to VTCM goes through this file's functions, so that reading a
 * byte nobody wrote, touching a byte outside every planned region, a misaligned access
 * and a DMA outside its buffers are found where they happen. The host owns the struct and
 * installs it for the length of one call.
 */
#ifndef HMXWB_MACHINE_H
#define HMXWB_MACHINE_H

#include "hmxwb.h"

/* States of a VTCM byte in the shadow map. */
#define HMXWB_SHADOW_WRITTEN 0
#define HMXWB_SHADOW_UNWRITTEN 1 /* in a region, no value yet */
#define HMXWB_SHADOW_GUARD 2 /* outside every region */
#define HMXWB_SHADOW_PENDING 3 /* destination of a DMA that nobody waited for */
#define HMXWB_SHADOW_FORBIDDEN 2 /* this bit: may not be written either */

/* Faults found by the C side. */
#define HMXWB_FOUND_NOTHING 0
#define HMXWB_FOUND_UNWRITTEN 1 /* read of a byte that was never written */
#define HMXWB_FOUND_GUARD 2 /* access outside every region of the plan */
#define HMXWB_FOUND_OUTSIDE 3 /* vector access outside VTCM */
#define HMXWB_FOUND_MISALIGNED 4
#define HMXWB_FOUND_PENDING 5 /* access to the destination of a DMA not waited for */
#define HMXWB_FOUND_DMA_BUFFER 6 /* DMA leaves the buffer it started in */
#define HMXWB_FOUND_DMA_LIMIT 7 /* a field of the descriptor does not fit */
#define HMXWB_FOUND_DMA_LEFT 8 /* a transfer was never waited for */

/* A buffer in memory that DMA may use. */
struct hmxwb_buffer {
  uint8_t *start;
  uint64_t size;
  uint32_t writable;
  uint32_t reserved;
};

#define HMXWB_BUFFERS 4 /* activations, weights, scratch, results */

struct hmxwb_machine {
  uint8_t *vtcm;
  uint8_t *shadow; /* a state for each byte of VTCM */
  struct hmxwb_counters *counters;
  struct hmxwb_buffer buffer[HMXWB_BUFFERS];
  uint32_t vtcm_size;
  uint32_t poison; /* byte that the destination of a DMA holds until somebody waits */
  uint32_t found; /* first fault */
  uint32_t found_class; /* HMXWB_DMA_* of a DMA fault */
  uint64_t found_at; /* VTCM offset, or offset in the buffer */
  uint64_t found_length;
};

/* Installs a machine for this thread; NULL takes it away. */
void hmxwb_machine_install(struct hmxwb_machine *machine);

/* This thread's machine, NULL when there is none. */
struct hmxwb_machine *hmxwb_machine(void);

/* Keeps a fault if it is the first. */
void hmxwb_found(uint32_t found, uint64_t at, uint64_t length);

/* An access of the core to VTCM at a multiple of `align` bytes. 0: it must not happen, the
 * fault is noted. */
int hmxwb_reads(const void *p, uint32_t length, uint32_t align);
int hmxwb_writes(const void *p, uint32_t length, uint32_t align);

#endif
