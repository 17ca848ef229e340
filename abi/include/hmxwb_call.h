/* What travels with every call between host and skel: the question's head, the answer,
 * the skel's description of itself. The calls themselves: hmxwb.idl.
 *
 * Fixed-width fields only, no pointers, no hidden padding, little-endian on both sides.
 * A change of any struct raises HMXWB_CALL_VERSION; both sides refuse another version.
 */
#ifndef HMXWB_CALL_H
#define HMXWB_CALL_H

#include <stdint.h>

#define HMXWB_CALL_VERSION 1u
#define HMXWB_QUESTION_MAGIC 0x3f584d48u /* "HMX?" */
#define HMXWB_ANSWER_MAGIC 0x21584d48u /* "HMX!" */

/* Methods, in the order of hmxwb.idl. */
#define HMXWB_METHOD_OPEN 0u
#define HMXWB_METHOD_CLOSE 1u
#define HMXWB_METHOD_INFO 2u
#define HMXWB_METHOD_PROBE 3u
#define HMXWB_METHOD_RUN 4u

/* First argument of every method. */
struct hmxwb_question {
  uint32_t magic; /* HMXWB_QUESTION_MAGIC */
  uint32_t version; /* HMXWB_CALL_VERSION */
  uint32_t sequence; /* chosen by the host, another one for each call */
  uint32_t method;
};

/* Results that only the skel's entry makes; below 16: HMXWB_E_* of hmxwb.h. */
#define HMXWB_E_QUESTION 16u /* magic, version or method of the question are not ours */
#define HMXWB_E_VTCM 17u /* no VTCM of the size the question needs */
#define HMXWB_E_POWER 18u /* HMX could not be powered or locked */
#define HMXWB_E_LENGTH 19u /* the lengths of the buffers do not fit each other */

/* First result of every method. All of it is zero until the skel writes it, so a call that
 * never reached the skel cannot look like an answer. */
struct hmxwb_answer {
  uint32_t magic; /* HMXWB_ANSWER_MAGIC */
  uint32_t version; /* HMXWB_CALL_VERSION */
  uint32_t sequence; /* the question's */
  uint32_t method; /* the question's */
  uint32_t status; /* 0, HMXWB_E_* */
  uint32_t at; /* index of the packet that did not run, where one is meant */
  uint32_t detail; /* code of the DSP service that refused, where one did */
  uint32_t written; /* bytes of the output sequence that are filled */
  uint32_t digest; /* FNV-1a of those bytes */
  uint32_t reserved;
  uint64_t cycles; /* processor cycles between first and last packet; 0: not counted */
};

/* Who executes the HMX instructions of this skel. */
#define HMXWB_RUNS_ON_SILICON 1u
#define HMXWB_RUNS_ON_MODEL 2u

/* What the skel says of itself. */
struct hmxwb_facts {
  uint32_t abi_version; /* HMXWB_ABI_VERSION */
  uint32_t arch; /* it was compiled for: 73, 75, ...; 0: not for Hexagon */
  uint32_t runs_on; /* HMXWB_RUNS_ON_* */
  uint32_t vtcm_bytes; /* of the device, as its resource service says; 0: not known */
  uint32_t vtcm_free; /* largest piece to be had now; 0: not known */
  uint32_t reserved[3];
};

_Static_assert(sizeof(struct hmxwb_question) == 16, "wire layout");
_Static_assert(sizeof(struct hmxwb_answer) == 48, "wire layout");
_Static_assert(sizeof(struct hmxwb_facts) == 32, "wire layout");

#endif
