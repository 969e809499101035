"""Entry of the command line: read the arguments, run the command, turn errors into exit codes."""

import argparse
import errno
import os
import signal
import sys
from collections.abc import Callable, Sequence
from types import FrameType

from apexmem_desktop.cli import arguments
from apexmem_desktop.domain.errors import CancelledError, UserError
from apexmem_desktop.domain.progress import CancelToken

DONE, PROBLEM, CANCELLED = 0, 1, 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command.

    Returns:
        0 done, 1 a problem told on stderr, 130 cancelled. Wrong usage exits with 2 by itself.
    """
    _speak_utf8()
    options = arguments.build_parser().parse_args(argv)
    options.cancel = CancelToken()
    restore = _cancel_on_signals(options.cancel)
    try:
        _refuse_broken_words(options)
        status: int | None = options.run(options)
        sys.stdout.flush()
    except UserError as error:
        return _tell(error)
    except (CancelledError, KeyboardInterrupt):
        print("Cancelled.", file=sys.stderr)
        return CANCELLED
    except BrokenPipeError:
        return _output_is_lost()
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise
        _tell(UserError("The output could not be written.", hint="The disk is full."))
        return _output_is_lost()
    else:
        return DONE if status is None else status
    finally:
        restore()


def main_window() -> int:
    """Open the window: the console script `apexmem-desktop`."""
    return main(["gui", *sys.argv[1:]])


def _refuse_broken_words(options: argparse.Namespace) -> None:
    """Refuse words that are no text, before a database or tokenizer chokes; paths may be any."""
    for value in vars(options).values():
        for word in value if isinstance(value, list | tuple) else (value,):
            if isinstance(word, str) and any("\ud800" <= char <= "\udfff" for char in word):
                raise UserError("The words of the command are not valid UTF-8 text.")


def _tell(error: UserError) -> int:
    """Print what happened and what to do, in one or two lines."""
    for line in (error.message, error.hint):
        if line:
            print(" ".join(line.split()), file=sys.stderr)
    return PROBLEM


def _cancel_on_signals(cancel: CancelToken) -> Callable[[], None]:
    """Let Ctrl-C and a polite kill cancel; a second Ctrl-C interrupts at once."""

    def on_signal(number: int, _frame: FrameType | None) -> None:
        if cancel.cancelled and number == signal.SIGINT:
            raise KeyboardInterrupt
        cancel.cancel()

    try:
        before = {number: signal.signal(number, on_signal) for number in _SIGNALS}
    except ValueError:  # not on the main thread, as when a test calls main()
        return lambda: None

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    return restore


_SIGNALS = (signal.SIGINT, signal.SIGTERM)


def _speak_utf8() -> None:
    """Print every script whatever the locale says; JSON is UTF-8 by definition."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def _output_is_lost() -> int:
    """End quietly when nobody takes our output any more, as after `| head`."""
    # Python flushes stdout once more at exit; give it somewhere to flush to.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return PROBLEM


if __name__ == "__main__":
    sys.exit(main())
