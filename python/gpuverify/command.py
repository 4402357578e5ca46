"""The command: where it is, how it is asked, and what it complains of."""

import json
import os
import shutil
import subprocess

from gpuverify.records import Record, Report


class Error(Exception):
    """The command has no answer; the message is its own sentence.

    ``status`` is its exit status and ``records`` what it did find out, of other
    files or kernels.
    """

    def __init__(self, message, status=None, records=()):
        super().__init__(message)
        self.status = status
        self.records = list(records)


class CommandNotFound(Error):
    """There is no command ``gpuverify`` on this machine."""


class WrongUse(Error):
    """An option or a file is wrong."""


class DoesNotCompile(Error):
    """Clang refuses a file."""


class ToolFailure(Error):
    """A bug of gpuverify, or it was killed."""


# Those that are an answer; docs/gpuverify.1 has all.
ANSWERS = (0, 1, 4)
ERRORS = {2: WrongUse, 3: DoesNotCompile}


def find():
    """The command: GPUVERIFY_COMMAND, or gpuverify on PATH."""
    wanted = os.environ.get("GPUVERIFY_COMMAND") or "gpuverify"
    path = shutil.which(wanted)
    if path is None:
        raise CommandNotFound(
            "%s: no such command; install gpuverify, or set GPUVERIFY_COMMAND "
            "to its path" % wanted)
    return path


# The options of the command whose names have an underscore.
UNDERSCORED = frozenset(
    ["local_size", "num_groups", "global_size", "global_offset"])
# Those that are on or off, and not there or not.
SWITCHES = frozenset(["confirm"])


def listed(name, value):
    """A string or a path stands for a list of one."""
    if isinstance(value, (str, os.PathLike)):
        return [value]
    if isinstance(value, (list, tuple, set, frozenset)):
        return list(value)
    raise WrongUse("%s: a list is expected, not %r" % (name, value))


def _dictionary(name, value):
    if not isinstance(value, dict):
        raise WrongUse("%s: a dictionary is expected, not %r" % (name, value))
    return value


def _value_text(value):
    """64, (16, 16), (64, None): a None among values is free, as * is."""
    if isinstance(value, (list, tuple)):
        return ",".join("*" if part is None else str(part) for part in value)
    return str(value)


def _option_texts(name, value):
    if name not in UNDERSCORED:
        name = name.replace("_", "-")
    if name in SWITCHES and isinstance(value, bool):
        value = "on" if value else "off"
    if value is None or value is False:
        return []
    dashes, equals = ("--", "=") if len(name) > 1 else ("-", "")
    if value is True:
        return [dashes + name]
    if isinstance(value, dict):  # kernel_args={"k": [None, 64]}
        return ["%s%s%s%s" % (dashes, name, equals,
                              _value_text([key, *listed(name, parts)]))
                for key, parts in value.items()]
    return [dashes + name + equals + _value_text(value)]


def option_texts(options):
    """blockDim=(16, 16), check_array_bounds=True as the command has them.

    ``args`` is a list of arguments that are given as they are, ``includes`` a
    list of folders, ``defines`` a dictionary of macros.  A list of one may be
    that one.
    """
    options = dict(options)
    texts = [str(text) for text in listed("args", options.pop("args", []))]
    texts += ["-I%s" % folder
              for folder in listed("includes", options.pop("includes", []))]
    defines = _dictionary("defines", options.pop("defines", {}))
    for name, value in defines.items():
        texts.append("-D" + name if value is None else "-D%s=%s" % (name, value))
    for name, value in options.items():
        texts += _option_texts(name, value)
    return texts


def _records(text):
    for line in text.splitlines():
        try:
            yield Record(json.loads(line))
        except ValueError:  # the last line of a command that was killed
            return


def _run(argv):
    try:
        return subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True,
                              encoding="utf-8", errors="replace", check=False)
    except ValueError as error:  # a zero, or half a character
        raise WrongUse("an option or a path: %s" % error) from None


def ask(words, files, options):
    """Runs ``gpuverify WORDS --json OPTIONS FILES``."""
    argv = [find(), *words, "--json", *option_texts(options), *map(str, files)]
    ended = _run(argv)
    records = list(_records(ended.stdout))
    if ended.returncode in ANSWERS and records:
        return Report(records, ended.returncode)
    kind = ERRORS.get(ended.returncode, ToolFailure)
    reasons = [record.reason for record in records if record.reason]
    message = ended.stderr.strip() or "; ".join(reasons) or (
        "%s ended with status %d, and with no record" % (
            argv[0], ended.returncode))
    raise kind(message, ended.returncode, records)
