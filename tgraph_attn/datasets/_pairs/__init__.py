"""Where functions and what is said of them come from."""
