"""Long calls: other threads run, Ctrl-C stops them, progress is reported."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import femflex as ff


@pytest.fixture
def long_system(dms, example):
    """A simulation of some ten seconds, were it not stopped."""
    example["bodies"]["dms"]["flex"] = ff.reduce(dms, select="dynamic:1-2").body
    example["analyses"][0].update(end=1e5, step=1e-3, output_step=100.0)
    return example


def test_ctrl_c_stops_a_long_call_with_a_keyboard_interrupt(long_system, tmp_path):
    # truth: the signal that a terminal sends
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        ff.simulate(long_system, output=tmp_path / "r.h5")
    timer.join()
    assert time.monotonic() - start > 0.4  # it was stopped by the signal


def test_other_threads_run_during_a_long_call(long_system):
    # truth: a thread that counts goes on counting while the call lasts
    count = 0
    go_on = True

    def tick():
        nonlocal count
        while go_on:
            count += 1
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()

    def stop_after_a_while(what, done, total, unit):
        if time.monotonic() - start > 0.6:
            raise StopIteration("enough")

    with pytest.raises(StopIteration, match="enough"):
        ff.simulate(long_system, progress=stop_after_a_while)
    seen = count
    go_on = False
    thread.join()
    assert seen > 5


def test_progress_tells_what_and_how_far(long_system):
    # truth: what is done grows and stays within the whole
    seen = []

    def note(what, done, total, unit):
        seen.append((what, done, total, unit))
        if len(seen) > 8:
            raise RuntimeError("seen enough")

    with pytest.raises(RuntimeError):
        ff.simulate(long_system, progress=note)
    running = [s for s in seen if s[0] == seen[-1][0] and s[2]]
    assert all(0.0 <= done <= total for _, done, total, _ in running)
    assert [s[1] for s in running] == sorted(s[1] for s in running)


def test_calls_from_several_threads_do_not_disturb_each_other(dms):
    # truth: each answer is that of a call alone
    expected = ff.reduce(dms, select="dynamic:1-2").body.stiffness
    found = []

    def work():
        found.append(ff.reduce(dms, select="dynamic:1-2").body.stiffness)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert all(np.array_equal(each, expected) for each in found)


def test_a_bar_draws_a_line_and_wipes_it():
    # truth: the text of the line
    class Stream:
        text = ""

        def write(self, text):
            self.text += text

        def flush(self):
            pass

    stream = Stream()
    bar = ff.ProgressBar(stream, after=0.0)
    bar("reading", 0.0, 100.0, "B")
    time.sleep(0.01)
    bar("reading", 50.0, 100.0, "B")
    assert "reading" in stream.text and "50%" in stream.text
    bar.close()
    assert stream.text.endswith("\r")
