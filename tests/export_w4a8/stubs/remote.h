/* What ggml-hexagon.cpp uses of the SDK's remote.h. */
#pragma once
#include <stdint.h>

typedef uint64_t remote_handle64;

enum {
    DSPRPC_CONTROL_LATENCY, DSPRPC_CONTROL_UNSIGNED_MODULE, FASTRPC_GET_DOMAINS, FASTRPC_GET_EFFECTIVE_DOMAIN_ID,
    FASTRPC_GET_URI, FASTRPC_RESERVE_NEW_SESSION, RPC_PM_QOS = 1,
};
enum fastrpc_map_flags { FASTRPC_MAP_FD, FASTRPC_MAP_FD_DELAYED, FASTRPC_MAP_FD_DELAYED_EXTENDED };
enum fastrpc_domain_type { FASTRPC_NSP };
#define CDSP_DOMAIN_ID 3
#define CDSP_DOMAIN_NAME "cdsp"
#define DOMAINS_LIST_FLAGS_SET_TYPE(flags, type) ((flags) | (type))

typedef struct domain { int id; char uri[64]; } domain;
typedef struct fastrpc_domain { enum fastrpc_domain_type type; int id, status, instance_id; char name[64]; } fastrpc_domain;
typedef struct { fastrpc_domain * domains; int max_domains, num_domains; uint64_t flags; } fastrpc_domains_info;
typedef struct { int id; fastrpc_domains_info sys; } system_req_payload;

struct remote_rpc_reserve_new_session {
    char * domain_name; uint32_t domain_name_len; char * session_name; uint32_t session_name_len;
    uint32_t effective_domain_id, session_id;
};
struct remote_rpc_effective_domain_id { char * domain_name; uint32_t domain_name_len, session_id, effective_domain_id; };
struct remote_rpc_control_unsigned_module { int domain, enable; };
struct remote_rpc_control_latency { uint32_t enable, latency; };
struct remote_rpc_get_uri {
    char * domain_name; uint32_t domain_name_len, session_id; char * module_uri; uint32_t module_uri_len;
    char * uri; uint32_t uri_len;
};

int remote_session_control(uint32_t request, void * data, uint32_t bytes);
int remote_handle64_control(remote_handle64 handle, uint32_t request, void * data, uint32_t bytes);
int fastrpc_mmap(int domain, int fd, void * address, int offset, size_t length, enum fastrpc_map_flags flags);
int fastrpc_munmap(int domain, int fd, void * address, size_t length);
