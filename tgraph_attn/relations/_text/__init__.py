"""What the relations between the words of a text share."""
