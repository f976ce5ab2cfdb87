"""From programs with classes to trees."""
