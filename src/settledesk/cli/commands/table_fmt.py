"""`settledesk table fmt`: files in the normal form that dmn-js writes, so that a changed cell is one changed line."""

import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from settledesk.cli.output import EXIT_BAD_NEWS, EXIT_FAILED, EXIT_FINE, EXIT_WRONG_USE, console, print_json, say
from settledesk.decisions import ModelError, load_model
from settledesk.decisions.writer import format_model


@dataclass(frozen=True, slots=True, kw_only=True)
class Formatted:
    """What became of a file. `changed` tells whether its normal form is another; with an `error` it was not touched."""

    file: Path
    changed: bool = False
    error: str | None = None
    code: int = EXIT_FINE


def fmt(files: Sequence[Path], *, check: bool, standard: bool, as_json: bool) -> int:
    """Write files in their normal form, or with `check` only name those that are not in it (exit code 1).

    A file that cannot be loaded, with `standard` in the standard's reading, is left as it is and its error told (exit
    code 2); the others are done all the same.
    """
    done = [_one(file, check=check, standard=standard) for file in files]
    if as_json:
        print_json({"files": [_to_json(result) for result in done]})
    else:
        for line in _lines(done, check=check):
            console().print(line, markup=False, soft_wrap=True)
    for result in done:
        if result.error is not None:
            say(f"settledesk: {result.error}")
    if check and any(result.changed for result in done):
        return max(EXIT_BAD_NEWS, *(result.code for result in done))
    return max(result.code for result in done)


def _to_json(result: Formatted) -> dict[str, Any]:
    return {"file": str(result.file), "changed": result.changed, "error": result.error}


def _lines(done: Sequence[Formatted], *, check: bool) -> Iterator[str]:
    for result in done:
        if result.changed:
            yield f"not in normal form: {result.file}" if check else f"written: {result.file}"
    good = sum(result.error is None and not result.changed for result in done)
    yield f"{good} of {len(done)} file{'' if len(done) == 1 else 's'} in normal form{'' if check else ' already'}"


def _one(file: Path, *, check: bool, standard: bool) -> Formatted:
    if not file.is_file():
        return Formatted(file=file, error=f"there is no file `{file}`", code=EXIT_WRONG_USE)
    try:
        load_model(file, standard=standard)
        content = file.read_bytes()
        written = format_model(content, str(file))
        if written != content and not check:
            _replace(file, written)
    except ModelError as error:
        return Formatted(file=file, error=str(error), code=EXIT_WRONG_USE)
    except OSError as error:
        return Formatted(file=file, error=f"`{file}` cannot be written: {error.strerror or error}", code=EXIT_FAILED)
    return Formatted(file=file, changed=written != content)


def _replace(file: Path, content: bytes) -> None:
    """Put the content in the place of the file at once; a reader sees the old file or the new one, never half of it."""
    target = file.resolve()
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        os.chmod(name, target.stat().st_mode & 0o7777)
        os.replace(name, target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
