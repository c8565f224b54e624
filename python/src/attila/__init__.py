"""Runs, sweeps, samples and timing comparisons of the simulated ATTILA GPU as pandas data frames.

    import attila
    run = attila.open_run("out/run")
    run.frames.plot(x="frame", y="cycles")

The commands of the program "attila" are in __main__.py.
"""

__version__ = "0.2.0"
