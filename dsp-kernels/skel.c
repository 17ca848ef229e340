/* The skel: takes calls in the wire format of hmxwb.idl apart and answers them.
 *
 * The first input buffer holds the `in` structures and the lengths of the sequences, the
 * first output buffer the `rout` structures; sequences follow as buffers of their own.
 * Buffers may lie at any address, so structures are copied bytewise.
 */
#include "skel.h"

#include "hmxwb.h"
#include "hmxwb_call.h"
#include "kernels.h"
#include "place.h"
#include "probe.h"

/* The skel's C library is the DSP's; no header of it is needed for these two. */
#define memcpy __builtin_memcpy
#define memset __builtin_memset

#if defined(__hexagon__)
#define EXPORT __attribute__((visibility("default")))
#else
#define EXPORT
#endif

_Static_assert(sizeof(union hmxwb_arg) == 2 * sizeof(void *), "argument layout of FastRPC");

/* Sizes that host/device relies on. */
_Static_assert(sizeof(struct hmxwb_problem) == 48, "wire layout");
_Static_assert(sizeof(struct hmxwb_plan) == 160, "wire layout");
_Static_assert(sizeof(struct hmxwb_counters) == 176, "wire layout");

#define METHOD(scalars) ((scalars) >> 24 & 31u)
/* Counts of a call: everything below the method. */
#define COUNTS(scalars) ((scalars) & 0x00FFFFFFu)
#define EXPECT(in, out, in_handles, out_handles) ((in) << 16 | (out) << 8 | (in_handles) << 4 | (out_handles))

static int is_at_least(const union hmxwb_arg *arg, size_t length) {
  return arg->buffer.length >= length && (arg->buffer.start || length == 0);
}

static uint32_t digest(const uint8_t *bytes, uint32_t count) {
  uint32_t hash = 0x811C9DC5u;
  for (uint32_t i = 0; i < count; i++) hash = (hash ^ bytes[i]) * 0x01000193u;
  return hash;
}

/* The answer to a question, so far without a result. */
static struct hmxwb_answer answer_to(const struct hmxwb_question *question, uint32_t method) {
  struct hmxwb_answer answer;
  memset(&answer, 0, sizeof answer);
  answer.magic = HMXWB_ANSWER_MAGIC;
  answer.version = HMXWB_CALL_VERSION;
  answer.sequence = question->sequence;
  answer.method = method;
  if (question->magic != HMXWB_QUESTION_MAGIC || question->version != HMXWB_CALL_VERSION || question->method != method)
    answer.status = HMXWB_E_QUESTION;
  return answer;
}

static void vouch(struct hmxwb_answer *answer, const void *bytes, uint32_t count) {
  answer->written = count;
  answer->digest = digest(bytes, count);
}

static int info(union hmxwb_arg *args) {
  struct hmxwb_question question;
  struct hmxwb_facts facts;
  if (!is_at_least(&args[0], sizeof question) || !is_at_least(&args[1], sizeof(struct hmxwb_answer) + sizeof facts))
    return HMXWB_AEE_BAD_PARAMETER;
  memcpy(&question, args[0].buffer.start, sizeof question);
  struct hmxwb_answer answer = answer_to(&question, HMXWB_METHOD_INFO);
  memset(&facts, 0, sizeof facts);
  facts.abi_version = HMXWB_ABI_VERSION;
  hmxwb_place_facts(&facts);
  vouch(&answer, &facts, sizeof facts);
  memcpy(args[1].buffer.start, &answer, sizeof answer);
  memcpy((uint8_t *)args[1].buffer.start + sizeof answer, &facts, sizeof facts);
  return HMXWB_AEE_OK;
}

struct probe_in {
  struct hmxwb_question question;
  uint32_t usr;
  uint32_t program_length;
  uint32_t image_length;
  uint32_t after_length;
};

static void execute(const struct probe_in *in, const union hmxwb_arg *args, struct hmxwb_answer *answer) {
  const struct hmxwb_step *steps = args[1].buffer.start;
  uint8_t *after = args[4].buffer.start;
  struct hmxwb_place place = {0};
  if (in->program_length % sizeof *steps != 0 || in->image_length != in->after_length || (uintptr_t)steps % 4 != 0) {
    answer->status = HMXWB_E_LENGTH;
    return;
  }
  answer->status = hmxwb_place_take(in->image_length, in->usr, &place);
  answer->detail = place.detail;
  if (answer->status != HMXWB_OK) return;
  memcpy(place.vtcm, args[2].buffer.start, in->image_length);
  const uint64_t begin = hmxwb_place_cycles();
  answer->status = (uint32_t)hmxwb_probe_run(steps, in->program_length / (uint32_t)sizeof *steps, in->usr, place.vtcm,
                                             &answer->at);
  answer->cycles = hmxwb_place_cycles() - begin;
  if (answer->status == HMXWB_OK) {
    memcpy(after, place.vtcm, in->image_length);
    vouch(answer, after, in->image_length);
  }
  hmxwb_place_give_back(&place);
}

static int probe(union hmxwb_arg *args) {
  struct probe_in in;
  if (!is_at_least(&args[0], sizeof in) || !is_at_least(&args[3], sizeof(struct hmxwb_answer)))
    return HMXWB_AEE_BAD_PARAMETER;
  memcpy(&in, args[0].buffer.start, sizeof in);
  if (!is_at_least(&args[1], in.program_length) || !is_at_least(&args[2], in.image_length) ||
      !is_at_least(&args[4], in.after_length))
    return HMXWB_AEE_BAD_PARAMETER;
  struct hmxwb_answer answer = answer_to(&in.question, HMXWB_METHOD_PROBE);
  if (answer.status == HMXWB_OK) execute(&in, args, &answer);
  memcpy(args[3].buffer.start, &answer, sizeof answer);
  return HMXWB_AEE_OK;
}

struct run_in {
  struct hmxwb_question question;
  struct hmxwb_problem problem;
  struct hmxwb_plan plan;
  uint32_t activations_length;
  uint32_t weights_length;
  uint32_t scratch_length;
  uint32_t result_length;
};

static void compute(const struct run_in *in, const union hmxwb_arg *args, struct hmxwb_answer *answer,
                    struct hmxwb_counters *counters) {
  const struct hmxwb_operands operands = {
      .act = args[1].buffer.start,
      .weight = args[2].buffer.start,
      .scratch = args[4].buffer.start,
      .out = args[5].buffer.start,
      .act_size = in->activations_length,
      .weight_size = in->weights_length,
      .scratch_size = in->scratch_length,
      .out_size = in->result_length,
  };
  struct hmxwb_place place = {0};
  answer->status = hmxwb_place_take(in->plan.vtcm_size, in->problem.usr, &place);
  answer->detail = place.detail;
  if (answer->status != HMXWB_OK) return;
  const uint64_t begin = hmxwb_place_cycles();
  answer->status = (uint32_t)hmxwb_run_kernel(&in->problem, &in->plan, &operands, place.vtcm);
  answer->cycles = hmxwb_place_cycles() - begin;
  hmxwb_place_counters(counters);
  if (answer->status == HMXWB_OK) vouch(answer, operands.out, in->result_length);
  hmxwb_place_give_back(&place);
}

static int run(union hmxwb_arg *args) {
  struct run_in in;
  struct hmxwb_counters counters;
  if (!is_at_least(&args[0], sizeof in) || !is_at_least(&args[3], sizeof(struct hmxwb_answer) + sizeof counters))
    return HMXWB_AEE_BAD_PARAMETER;
  memcpy(&in, args[0].buffer.start, sizeof in);
  if (!is_at_least(&args[1], in.activations_length) || !is_at_least(&args[2], in.weights_length) ||
      !is_at_least(&args[4], in.scratch_length) || !is_at_least(&args[5], in.result_length))
    return HMXWB_AEE_BAD_PARAMETER;
  struct hmxwb_answer answer = answer_to(&in.question, HMXWB_METHOD_RUN);
  memset(&counters, 0, sizeof counters);
  if (answer.status == HMXWB_OK) compute(&in, args, &answer, &counters);
  memcpy(args[3].buffer.start, &answer, sizeof answer);
  memcpy((uint8_t *)args[3].buffer.start + sizeof answer, &counters, sizeof counters);
  return HMXWB_AEE_OK;
}

EXPORT int hmxwb_skel_handle_invoke(uint64_t handle, uint32_t scalars, union hmxwb_arg *args) {
  static const uint32_t opened = 1;
  static const uint32_t counts[] = {
      [HMXWB_METHOD_OPEN] = EXPECT(2, 0, 0, 1),
      [HMXWB_METHOD_CLOSE] = EXPECT(0, 0, 1, 0),
      [HMXWB_METHOD_INFO] = EXPECT(1, 1, 0, 0),
      [HMXWB_METHOD_PROBE] = EXPECT(3, 2, 0, 0),
      [HMXWB_METHOD_RUN] = EXPECT(3, 3, 0, 0),
  };
  const uint32_t method = METHOD(scalars);
  (void)handle;
  if (method >= sizeof counts / sizeof counts[0]) return HMXWB_AEE_UNSUPPORTED;
  if (COUNTS(scalars) != counts[method] || !args) return HMXWB_AEE_BAD_PARAMETER;
  switch (method) {
    case HMXWB_METHOD_OPEN: args[2].handle64 = (uint64_t)(uintptr_t)&opened; return HMXWB_AEE_OK;
    case HMXWB_METHOD_CLOSE: return HMXWB_AEE_OK;
    case HMXWB_METHOD_INFO: return info(args);
    case HMXWB_METHOD_PROBE: return probe(args);
    default: return run(args);
  }
}
