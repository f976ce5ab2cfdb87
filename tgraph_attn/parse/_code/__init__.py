"""From tree-sitter's syntax trees to columns."""
