/* The probe interpreter: executes any HMX packet, word by word from the host. */
#include "probe.h"

#include "hmx.h"

#if defined(__hexagon__)

#include "hexagon/stubs.h"

/* hexagon/stubs.S: one stub of HMX_STUB_BYTES for every packet there is. */
typedef void (*hmx_stub)(uint32_t rs0, uint32_t rt0, uint32_t rs1, uint32_t rt1);
extern const uint8_t hmxwb_single_stubs[];
extern const uint8_t hmxwb_pair_stubs[];

static const uint32_t singles[] = {HMX_SINGLE_WORDS};
static const uint32_t activations[] = {HMX_ACTIVATION_WORDS};
static const uint32_t weights[] = {HMX_WEIGHT_WORDS};

#define COUNT(list) ((uint32_t)(sizeof(list) / sizeof(list[0])))
#define NOT_FOUND 0xFFFFFFFFu

/* Bits of a word that say what it is: all but registers, packet bits and ignored bits. */
static uint32_t find(const uint32_t *list, const uint32_t *masks, uint32_t count, uint32_t word) {
  for (uint32_t i = 0; i < count; i++)
    if (((list[i] ^ word) & masks[i]) == 0) return i;
  return NOT_FOUND;
}

static const uint32_t single_masks[] = {HMX_SINGLE_MASKS};
static const uint32_t activation_masks[] = {HMX_ACTIVATION_MASKS};
static const uint32_t weight_masks[] = {HMX_WEIGHT_MASKS};

static int execute(const struct hmxwb_step *s, const uint32_t rs[2]) {
  const uint8_t *stub;
  if (s->count == 2) {
    const uint32_t a = find(activations, activation_masks, COUNT(activations), s->word[0]);
    const uint32_t w = find(weights, weight_masks, COUNT(weights), s->word[1]);
    if (a == NOT_FOUND || w == NOT_FOUND) return HMXWB_E_PACKET;
    stub = hmxwb_pair_stubs + (a * COUNT(weights) + w) * HMX_STUB_BYTES;
  } else {
    const uint32_t i = find(singles, single_masks, COUNT(singles), s->word[0]);
    if (i == NOT_FOUND) return HMXWB_E_PACKET;
    stub = hmxwb_single_stubs + i * HMX_STUB_BYTES;
  }
  ((hmx_stub)(uintptr_t)stub)(rs[0], s->rt[0], rs[1], s->rt[1]);
  return HMXWB_OK;
}

static void set_usr(uint32_t usr) {
  const uint32_t ours = 3u << 20;
  uint32_t now;
  __asm__ volatile("%0 = usr" : "=r"(now));
  now = (now & ~ours) | (usr & ours);
  __asm__ volatile("usr = %0" : : "r"(now) : "memory");
}

#else

static int execute(const struct hmxwb_step *s, const uint32_t rs[2]) {
  return hmx_native_packet(s->count, s->word, rs, s->rt) == 0 ? HMXWB_OK : HMXWB_E_MACHINE;
}

/* The machine was made with its user status register set. */
static void set_usr(uint32_t usr) { (void)usr; }

#endif

int hmxwb_probe_run(const struct hmxwb_step *steps, uint32_t count, uint32_t usr, uint8_t *vtcm, uint32_t *done) {
  const uint32_t base = hmx_address(vtcm);
  set_usr(usr);
  for (*done = 0; *done < count; ++*done) {
    const struct hmxwb_step *s = &steps[*done];
    uint32_t rs[2];
    int status;
    if (s->count != 1 && s->count != 2) return HMXWB_E_PACKET;
    for (int i = 0; i < 2; i++) rs[i] = s->rs[i] + ((s->relocate >> i & 1u) ? base : 0u);
    status = execute(s, rs);
    if (status != HMXWB_OK) return status;
  }
  return HMXWB_OK;
}
