// The exported packing, from stdin to stdout.
//   ramp                     the packed ramp
//   pack NE0 NE1             Q4_0 rows to tiles
//   unpack NE0 OFFSET SIZE   a range of bytes of the rows from tiles
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <vector>

#include "hmxwb-w4a8-repack.h"

static std::vector<uint8_t> input() {
    std::vector<uint8_t> bytes;
    for (int c = getchar(); c != EOF; c = getchar()) bytes.push_back((uint8_t) c);
    return bytes;
}

static std::vector<uint8_t> packed(const std::vector<uint8_t> & rows, long ne0, long ne1) {
    std::vector<uint8_t> tiles(hmxwb_w4a8_packed_bytes(ne0, ne1), 0xCC);
    hmxwb_w4a8_pack(rows.data(), ne0, ne1, tiles.data());
    return tiles;
}

int main(int count, char ** arguments) {
    const std::string    mode = count > 1 ? arguments[1] : "";
    std::vector<uint8_t> out;
    if (mode == "ramp") {
        std::vector<uint8_t> rows(HMXWB_W4A8_RAMP_ROWS * HMXWB_W4A8_RAMP_COLUMNS / 32 * 18);
        hmxwb_w4a8_ramp(rows.data());
        out = packed(rows, HMXWB_W4A8_RAMP_COLUMNS, HMXWB_W4A8_RAMP_ROWS);
    } else if (mode == "pack" && count == 4) {
        out = packed(input(), atol(arguments[2]), atol(arguments[3]));
    } else if (mode == "unpack" && count == 5) {
        const size_t size = (size_t) atol(arguments[4]);
        out.assign(size + 16, 0xCC); // what lies behind must stay
        hmxwb_w4a8_unpack(input().data(), atol(arguments[2]), (size_t) atol(arguments[3]), size, out.data());
    } else {
        return 2;
    }
    return fwrite(out.data(), 1, out.size(), stdout) == out.size() ? 0 : 1;
}
