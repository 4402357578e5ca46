"""Twelve kernels as people write them in Triton, and how each is compiled.

A row of KERNELS: name, kernel, types, constants, integers, grid, and options of
the compilation.  None of them has bounds to check: what counts here is what
Triton makes of them in shared memory.
"""

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    total = tl.load(x + offsets, mask=mask) + tl.load(y + offsets, mask=mask)
    tl.store(out + offsets, total, mask=mask)


@triton.jit
def softmax(x, out, stride, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < columns
    values = tl.load(x + row * stride + offsets, mask=mask, other=-float("inf"))
    powers = tl.exp(values - tl.max(values, axis=0))
    tl.store(out + row * stride + offsets, powers / tl.sum(powers, axis=0),
             mask=mask)


@triton.jit
def matmul(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr,
           BK: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        left = tl.load(a + rows[:, None] * K + (k + inner)[None, :])
        right = tl.load(b + (k + inner)[:, None] * N + columns[None, :])
        total = tl.dot(left, right, total)
    tl.store(c + rows[:, None] * N + columns[None, :], total)


@triton.jit
def matmul_tma(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr,
               BK: tl.constexpr, SPECIALISE: tl.constexpr):
    left = tl.make_tensor_descriptor(a, [M, K], [K, 1], [BM, BK])
    right = tl.make_tensor_descriptor(b, [K, N], [N, 1], [BK, BN])
    out = tl.make_tensor_descriptor(c, [M, N], [N, 1], [BM, BN])
    row = tl.program_id(0) * BM
    column = tl.program_id(1) * BN
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in tl.range(0, K, BK, warp_specialize=SPECIALISE):
        total = tl.dot(left.load([row, k]), right.load([k, column]), total)
    out.store([row, column], total.to(tl.float16))


@triton.jit
def attention(q, k, v, out, n, scale, BM: tl.constexpr, BN: tl.constexpr,
              D: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    inner = tl.arange(0, D)
    queries = tl.load(q + rows[:, None] * D + inner[None, :])
    largest = tl.full([BM], -float("inf"), dtype=tl.float32)
    weight = tl.zeros([BM], dtype=tl.float32)
    total = tl.zeros([BM, D], dtype=tl.float32)
    for start in range(0, n, BN):
        columns = start + tl.arange(0, BN)
        keys = tl.load(k + columns[None, :] * D + inner[:, None])
        values = tl.load(v + columns[:, None] * D + inner[None, :])
        scores = tl.dot(queries, keys) * scale
        larger = tl.maximum(largest, tl.max(scores, 1))
        powers = tl.exp(scores - larger[:, None])
        shrink = tl.exp(largest - larger)
        weight = weight * shrink + tl.sum(powers, 1)
        total = tl.dot(powers.to(tl.float16), values, total * shrink[:, None])
        largest = larger
    tl.store(out + rows[:, None] * D + inner[None, :],
             (total / weight[:, None]).to(tl.float16))


@triton.jit
def sort(x, out, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.sort(tl.load(x + offsets)))


@triton.jit
def scan(x, out, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + offsets, tl.cumsum(tl.load(x + offsets), 0))


@triton.jit
def histogram(x, out, BLOCK: tl.constexpr, BINS: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    counts = tl.histogram(tl.load(x + offsets), BINS)
    tl.atomic_add(out + tl.arange(0, BINS), counts)


HALVES = {"a": "*fp16", "b": "*fp16", "c": "*fp32",
          "M": "i32", "N": "i32", "K": "i32"}
CUBE = {"M": 1024, "N": 1024, "K": 1024}
TILE = {"BM": 128, "BN": 128, "BK": 64}
PAIR = {"x": "*fp32", "out": "*fp32"}


def _matmul(stages):
    return ("matmul, %d stage%s" % (stages, "s" if stages > 1 else ""), matmul,
            HALVES, TILE, CUBE, (8, 8), {"num_stages": stages})


def _matmul_tma(name, specialise):
    return (name, matmul_tma, {**HALVES, "c": "*fp16"},
            {**TILE, "SPECIALISE": specialise}, CUBE, (8, 8),
            {"num_stages": 3, "num_warps": 4})


KERNELS = [
    ("add", add, {**PAIR, "y": "*fp32", "n": "i32"}, {"BLOCK": 1024},
     {"n": 98432}, (97,), {}),
    ("softmax", softmax, {**PAIR, "stride": "i32", "columns": "i32"},
     {"BLOCK": 1024}, {"stride": 1024, "columns": 1000}, (512,), {}),
    *[_matmul(stages) for stages in (1, 2, 3, 4)],
    _matmul_tma("matmul, TMA", False),
    _matmul_tma("matmul, TMA, roles", True),
    ("attention", attention,
     {"q": "*fp16", "k": "*fp16", "v": "*fp16", "out": "*fp16", "n": "i32",
      "scale": "fp32"}, {"BM": 128, "BN": 64, "D": 64}, {"n": 1024}, (8,),
     {"num_stages": 3}),
    ("sort", sort, {"x": "*i32", "out": "*i32"}, {"BLOCK": 1024}, {}, (64,), {}),
    ("scan", scan, PAIR, {"BLOCK": 1024}, {}, (64,), {}),
    ("histogram", histogram, {"x": "*i32", "out": "*i32"},
     {"BLOCK": 1024, "BINS": 256}, {}, (64,), {}),
]
