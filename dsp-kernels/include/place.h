/* Where programs and kernels of the skel run: VTCM, and HMX switched on.
 *
 * On Hexagon (hexagon/place.c) the DSP's resource service gives both. On any other computer
 * the library that loads the skel provides these functions.
 */
#ifndef HMXWB_PLACE_H
#define HMXWB_PLACE_H

#include "hmxwb.h"
#include "hmxwb_call.h"

struct hmxwb_place {
  uint8_t *vtcm; /* at least 4096-aligned */
  uint32_t size; /* bytes to be had, at least those asked for */
  uint32_t resource; /* handle of the resource service */
  uint32_t detail; /* its code, where it refused */
};

/* Takes VTCM and HMX. `usr` is the user status register that the program will run with.
 * HMXWB_OK, HMXWB_E_VTCM or HMXWB_E_POWER. */
uint32_t hmxwb_place_take(uint32_t bytes, uint32_t usr, struct hmxwb_place *place);

/* Gives both back. */
void hmxwb_place_give_back(struct hmxwb_place *place);

/* Fills in architecture, who runs HMX instructions, VTCM. */
void hmxwb_place_facts(struct hmxwb_facts *facts);

/* Processor cycles so far; 0 where they cannot be read. */
uint64_t hmxwb_place_cycles(void);

/* Fills in what can be counted of the kernel that ran last. */
void hmxwb_place_counters(struct hmxwb_counters *counters);

#endif
