"""Ten more kernels, in the form of kernels.py."""

import triton
import triton.language as tl

from kernels import CUBE, HALVES, PAIR, TILE


@triton.jit
def layer_norm(x, out, weight, bias, stride, columns, eps,
               BLOCK: tl.constexpr):
    row = tl.program_id(0)
    mean_parts = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        mean_parts += tl.load(x + row * stride + offsets,
                              mask=offsets < columns, other=0.0)
    mean = tl.sum(mean_parts, axis=0) / columns
    squares = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        v = tl.load(x + row * stride + offsets, mask=offsets < columns,
                    other=0.0)
        v = tl.where(offsets < columns, v - mean, 0.0)
        squares += v * v
    scale = 1 / tl.sqrt(tl.sum(squares, axis=0) / columns + eps)
    for start in range(0, columns, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        mask = offsets < columns
        v = tl.load(x + row * stride + offsets, mask=mask, other=0.0)
        w = tl.load(weight + offsets, mask=mask)
        b = tl.load(bias + offsets, mask=mask)
        tl.store(out + row * stride + offsets, (v - mean) * scale * w + b,
                 mask=mask)


@triton.jit
def combine(a, m, b, n):
    return a * n + b, m * n


@triton.jit
def recurrence(x, decay, out, BLOCK: tl.constexpr, COLUMNS: tl.constexpr):
    rows = tl.arange(0, BLOCK)
    columns = tl.arange(0, COLUMNS)
    at = rows[:, None] * COLUMNS + columns[None, :]
    v = tl.load(x + at)
    d = tl.load(decay + at)
    y, _ = tl.associative_scan((v, d), 0, combine)
    tl.store(out + at, y)


@triton.jit
def split_k(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr,
            BK: tl.constexpr, SPLIT: tl.constexpr):
    rows = tl.program_id(0) * BM + tl.arange(0, BM)
    columns = tl.program_id(1) * BN + tl.arange(0, BN)
    inner = tl.program_id(2) * BK + tl.arange(0, BK)
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK * SPLIT):
        left = tl.load(a + rows[:, None] * K + (k + inner)[None, :])
        right = tl.load(b + (k + inner)[:, None] * N + columns[None, :])
        total = tl.dot(left, right, total)
    tl.atomic_add(c + rows[:, None] * N + columns[None, :], total)


@triton.jit
def persistent(a, b, c, M, N, K, PROGRAMS: tl.constexpr, BM: tl.constexpr,
               BN: tl.constexpr, BK: tl.constexpr):
    tiles_n = N // BN
    tiles = (M // BM) * tiles_n
    inner = tl.arange(0, BK)
    for tile in tl.range(tl.program_id(0), tiles, PROGRAMS, flatten=True):
        rows = (tile // tiles_n) * BM + tl.arange(0, BM)
        columns = (tile % tiles_n) * BN + tl.arange(0, BN)
        total = tl.zeros((BM, BN), dtype=tl.float32)
        for k in range(0, K, BK):
            left = tl.load(a + rows[:, None] * K + (k + inner)[None, :])
            right = tl.load(b + (k + inner)[:, None] * N + columns[None, :])
            total = tl.dot(left, right, total)
        tl.store(c + rows[:, None] * N + columns[None, :], total)


@triton.jit
def dropout(x, out, n, p, seed, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    v = tl.load(x + offsets, mask=mask)
    keep = tl.rand(seed, offsets) > p
    tl.store(out + offsets, tl.where(keep, v / (1 - p), 0.0), mask=mask)


@triton.jit
def top_k(x, out, BLOCK: tl.constexpr, K: tl.constexpr):
    row = tl.program_id(0)
    v = tl.load(x + row * BLOCK + tl.arange(0, BLOCK))
    tl.store(out + row * K + tl.arange(0, K), tl.topk(v, K))


@triton.jit
def argmax(x, out, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    v = tl.load(x + row * columns + at, mask=at < columns, other=-float("inf"))
    tl.store(out + row, tl.argmax(v, axis=0))


@triton.jit
def attention_backward(q, k, v, do, dq, dk, dv, lse, delta, n, scale,
                       BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    keys_at = tl.program_id(0) * BN + tl.arange(0, BN)
    inner = tl.arange(0, D)
    keys = tl.load(k + keys_at[:, None] * D + inner[None, :])
    values = tl.load(v + keys_at[:, None] * D + inner[None, :])
    d_keys = tl.zeros([BN, D], dtype=tl.float32)
    d_values = tl.zeros([BN, D], dtype=tl.float32)
    for start in range(0, n, BM):
        rows = start + tl.arange(0, BM)
        queries = tl.load(q + rows[:, None] * D + inner[None, :])
        d_out = tl.load(do + rows[:, None] * D + inner[None, :])
        sums = tl.load(lse + rows)
        d_row = tl.load(delta + rows)
        p = tl.exp(tl.dot(queries, tl.trans(keys)) * scale - sums[:, None])
        d_values += tl.dot(tl.trans(p.to(tl.float16)), d_out)
        dp = tl.dot(d_out, tl.trans(values))
        ds = (p * (dp - d_row[:, None]) * scale).to(tl.float16)
        d_keys += tl.dot(tl.trans(ds), queries)
        tl.atomic_add(dq + rows[:, None] * D + inner[None, :],
                      tl.dot(ds, keys))
    tl.store(dk + keys_at[:, None] * D + inner[None, :],
             d_keys.to(tl.float16))
    tl.store(dv + keys_at[:, None] * D + inner[None, :],
             d_values.to(tl.float16))


@triton.jit
def transpose(x, out, n, BLOCK: tl.constexpr):
    rows = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    columns = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    v = tl.load(x + rows[:, None] * n + columns[None, :])
    tl.store(out + columns[:, None] * n + rows[None, :], tl.trans(v))


@triton.jit
def gather(x, at, out, BLOCK: tl.constexpr):
    offsets = tl.arange(0, BLOCK)
    v = tl.load(x + offsets)
    tl.store(out + offsets, tl.gather(v, tl.load(at + offsets), 0))


HALF = "*fp16"
FLOAT = "*fp32"

KERNELS = [
    ("layer norm", layer_norm,
     {**PAIR, "weight": FLOAT, "bias": FLOAT, "stride": "i32",
      "columns": "i32", "eps": "fp32"}, {"BLOCK": 1024},
     {"stride": 4096, "columns": 4000}, (512,), {"num_warps": 8}),
    ("associative scan", recurrence, {**PAIR, "decay": FLOAT},
     {"BLOCK": 256, "COLUMNS": 16}, {}, (1,), {}),
    ("split-k matmul", split_k, HALVES, {**TILE, "SPLIT": 4}, CUBE, (8, 8, 4),
     {"num_stages": 3}),
    ("persistent matmul", persistent, HALVES, {**TILE, "PROGRAMS": 16}, CUBE,
     (16,), {"num_stages": 3, "num_warps": 8}),
    ("dropout", dropout, {**PAIR, "n": "i32", "p": "fp32", "seed": "i32"},
     {"BLOCK": 1024}, {"n": 98432, "seed": 123}, (97,), {}),
    ("top-k", top_k, PAIR, {"BLOCK": 1024, "K": 16}, {}, (64,), {}),
    ("argmax", argmax, {"x": FLOAT, "out": "*i32", "columns": "i32"},
     {"BLOCK": 2048}, {"columns": 2000}, (64,), {}),
    ("attention, backward", attention_backward,
     {"q": HALF, "k": HALF, "v": HALF, "do": HALF, "dq": FLOAT, "dk": HALF,
      "dv": HALF, "lse": FLOAT, "delta": FLOAT, "n": "i32", "scale": "fp32"},
     {"BM": 64, "BN": 128, "D": 64}, {"n": 1024}, (8,),
     {"num_stages": 2, "num_warps": 8}),
    ("transpose", transpose, {**PAIR, "n": "i32"}, {"BLOCK": 64}, {"n": 1024},
     (16, 16), {}),
    ("gather", gather, {**PAIR, "at": "*i32"}, {"BLOCK": 1024}, {}, (1,), {}),
]
