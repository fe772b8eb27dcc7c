"""xmldiff: two XML texts to a list of actions."""

from xmldiff.main import diff_texts


def job(old, new):
    return diff_texts(old.encode(), new.encode())
