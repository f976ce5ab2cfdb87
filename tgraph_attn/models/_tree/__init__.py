"""What models of trees share: their nodes, and how these see each other."""
