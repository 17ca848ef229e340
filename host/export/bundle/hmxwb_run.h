/* A kernel call over FastRPC: the buffers of the skel's method `run`, and the check that
 * an answer is one. Both sides are little-endian. C11 or C++11. */
#ifndef HMXWB_RUN_H
#define HMXWB_RUN_H

#include <stddef.h>
#include <stdint.h>

#if defined(__cplusplus) && !defined(_Static_assert)
#define _Static_assert static_assert
#endif

#include "hmxwb.h"
#include "hmxwb_call.h"
#include "hmxwb_fastrpc.h"

/* Scalars of `run`: method 4, three buffers in (head, activations, weights), three out (reply, scratch, result). */
#define HMXWB_SCALARS_RUN 0x04030300u

struct hmxwb_run_head {
  struct hmxwb_question question;
  struct hmxwb_problem problem;
  struct hmxwb_plan plan;
  uint32_t activations_length; /* bytes */
  uint32_t weights_length;
  uint32_t scratch_length;
  uint32_t result_length;
};

struct hmxwb_run_reply {
  struct hmxwb_answer answer;
  struct hmxwb_counters counters;
};

_Static_assert(sizeof(struct hmxwb_run_head) == 240, "wire layout");
_Static_assert(sizeof(struct hmxwb_run_reply) == 224, "wire layout");

/* Why an answer does not vouch for a result, or a null pointer when it does. A call into a session that has died may
 * report success and do nothing, so a result counts only after this. `reply` must be zero before the call. */
static inline const char *hmxwb_run_fault(const struct hmxwb_run_head *head, const struct hmxwb_run_reply *reply,
                                          const uint8_t *result) {
  const struct hmxwb_answer *answer = &reply->answer;
  uint32_t digest = 0x811C9DC5u;
  if (answer->magic != HMXWB_ANSWER_MAGIC || answer->sequence != head->question.sequence)
    return "no answer to this call; the session is dead, open a new one";
  if (answer->version != HMXWB_CALL_VERSION || answer->status == HMXWB_E_VERSION || answer->status == HMXWB_E_QUESTION)
    return "the skel is of another version; use headers and skel of one bundle";
  if (answer->status == HMXWB_E_PLAN) return "the plan does not suit the problem; make it with `hmx plan`";
  if (answer->status == HMXWB_E_VTCM) return "the DSP has no VTCM of this size to give; close other users of the NPU";
  if (answer->status == HMXWB_E_POWER) return "HMX could not be powered or locked; close other users of the NPU";
  if (answer->status != HMXWB_OK) return "the skel refused the problem; answer.status is one of HMXWB_E_*";
  if (answer->written != head->result_length) return "the result is not complete";
  for (uint32_t i = 0; i < head->result_length; i++) digest = (digest ^ result[i]) * 0x01000193u;
  return digest == answer->digest ? NULL : "the bytes that came back are not those the skel wrote";
}

#endif
