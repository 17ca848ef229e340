/* The FastRPC library (libcdsprpc): loading it, and what is used of it. C11 or C++11. */
#ifndef HMXWB_FASTRPC_H
#define HMXWB_FASTRPC_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#define HMXWB_LIBRARY "libcdsprpc.dll"
#define HMXWB_LOAD(name) \
  ((void *)LoadLibraryExA((name), NULL, strchr((name), '\\') ? LOAD_WITH_ALTERED_SEARCH_PATH : 0))
#define HMXWB_SYMBOL(library, name) ((void *)GetProcAddress((HMODULE)(library), (name)))
#else
#include <dlfcn.h>
#define HMXWB_LIBRARY "libcdsprpc.so"
#define HMXWB_LOAD(name) dlopen((name), RTLD_NOW | RTLD_LOCAL)
#define HMXWB_SYMBOL(library, name) dlsym((library), (name))
#endif

/* One argument of a call. */
union hmxwb_remote_arg {
  struct {
    void *start;
    size_t length;
  } buffer;
  uint32_t handle;
  uint64_t handle64;
};

/* Functions of the FastRPC library, by their names there. They return 0 or an error code. */
typedef int remote_handle64_open_fn(const char *uri, uint64_t *handle);
typedef int remote_handle64_invoke_fn(uint64_t handle, uint32_t scalars, union hmxwb_remote_arg *args);
typedef int remote_handle64_close_fn(uint64_t handle);
typedef int remote_session_control_fn(uint32_t request, void *data, uint32_t length);
typedef void *rpcmem_alloc_fn(int heap, uint32_t flags, int size);
typedef void rpcmem_free_fn(void *memory);

/* The functions of a loaded library. */
struct hmxwb_fastrpc {
  remote_handle64_open_fn *open;
  remote_handle64_invoke_fn *invoke;
  remote_handle64_close_fn *close;
  remote_session_control_fn *control;
  rpcmem_alloc_fn *alloc;
  rpcmem_free_fn *release;
};

#define HMXWB_HEAP_SYSTEM 25
#define HMXWB_HEAP_CACHED 1u

/* What is opened: the skel, its entry, the compute DSP. */
#define HMXWB_URI "file:///libhmxwb_skel.so?hmxwb_skel_handle_invoke&_modver=1.0&_dom=cdsp"

/* Request of remote_session_control, before the first open: a process that loads unsigned skels. */
#define HMXWB_UNSIGNED_MODULE 2u
struct hmxwb_unsigned_module {
  int32_t domain; /* 3: the compute DSP */
  int32_t enable;
};

/* Loads the library; a null name is the one that the system finds. What is wrong, or a null pointer.
 * It is never unloaded: its threads outlive the last handle. */
static inline const char *hmxwb_fastrpc_load(struct hmxwb_fastrpc *f, const char *name) {
  void *library = HMXWB_LOAD(name ? name : HMXWB_LIBRARY);
  if (!library) return "no FastRPC library; name its file on the command line";
  f->open = (remote_handle64_open_fn *)HMXWB_SYMBOL(library, "remote_handle64_open");
  f->invoke = (remote_handle64_invoke_fn *)HMXWB_SYMBOL(library, "remote_handle64_invoke");
  f->close = (remote_handle64_close_fn *)HMXWB_SYMBOL(library, "remote_handle64_close");
  f->control = (remote_session_control_fn *)HMXWB_SYMBOL(library, "remote_session_control");
  f->alloc = (rpcmem_alloc_fn *)HMXWB_SYMBOL(library, "rpcmem_alloc");
  f->release = (rpcmem_free_fn *)HMXWB_SYMBOL(library, "rpcmem_free");
  if (!f->open || !f->invoke || !f->close || !f->control || !f->alloc || !f->release)
    return "the FastRPC library lacks a function; update the driver";
  return NULL;
}

/* Opens the skel in an unsigned process of the compute DSP; 0 or an error code. */
static inline int hmxwb_fastrpc_open(const struct hmxwb_fastrpc *f, uint64_t *handle) {
  struct hmxwb_unsigned_module unsigned_module = {3, 1};
  const int code = f->control(HMXWB_UNSIGNED_MODULE, &unsigned_module, sizeof unsigned_module);
  return code != 0 ? code : f->open(HMXWB_URI, handle);
}

#endif
