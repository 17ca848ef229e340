/* The entry of the skel. */
#ifndef HMXWB_SKEL_H
#define HMXWB_SKEL_H

#include <stddef.h>
#include <stdint.h>

/* One buffer or handle of a call: 8 bytes on Hexagon, 16 on a 64-bit host. */
union hmxwb_arg {
  struct {
    void *start;
    size_t length;
  } buffer;
  uint32_t handle;
  uint64_t handle64;
  struct {
    int32_t fd;
    uint32_t offset;
  } dma;
};

/* Codes this entry returns; everything else it has to say is in the answer. */
#define HMXWB_AEE_OK 0
#define HMXWB_AEE_BAD_PARAMETER ((int)0x8000040Eu) /* counts or lengths are not those of hmxwb.idl */
#define HMXWB_AEE_UNSUPPORTED ((int)0x80000414u) /* no such method */

/* FastRPC calls this for every method of hmxwb.idl. */
int hmxwb_skel_handle_invoke(uint64_t handle, uint32_t scalars, union hmxwb_arg *args);

#endif
