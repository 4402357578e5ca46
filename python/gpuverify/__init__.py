"""Proofs that GPU kernels have no data races and no barrier divergence.

A thin wrapper: the command ``gpuverify`` does the work and prints JSON
(docs/JSON.md); here it is started, and its records are Python's dictionaries.
docs/PYTHON.md shows how to use it; Triton is in ``gpuverify.triton``.
"""

from gpuverify.api import barriers, verify
from gpuverify.command import (
    CommandNotFound,
    DoesNotCompile,
    Error,
    ToolFailure,
    WrongUse,
)
from gpuverify.records import BUGS, Record, Report

__all__ = [
    "BUGS",
    "CommandNotFound",
    "DoesNotCompile",
    "Error",
    "Record",
    "Report",
    "ToolFailure",
    "WrongUse",
    "barriers",
    "verify",
]
