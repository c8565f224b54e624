"""Tools around the simulated ATTILA GPU."""
