/* What ggml-hexagon.cpp uses of the SDK's rpcmem.h. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#define RPCMEM_HEAP_ID_SYSTEM 25
#define RPCMEM_DEFAULT_FLAGS 1
void * rpcmem_alloc(int heap, uint32_t flags, int size);
void * rpcmem_alloc2(int heap, uint32_t flags, size_t size);
void   rpcmem_free(void * p);
int    rpcmem_to_fd(void * p);
