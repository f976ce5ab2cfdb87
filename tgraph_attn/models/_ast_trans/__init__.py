"""Parts of AST-Trans."""
