"""A child process without a model: it does what the call's "op" says. Run by test_host.py."""

import os
import sys
import threading
from collections.abc import Callable
from typing import Any

from apexmem_desktop.inference.frames import Frame
from apexmem_desktop.inference.serving import Emit, RefusedError, serve


class ScriptedService:
    """Obeys."""

    def handle(
        self, message: dict[str, Any], *, emit: Emit, cancelled: Callable[[], bool]
    ) -> Frame:
        match message["op"]:
            case "echo":
                return {"text": message["text"]}, message["text"].encode()
            case "say":
                for word in message["words"]:
                    emit({"word": word})
                return {}, b""
            case "refuse":
                raise RefusedError("too_long", "it does not fit")
            case "value":
                raise ValueError("bad grammar")
            case "die":
                emit({"word": "last"})
                os.write(2, b"out of memory\n")
                os._exit(3)
            case "until_cancelled":
                emit({"word": "begun"})
                while not cancelled():
                    pass
                return {"cancelled": True}, b""
            case "deaf":
                emit({"word": "begun"})
                threading.Event().wait()
        raise AssertionError(message)


if __name__ == "__main__":
    if "broken" in sys.argv:
        sys.exit("cannot load")
    target = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout.write("libraries may print\n")
    serve(ScriptedService(), sys.stdin.buffer, target)
