"""Builds the package (PEP 517) with the standard library alone. It has no dependency and no extension: a wheel is a zip file."""

import base64
import hashlib
import io
import re
import tarfile
import zipfile
from pathlib import Path

HERE = Path(__file__).parent
PACKAGE = "weir_client"
# Zip files begin in 1980. With one date for all files, equal sources make equal packages.
DATE = (1980, 1, 1, 0, 0, 0)
SOURCES = ("pyproject.toml", "build_backend.py", "README.md")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = f"{PACKAGE}-{_project()['version']}"
    info = f"{name}.dist-info"
    files = {file: (HERE / file).read_bytes() for file in _package_files()}
    files[f"{info}/METADATA"] = _metadata().encode("utf-8")
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: weir\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    lines = [f"{file},sha256={_digest(content)},{len(content)}" for file, content in files.items()]
    files[f"{info}/RECORD"] = "\n".join([*lines, f"{info}/RECORD,,", ""]).encode("utf-8")
    wheel = f"{name}-py3-none-any.whl"
    with zipfile.ZipFile(Path(wheel_directory, wheel), "w", zipfile.ZIP_DEFLATED) as archive:
        for file, content in files.items():
            entry = zipfile.ZipInfo(file, DATE)
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content, zipfile.ZIP_DEFLATED)
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    name = f"{PACKAGE}-{_project()['version']}"
    files = {file: (HERE / file).read_bytes() for file in [*SOURCES, *_package_files()]}
    files["PKG-INFO"] = _metadata().encode("utf-8")
    with tarfile.open(Path(sdist_directory, f"{name}.tar.gz"), "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for file, content in files.items():
            entry = tarfile.TarInfo(f"{name}/{file}")
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return f"{name}.tar.gz"


def _project():
    """The texts of [project] in pyproject.toml. Python before 3.11 has no reader of TOML."""
    table = (HERE / "pyproject.toml").read_text(encoding="utf-8").split("[project]")[1]
    return dict(re.findall(r'^([\w-]+) = "(.*)"$', table, re.MULTILINE))


def _metadata():
    project = _project()
    fields = [
        ("Metadata-Version", "2.1"),
        ("Name", project["name"]),
        ("Version", project["version"]),
        ("Summary", project["description"]),
        ("License", project["license"]),
        ("Requires-Python", project["requires-python"]),
        ("Description-Content-Type", "text/markdown"),
    ]
    readme = (HERE / project["readme"]).read_text(encoding="utf-8")
    return "".join(f"{name}: {text}\n" for name, text in fields) + "\n" + readme


def _package_files():
    kinds = (".py", ".json", ".typed")
    found = (file for file in (HERE / PACKAGE).iterdir() if file.suffix in kinds or file.name == "py.typed")
    return sorted(file.relative_to(HERE).as_posix() for file in found)


def _digest(content):
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode("ascii").rstrip("=")
