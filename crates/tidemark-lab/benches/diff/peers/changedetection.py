"""changedetection.io: both pages to text by its own function (BeautifulSoup, inscriptis), and its own comparison of the two texts."""

from changedetectionio import diff, html_tools
from loguru import logger

logger.remove()  # what it writes to its log is not the work


def job(old, new):
    return diff.render_diff(html_tools.html_to_text(old), html_tools.html_to_text(new))
