/* User DMA: QEMU does not know it. Descriptors as the hardware has them; the last kind as ggml-hexagon fills them:
 *
 * | word | 1D (type 0) | 2D (type 1) | 2D, wide (type 1, v75 on) |
 * |---|---|---|---|
 * | 0 | next descriptor, 0 ends the chain | the same | the same |
 * | 1 | [31] done, [25:24] type, [23:0] bytes | [31] done, [25:24] type | and [23:0] destination stride |
 * | 2, 3 | source, destination | the same | the same |
 * | 4 | | [7:0] 0 | [7:0] 9 |
 * | 5 | | [31:16] rows, [15:0] bytes of a row | [31:24] low bits of rows, [23:0] bytes of a row |
 * | 6 | | [31:16] destination stride, [15:0] source stride, in bytes | [31:8] source stride, [7:0] high bits of rows |
 */
#include "packet.h"

#define DONE 0x80000000u
#define WIDE 9u

static void run_chain(uint32_t *d) {
    for (; d; d = (uint32_t *)d[0]) {
        uint32_t rows = 1, width = d[1] & 0x00FFFFFFu, source_stride = 0, target_stride = 0;
        if ((d[1] >> 24 & 3) == 1 && (d[4] & 0xFFu) == WIDE) {
            rows = d[5] >> 24 | (d[6] & 0xFFu) << 8, width = d[5] & 0x00FFFFFFu;
            target_stride = d[1] & 0x00FFFFFFu, source_stride = d[6] >> 8;
        } else if ((d[1] >> 24 & 3) == 1) {
            rows = d[5] >> 16, width = d[5] & 0xFFFFu;
            target_stride = d[6] >> 16, source_stride = d[6] & 0xFFFFu;
        }
        for (uint32_t i = 0; i < rows; i++)
            memcpy((void *)(d[3] + i * target_stride), (const void *)(d[2] + i * source_stride), width);
        d[1] |= DONE;
        CONTROL->dma_transfers++;
        CONTROL->dma_bytes += (uint64_t)rows * width;
    }
}

int user_dma(uint32_t word, uint32_t *r) {
    uint32_t s = word >> 16 & 31, t = word >> 8 & 31, d = word & 31;
    switch (word & 0xFFE020E0u) {
    case 0xA8000020u: /* Rd = dmwait */
    case 0xA8000040u: /* Rd = dmpoll */
    case 0xA8000060u: /* Rd = dmpause */
        r[d] = 0;
        return 1;
    default:
        break;
    }
    switch (word & 0xFFE020FFu) {
    case 0xA6000020u: /* dmstart(Rs) */
        run_chain((uint32_t *)r[s]);
        return 1;
    case 0xA6000040u: /* dmlink(Rs,Rt): Rt goes behind the chain that ends with Rs, which is done already */
        if (r[s]) *(uint32_t *)r[s] = r[t];
        run_chain((uint32_t *)r[t]);
        return 1;
    case 0xA6000080u: /* dmresume(Rs) */
        return 1;
    default:
        return 0;
    }
}
