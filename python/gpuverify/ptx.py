"""The little that has to be known of Triton's PTX before it is checked."""

import re

ENTRY = re.compile(r"\.entry\s+([\w$]+)\s*\((.*?)\)", re.DOTALL)
DYNAMIC = re.compile(r"(\.extern\s+\.shared\s+\.align\s+)(\d+)(\s)")
OWN_SHARED = re.compile(r"^\s*(?:\.\w+\s+)*\.shared\b(?!.*\[\s*\]).*\[\s*\d",
                        re.MULTILINE)

# What Triton's layouts in shared memory are made for.
BASE = 1024


def parameters(text, name):
    """The parameters of a kernel, each as it is declared; None: no such one."""
    for found in ENTRY.finditer(text):
        if found.group(1) == name:
            return [part.strip() for part in found.group(2).split(",")
                    if part.strip()]
    return None


def with_aligned_base(text):
    """The PTX with dynamic shared memory at a multiple of 1024, and whether
    that had to be said.

    Triton declares less, and swizzles as if it were so; it is, as long as the
    kernel has no other shared memory (docs/PYTHON.md, shared-base).
    """
    found = DYNAMIC.search(text)
    if not found or int(found.group(2)) >= BASE or OWN_SHARED.search(text):
        return text, False
    return DYNAMIC.sub(r"\g<1>%d\3" % BASE, text), True
