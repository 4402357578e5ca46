"""GPUVERIFY=1 python train.py: gpuverify.triton is enabled with Triton.

gpuverify.pth has this imported as Python starts, if the variable is set.  It
waits until the program imports Triton, and costs nothing in one that does not.
"""

import importlib.machinery
import os
import sys

SETTINGS = {"1": "warn", "warn": "warn", "error": "error"}


class _Loader:
    """Triton's own loader, and then ours."""

    def __init__(self, plain, on_bug):
        self.plain, self.on_bug = plain, on_bug

    def create_module(self, spec):
        return self.plain.create_module(spec)

    def exec_module(self, module):
        self.plain.exec_module(module)
        from gpuverify import triton
        from gpuverify.command import Error
        try:
            triton.enable(on_bug=self.on_bug)
        except Error as error:
            print("gpuverify: %s" % error, file=sys.stderr)

    def __getattr__(self, name):
        return getattr(self.plain, name)


class _Finder:
    """Finds Triton once, where everybody would."""

    def __init__(self, on_bug):
        self.on_bug = on_bug

    def find_spec(self, name, path=None, target=None):
        if name != "triton":
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec and spec.loader:
            spec.loader = _Loader(spec.loader, self.on_bug)
        return spec


def start():
    asked = os.environ.get("GPUVERIFY", "0")
    if asked in SETTINGS:
        sys.meta_path.insert(0, _Finder(SETTINGS[asked]))
    elif asked not in ("", "0"):
        print("gpuverify: GPUVERIFY=%s: neither 0, 1 nor error" % asked,
              file=sys.stderr)
