"""The wheel has the package and the file by which Python starts it."""

import os
import sys
import tempfile
import unittest
import zipfile

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import build_wheel


class Wheel(unittest.TestCase):
    def test_it_has_all_modules_and_is_the_same_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, build_wheel.build_wheel(folder))
            with open(path, "rb") as file:
                first = file.read()
            build_wheel.build_wheel(folder)
            with open(path, "rb") as file:
                self.assertEqual(first, file.read())
            with zipfile.ZipFile(path) as wheel:
                names = wheel.namelist()
                info = "gpuverify-%s.dist-info/" % build_wheel.version()
                record = wheel.read(info + "RECORD").decode()
        for name in ("gpuverify.pth", "gpuverify/__init__.py",
                     "gpuverify/triton.py", info + "METADATA", info + "WHEEL"):
            self.assertIn(name, names)
        self.assertEqual(sorted(line.split(",")[0]
                                for line in record.splitlines()), sorted(names))


if __name__ == "__main__":
    unittest.main()
