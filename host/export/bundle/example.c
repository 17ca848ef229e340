/* One call of the kernel in include/example_problem.h on the DSP, checked against known results.
 *
 *   example [LIBRARY]     the FastRPC library, if it lies where the system's loader does not look
 *
 * Exit status: 0 every result is right, 1 a result is wrong, 2 there is no result. */
#include <stdio.h>
#include <string.h>

#include "example_problem.h"
#include "hmxwb_run.h"

#ifdef _WIN32
#include <windows.h>
#define LIBRARY "libcdsprpc.dll"
#define LOAD(name) ((void *)LoadLibraryExA((name), NULL, strchr((name), '\\') ? LOAD_WITH_ALTERED_SEARCH_PATH : 0))
#define SYMBOL(name) ((void *)GetProcAddress((HMODULE)library, #name))
#else
#include <dlfcn.h>
#define LIBRARY "libcdsprpc.so"
#define LOAD(name) dlopen((name), RTLD_NOW | RTLD_LOCAL)
#define SYMBOL(name) dlsym(library, #name)
#endif

static int stop(const char *what, int code) {
  fprintf(stderr, "example: %s (code 0x%08x)\n", what, (unsigned)code);
  return 2;
}

int main(int argc, char **argv) {
  /* The library is never unloaded: its threads outlive the last handle. */
  void *library = LOAD(argc > 1 ? argv[1] : LIBRARY);
  if (!library) return stop("no FastRPC library; name its file on the command line", 0);
  remote_handle64_open_fn *open = (remote_handle64_open_fn *)SYMBOL(remote_handle64_open);
  remote_handle64_invoke_fn *invoke = (remote_handle64_invoke_fn *)SYMBOL(remote_handle64_invoke);
  remote_handle64_close_fn *close = (remote_handle64_close_fn *)SYMBOL(remote_handle64_close);
  remote_session_control_fn *control = (remote_session_control_fn *)SYMBOL(remote_session_control);
  rpcmem_alloc_fn *alloc = (rpcmem_alloc_fn *)SYMBOL(rpcmem_alloc);
  rpcmem_free_fn *release = (rpcmem_free_fn *)SYMBOL(rpcmem_free);
  if (!open || !invoke || !close || !control || !alloc || !release)
    return stop("the FastRPC library lacks a function; update the driver", 0);

  struct hmxwb_unsigned_module unsigned_module = {.domain = 3, .enable = 1};
  int code = control(HMXWB_UNSIGNED_MODULE, &unsigned_module, sizeof unsigned_module);
  if (code != 0) return stop("no unsigned process on the DSP", code);
  uint64_t handle = 0;
  code = open(HMXWB_URI, &handle);
  if (code != 0)
    return stop("the DSP did not load libhmxwb_skel.so; is its folder on ADSP_LIBRARY_PATH, and the skel for this DSP?", code);

  /* Memory that is shared with the DSP; other memory works too, but is copied. */
  const size_t sizes[4] = {sizeof example_activations, sizeof example_weights, EXAMPLE_SCRATCH, sizeof example_expected};
  uint8_t *memory[4];
  for (int i = 0; i < 4; i++) {
    memory[i] = alloc(HMXWB_HEAP_SYSTEM, HMXWB_HEAP_CACHED, sizes[i] ? (int)sizes[i] : 1);
    if (!memory[i] || (intptr_t)memory[i] == -1) return stop("no shared memory", 0x68);
  }
  memcpy(memory[0], example_activations, sizes[0]);
  memcpy(memory[1], example_weights, sizes[1]);

  struct hmxwb_run_head head = {
      .question = {HMXWB_QUESTION_MAGIC, HMXWB_CALL_VERSION, 0x2701, HMXWB_METHOD_RUN},
      .problem = example_problem,
      .plan = example_plan,
      .activations_length = (uint32_t)sizes[0],
      .weights_length = (uint32_t)sizes[1],
      .scratch_length = (uint32_t)sizes[2],
      .result_length = (uint32_t)sizes[3],
  };
  struct hmxwb_run_reply reply = {0};
  union hmxwb_remote_arg args[6] = {
      {.buffer = {&head, sizeof head}},   {.buffer = {memory[0], sizes[0]}}, {.buffer = {memory[1], sizes[1]}},
      {.buffer = {&reply, sizeof reply}}, {.buffer = {memory[2], sizes[2]}}, {.buffer = {memory[3], sizes[3]}},
  };
  code = invoke(handle, HMXWB_SCALARS_RUN, args);
  if (code != 0) return stop("the call failed", code);
  const char *fault = hmxwb_run_fault(&head, &reply, memory[3]);
  if (fault) return stop(fault, (int)reply.answer.status);

  float result[sizeof example_expected / sizeof example_expected[0]];
  memcpy(result, memory[3], sizeof result);
  for (int i = 0; i < 4; i++) release(memory[i]);
  code = close(handle);
  if (code != 0) return stop("closing failed", code);

  const size_t count = sizeof result / sizeof result[0];
  size_t wrong = 0;
  for (size_t i = 0; i < count; i++) {
    if (result[i] == example_expected[i]) continue;
    if (wrong++ == 0) printf("result %zu is %g, not %g\n", i, result[i], example_expected[i]);
  }
  printf("first results: %g %g %g %g\n", result[0], result[1], result[2], result[3]);
  printf("%zu of %zu results are right\n", count - wrong, count);
  return wrong != 0;
}
