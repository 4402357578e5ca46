"""Launches of Triton kernels, with a stand-in for Triton (stand_in/)."""

import io
import os
import subprocess
import sys
import unittest

import gpuverify
import gpuverify.triton

HERE = os.path.dirname(os.path.abspath(__file__))
STAND_IN = os.path.join(HERE, "stand_in")


def exchange():
    with open(os.path.join(HERE, "exchange.ptx"), encoding="utf-8") as file:
        return file.read()


class Barriers(unittest.TestCase):
    def test_ptx_is_text_or_a_file(self):
        values = {"exchange": [None, 16, None, None]}
        of_text = gpuverify.barriers(exchange(), kernel_args=values)
        of_file = gpuverify.barriers(os.path.join(HERE, "exchange.ptx"),
                                     kernel_args=values)
        self.assertEqual([of_text[0].verdict, of_file[0].verdict],
                         ["racy", "racy"])
        self.assertIn("exchange.py:10:9: confirmed read-write race", str(of_text))


class Launches(unittest.TestCase):
    def setUp(self):
        sys.path.insert(0, STAND_IN)
        self.addCleanup(sys.path.remove, STAND_IN)
        plain = {name: module for name, module in sys.modules.items()
                 if name.split(".")[0] == "triton"}
        for name in plain:
            del sys.modules[name]
        self.addCleanup(sys.modules.update, plain)
        from triton.compiler.compiler import CompiledKernel
        self.addCleanup(gpuverify.triton.disable)
        self.addCleanup(self.forget)
        gpuverify.triton._plain_launch_metadata = None
        self.out = io.StringIO()
        self.kernel = CompiledKernel("exchange", exchange(),
                                     {"out": "*i32", "n": "i32"})

    @staticmethod
    def forget():
        gpuverify.triton._plain_launch_metadata = None
        for name in list(sys.modules):
            if name.split(".")[0] == "triton":
                del sys.modules[name]

    def enable(self, **options):
        return gpuverify.triton.enable(stream=self.out, **options)

    def test_arguments_of_the_launch_decide(self):
        records = self.enable()
        self.kernel.launch((4,), object(), 64)
        self.kernel.launch((4,), object(), 64)
        self.kernel.launch((4,), object(), 16)
        self.assertEqual([r.verdict for r in records],
                         ["verified for one block", "racy"])
        self.assertEqual(records[1]["grid_size"], [4, 1, 1])
        self.assertIn("exchange.py:10:9: confirmed read-write race",
                      self.out.getvalue())
        self.assertEqual(len(self.kernel.launched), 3)

    def test_a_bug_is_raised_before_the_launch_if_asked_for(self):
        self.enable(on_bug="error")
        with self.assertRaisesRegex(gpuverify.triton.KernelError, "exchange.py"):
            self.kernel.launch((4,), object(), 16)
        self.assertEqual(self.kernel.launched, [])

    def test_what_holds_for_all_launches_is_asked_once(self):
        records = self.enable()
        self.kernel.asm["ptx"] = exchange().replace("@!%p1 bra", "// bra")
        for n in (16, 32, 64):
            self.kernel.launch((n,), object(), n)
        self.assertEqual([r.verdict for r in records],
                         ["verified for one block"])

    def test_so_many_launches_are_looked_at(self):
        records = self.enable(launches=1)
        self.kernel.launch((4,), object(), 64)
        self.kernel.launch((4,), object(), 16)
        self.assertEqual(len(records), 1)
        gpuverify.triton._watch.summary()
        self.assertIn("1 verified for one block; 1 launches were not looked at",
                      self.out.getvalue())

    def test_what_is_not_ptx_is_not_decided(self):
        records = self.enable()
        self.kernel.asm = {"amdgcn": ""}
        self.kernel.metadata.target.backend = "hip"
        self.kernel.launch((4,), object(), 16)
        self.assertEqual(records[0].verdict, "unknown")
        self.assertIn("not compiled to PTX but for hip", self.out.getvalue())

    def test_a_mistake_of_ours_is_told_and_the_kernel_launched(self):
        records = self.enable(on_bug="error", blokDim=3)
        self.kernel.launch((4,), object(), 16)
        self.kernel.launch((5,), object(), 16)
        del self.kernel.metadata.num_warps
        self.kernel.hash += 1
        self.kernel.launch((6,), object(), 16)
        self.assertEqual([r.verdict for r in records], ["unknown"] * 2)
        self.assertIn("WrongUse: gpuverify: unknown option", records[0].reason)
        self.assertIn("AttributeError", records[1].reason)
        self.assertEqual(len(self.kernel.launched), 3)

    def test_arguments_that_fit_no_parameters_are_free(self):
        records = self.enable()
        self.kernel.src.signature = {"a": "i32", "b": "i32", "c": "i32",
                                     "d": "i32", "e": "i32"}
        self.kernel.launch((4,), 16, 16, 16, 16, 16)
        self.assertIn("depends on the argument", records[0].reason)

    def test_structured_arguments_are_flat_in_ptx(self):
        class Descriptor:
            shape, strides, padding = [8, 4], [4, 1], "zero"

        flat = gpuverify.triton._flat
        self.assertEqual(flat(("i32", ("*fp16", "i64")), (-1, (object(), 5)),
                              False), [0xffffffff, None, 5])
        self.assertEqual(flat("fp32", 1.0, False), [0x3f800000])
        self.assertEqual(flat("tensordesc<fp16[8, 4]>", Descriptor, True),
                         [None, 8, 4, 4, 1])
        self.assertEqual(flat("tensordesc<fp16[8, 4]>", Descriptor, False),
                         [None, 8, 4, 4, 1, 0, 0, 8, 4, 4, 1])
        self.assertEqual(flat("constexpr", 3, False), [])


class SharedBase(unittest.TestCase):
    def test_only_dynamic_memory_alone_is_said_to_be_aligned(self):
        text, is_assumed = gpuverify.triton.ptx.with_aligned_base(exchange())
        self.assertTrue(is_assumed)
        self.assertIn(".extern .shared .align 1024 .b8 global_smem[];", text)
        own = exchange() + ".shared .align 4 .b8 own[16];\n"
        self.assertEqual(gpuverify.triton.ptx.with_aligned_base(own),
                         (own, False))


class Startup(unittest.TestCase):
    def run_program(self, setting):
        environment = {**os.environ, "GPUVERIFY": setting}
        environment["PYTHONPATH"] = os.pathsep.join(
            [os.path.dirname(HERE), STAND_IN])
        program = (
            "import site; site.addsitedir(%r)\n"
            "from triton.compiler.compiler import CompiledKernel\n"
            "kernel = CompiledKernel('exchange', open(%r).read(),\n"
            "                        {'out': '*i32', 'n': 'i32'})\n"
            "kernel.launch((4,), object(), 16)\n"
            "print(kernel.launched)\n"
            % (os.path.dirname(HERE), os.path.join(HERE, "exchange.ptx")))
        return subprocess.run([sys.executable, "-c", program], env=environment,
                              capture_output=True, text=True, check=False)

    def test_one_warns(self):
        ended = self.run_program("1")
        self.assertEqual((ended.returncode, ended.stdout), (0, "[(4,)]\n"))
        self.assertIn("read-write race", ended.stderr)
        self.assertIn("launches of Triton kernels: 1 racy", ended.stderr)

    def test_error_ends_the_program(self):
        ended = self.run_program("error")
        self.assertEqual((ended.returncode, ended.stdout), (1, ""))
        self.assertIn("KernelError", ended.stderr)

    def test_zero_is_silent_and_nonsense_is_told(self):
        self.assertEqual(self.run_program("0").stderr, "")
        self.assertIn("GPUVERIFY=maybe: neither",
                      self.run_program("maybe").stderr)


if __name__ == "__main__":
    unittest.main()
