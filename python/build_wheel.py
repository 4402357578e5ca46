"""Makes the wheel, for `make wheel` and for pip: a zip of the package.

It is pure Python and needs nothing to be built, so the standard library is
enough.  Beside the package is gpuverify.pth, which setuptools would not put
where Python looks for it.
"""

import base64
import hashlib
import os
import re
import sys
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
TIME = (1980, 1, 1, 0, 0, 0)  # the same bytes from the same sources


def version():
    with open(os.path.join(HERE, "..", "Makefile"), encoding="utf-8") as file:
        return re.search(r"^RELEASE *= *(\S+)", file.read(), re.MULTILINE)[1]


def _metadata():
    return ("Metadata-Version: 2.1\nName: gpuverify\nVersion: %s\n"
            "Summary: Proofs that GPU kernels have no data races\n"
            "Requires-Python: >=3.9\n" % version())


WHEEL = ("Wheel-Version: 1.0\nGenerator: gpuverify\nRoot-Is-Purelib: true\n"
         "Tag: py3-none-any\n")


def _files():
    package = os.path.join(HERE, "gpuverify")
    names = ["gpuverify.pth"] + sorted(
        "gpuverify/" + name for name in os.listdir(package)
        if name.endswith(".py"))
    for name in names:
        with open(os.path.join(HERE, name), "rb") as file:
            yield name, file.read()


def _record_row(name, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest())
    return "%s,sha256=%s,%d\n" % (name, digest.rstrip(b"=").decode(), len(data))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """What pip calls (PEP 517)."""
    info = "gpuverify-%s.dist-info/" % version()
    wheel = "gpuverify-%s-py3-none-any.whl" % version()
    files = [*_files(), (info + "METADATA", _metadata().encode()),
             (info + "WHEEL", WHEEL.encode())]
    rows = "".join(_record_row(name, data) for name, data in files)
    files.append((info + "RECORD", (rows + info + "RECORD,,\n").encode()))
    path = os.path.join(wheel_directory, wheel)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(name, TIME)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return wheel


if __name__ == "__main__":
    os.makedirs(sys.argv[1], exist_ok=True)
    print(os.path.join(sys.argv[1], build_wheel(sys.argv[1])))
