"""Options as they are given to the command, and what it complains of."""

import os
import stat
import tempfile
import unittest
from unittest import mock

import gpuverify
from gpuverify import command

RACY = """__global__ void racy(int *a) {
  a[0] = threadIdx.x;
}
"""
OWN_CELLS = """__global__ void own(int *a) {
  a[threadIdx.x] = 0;
}
"""


class Options(unittest.TestCase):
    def test_names_and_values_are_those_of_the_command(self):
        self.assertEqual(
            command.option_texts(dict(
                blockDim=(16, None), check_array_bounds=True, quiet=False,
                local_size=64, confirm=False, j=2, file_timeout=None,
                kernel_args={"k": [None, 3]}, includes=["a b"],
                defines={"N": 4, "BUG": None}, args=["-std=c++20"])),
            ["-std=c++20", "-Ia b", "-DN=4", "-DBUG", "--blockDim=16,*",
             "--check-array-bounds", "--local_size=64", "--confirm=off", "-j2",
             "--kernel-args=k,*,3"])


class Verify(unittest.TestCase):
    def test_a_race_is_a_record_with_two_places(self):
        report = gpuverify.verify(RACY, blockDim=64, gridDim=1)
        [record] = report.bugs
        self.assertEqual((report.status, record.verdict, record.kernel),
                         (1, "racy", "_Z4racyPi"))
        self.assertEqual(record.problems[0]["where"]["file"], "<source>")
        self.assertEqual(record.problems[0]["where"]["line"], 2)
        self.assertFalse(report.is_proved)
        self.assertIn("<source>:2:8: confirmed write-write race on 'a'\n"
                      "  thread (", str(record))
        self.assertIn("verdict: racy (kernel 'racy', ", str(record))

    def test_a_proof_is_one(self):
        report = gpuverify.verify(OWN_CELLS, blockDim=64, gridDim=1)
        self.assertTrue(report.is_proved)
        self.assertTrue(report[0].is_verified)

    def test_files_are_given_as_one_path_or_a_list(self):
        with tempfile.TemporaryDirectory(prefix="with blank ") as folder:
            paths = [os.path.join(folder, name) for name in ("a.cu", "b.cu")]
            for path, text in zip(paths, (RACY, OWN_CELLS)):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            self.assertEqual(gpuverify.verify(paths[0])[0]["file"], paths[0])
            report = gpuverify.verify(paths, blockDim=64, gridDim=1)
        self.assertEqual([r.verdict for r in report], ["racy", "verified"])

    def test_an_include_beside_the_source_is_found(self):
        plain = os.getcwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                with open("sizes.h", "w", encoding="utf-8") as file:
                    file.write("#define N 7\n")
                report = gpuverify.verify(
                    '#include "sizes.h"\n' + RACY.replace("a[0]", "a[N]"))
            finally:
                os.chdir(plain)
        self.assertEqual(report.status, 1)


class Errors(unittest.TestCase):
    def test_wrong_options_are_wrong_use(self):
        with self.assertRaisesRegex(gpuverify.WrongUse, "did you mean"):
            gpuverify.verify(RACY, blokDim=3)

    def test_a_file_that_is_not_there_is_wrong_use(self):
        with self.assertRaisesRegex(gpuverify.WrongUse, "No such file"):
            gpuverify.verify("nowhere.cu")

    def test_an_unknown_language_is_wrong_use(self):
        with self.assertRaisesRegex(gpuverify.WrongUse, "metal"):
            gpuverify.verify(RACY, language="metal")

    def test_what_is_no_path_no_list_and_no_text_is_wrong_use(self):
        for files in (None, 5, b"k.cu", [1], ["k.cu", None], "k\0.cu"):
            with self.subTest(files=files), self.assertRaises(
                    gpuverify.WrongUse):
                gpuverify.verify(files)
        for options in ({"args": 5}, {"includes": {}}, {"defines": ["N"]},
                        {"kernel_args": {"k": None}}, {"timeout": "1\0"}):
            with self.subTest(options=options), self.assertRaises(
                    gpuverify.WrongUse):
                gpuverify.verify(OWN_CELLS, **options)
        with self.assertRaisesRegex(gpuverify.WrongUse, "the source text"):
            gpuverify.verify("// \udcff\n")

    def test_one_stands_for_a_list_of_one(self):
        self.assertEqual(
            command.option_texts({"args": "-w", "includes": "a"}),
            ["-w", "-Ia"])

    def test_another_program_is_no_answer(self):
        for name in ("true", "false"):
            with mock.patch.dict(os.environ, {"GPUVERIFY_COMMAND": name}):
                with self.assertRaisesRegex(gpuverify.ToolFailure, "no record"):
                    gpuverify.verify(OWN_CELLS)

    def test_what_clang_says_is_in_the_exception(self):
        with self.assertRaisesRegex(gpuverify.DoesNotCompile,
                                    "<source>:2:.*undeclared") as caught:
            gpuverify.verify(RACY.replace("threadIdx", "treadIdx"))
        self.assertEqual(caught.exception.status, 3)

    def test_no_command_says_what_to_do(self):
        with mock.patch.dict(os.environ, GPUVERIFY_COMMAND="/no/gpuverify"):
            with self.assertRaisesRegex(gpuverify.CommandNotFound,
                                        "set GPUVERIFY_COMMAND"):
                gpuverify.verify(RACY)

    def test_a_command_that_dies_leaves_what_it_found(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "dies")
            with open(path, "w", encoding="utf-8") as file:
                file.write('#!/bin/sh\necho \'{"verdict": "racy"}\'\n'
                           "printf '{\"verd'\nkill -9 $$\n")
            os.chmod(path, stat.S_IRWXU)
            with mock.patch.dict(os.environ, GPUVERIFY_COMMAND=path):
                with self.assertRaises(gpuverify.ToolFailure) as caught:
                    gpuverify.verify("k.cu")
        self.assertEqual(caught.exception.records, [{"verdict": "racy"}])


if __name__ == "__main__":
    unittest.main()
