"""From source files to functions with names and summaries."""
