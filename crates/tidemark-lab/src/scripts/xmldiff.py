"""For each pair of a folder: how many actions xmldiff takes, and whether they give the new page; - where it takes longer than the limit."""

import pathlib
import signal
import sys

from lxml import etree
from xmldiff.main import diff_trees, patch_tree


class TooLong(Exception):
    pass


def too_long(*_):
    raise TooLong


def compared(old, new):
    read = lambda path: etree.fromstring(path.read_bytes())
    actions = diff_trees(read(old), read(new))
    return len(actions), applies(actions, read(old), read(new))


def applies(actions, old, new):
    try:
        made = patch_tree(actions, old)
    except TooLong:
        raise
    except Exception:  # whatever it is, the script does not apply
        return False
    return etree.tostring(made, method="c14n") == etree.tostring(new, method="c14n")


folder, limit = pathlib.Path(sys.argv[1]), int(sys.argv[2])
signal.signal(signal.SIGALRM, too_long)
for old in sorted(folder.glob("*.old")):
    signal.alarm(limit)
    try:
        print(*compared(old, old.with_suffix(".new")), flush=True)
    except TooLong:
        print("-", flush=True)
    finally:
        signal.alarm(0)
