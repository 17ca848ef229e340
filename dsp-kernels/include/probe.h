/* The probe interpreter. */
#ifndef HMXWB_PROBE_H
#define HMXWB_PROBE_H

#include "hmxwb.h"

/* Executes `count` packets on VTCM, with the user status register set to `usr` (bits 20
 * and 21; the others stay). Stops at the first packet that is none: HMXWB_E_PACKET, and
 * `*done` says how many ran. */
int hmxwb_probe_run(const struct hmxwb_step *steps, uint32_t count, uint32_t usr, uint8_t *vtcm, uint32_t *done);

#endif
