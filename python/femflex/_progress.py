"""Progress of long calls: a bar on stderr, or the caller's own function."""

import sys
import time


class ProgressBar:
    """A progress line on stderr: task, share done, rate, remaining time; `progress=True` makes one.

    Any callable with these four arguments will do instead: (what, done, total, unit), where total
    is None while it is not known. An exception that it raises stops the call.
    """

    def __init__(self, stream=None, width=20, after=0.5):
        self._stream = stream or sys.stderr
        self._width = width
        self._after = after
        self._what = None
        self._start = 0.0
        self._drawn = 0

    def __call__(self, what, done, total, unit):
        now = time.monotonic()
        if what != self._what or done == 0.0:
            self.close()
            self._what, self._start = what, now
        seconds = now - self._start
        if seconds < self._after or done == 0.0:
            return
        if not total:
            line = f"{what}  {done:.4g} {unit}"
        else:
            part = min(max(done / total, 0.0), 1.0)
            filled = int(part * self._width)
            line = f"{what} [{'#' * filled}{'.' * (self._width - filled)}] {part:4.0%}"
            if part > 0.0 and seconds > 0.0:
                line += f"  {done / seconds:.3g} {unit}/s"
                left = int(seconds * (1.0 - part) / part)
                line += f"  {left // 60}:{left % 60:02d} left"
        self._stream.write("\r" + line.ljust(self._drawn))
        self._stream.flush()
        self._drawn = len(line)

    def close(self):
        """Clears the line."""
        if self._drawn:
            self._stream.write("\r" + " " * self._drawn + "\r")
            self._stream.flush()
        self._drawn = 0


def sink_of(progress):
    """The progress argument for the compiled part: None, a callable, or a bar for True."""
    if progress is None or progress is False:
        return None
    if progress is True:
        return ProgressBar()
    if not callable(progress):
        raise TypeError("progress: True, or a callable (what, done, total, unit)")
    return progress
