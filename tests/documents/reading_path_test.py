"""Checks docs/reading-path.md: what it names is there, and is at most 1,200 lines.

    reading_path_test.py [ROOT]      prints the sizes, then checks them
"""

import re
import sys
import unittest
from pathlib import Path

ROOT = Path(sys.argv.pop(1)) if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]
LINES_MAX = 1200
ROW = re.compile(r'^\| \d+ \| `([^`]+)` \| (.+) \|$', re.MULTILINE)


def sizes_of(lines, function):
    """Returns the size of each definition of a member function: from the first line of its declaration to its brace."""
    result = []
    for at, line in enumerate(lines):
        if not re.search(rf'(::|\s|^){function}\(', line) or line[0] in ' /#}':
            continue
        end = next(i for i in range(at, len(lines)) if lines[i] == '}')
        begin = at - 1 if at > 0 and lines[at - 1].strip() and lines[at - 1][0] not in ' /#}' else at
        result.append(end - begin + 1)
    return result


def rows():
    """Yields file, what is read of it and the lines that this is."""
    for file, what in ROW.findall((ROOT / 'docs/reading-path.md').read_text()):
        lines = (ROOT / file).read_text().splitlines()
        if what.startswith('all'):
            yield file, 'all', [len(lines)]
        else:
            for function in re.findall(r'`(\w+)`', what):
                yield file, function, sizes_of(lines, function)


class ReadingPath(unittest.TestCase):
    def test_names_functions_that_are_there(self):
        for file, what, sizes in rows():
            self.assertTrue(sizes, f'{file} defines no {what}')

    def test_is_no_longer_than_can_be_read(self):
        found = list(rows())
        self.assertGreater(len(found), 20)
        total = 0
        for file, what, sizes in found:
            total += sum(sizes)
            print(f'{sum(sizes):5} {file} {what}')
        print(f'{total:5} in all')
        self.assertLessEqual(total, LINES_MAX)


if __name__ == '__main__':
    unittest.main()
