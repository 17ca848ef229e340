/* One call of the kernel in include/example_problem.h on the DSP, checked against known results.
 *
 *   example [LIBRARY]     the FastRPC library, if it lies where the system's loader does not look
 *
 * Exit status: 0 every result is right, 1 a result is wrong, 2 there is no result. */
#include <stdio.h>

#include "example_problem.h"
#include "hmxwb_run.h"

static int stop(const char *what, int code) {
  fprintf(stderr, "example: %s (code 0x%08x)\n", what, (unsigned)code);
  return 2;
}

int main(int argc, char **argv) {
  struct hmxwb_fastrpc rpc;
  uint64_t handle = 0;
  const char *fault = hmxwb_fastrpc_load(&rpc, argc > 1 ? argv[1] : NULL);
  if (fault) return stop(fault, 0);
  int code = hmxwb_fastrpc_open(&rpc, &handle);
  if (code != 0)
    return stop("the DSP did not load libhmxwb_skel.so; is its folder on ADSP_LIBRARY_PATH, and the skel for this DSP?", code);

  /* Memory that is shared with the DSP; other memory works too, but is copied. */
  const size_t sizes[4] = {sizeof example_activations, sizeof example_weights, EXAMPLE_SCRATCH, sizeof example_expected};
  uint8_t *memory[4];
  for (int i = 0; i < 4; i++) {
    memory[i] = rpc.alloc(HMXWB_HEAP_SYSTEM, HMXWB_HEAP_CACHED, sizes[i] ? (int)sizes[i] : 1);
    if (!memory[i] || (intptr_t)memory[i] == -1) return stop("no shared memory", 0x68);
  }
  memcpy(memory[0], example_activations, sizes[0]);
  memcpy(memory[1], example_weights, sizes[1]);

  struct hmxwb_run_head head = {
      {HMXWB_QUESTION_MAGIC, HMXWB_CALL_VERSION, 0x2701, HMXWB_METHOD_RUN}, example_problem, example_plan,
      (uint32_t)sizes[0], (uint32_t)sizes[1], (uint32_t)sizes[2], (uint32_t)sizes[3]};
  struct hmxwb_run_reply reply = {0};
  union hmxwb_remote_arg args[6] = {
      {.buffer = {&head, sizeof head}},   {.buffer = {memory[0], sizes[0]}}, {.buffer = {memory[1], sizes[1]}},
      {.buffer = {&reply, sizeof reply}}, {.buffer = {memory[2], sizes[2]}}, {.buffer = {memory[3], sizes[3]}}};
  code = rpc.invoke(handle, HMXWB_SCALARS_RUN, args);
  if (code != 0) return stop("the call failed", code);
  fault = hmxwb_run_fault(&head, &reply, memory[3]);
  if (fault) return stop(fault, (int)reply.answer.status);

  size_t wrong = 0;
  const size_t count = sizeof example_expected / sizeof example_expected[0];
  const float *result = (const float *)memory[3];
  for (size_t i = 0; i < count; i++)
    if (result[i] != example_expected[i] && wrong++ == 0) printf("result %zu is %g, not %g\n", i, result[i], example_expected[i]);
  printf("first results: %g %g %g %g\n", result[0], result[1], result[2], result[3]);
  printf("%zu of %zu results are right\n", count - wrong, count);
  for (int i = 0; i < 4; i++) rpc.release(memory[i]);
  code = rpc.close(handle);
  return code != 0 ? stop("closing failed", code) : wrong != 0;
}
