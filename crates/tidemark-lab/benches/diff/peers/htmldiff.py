"""lxml.html.diff.htmldiff: two pages to one page with ins and del."""

from lxml.html.diff import htmldiff


def job(old, new):
    return htmldiff(old, new)
