

# What follows is the same for every peer. With two files: compares them once. With a folder: compares all its pairs once for each line of
# input, and answers with the nanoseconds each took, or - for a pair that takes longer than the limit; such a pair is not tried again.
import pathlib
import signal
import sys
import time


class TooLong(Exception):
    pass


def too_long(*_):
    raise TooLong


def measured(old, new, limit):
    signal.alarm(limit)
    try:
        start = time.perf_counter_ns()
        made = job(old, new)
        return time.perf_counter_ns() - start
    except TooLong:
        return None
    finally:
        signal.alarm(0)


def turns(folder, limit):
    signal.signal(signal.SIGALRM, too_long)
    read = lambda pattern: [path.read_text("utf-8") for path in sorted(folder.glob(pattern))]
    pairs = list(zip(read("*.old"), read("*.new")))
    given_up = set()
    for _ in sys.stdin:
        answers = []
        for number, (old, new) in enumerate(pairs):
            took = None if number in given_up else measured(old, new, limit)
            if took is None:
                given_up.add(number)
            answers.append("-" if took is None else took)
        print(*answers, flush=True)


if pathlib.Path(sys.argv[1]).is_dir():
    turns(pathlib.Path(sys.argv[1]), int(sys.argv[2]))
else:
    print(len(job(*(pathlib.Path(name).read_text("utf-8") for name in sys.argv[1:3]))))
