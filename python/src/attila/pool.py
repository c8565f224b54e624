"""Runs simulators, many at a time, and shows their progress. The caller defines what runs (an item)
and what results from it (a result). Not here: the runs (runs.py, sweep/run.py).
"""

from __future__ import annotations

import html
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from attila import cli

Started = Callable[[Any], None]  # called with each new process, which an interrupt kills


def watched(command: Sequence[Any], timeout: float | None, started: Started) -> tuple[str, str]:
    """Runs a simulator; returns (state, message). The states are: done; failed: it ended with an
    error, which is a result; lost: it was killed, which is no result."""
    # If this process is killed, its simulators must end, too.
    process = subprocess.Popen(["setpriv", "--pdeathsig", "KILL", "--", *command],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True, errors="replace")
    started(process)
    try:
        _, errors = process.communicate(timeout=timeout)
        status = process.returncode
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        status, errors = 1, f"it took longer than {timeout} s"
    said = [n for n in errors.strip().split("\n") if n and not n.startswith('Try "')]
    last = (said or [""])[-1].strip()
    if status < 0 or status in (128 + signal.SIGKILL, 128 + signal.SIGTERM):
        name = signal.Signals(-status if status < 0 else status - 128).name
        crashed = name in ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGILL", "SIGFPE")
        return "failed" if crashed else "lost", f"ended by {name} {last}"
    return ("failed", f"status {status}: {last}") if status else ("done", "")


class Pool:
    """Runs items, a number of processes at a time. run(item, started) is called in a thread of the
    pool. keep(item, result) is called in the calling thread, and so is waiting(), about once a
    second."""

    def __init__(self, jobs: int, run: Callable[[Any, Started], Any],
                 waiting: Callable[[], None] = lambda: None) -> None:
        self.jobs, self.run_item, self.waiting = jobs, run, waiting
        self.todo: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.results: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self.lock, self.stopping = threading.Lock(), False
        self.processes: set[Any] = set()

    def _started(self, process: Any) -> None:
        with self.lock:
            if self.stopping:
                process.kill()
            self.processes.add(process)

    def _work(self) -> None:
        while not self.stopping:
            try:
                item = self.todo.get_nowait()
            except queue.Empty:
                return
            try:
                result = self.run_item(item, self._started)
            except BaseException as e:  # it is raised in the calling thread
                self.results.put((item, e, None))
                return
            # The next item waits until this result is kept, so a kill loses at most one result per
            # process.
            kept = threading.Event()
            self.results.put((item, result, kept))
            while not kept.wait(1) and not self.stopping:
                pass

    def _result(self) -> Any:
        while True:
            try:  # a signal just before a wait would not end it
                return self.results.get(timeout=1)
            except queue.Empty:
                self.waiting()

    def run(self, items: Sequence[Any], keep: Callable[..., None]) -> None:
        for item in items:
            self.todo.put(item)
        threads = [threading.Thread(target=self._work) for _ in range(min(self.jobs, len(items)))]
        try:
            for t in threads:
                t.start()
            for _ in items:
                item, result, kept = self._result()
                if kept is None:
                    raise result
                keep(item, result)
                kept.set()
        except BaseException:  # an interrupt or a full disk: no process may go on
            with self.lock:
                self.stopping = True
                for process in self.processes:
                    process.kill()
            raise
        finally:
            for t in threads:
                if t.is_alive():  # a thread whose start was interrupted ends by itself
                    t.join()


def in_words(seconds: float) -> str:
    if seconds < 90:
        return f"{int(seconds)} s"
    return f"{int(seconds / 60)} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


class _Bar:
    """Shows a line about progress in a notebook."""

    def __init__(self, part: float, text: str) -> None:
        self.part, self.text = part, text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return (f'<progress value="{self.part:.4f}" max="1"></progress> '
                f'{html.escape(self.text)}')


class Line:
    """A line about progress: in a notebook a bar with a text; on a terminal a line that is
    overwritten; elsewhere a line every 20 s, and a last one."""

    def __init__(self) -> None:
        self.terminal, self.told = sys.stderr.isatty(), time.monotonic()
        self.bar: Any = None
        python = sys.modules.get("IPython")
        self.notebook = python and getattr(python.get_ipython(), "kernel", None) is not None

    def show(self, text: str, part: float, last: bool = False) -> None:
        """part: from 0 to 1."""
        if self.notebook:
            from IPython.display import display
            if self.bar:
                self.bar.update(_Bar(part, text))
            else:
                self.bar = display(_Bar(part, text), display_id=True)
            return
        if not self.terminal and not last and time.monotonic() - self.told < 20:
            return
        self.told = time.monotonic()
        if self.terminal:
            cli.in_place(f"{text:<70}", "\n" if last else "")
        else:
            print(text, file=sys.stderr, flush=True)
