"""Tests apps/bench/charts.py."""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from xml.etree import ElementTree

sys.path.insert(0, str(Path(__file__).parents[2] / 'apps' / 'bench'))
import charts  # noqa: E402


def cell(median):
    return {'median': median, 'min': median / 2, 'max': median * 2}


def client(name, scale):
    keys = ['sequential_p50_us', 'sequential_p99_us', 'sequential_p999_us', 'pipelined_per_second']
    return {'name': name, **{key: cell(scale * 10**i) for i, key in enumerate(keys)}}


def results():
    table = {
        'title': "the server's results",
        'columns': ['bare', 'of the bare', 'library'],
        'rows': [{'name': '100 B', 'cells': [cell(1), cell(1), cell(2)]},
                 {'name': '64 MiB', 'cells': [cell(900), cell(1), None]}],
        'charts': [{'name': 'sizes', 'x_label': 'bytes', 'y_label': 'MB/s', 'columns': [0, 2]}],
    }
    return {'settings': {'in_flight': 256}, 'clients': [client('floor', 1), client('event', 2)], 'tables': [table]}


class Charts(unittest.TestCase):
    def test_place_rows_at_the_numbers_of_their_names(self):
        self.assertEqual(charts.places_of(['1', '1,000', '2.5']), [1, 1000, 2.5])
        self.assertEqual(charts.places_of(['100 B', '4 KiB', '64 MiB']), [100, 4096, 64 * 1024**2])

    def test_place_other_rows_beside_each_other(self):
        self.assertEqual(charts.places_of(['local', '2', '3 nodes']), [1, 2, 3])

    def test_label_no_row_too_near_another(self):
        places = [1024, 1024**2, 8 * 1024**2, 16 * 1024**2]
        self.assertEqual(charts.labels_of(places, ['1 KiB', '1 MiB', '8 MiB', '16 MiB'], True),
                         ['1 KiB', '1 MiB', '8 MiB', ''])
        self.assertEqual(charts.labels_of([1, 2, 3], ['a', 'b', 'c'], False), ['a', 'b', 'c'])

    def test_draw_only_the_columns_of_the_chart(self):
        [(name, script)] = charts.charts_of_tables(results())
        self.assertEqual(name, 'sizes')
        self.assertIn("title 'bare'", script)
        self.assertIn("title 'library'", script)
        self.assertNotIn("title 'of the bare'", script)

    def test_leave_out_cells_that_were_not_measured(self):
        [(_, script)] = charts.charts_of_tables(results())
        self.assertIn('$series1 << EOD\n100.0 2 1.0 4\nEOD', script)

    def test_are_logarithmic_where_values_differ_much(self):
        [(_, script)] = charts.charts_of_tables(results())
        self.assertIn('set logscale x', script)
        self.assertIn('set logscale y', script)

    def test_begin_at_zero_where_values_differ_little(self):
        found = results()
        found['tables'][0]['charts'][0]['columns'] = [1]
        [(_, script)] = charts.charts_of_tables(found)
        self.assertIn('set yrange [0:*]', script)

    @unittest.skipUnless(shutil.which('gnuplot'), 'gnuplot is not there; `./dev charts` installs it')
    def test_are_the_same_svg_each_time(self):
        with tempfile.TemporaryDirectory() as folder:
            files = charts.draw(results(), Path(folder))
            self.assertEqual([file.name for file in files], ['latency.svg', 'requests-per-second.svg', 'sizes.svg'])
            before = [file.read_bytes() for file in files]
            for svg in before:
                self.assertTrue(ElementTree.fromstring(svg).tag.endswith('svg'))
            charts.draw(results(), Path(folder))
            self.assertEqual(before, [file.read_bytes() for file in files])


if __name__ == '__main__':
    unittest.main()
