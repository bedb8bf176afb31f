"""The entry point; it answers --version before any heavy import."""

from __future__ import annotations

import sys

from reversa import __version__


def main() -> None:
    """Run the command line and leave with its exit code."""
    argv = sys.argv[1:]
    if argv in (["--version"], ["-V"]):
        print(f"reversa {__version__}")
        return
    import gc
    import signal

    from reversa.cli.boundary import run

    gc.disable()  # this process ends in a moment: walking 1,000 live records again and again costs a seventh of check
    for name in ("SIGTERM", "SIGHUP"):  # half-done writes are undone, as at an interrupt
        signal.signal(getattr(signal, name), signal.default_int_handler)
    sys.exit(run(argv))


if __name__ == "__main__":
    main()
