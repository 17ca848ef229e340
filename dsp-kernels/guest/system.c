/* System calls and the few C library functions that the runner and a skel need. */
#include "system.h"

int guest_read(int fd, void *to, size_t len) {
    for (char *p = to; len > 0;) {
        long got = sys6(SYS_READ, fd, (long)p, (long)len, 0, 0, 0);
        if (got == -4) continue; /* interrupted */
        if (got <= 0) return -1;
        p += got;
        len -= (size_t)got;
    }
    return 0;
}

int guest_write(int fd, const void *from, size_t len) {
    for (const char *p = from; len > 0;) {
        long put = sys6(SYS_WRITE, fd, (long)p, (long)len, 0, 0, 0);
        if (put == -4) continue;
        if (put <= 0) return -1;
        p += put;
        len -= (size_t)put;
    }
    return 0;
}

void guest_exit(int code) {
    for (;;) sys6(SYS_EXIT_GROUP, code, 0, 0, 0, 0, 0);
}

void *guest_map(uint32_t at, uint32_t len, int protection, int flags, int fd) {
    long got = sys6(SYS_MMAP, (long)at, (long)len, protection, flags, fd, 0);
    return got < 0 && got > -4096 ? 0 : (void *)got;
}

void *memcpy(void *restrict to, const void *restrict from, size_t len) {
    char *t = to;
    const char *f = from;
    if ((((uintptr_t)t | (uintptr_t)f | len) & 7) == 0) {
        for (size_t i = 0; i < len; i += 8)
            *(volatile uint64_t *)(t + i) = *(const volatile uint64_t *)(f + i);
        return to;
    }
    for (size_t i = 0; i < len; i++) ((volatile char *)t)[i] = f[i];
    return to;
}

void *memmove(void *to, const void *from, size_t len) {
    char *t = to;
    const char *f = from;
    if (t <= f || t >= f + len) return memcpy(to, from, len);
    for (size_t i = len; i > 0; i--) ((volatile char *)t)[i - 1] = f[i - 1];
    return to;
}

void *memset(void *to, int value, size_t len) {
    for (size_t i = 0; i < len; i++) ((volatile char *)to)[i] = (char)value;
    return to;
}

int memcmp(const void *a, const void *b, size_t len) {
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < len; i++)
        if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    return 0;
}

size_t strlen(const char *s) {
    size_t n = 0;
    while (((const volatile char *)s)[n]) n++;
    return n;
}

int strcmp(const char *a, const char *b) {
    while (*a && *a == *b) a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}
