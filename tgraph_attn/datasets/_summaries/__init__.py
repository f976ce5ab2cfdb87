"""From functions and comments to what a model reads and writes."""
