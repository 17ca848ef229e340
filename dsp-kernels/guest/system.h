/* System calls of the guest runner (Hexagon Linux user mode; number in r6, trap0(#1)). */
#ifndef HMXWB_GUEST_SYSTEM_H
#define HMXWB_GUEST_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

#define SYS_READ 63
#define SYS_WRITE 64
#define SYS_EXIT_GROUP 94
#define SYS_RT_SIGACTION 134
#define SYS_RT_SIGRETURN 139
#define SYS_MMAP 222
#define SYS_MPROTECT 226

#define PROT_READ 1
#define PROT_WRITE 2
#define PROT_EXEC 4
#define MAP_SHARED 1
#define MAP_PRIVATE 2
#define MAP_FIXED 16
#define MAP_ANONYMOUS 32

/* One system call; a negative errno comes back on failure. */
static inline long sys6(long number, long a, long b, long c, long d, long e, long f) {
    register long r0 __asm__("r0") = a;
    register long r1 __asm__("r1") = b;
    register long r2 __asm__("r2") = c;
    register long r3 __asm__("r3") = d;
    register long r4 __asm__("r4") = e;
    register long r5 __asm__("r5") = f;
    register long r6 __asm__("r6") = number;
    __asm__ volatile("trap0(#1)"
                     : "+r"(r0)
                     : "r"(r1), "r"(r2), "r"(r3), "r"(r4), "r"(r5), "r"(r6)
                     : "memory");
    return r0;
}

/* Reads exactly `len` bytes; 0 on success, -1 when the other side is gone. */
int guest_read(int fd, void *to, size_t len);
/* Writes exactly `len` bytes; 0 on success, -1 when the other side is gone. */
int guest_write(int fd, const void *from, size_t len);
/* Ends the process. */
__attribute__((noreturn)) void guest_exit(int code);
/* Maps `len` bytes; the address, or 0 on failure. */
void *guest_map(uint32_t at, uint32_t len, int protection, int flags, int fd);

void *memcpy(void *to, const void *from, size_t len);
void *memset(void *to, int value, size_t len);
void *memmove(void *to, const void *from, size_t len);
int memcmp(const void *a, const void *b, size_t len);
size_t strlen(const char *s);
int strcmp(const char *a, const char *b);

#endif
