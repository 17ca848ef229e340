/* The HVX intrinsics the kernels use, in portable C, under the SDK's names.
 *
 * A vector is 128 bytes. Lanes: ub/b 128, uh/h/hf 64, uw/w/sf 32; all little-endian.
 * In a pair, lo holds the first result vector. Integer semantics are those of the public
 * HVX manual (class `manual`). The float instructions are the IEEE ones of v79 and later:
 * one rounding to nearest, ties to even, denormals kept, overflow to infinity, every NaN
 * result 0x7FFF or 0x7FFFFFFF (class `inferred`: no device reading yet).
 */
#ifndef HMXWB_HVX_NATIVE_H
#define HMXWB_HVX_NATIVE_H

#include <stdint.h>
#include <string.h>

#include "hmxwb.h"
#include "machine.h"
#include "thread_local.h"

typedef union {
  uint8_t ub[128];
  int8_t b[128];
  uint16_t uh[64];
  int16_t h[64];
  uint32_t uw[32];
  int32_t w[32];
  float sf[32];
} HVX_Vector;

typedef struct {
  HVX_Vector lo, hi;
} HVX_VectorPair;

/* HVX instructions so far on this thread, by kind. */
extern HMXWB_THREAD_LOCAL uint64_t hmxwb_hvx_count[HMXWB_HVX_KINDS];

#define HVX_FN static inline
#define HVX_IS(kind) (void)hmxwb_hvx_count[HMXWB_HVX_##kind]++
#define HVX_EACH(lanes) for (int i = 0; i < (lanes); i++)

/* Numbers. */

HVX_FN float hvx_float_of_bits(uint32_t bits) {
  float f;
  memcpy(&f, &bits, 4);
  return f;
}

HVX_FN uint32_t hvx_bits_of_float(float f) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return (bits & 0x7FFFFFFFu) > 0x7F800000u ? 0x7FFFFFFFu : bits;
}

/* fp16 to f32, exact; NaN to the default NaN. */
HVX_FN float hvx_float_of_hf(uint16_t h) {
  const uint32_t sign = (uint32_t)(h & 0x8000u) << 16, e = h >> 10 & 31u, frac = h & 0x3FFu;
  if (e == 31) return hvx_float_of_bits(frac ? 0x7FFFFFFFu : sign | 0x7F800000u);
  if (e == 0) {
    const float f = (float)frac * 5.9604644775390625e-8f; /* 2^-24 */
    return sign ? -f : f;
  }
  return hvx_float_of_bits(sign | (e + 112) << 23 | frac << 13);
}

/* f32 to fp16, to nearest, ties to even; denormals kept. */
HVX_FN uint16_t hvx_hf_of_float(float f) {
  uint32_t bits;
  memcpy(&bits, &f, 4);
  const uint32_t sign = bits >> 16 & 0x8000u;
  uint32_t mag = bits & 0x7FFFFFFFu;
  if (mag > 0x7F800000u) return 0x7FFFu;
  if (mag >= 0x47800000u) return (uint16_t)(sign | 0x7C00u); /* 65536 and more */
  if (mag >= 0x38800000u) {                                   /* normal */
    mag += 0xFFFu + (mag >> 13 & 1u);
    return (uint16_t)(sign | ((mag - 0x38000000u) >> 13));
  }
  if (mag < 0x33000000u) return (uint16_t)sign; /* less than half the least denormal */
  const uint32_t shift = 126u - (mag >> 23);     /* 14 .. 24 */
  const uint32_t frac = (mag & 0x7FFFFFu) | 0x800000u;
  const uint32_t kept = frac >> shift, rest = frac & ((1u << shift) - 1), half = 1u << (shift - 1);
  return (uint16_t)(sign | (kept + (rest > half || (rest == half && (kept & 1u)))));
}

/* Registers and pairs: no instruction, or one that the compiler folds away. */

/* All bytes 0. */
HVX_FN HVX_Vector Q6_V_vzero(void) {
  HVX_Vector d;
  memset(&d, 0, sizeof d);
  return d;
}
/* First vector of a pair. */
HVX_FN HVX_Vector Q6_V_lo_W(HVX_VectorPair u) { return u.lo; }
/* Second vector of a pair. */
HVX_FN HVX_Vector Q6_V_hi_W(HVX_VectorPair u) { return u.hi; }

/* Logic and integer arithmetic. */

/* Every word = r. */
HVX_FN HVX_Vector Q6_V_vsplat_R(int32_t r) {
  HVX_Vector d;
  HVX_IS(ALU);
  HVX_EACH(32) d.w[i] = r;
  return d;
}
/* u AND v. */
HVX_FN HVX_Vector Q6_V_vand_VV(HVX_Vector u, HVX_Vector v) {
  HVX_IS(ALU);
  HVX_EACH(32) u.uw[i] &= v.uw[i];
  return u;
}
/* u XOR v. */
HVX_FN HVX_Vector Q6_V_vxor_VV(HVX_Vector u, HVX_Vector v) {
  HVX_IS(ALU);
  HVX_EACH(32) u.uw[i] ^= v.uw[i];
  return u;
}
/* w: u + v, wrapping. */
HVX_FN HVX_Vector Q6_Vw_vadd_VwVw(HVX_Vector u, HVX_Vector v) {
  HVX_IS(ALU);
  HVX_EACH(32) u.uw[i] += v.uw[i];
  return u;
}
/* w: u - v, wrapping. */
HVX_FN HVX_Vector Q6_Vw_vsub_VwVw(HVX_Vector u, HVX_Vector v) {
  HVX_IS(ALU);
  HVX_EACH(32) u.uw[i] -= v.uw[i];
  return u;
}
/* w: the larger, signed. */
HVX_FN HVX_Vector Q6_Vw_vmax_VwVw(HVX_Vector u, HVX_Vector v) {
  HVX_IS(ALU);
  HVX_EACH(32) u.w[i] = u.w[i] > v.w[i] ? u.w[i] : v.w[i];
  return u;
}
/* w: the smaller, signed. */
HVX_FN HVX_Vector Q6_Vw_vmin_VwVw(HVX_Vector u, HVX_Vector v) {
  HVX_IS(ALU);
  HVX_EACH(32) u.w[i] = u.w[i] < v.w[i] ? u.w[i] : v.w[i];
  return u;
}
/* w: u >> r[4:0], arithmetic. */
HVX_FN HVX_Vector Q6_Vw_vasr_VwR(HVX_Vector u, int32_t r) {
  const uint32_t n = (uint32_t)r & 31u;
  HVX_IS(SHIFT);
  HVX_EACH(32) u.uw[i] = u.uw[i] >> n | (u.w[i] < 0 ? ~(0xFFFFFFFFu >> n) : 0u);
  return u;
}
/* uh: u >> r[3:0], zeros shifted in. */
HVX_FN HVX_Vector Q6_Vuh_vlsr_VuhR(HVX_Vector u, int32_t r) {
  const uint32_t n = (uint32_t)r & 15u;
  HVX_IS(SHIFT);
  HVX_EACH(64) u.uh[i] = (uint16_t)(u.uh[i] >> n);
  return u;
}
/* w: x + u * (byte i%4 of r, unsigned), wrapping. */
HVX_FN HVX_Vector Q6_Vw_vmpyiacc_VwVwRub(HVX_Vector x, HVX_Vector u, int32_t r) {
  HVX_IS(MULTIPLY);
  HVX_EACH(32) x.uw[i] += u.uw[i] * ((uint32_t)r >> 8 * (i & 3) & 255u);
  return x;
}
/* uw: sum over the word's bytes j of u.ub[j] * (byte j of r), plus x. */
HVX_FN HVX_Vector Q6_Vuw_vrmpyacc_VuwVubRub(HVX_Vector x, HVX_Vector u, int32_t r) {
  HVX_IS(MULTIPLY);
  HVX_EACH(128) x.uw[i >> 2] += u.ub[i] * ((uint32_t)r >> 8 * (i & 3) & 255u);
  return x;
}
/* h: lane 2i = v.w[i], lane 2i+1 = u.w[i], clamped to int16. */
HVX_FN HVX_Vector Q6_Vh_vsat_VwVw(HVX_Vector u, HVX_Vector v) {
  HVX_Vector d;
  HVX_IS(ALU);
  HVX_EACH(64) {
    const int32_t x = i & 1 ? u.w[i >> 1] : v.w[i >> 1];
    d.h[i] = (int16_t)(x > 32767 ? 32767 : x < -32768 ? -32768 : x);
  }
  return d;
}
/* ub: lane 2i = v.h[i], lane 2i+1 = u.h[i], clamped to 0..255. */
HVX_FN HVX_Vector Q6_Vub_vsat_VhVh(HVX_Vector u, HVX_Vector v) {
  HVX_Vector d;
  HVX_IS(ALU);
  HVX_EACH(128) {
    const int32_t x = i & 1 ? u.h[i >> 1] : v.h[i >> 1];
    d.ub[i] = (uint8_t)(x > 255 ? 255 : x < 0 ? 0 : x);
  }
  return d;
}

/* Moving lanes. */

/* The bytes turned down by r[6:0]: byte i = u byte (i + r) % 128. */
HVX_FN HVX_Vector Q6_V_vror_VR(HVX_Vector u, int32_t r) {
  HVX_Vector d;
  HVX_IS(PERMUTE);
  HVX_EACH(128) d.ub[i] = u.ub[((uint32_t)i + (uint32_t)r) & 127u];
  return d;
}
/* b: the two halves of u interleaved: byte 2i = u byte i, byte 2i+1 = u byte 64+i. */
HVX_FN HVX_Vector Q6_Vb_vshuff_Vb(HVX_Vector u) {
  HVX_Vector d;
  HVX_IS(PERMUTE);
  HVX_EACH(64) {
    d.ub[2 * i] = u.ub[i];
    d.ub[2 * i + 1] = u.ub[64 + i];
  }
  return d;
}
/* h: the even lanes of u, then the odd ones. */
HVX_FN HVX_Vector Q6_Vh_vdeal_Vh(HVX_Vector u) {
  HVX_Vector d;
  HVX_IS(PERMUTE);
  HVX_EACH(32) {
    d.uh[i] = u.uh[2 * i];
    d.uh[32 + i] = u.uh[2 * i + 1];
  }
  return d;
}
/* Groups of one lane each: lanes of v and u in turn over the pair, and back. */
#define HVX_INTERLEAVE(d, u, v, lane, count)                                               \
  HVX_EACH((count) / 2) {                                                                  \
    d.lo.lane[2 * i] = v.lane[i], d.lo.lane[2 * i + 1] = u.lane[i];                        \
    d.hi.lane[2 * i] = v.lane[(count) / 2 + i], d.hi.lane[2 * i + 1] = u.lane[(count) / 2 + i]; \
  }
#define HVX_SEPARATE(d, u, v, lane, count)                                                 \
  HVX_EACH((count) / 2) {                                                                  \
    d.lo.lane[i] = v.lane[2 * i], d.hi.lane[i] = v.lane[2 * i + 1];                        \
    d.lo.lane[(count) / 2 + i] = u.lane[2 * i], d.hi.lane[(count) / 2 + i] = u.lane[2 * i + 1]; \
  }
/* Byte k of hi (k without `bit`) changes places with byte k+bit of lo. */
HVX_FN void hvx_exchange(HVX_VectorPair *d, int bit) {
  for (int k = 0; k < 128; k++)
    if (!(k & bit)) {
      const uint8_t t = d->hi.ub[k];
      d->hi.ub[k] = d->lo.ub[k + bit];
      d->lo.ub[k + bit] = t;
    }
}
/* Starting from lo = v, hi = u: for each bit of r from 1 up to 64, byte k of hi (k without
 * that bit) changes places with byte k+bit of lo. r = -n: groups of n bytes of v and u in turn. */
HVX_FN HVX_VectorPair Q6_W_vshuff_VVR(HVX_Vector u, HVX_Vector v, int32_t r) {
  HVX_VectorPair d;
  HVX_IS(PERMUTE);
  switch (r) {
    case -1: HVX_INTERLEAVE(d, u, v, ub, 128) return d;
    case -2: HVX_INTERLEAVE(d, u, v, uh, 64) return d;
    case -4: HVX_INTERLEAVE(d, u, v, uw, 32) return d;
    default: break;
  }
  d.lo = v, d.hi = u;
  for (int bit = 1; bit < 128; bit <<= 1)
    if (r & bit) hvx_exchange(&d, bit);
  return d;
}
/* The reverse of vshuff: the same exchanges, bits from 64 down to 1. r = -n: groups of n
 * bytes, the even ones of v and u to lo, the odd ones to hi. */
HVX_FN HVX_VectorPair Q6_W_vdeal_VVR(HVX_Vector u, HVX_Vector v, int32_t r) {
  HVX_VectorPair d;
  HVX_IS(PERMUTE);
  switch (r) {
    case -1: HVX_SEPARATE(d, u, v, ub, 128) return d;
    case -2: HVX_SEPARATE(d, u, v, uh, 64) return d;
    case -4: HVX_SEPARATE(d, u, v, uw, 32) return d;
    default: break;
  }
  d.lo = v, d.hi = u;
  for (int bit = 64; bit > 0; bit >>= 1)
    if (r & bit) hvx_exchange(&d, bit);
  return d;
}
/* h: the bytes of u, sign-extended, in order over the pair. */
HVX_FN HVX_VectorPair Q6_Wh_vunpack_Vb(HVX_Vector u) {
  HVX_VectorPair d;
  HVX_IS(PERMUTE);
  HVX_EACH(64) {
    d.lo.h[i] = u.b[i];
    d.hi.h[i] = u.b[64 + i];
  }
  return d;
}
/* h: table lookup by the low nibble: lo.h[i] for byte 2i of u, hi.h[i] for byte 2i+1. The
 * entry is halfword r[1] of word (r[3:0]*16 + nibble) % 32 of v. */
HVX_FN HVX_VectorPair Q6_Wh_vlut16_VbVhR_nomatch(HVX_Vector u, HVX_Vector v, int32_t r) {
  HVX_VectorPair d;
  const uint32_t first = ((uint32_t)r & 15u) << 4, half = (uint32_t)r >> 1 & 1u;
  HVX_IS(LOOKUP);
  HVX_EACH(64) {
    d.lo.uh[i] = v.uh[2 * ((first | (u.ub[2 * i] & 15u)) & 31u) + half];
    d.hi.uh[i] = v.uh[2 * ((first | (u.ub[2 * i + 1] & 15u)) & 31u) + half];
  }
  return d;
}
/* The word at byte r[6:2]*4 of u, as a scalar. */
HVX_FN int32_t Q6_R_vextract_VR(HVX_Vector u, int32_t r) {
  HVX_IS(PERMUTE);
  return u.w[(uint32_t)r >> 2 & 31u];
}

/* Floating point. */

/* hf: u * v. */
HVX_FN HVX_Vector Q6_Vhf_vmpy_VhfVhf(HVX_Vector u, HVX_Vector v) {
  HVX_IS(MULTIPLY);
  HVX_EACH(64) u.uh[i] = hvx_hf_of_float(hvx_float_of_hf(u.uh[i]) * hvx_float_of_hf(v.uh[i]));
  return u;
}
/* sf: u * v of fp16 lanes, exact: lo.sf[i] from lanes 2i, hi.sf[i] from lanes 2i+1. */
HVX_FN HVX_VectorPair Q6_Wsf_vmpy_VhfVhf(HVX_Vector u, HVX_Vector v) {
  HVX_VectorPair d;
  HVX_IS(MULTIPLY);
  HVX_EACH(32) {
    d.lo.uw[i] = hvx_bits_of_float(hvx_float_of_hf(u.uh[2 * i]) * hvx_float_of_hf(v.uh[2 * i]));
    d.hi.uw[i] = hvx_bits_of_float(hvx_float_of_hf(u.uh[2 * i + 1]) * hvx_float_of_hf(v.uh[2 * i + 1]));
  }
  return d;
}
/* sf: u * v, one rounding. */
HVX_FN HVX_Vector Q6_Vsf_vmpy_VsfVsf(HVX_Vector u, HVX_Vector v) {
  HVX_IS(MULTIPLY);
  HVX_EACH(32) u.uw[i] = hvx_bits_of_float(u.sf[i] * v.sf[i]);
  return u;
}
/* sf: u + v, one rounding. */
HVX_FN HVX_Vector Q6_Vsf_vadd_VsfVsf(HVX_Vector u, HVX_Vector v) {
  HVX_IS(FLOAT);
  HVX_EACH(32) u.uw[i] = hvx_bits_of_float(u.sf[i] + v.sf[i]);
  return u;
}
/* sf: the signed word as a float, one rounding. */
HVX_FN HVX_Vector Q6_Vsf_equals_Vw(HVX_Vector u) {
  HVX_IS(FLOAT);
  HVX_EACH(32) u.sf[i] = (float)u.w[i];
  return u;
}
/* hf: lane 2i = u.sf[i], lane 2i+1 = v.sf[i], one rounding. */
HVX_FN HVX_Vector Q6_Vhf_vcvt_VsfVsf(HVX_Vector u, HVX_Vector v) {
  HVX_Vector d;
  HVX_IS(FLOAT);
  HVX_EACH(32) {
    d.uh[2 * i] = hvx_hf_of_float(u.sf[i]);
    d.uh[2 * i + 1] = hvx_hf_of_float(v.sf[i]);
  }
  return d;
}

/* Memory. */

/* A vector from VTCM, 128-aligned. */
HVX_FN HVX_Vector hvx_load(const void *p) {
  HVX_Vector d;
  HVX_IS(LOAD);
  if (!hmxwb_reads(p, sizeof d, sizeof d)) return Q6_V_vzero();
  memcpy(&d, p, sizeof d);
  return d;
}
/* A vector to VTCM, 128-aligned. */
HVX_FN void hvx_store(void *p, HVX_Vector u) {
  HVX_IS(STORE);
  if (hmxwb_writes(p, sizeof u, sizeof u)) memcpy(p, &u, sizeof u);
}
/* A word from VTCM by the scalar core, 4-aligned. */
HVX_FN uint32_t vtcm_load_word(const void *p) {
  uint32_t d = 0;
  if (hmxwb_reads(p, 4, 4)) memcpy(&d, p, 4);
  return d;
}
/* A word to VTCM by the scalar core, 4-aligned. */
HVX_FN void vtcm_store_word(void *p, uint32_t u) {
  if (hmxwb_writes(p, 4, 4)) memcpy(p, &u, 4);
}

#endif
