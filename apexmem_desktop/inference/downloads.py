"""Downloads one file over https, and goes on where an earlier try stopped."""

import http.client
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, Self

from apexmem_desktop.domain.progress import CancelToken
from apexmem_desktop.inference.wheels import ByteSink, FetchFailedError

_TIMEOUT_S = 20.0
_PART_BYTES = 1 << 18


class Response(Protocol):
    """What is needed of an http response."""

    status: int

    def read(self, count: int, /) -> bytes: ...  # noqa: D102
    def getheader(self, name: str, /) -> str | None: ...  # noqa: D102
    def __enter__(self) -> Self: ...  # noqa: D105
    def __exit__(self, *_: object) -> None: ...  # noqa: D105


OpenUrl = Callable[[urllib.request.Request], Response]


def open_url(request: urllib.request.Request) -> Response:
    """Open an https address."""
    response: Response = urllib.request.urlopen(  # noqa: S310 - download_url checked the scheme
        request, timeout=_TIMEOUT_S
    )
    return response


def download_url(
    url: str,
    target: Path,
    *,
    on_bytes: ByteSink,
    cancel: CancelToken,
    open_with: OpenUrl = open_url,
) -> None:
    """Download into a file; what it holds already is taken as the beginning.

    Raises:
        FetchFailedError: No network, a refusal, or fewer bytes than were announced.
    """
    if not url.startswith("https://"):
        raise FetchFailedError(f"not an https address: {url}")
    have = target.stat().st_size if target.exists() else 0
    headers = {"Range": f"bytes={have}-"} if have else {}
    request = urllib.request.Request(url, headers=headers)  # noqa: S310 - checked above
    try:
        response = open_with(request)
    except urllib.error.HTTPError as error:
        if error.code == http.client.REQUESTED_RANGE_NOT_SATISFIABLE and have:
            return  # it was whole already; the sha256 will tell
        raise FetchFailedError(f"{url} answered {error.code} {error.reason}") from error
    except (OSError, http.client.HTTPException) as error:  # URLError is an OSError
        reason = getattr(error, "reason", error)
        raise FetchFailedError(f"{url} cannot be reached: {reason}") from error
    with response:
        _receive(response, target, have, on_bytes, cancel)


def _receive(
    response: Response, target: Path, have: int, on_bytes: ByteSink, cancel: CancelToken
) -> None:
    resumes = response.status == http.client.PARTIAL_CONTENT
    done = have if resumes else 0
    length = response.getheader("Content-Length")
    total = done + int(length) if length else None
    with target.open("ab" if resumes else "wb") as sink:
        while part := _read(response):
            cancel.check()
            sink.write(part)
            done += len(part)
            on_bytes(done)
    if total is not None and done != total:
        raise FetchFailedError(f"the download broke off after {done} of {total} bytes")


def _read(response: Response) -> bytes:
    """Read on. A fault of the network is told apart from a full disk, which is an OSError too."""
    try:
        return response.read(_PART_BYTES)
    except (OSError, http.client.HTTPException) as error:
        raise FetchFailedError(f"the download broke off: {error}") from error
