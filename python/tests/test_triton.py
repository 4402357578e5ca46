"""With Triton itself, where it is installed; no GPU is needed."""

import unittest

try:
    import triton
    import triton.language as tl
    MISSING = None
except ImportError:
    triton, tl = None, None
    MISSING = "triton is not installed"

import gpuverify
import gpuverify.triton

if triton:
    from triton.experimental import gluon
    from triton.experimental.gluon import language as gl

    @gluon.jit
    def through_shared(x, out, BLOCK: gl.constexpr):
        rows: gl.constexpr = gl.BlockedLayout([1], [32], [4], [0])
        wide: gl.constexpr = gl.BlockedLayout([4], [32], [4], [0])
        plain: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
        tile = gl.allocate_shared_memory(gl.float32, [BLOCK], plain)
        tile.store(gl.load(x + gl.arange(0, BLOCK, rows)))
        gl.store(out + gl.arange(0, BLOCK, wide), tile.load(wide))

    @triton.jit
    def row_sum(x, out, n, BLOCK: tl.constexpr):
        offsets = tl.arange(0, BLOCK)
        total = tl.zeros([BLOCK], dtype=tl.float32)
        for start in range(0, n, BLOCK):
            total += tl.load(x + tl.program_id(0) * n + start + offsets)
        tl.store(out + tl.program_id(0), tl.sum(total, 0))

SIGNATURE = {"x": "*fp32", "out": "*fp32", "n": "i32"}


@unittest.skipIf(MISSING, MISSING)
class AheadOfTime(unittest.TestCase):
    def check(self, **options):
        return gpuverify.triton.check(row_sum, signature=SIGNATURE,
                                      constexprs={"BLOCK": 256}, **options)

    def test_every_architecture(self):
        for arch in (80, 90, 100):
            record = self.check(arch=arch, args={"n": 1024}, grid=(16,))
            self.assertEqual(record.verdict, "verified for one block")
            self.assertEqual(record["file"], __file__)
            self.assertEqual(record["block_size"], [128, 1, 1])

    def test_warps_are_those_asked_for(self):
        record = self.check(args={"n": 1024}, num_warps=8)
        self.assertEqual(record["block_size"], [256, 1, 1])

    def test_a_parameter_without_a_type_is_wrong_use(self):
        with self.assertRaisesRegex(gpuverify.WrongUse, "no type.*BLOCK"):
            gpuverify.triton.check(row_sum, signature=SIGNATURE)
        with self.assertRaisesRegex(gpuverify.WrongUse, "no parameter.*m"):
            gpuverify.triton.check(row_sum, signature={**SIGNATURE, "m": "i32"},
                                   constexprs={"BLOCK": 256})

    def test_an_autotuned_kernel_is_the_one_that_it_wraps(self):
        tuned = triton.autotune([triton.Config({"BLOCK": 256})], key=["n"])(
            triton.heuristics({"BLOCK": lambda args: 256})(row_sum))
        record = gpuverify.triton.check(
            tuned, signature=SIGNATURE, constexprs={"BLOCK": 256},
            args={"n": 1024})
        self.assertEqual(record.verdict, "verified for one block")

    def test_what_is_no_kernel_is_wrong_use(self):
        with self.assertRaisesRegex(gpuverify.WrongUse, "no kernel"):
            gpuverify.triton.check(3, signature={})

    def test_gluon(self):
        compiled = gpuverify.triton.compile_kernel(
            through_shared, {"x": "*fp32", "out": "*fp32"}, {"BLOCK": 512})
        values = [None] * 3
        record = gpuverify.triton.check_compiled(compiled, values=values)
        self.assertEqual(record.verdict, "verified for one block")
        compiled.asm["ptx"] = compiled.asm["ptx"].replace("bar.sync", "// bar")
        record = gpuverify.triton.check_compiled(compiled, values=values)
        self.assertEqual(record.verdict, "racy")

    def test_a_barrier_that_is_taken_away_is_missed(self):
        compiled = gpuverify.triton.compile_kernel(
            row_sum, SIGNATURE, {"BLOCK": 256}, {"n": 1024}, arch=80)
        compiled.asm["ptx"] = compiled.asm["ptx"].replace("bar.sync", "// bar")
        record = gpuverify.triton.check_compiled(
            compiled, values=[None, None, 1024, 256])
        self.assertEqual(record.verdict, "racy")
        places = [end["where"] for end in record.problems[0]["ends"]]
        self.assertTrue(all(p["file"].endswith(".py") for p in places), places)


if __name__ == "__main__":
    unittest.main()
