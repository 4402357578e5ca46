"""verify and barriers: files or source text in, a report out."""

import os
import tempfile

from gpuverify import command
from gpuverify.records import Record, Report

SOURCE = "<source>"


def _is_source(text):
    return isinstance(text, str) and "\n" in text


def _file_list(files):
    paths = command.listed("files", files)
    for path in paths:
        if not isinstance(path, (str, os.PathLike)):
            raise command.WrongUse("files: %r is no path" % (path,))
    return [os.fspath(path) for path in paths]


def _renamed(value, path, name):
    """The same data, in which the file that was written goes by a name."""
    if isinstance(value, dict):
        return {key: _renamed(part, path, name) for key, part in value.items()}
    if isinstance(value, list):
        return [_renamed(part, path, name) for part in value]
    return name if value == path else value


def _renamed_record(record, path, name):
    return Record(_renamed(record, path, name))


def _bytes_of(text):
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise command.WrongUse("the source text: %s" % error) from None


def ask_of_source(words, text, suffix, name, options):
    """The same as command.ask of a text, called `name` in what is said."""
    with tempfile.TemporaryDirectory(prefix="gpuverify-") as folder:
        path = os.path.join(folder, "kernel" + suffix)
        with open(path, "wb") as file:
            file.write(_bytes_of(text))
        try:
            report = command.ask(words, [path], options)
        except command.Error as error:
            records = [_renamed_record(r, path, name) for r in error.records]
            message = str(error).replace(path, name)
            raise type(error)(message, error.status, records) from None
    return Report([_renamed_record(record, path, name) for record in report],
                  report.status)


def _ask(words, files_or_source, suffix, options):
    if not _is_source(files_or_source):
        return command.ask(words, _file_list(files_or_source), options)
    # An #include beside the source is looked for where we are.
    options = dict(options)
    includes = command.listed("includes", options.get("includes", []))
    options["includes"] = [*includes, os.getcwd()]
    return ask_of_source(words, files_or_source, suffix, SOURCE, options)


SUFFIXES = {"cuda": ".cu", "hip": ".hip", "opencl": ".cl", "llvm": ".ll"}


def verify(files_or_source, *, language="cuda", **options):
    """Proves the kernels of files, or of a source text.

    A string with a line break is source, in the language given: cuda, hip,
    opencl or llvm.  Options have the names of the command's, with _ for -, as
    in ``blockDim=64`` or ``check_array_bounds=True``; see command.option_texts.
    """
    if language not in SUFFIXES:
        raise command.WrongUse("language: '%s' is none of %s" % (
            language, ", ".join(SUFFIXES)))
    return _ask([], files_or_source, SUFFIXES[language], options)


def barriers(ptx_or_file, **options):
    """Checks the barriers and the shared memory of one block or cluster.

    ``ptx_or_file`` is PTX as text, or one or several files (.ptx or .cu).
    """
    return _ask(["barriers"], ptx_or_file, ".ptx", options)
