"""Parses all pages of a folder once for each line of input, and answers with the nanoseconds each took."""

import pathlib
import sys
import time

from selectolax.lexbor import LexborHTMLParser

pages = [path.read_bytes() for path in sorted(pathlib.Path(sys.argv[1]).iterdir())]
for _ in sys.stdin:
    times = []
    for page in pages:
        start = time.perf_counter_ns()
        tree = LexborHTMLParser(page)
        times.append(time.perf_counter_ns() - start)
        del tree
    print(*times, flush=True)
