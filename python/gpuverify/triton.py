"""Triton: the PTX of each kernel is checked for the launch that is made.

``check`` compiles a kernel ahead of time, for which no GPU is needed; ``enable``
looks at every kernel that is launched from then on.  Both ask
``gpuverify barriers``, so the answer is about one block, or cluster, and its
shared memory: barriers, mbarriers, asynchronous copies, TMA.
"""

import atexit
import inspect
import struct
import sys

from gpuverify import api, command, ptx
from gpuverify.records import Record

SHARED_BASE = "shared-base"


class KernelError(Exception):
    """A kernel that was about to be launched has a bug; ``record`` says it."""

    def __init__(self, record):
        super().__init__(str(record))
        self.record = record


# ----------------------------------------------------------- arguments ---


def _is_descriptor(kind):
    return isinstance(kind, str) and kind.startswith("tensordesc")


def _descriptor_values(value, is_tma):
    """What a tensor descriptor of the host becomes: see Triton's driver."""
    if value is None:
        return None
    sizes = [*value.shape, *value.strides]
    if is_tma:
        return [None, *sizes]
    return [None, *sizes, value.padding == "nan",
            getattr(value, "round_f32_to_tf32", False), *sizes]


def _float_bits(kind, value):
    """The bits that the kernel gets, or None, which is: not known."""
    forms = {"fp32": ("<f", "<I"), "f32": ("<f", "<I"), "fp64": ("<d", "<Q")}
    if kind not in forms:
        return None
    there, back = forms[kind]
    return struct.unpack(back, struct.pack(there, value))[0]


def _scalar(kind, value):
    if value is None or kind.startswith("*"):
        return None
    if kind.startswith(("i", "u")):
        width = int(kind.lstrip("iu") or 32)
        return int(value) & ((1 << width) - 1)
    return _float_bits(kind, value)


def _flat(kind, value, is_tma):
    """The values of one argument; raises TypeError where it has no such form."""
    if isinstance(kind, tuple):
        parts = value if value is not None else [None] * len(kind)
        return [number for k, v in zip(kind, parts)
                for number in _flat(k, v, is_tma)]
    if kind == "constexpr":
        return []
    if _is_descriptor(kind):
        values = _descriptor_values(value, is_tma)
        if values is None:
            raise TypeError(kind)
        return [None if v is None else int(v) for v in values]
    return [_scalar(kind, value)]


def _kernel_args(compiled, values):
    """One value for each parameter of the PTX; None is free.

    Behind the arguments of the signature come Triton's own pointers.  Where the
    numbers do not fit, nothing is said of any.
    """
    declared = ptx.parameters(compiled.asm["ptx"], compiled.name)
    if declared is None:
        return None
    kinds = getattr(compiled.src, "signature", {})
    is_tma = bool(getattr(compiled.metadata, "tensordesc_meta", None))
    try:
        known = [number for kind, value in zip(kinds.values(), values)
                 for number in _flat(kind, value, is_tma)]
    except (TypeError, ValueError, AttributeError, OverflowError, struct.error):
        known = []
    if len(known) > len(declared) or len(kinds) != len(values):
        known = []
    return known + [None] * (len(declared) - len(known))


# ------------------------------------------------------------ one check ---


def _place(function):
    """Where the kernel is written, or None."""
    function = getattr(function, "fn", None)
    try:
        _, line = inspect.getsourcelines(function)
        file = inspect.getsourcefile(function)
    except (TypeError, OSError):
        return None
    return {"file": file, "line": line, "column": 1}


def _unknown(compiled, reason):
    """A record in the form of docs/JSON.md, for what is not asked at all."""
    return Record(
        schema=1, technique="barriers", file=None, kernel=compiled.name,
        source=compiled.name, where=None, verdict="unknown", problems=[],
        reason=reason, reason_where=None, assumptions=[], block_size=None,
        grid_size=None, block=None, cluster=None, statistics=None,
        confirmed=False, elected=None, blocks=None, writes_global=True,
        seconds=0.0)


def _launch_options(compiled, grid, values):
    threads = compiled.metadata.num_warps * compiled.metadata.warp_size
    ctas = getattr(compiled.metadata, "num_ctas", 1)
    options = {"entry": compiled.name}
    if ".reqntid" not in compiled.asm["ptx"]:
        options["blockDim"] = threads
    if ctas > 1:
        options["clusterDim"] = ctas
    if grid is not None:
        sizes = [*grid, 1, 1][:3]
        options["gridDim"] = [sizes[0] * ctas, *sizes[1:]]
    args = _kernel_args(compiled, values)
    if args and any(value is not None for value in args):
        options["kernel_args"] = {compiled.name: args}
    return options


def check_compiled(compiled, *, grid=None, values=(), **options):
    """Checks what triton.compile has made; ``values`` are all its arguments.

    Returns a record of docs/JSON.md; its ``file`` and ``where`` are Python's.
    """
    if "ptx" not in compiled.asm:
        return _unknown(compiled, "the kernel is not compiled to PTX but for %s"
                        % compiled.metadata.target.backend)
    text, is_assumed = ptx.with_aligned_base(compiled.asm["ptx"])
    place = _place(getattr(compiled.src, "fn", None))
    name = place["file"] if place else compiled.name + ".ptx"
    options = {**_launch_options(compiled, grid, list(values)), **options}
    report = api.ask_of_source(["barriers"], text, ".ptx", name, options)
    record = report[0]
    if place:
        record["where"] = place
    if is_assumed:
        record["assumptions"].append(SHARED_BASE)
    return record


# --------------------------------------------------------- ahead of time ---


def _specialised(signature, constexprs, args):
    """What the JIT makes of these values: 1 is a constant, and multiples of 16
    are known to be such, as are pointers."""
    signature, constexprs, attrs = dict(signature), dict(constexprs), {}
    for index, (name, kind) in enumerate(list(signature.items())):
        value = args.get(name)
        is_integer = isinstance(value, int) and not isinstance(value, bool)
        if is_integer and value == 1 and kind != "constexpr":
            signature[name], constexprs[name] = "constexpr", 1
        elif isinstance(kind, str) and (kind.startswith("*") or
                                        is_integer and value % 16 == 0):
            attrs[(index,)] = [["tt.divisibility", 16]]
    return signature, constexprs, attrs


def _split_types(fn, signature, constexprs):
    """Every parameter in its order; those with a value are constexpr."""
    unknown = [name for name in [*signature, *constexprs]
               if name not in fn.arg_names]
    missing = [name for name in fn.arg_names
               if name not in signature and name not in constexprs]
    if unknown or missing:
        raise command.WrongUse("%s: %s %s" % (
            fn.__name__, "no parameter is called" if unknown else
            "no type is given for", ", ".join(unknown or missing)))
    return {name: "constexpr" if name in constexprs else signature[name]
            for name in fn.arg_names}


def _jit_function(kernel):
    """What triton.autotune and triton.heuristics are wrapped around."""
    from triton.runtime.jit import JITFunction
    while not isinstance(kernel, JITFunction):
        if not hasattr(kernel, "fn"):
            raise command.WrongUse("%r is no kernel of Triton" % (kernel,))
        kernel = kernel.fn
    return kernel


def compile_kernel(kernel, signature, constexprs=None, args=None, arch=90,
                   **compile_options):
    """Compiles for an architecture that need not be there."""
    import triton
    from triton.backends.compiler import GPUTarget
    constexprs, args = dict(constexprs or {}), dict(args or {})
    fn = _jit_function(kernel)
    kinds = _split_types(fn, signature, constexprs)
    kinds, constexprs, attrs = _specialised(kinds, constexprs, args)
    source_kind = triton.compiler.ASTSource
    if getattr(fn, "is_gluon", lambda: False)():
        from triton.experimental.gluon._runtime import GluonASTSource
        source_kind = GluonASTSource
    source = source_kind(fn, signature=kinds, constexprs=constexprs, attrs=attrs)
    return triton.compile(source, target=GPUTarget("cuda", arch, 32),
                          options=compile_options)


def check(kernel, *, signature, constexprs=None, args=None, arch=90, grid=None,
          num_warps=4, num_stages=3, num_ctas=1, compile_options=None,
          **options):
    """Compiles a kernel and checks it, without a GPU.

    ``signature`` has the types of the parameters ("*fp16", "i32"), ``constexprs``
    the values of the constants, ``args`` those of integers that are known; the
    others are free.  Integers and pointers are specialised as the JIT does it.
    Other options are those of ``gpuverify barriers``.
    """
    compiled = compile_kernel(
        kernel, signature, constexprs, args, arch, num_warps=num_warps,
        num_stages=num_stages, num_ctas=num_ctas, **(compile_options or {}))
    values = [(args or {}).get(name) for name in compiled.src.signature]
    return check_compiled(compiled, grid=grid, values=values, **options)


# ---------------------------------------------------------- at a launch ---


class _Watch:
    """What has been looked at, and what became of it."""

    def __init__(self, on_bug, launches, stream, options):
        self.on_bug, self.launches = on_bug, launches
        self.stream, self.options = stream, {"timeout": 10, **options}
        self.records = []
        self.seen = {}  # a compiled kernel: the launches that were checked
        self.decided = set()  # those that are proved for every launch
        self.left_out = 0

    def say(self, text):
        print(text, file=self.stream or sys.stderr, flush=True)

    def is_new(self, compiled, grid, args):
        """Is this a launch to look at?"""
        if compiled.hash in self.decided:
            return False
        seen = self.seen.setdefault(compiled.hash, set())
        key = (tuple(grid), tuple(args or ()))
        if key in seen:
            return False
        if len(seen) >= self.launches:
            self.left_out += 1
            return False
        seen.add(key)
        return True

    def look_at(self, compiled, grid, values):
        record = self._look(compiled, grid, values)
        if record is None:
            return
        self.records.append(record)
        if record.is_bug and self.on_bug == "error":
            raise KernelError(record)
        if record.is_bug or record.verdict == "unknown":
            self.say("gpuverify: " + str(record).replace("\n", "\n  "))

    def _look(self, compiled, grid, values):
        """None: nothing is new.  A program must not fail because of us."""
        try:
            if self.is_new(compiled, grid, _known_args(compiled, values)):
                return self._check(compiled, grid, values)
            return None
        except Exception as error:
            self.decided.add(compiled.hash)
            return _unknown(compiled, "%s: %s" % (type(error).__name__, error))

    def _check(self, compiled, grid, values):
        """First for every launch; then, if that is not decided, for this one."""
        record = check_compiled(compiled, **self.options)
        if (record.get("blocks") or {}).get("coverage") == "any":
            self.decided.add(compiled.hash)
            return record
        return check_compiled(compiled, grid=grid, values=values,
                              **self.options)

    def summary(self):
        if not self.records:
            return
        counts = {}
        for record in self.records:
            counts[record.verdict] = counts.get(record.verdict, 0) + 1
        text = ", ".join("%d %s" % (n, verdict)
                         for verdict, n in sorted(counts.items()))
        left = "; %d launches were not looked at" % self.left_out
        self.say("gpuverify: launches of Triton kernels: %s%s" % (
            text, left if self.left_out else ""))


def _known_args(compiled, values):
    return _kernel_args(compiled, values) if "ptx" in compiled.asm else None


_watch = None
_plain_launch_metadata = None


def _watched_launch_metadata(compiled, grid, stream, *values):
    # Triton calls this before each launch, with all that we need.
    if _watch:
        _watch.look_at(compiled, grid, values)
    return _plain_launch_metadata(compiled, grid, stream, *values)


def enable(on_bug="warn", launches=8, stream=None, **options):
    """From now on every kernel is checked before its first launch, and again
    for launches with other sizes or arguments, up to ``launches`` of them.

    A bug is told on ``stream`` (standard error) or, with on_bug="error", raised
    before the kernel is launched.  A check may take 10 seconds (``timeout``).
    Returns the list that records are added to.
    """
    global _watch, _plain_launch_metadata
    from triton.compiler.compiler import CompiledKernel
    if on_bug not in ("warn", "error"):
        raise command.WrongUse("on_bug: '%s' is neither warn nor error" % on_bug)
    command.find()
    if _plain_launch_metadata is None:
        _plain_launch_metadata = CompiledKernel.launch_metadata
        CompiledKernel.launch_metadata = _watched_launch_metadata
        atexit.register(lambda: _watch and _watch.summary())
    _watch = _Watch(on_bug, launches, stream, options)
    return _watch.records


def disable():
    """Looks at no further launch."""
    global _watch
    _watch = None
