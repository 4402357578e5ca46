"""Triton's CompiledKernel, as far as gpuverify.triton looks into it."""

from types import SimpleNamespace


class CompiledKernel:
    def __init__(self, name, ptx, signature, fn=None, num_warps=2):
        self.name, self.asm, self.hash = name, {"ptx": ptx}, hash(ptx)
        self.src = SimpleNamespace(signature=signature, fn=fn)
        self.metadata = SimpleNamespace(
            num_warps=num_warps, warp_size=32, num_ctas=1,
            target=SimpleNamespace(backend="cuda"))
        self.launched = []

    def launch_metadata(self, grid, stream, *args):
        return None

    def launch(self, grid, *args):
        """What Triton does for kernel[grid](*args)."""
        self.launch_metadata(grid, 0, *args)
        self.launched.append(grid)
