/* Loads a skel: maps its segments, applies its relocations, resolves its imports. */
#include "guest.h"

typedef struct {
    uint8_t ident[16];
    uint16_t type, machine;
    uint32_t version, entry, phoff, shoff, flags;
    uint16_t ehsize, phentsize, phnum, shentsize, shnum, shstrndx;
} Ehdr;
typedef struct { uint32_t type, offset, vaddr, paddr, filesz, memsz, flags, align; } Phdr;
typedef struct { int32_t tag; uint32_t value; } Dyn;
typedef struct { uint32_t name, value, size; uint8_t info, other; uint16_t shndx; } Sym;
typedef struct { uint32_t offset, info; int32_t addend; } Rela;

enum { PT_LOAD = 1, PT_DYNAMIC = 2, PF_X = 1, EM_HEXAGON = 164, ET_DYN = 3 };
enum { DT_PLTRELSZ = 2, DT_HASH = 4, DT_STRTAB = 5, DT_SYMTAB = 6, DT_RELA = 7, DT_RELASZ = 8, DT_JMPREL = 23 };
enum { R_HEX_32 = 6, R_HEX_GLOB_DAT = 33, R_HEX_JMP_SLOT = 34, R_HEX_RELATIVE = 35 };

#define SKEL_AT 0x20000000u
#define PAGE 0x10000u

static int bad(const char *a, const char *b) {
    guest_text(a, b);
    guest_send(HMXWB_GUEST_BAD_SKEL, 0);
    return -1;
}

static int map_segments(struct skel *skel, const uint8_t *file, uint32_t size) {
    const Ehdr *e = (const Ehdr *)file;
    if (size < sizeof *e || e->machine != EM_HEXAGON || e->type != ET_DYN || e->phentsize != sizeof(Phdr) ||
        e->phoff > size || (uint32_t)e->phnum * sizeof(Phdr) > size - e->phoff)
        return bad("not a Hexagon shared object", "");
    const Phdr *p = (const Phdr *)(file + e->phoff);
    uint32_t end = 0;
    for (int i = 0; i < e->phnum; i++)
        if (p[i].type == PT_LOAD && p[i].vaddr + p[i].memsz > end) end = p[i].vaddr + p[i].memsz;
    end = (end + PAGE - 1) & ~(PAGE - 1);
    if (end == 0 || end > 0x10000000u) return bad("no loadable segment, or one too large", "");
    uint8_t *at = guest_map(SKEL_AT, end, PROT_READ | PROT_WRITE | PROT_EXEC,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1);
    if (!at) return bad("no memory for the skel", "");
    skel->base = (uint32_t)at;
    for (int i = 0; i < e->phnum; i++) {
        if (p[i].type != PT_LOAD) continue;
        if (p[i].offset > size || p[i].filesz > size - p[i].offset || p[i].filesz > p[i].memsz)
            return bad("a segment reaches beyond the file", "");
        memcpy(at + p[i].vaddr, file + p[i].offset, p[i].filesz);
        if (p[i].flags & PF_X) {
            uint32_t start = skel->base + p[i].vaddr, stop = start + p[i].memsz;
            if (!skel->code_start || start < skel->code_start) skel->code_start = start;
            if (stop > skel->code_end) skel->code_end = stop;
        }
    }
    return 0;
}

static int relocate(const struct skel *skel, uint32_t at, uint32_t len) {
    const Rela *r = (const Rela *)at;
    const Sym *symbols = (const Sym *)skel->symbols;
    for (; len >= sizeof *r; r++, len -= sizeof *r) {
        uint32_t *where = (uint32_t *)(skel->base + r->offset);
        uint32_t kind = r->info & 0xFF, value = 0;
        if (kind != R_HEX_RELATIVE) {
            const Sym *s = &symbols[r->info >> 8];
            const char *name = skel->strings + s->name;
            value = s->shndx ? skel->base + s->value : shim_find(name);
            if (!value && (s->info >> 4) != 2 /* not weak */) {
                guest_text(name, "");
                guest_send(HMXWB_GUEST_NO_SYMBOL, 1);
                return -1;
            }
        }
        switch (kind) {
        case R_HEX_RELATIVE: *where = skel->base + (uint32_t)r->addend; break;
        case R_HEX_32: case R_HEX_GLOB_DAT: case R_HEX_JMP_SLOT: *where = value + (uint32_t)r->addend; break;
        default: return bad("a relocation of an unknown kind", "");
        }
    }
    return 0;
}

int skel_load(struct skel *skel) {
    uint32_t size = CONTROL->skel_size;
    const uint8_t *file = guest_map(0, size, PROT_READ, MAP_PRIVATE, HMXWB_GUEST_FD_SKEL);
    if (!file) return bad("the skel file cannot be mapped", "");
    if (map_segments(skel, file, size)) return -1;
    const Phdr *p = (const Phdr *)(file + ((const Ehdr *)file)->phoff);
    uint32_t rela = 0, relasz = 0, jmprel = 0, pltrelsz = 0;
    for (int i = 0; i < ((const Ehdr *)file)->phnum; i++) {
        if (p[i].type != PT_DYNAMIC) continue;
        for (const Dyn *d = (const Dyn *)(skel->base + p[i].vaddr); d->tag; d++) {
            uint32_t at = skel->base + d->value;
            switch (d->tag) {
            case DT_HASH: skel->symbol_count = ((const uint32_t *)at)[1]; break;
            case DT_STRTAB: skel->strings = (const char *)at; break;
            case DT_SYMTAB: skel->symbols = (const uint8_t *)at; break;
            case DT_RELA: rela = at; break;
            case DT_RELASZ: relasz = d->value; break;
            case DT_JMPREL: jmprel = at; break;
            case DT_PLTRELSZ: pltrelsz = d->value; break;
            default: break;
            }
        }
    }
    if (!skel->symbols || !skel->strings || !skel->symbol_count)
        return bad("no dynamic symbols (link with --hash-style=sysv or both)", "");
    if (relocate(skel, rela, relasz)) return -1;
    return relocate(skel, jmprel, pltrelsz);
}

uint32_t skel_symbol(const struct skel *skel, const char *name) {
    const Sym *s = (const Sym *)skel->symbols;
    for (uint32_t i = 1; i < skel->symbol_count; i++)
        if (s[i].shndx && !strcmp(skel->strings + s[i].name, name)) return skel->base + s[i].value;
    return 0;
}
