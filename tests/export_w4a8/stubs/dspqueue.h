/* What ggml-hexagon.cpp uses of the SDK's dspqueue.h. */
#pragma once
#include <stdint.h>
typedef struct dspqueue * dspqueue_t;
struct dspqueue_buffer { uint32_t fd, size, offset, flags; void * ptr; };
enum { DSPQUEUE_BUFFER_FLAG_FLUSH_SENDER = 1, DSPQUEUE_BUFFER_FLAG_INVALIDATE_RECIPIENT = 2 };
typedef void (*dspqueue_callback_t)(dspqueue_t queue, int error, void * context);
int dspqueue_create(int domain, uint32_t flags, uint32_t req, uint32_t rsp, dspqueue_callback_t packet,
                    dspqueue_callback_t error, void * context, dspqueue_t * queue);
int dspqueue_close(dspqueue_t queue);
int dspqueue_export(dspqueue_t queue, uint64_t * id);
int dspqueue_write(dspqueue_t queue, uint32_t flags, uint32_t count, struct dspqueue_buffer * buffers, uint32_t length,
                   const uint8_t * message, uint32_t timeout);
int dspqueue_read(dspqueue_t queue, uint32_t * flags, uint32_t most, uint32_t * count, struct dspqueue_buffer * buffers,
                  uint32_t room, uint32_t * length, uint8_t * message, uint32_t timeout);
