"""Tests apps/bench/render.py."""

import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / 'apps' / 'bench'))
import render  # noqa: E402


def spread(median, least=None, greatest=None):
    return {'median': median, 'min': least or median, 'max': greatest or median}


def client(name, scale):
    figures = [column[1] for column in render.ONE_AT_A_TIME + render.MANY_IN_FLIGHT]
    values = {figure: spread(scale) for figure in figures}
    return {'name': name, 'description': f'the {name}', **values, 'to_floor': values}


def comparison():
    """A small result of `caf-mcp-bench compare`."""
    targets = [{'name': f'requests/s in TypeScript clients of version {i}', 'value': 7.123 * i, 'wanted': 'at_least',
                'limit': 8, 'is_met': i == 2} for i in (1, 2)]
    return {
        'machine': {'cores': 2, 'cpu': 'a CPU', 'memory_mib': 1, 'kernel': 'Linux'},
        'versions': {'caf_mcp': '1', 'caf': '1', 'boost': '1', 'compiler': 'GCC'},
        'settings': {'server': 'demo-server', 'request_bytes': 108, 'rounds': 1, 'sequential_requests': 1000,
                     'pipelined_requests': 1000, 'in_flight': 256, 'caf_arguments': []},
        'clients': [client(name, i + 1.5) for i, name in enumerate(['floor', 'event', 'pinned', 'pipeline'])],
        'left_out': {'sdk-1': 'no Node.js'},
        'memory': {'requests_first': 1000, 'bytes_first': 1024, 'requests_all': 10000, 'bytes_all': 3072},
        'tables': [{'title': 'sizes', 'columns': ['bare', 'library'], 'charts': [],
                    'rows': [{'name': '1 KiB', 'cells': [spread(1234.5, 1000, 2000), None]}]}],
        'targets': targets,
    }


class Cells(unittest.TestCase):
    def test_are_the_median_and_where_rounds_differ_the_least_and_the_greatest(self):
        self.assertEqual(render.cell(spread(2.5)), '2.50')
        self.assertEqual(render.cell(spread(1234.5, 1000, 2000)), '1,234 (1,000..2,000)')

    def test_are_a_dash_for_what_was_not_measured(self):
        self.assertEqual(render.cell(None), '-')


class Tables(unittest.TestCase):
    def test_hold_all_that_was_found(self):
        text = render.as_text(*render.parts_of(comparison()))
        for part in ['108 bytes', 'left out: no Node.js', 'the event', 'after 10,000 requests', '1,234 (1,000..2,000)',
                     'at least 8.00', 'missed']:
            self.assertIn(part, text)

    def test_align_figures_by_their_last_digit(self):
        text = render.as_text([], [render.Table('t', ['', 'n'], [['a', '1'], ['b', '10']])])
        self.assertIn('  a   1\n  b  10\n', text)

    def test_have_as_many_cells_in_each_row_as_columns(self):
        for block in render.as_markdown(*render.parts_of(comparison())).split('\n\n'):
            rows = [line for line in block.splitlines() if line.startswith('|')]
            self.assertLessEqual(len({row.count('|') for row in rows}), 1)

    def test_are_made_of_a_run_without_clients_too(self):
        found = comparison() | {'clients': [], 'left_out': {}, 'memory': None, 'targets': []}
        self.assertIn('sizes', render.as_text(*render.parts_of(found)))


class Documents(unittest.TestCase):
    def test_get_the_summary_in_place_of_the_old_one(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, 'README.md')
            file.write_text('before\n<!-- begin of summary -->\nold\n<!-- end of summary -->\nafter\n')
            render.replace_block(file, 'summary', render.summary_of(comparison()))
            text = file.read_text()
        self.assertNotIn('old', text)
        self.assertIn('7.1 and 14.2 times', text)
        self.assertTrue(text.startswith('before\n') and text.endswith('\nafter\n'))

    def test_stay_as_they_are_if_a_client_was_left_out(self):
        with self.assertRaises(SystemExit) as refused:
            render.renew_documents(comparison(), Path('/nowhere'))
        self.assertIn('sdk-1, sdk-2', str(refused.exception))

    def test_of_the_repository_show_the_same_summary(self):
        blocks = [re.search('<!-- begin of summary -->.*<!-- end of summary -->', (ROOT / name).read_text(), re.DOTALL)
                  for name in ('README.md', 'docs/performance.md')]
        self.assertTrue(all(blocks))
        self.assertEqual(blocks[0][0], blocks[1][0])

    def test_of_the_repository_summarise_the_figures_beside_them(self):
        summary = re.search('<!-- begin of summary -->(.*)<!-- end', (ROOT / 'README.md').read_text(), re.DOTALL)[1]
        figures = (ROOT / 'docs/figures.md').read_text()
        shown = {float(each) for each in re.findall(r'\d+\.\d+', figures)}
        for each in re.findall(r'\d+\.\d+', summary):
            step = 10 ** -len(each.split('.')[1])
            self.assertTrue(any(abs(value - float(each)) < step for value in shown), each)


if __name__ == '__main__':
    unittest.main()
