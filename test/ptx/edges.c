// The operands: where something changes.

#include "test/ptx/forms.h"

enum {
  HALVES = 5,
  BRAINS = 6,
};

static const uint64_t edges[][EDGES] = {
    // predicates
    {0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1,
     1, 0, 0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 1, 0},
    // words of 16 bits
    {0,      1,      2,      3,      7,      8,      15,     16,
     17,     31,     32,     33,     63,     64,     0x7f,   0x80,
     0xff,   0x100,  0x7ffe, 0x7fff, 0x8000, 0x8001, 0xff80, 0xff7f,
     0xfffe, 0xffff, 0x1234, 0xabcd, 0x5555, 0xaaaa, 0xfff0, 0x00f0},
    // .. 32
    {0,          1,          2,          5,          8,          15,
     16,         31,         32,         33,         63,         64,
     65,         0x7f,       0x80,       0xff,       0x100,      0x7fff,
     0x8000,     0xffff,     0x10000,    0x7fffffff, 0x80000000, 0x80000001,
     0xfffffffe, 0xffffffff, 0xffffff80, 0xffff7fff, 0x12345678, 0xdeadbeef,
     0x00ffffff, 0x80ff7f01},
    // .. 64
    {0,
     1,
     2,
     31,
     32,
     63,
     64,
     65,
     0xff,
     0x100,
     0xffff,
     0x7fffffff,
     0x80000000,
     0xffffffff,
     0x100000000,
     0x7fffffffffffffff,
     0x8000000000000000,
     0x8000000000000001,
     0xfffffffffffffffe,
     0xffffffffffffffff,
     0xffffffff80000000,
     0xffffffff7fffffff,
     0x0123456789abcdef,
     0xfedcba9876543210,
     0x5555555555555555,
     0x0020000000000001,
     0x7ffffffffffffdff,
     0x8080000000000001,
     0x01fffffffffffffe,
     0x0000000001000001,
     0xff80000000000000,
     0x00000000ffffff80},
    // f32
    {0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff,
     0x00800000, 0x80800000, 0x3f800000, 0xbf800000, 0x3f000000, 0x3fc00000,
     0x40200000, 0xc0200000, 0x3dcccccd, 0x3eaaaaab, 0x7f7fffff, 0xff7fffff,
     0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0xffc12345, 0x4f000000,
     0xcf000001, 0x5f800000, 0x437f8000, 0xc3008000, 0x477fe800, 0x4b800001,
     0x1e3ce508, 0x60ad78ec},
    // f16
    {0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400,
     0x3c00, 0xbc00, 0x3800, 0x3e00, 0x4100, 0xc100, 0x2e66, 0x3555,
     0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0xfe12, 0x3c01,
     0x3bff, 0x5bf8, 0xd804, 0x1400, 0x7bfe, 0x0c00, 0x4248, 0xb001},
    // bf16
    {0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x807f, 0x0080, 0x8080,
     0x3f80, 0xbf80, 0x3f00, 0x3fc0, 0x4020, 0xc020, 0x3dcd, 0x3eab,
     0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x7f81, 0xffc1, 0x3f81,
     0x4110, 0x41e8, 0x0d80, 0x8d80, 0x4300, 0x1e3d, 0x60ad, 0x2000},
    // f64
    {0x0000000000000000, 0x8000000000000000, 0x0000000000000001,
     0x8000000000000001, 0x000fffffffffffff, 0x800fffffffffffff,
     0x0010000000000000, 0x8010000000000000, 0x3ff0000000000000,
     0xbff0000000000000, 0x3fe0000000000000, 0x3ff8000000000000,
     0x4004000000000000, 0xc004000000000000, 0x3fb999999999999a,
     0x3fd5555555555555, 0x7fefffffffffffff, 0xffefffffffffffff,
     0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
     0x7ff0000000000001, 0xfff8000000012345, 0x41e0000000000000,
     0xc1e0000000200000, 0x43f0000000000000, 0x41dfffffffe00000,
     0x3810000000000001, 0x36a0000000000001, 0x47efffffefffffff,
     0x3ff0000010000001, 0x40effdffffffffff},
};

enum { TABLE_KINDS = sizeof edges / sizeof *edges };

unsigned kind_of(Type type) {
  if (type.kind == 'p')
    return 0;
  if (type.kind == 'e')
    return type.lanes == 2 ? TABLE_KINDS + 1 : BRAINS;
  if (type.kind == 'f' && type.bits == 16)
    return type.lanes == 2 ? TABLE_KINDS : HALVES;
  if (type.kind == 'f')
    return type.bits == 32 ? 4 : 7;
  unsigned bits = type.bits * type.lanes;
  return bits == 64 ? 3 : bits == 16 ? 1 : 2;
}

uint64_t edge(unsigned kind, unsigned index) {
  if (kind < TABLE_KINDS)
    return edges[kind][index % EDGES];
  const uint64_t *halves = edges[kind - TABLE_KINDS + HALVES];
  return halves[index % EDGES] | halves[(index * 5 + 3) % EDGES] << 16;
}

unsigned place_of(unsigned tuple, unsigned n) {
  unsigned first = tuple % EDGES, second = tuple / EDGES;
  unsigned places[MOST_SOURCES] = {first, second, first * 7 + second * 5,
                                   first * 11 + second * 3 + 5, second * 9};
  return places[n] % EDGES;
}

unsigned literal_tuple(size_t form, unsigned n) {
  return (unsigned)(form * 37 + n * 433) % TUPLES;
}
