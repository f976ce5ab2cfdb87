"""The CPU kernels: serial, free of the GIL, run over ranges of nodes by a small thread pool."""
