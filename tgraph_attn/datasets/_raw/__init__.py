"""Files that data sets are made of."""
