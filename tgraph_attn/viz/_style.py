"""The colours and the type of all pictures."""

INK = "#1f2933"  # what is said
MUTED = "#697586"  # what is said in passing
LINE = "#b6c0cd"  # the edges of a tree
ACCENT = "#c2255c"  # what the eye should find: attention
# Of Okabe and Ito: told apart by eyes that see few colours, too.
SERIES = ("#d55e00", "#0072b2", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
MONOSPACE = "DejaVu Sans Mono"  # comes with matplotlib
MONOSPACE_WIDTH = 0.602  # of a character, as a part of the size of the type
