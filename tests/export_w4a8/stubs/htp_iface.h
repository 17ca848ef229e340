/* What the IDL compiler makes of ggml-hexagon's htp_iface.idl, as far as ggml-hexagon.cpp uses it. */
#pragma once
#include <remote.h>
typedef struct { uint32_t events[8]; } htp_iface_pmu_conf;
int htp_iface_open(const char * uri, remote_handle64 * handle);
int htp_iface_close(remote_handle64 handle);
int htp_iface_start(remote_handle64 handle, uint32_t session, uint64_t queue, uint32_t hvx, uint32_t hmx, uint64_t vmem);
int htp_iface_stop(remote_handle64 handle);
int htp_iface_mmap(remote_handle64 handle, uint32_t fd, uint64_t size);
int htp_iface_munmap(remote_handle64 handle, uint32_t fd);
int htp_iface_profiler(remote_handle64 handle, uint32_t mode, const htp_iface_pmu_conf * pmu);
int htp_iface_etm(remote_handle64 handle, uint32_t enable);
int htp_iface_hwinfo(remote_handle64 handle, uint32_t * threads, uint32_t * hvx, uint32_t * hmx, unsigned long long * vtcm);
