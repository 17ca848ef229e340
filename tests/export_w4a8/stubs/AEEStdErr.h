/* For checking ggml-hexagon.cpp on a computer without the vendor SDK: what it uses of the SDK's headers. Values mean
 * nothing; nothing is linked or run. */
#pragma once
enum { AEE_SUCCESS, AEE_EWOULDBLOCK, AEE_EEXPIRED };
