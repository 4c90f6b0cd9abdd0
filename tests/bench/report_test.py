"""Checks the files that `caf-mcp-bench --out FOLDER` has written.

    report_test.py FOLDER
"""

import json
import sys
import unittest
from pathlib import Path

FOLDER = Path(sys.argv.pop())
RESULTS = json.loads((FOLDER / 'results.json').read_text())
REPORT = (FOLDER / 'report.md').read_text()

FIGURES = ['sequential_p50_us', 'sequential_p99_us', 'sequential_p999_us', 'pipelined_per_second']


class Results(unittest.TestCase):
    def test_say_where_and_how_was_measured(self):
        self.assertGreater(RESULTS['machine']['cores'], 0)
        self.assertTrue(all(RESULTS['versions'].values()))
        self.assertEqual(RESULTS['settings']['server'], 'demo-server')
        self.assertEqual(RESULTS['settings']['rounds'], 1)

    def test_have_the_spread_of_every_figure_of_a_client(self):
        self.assertEqual(RESULTS['clients'][0]['name'], 'floor')
        for client in RESULTS['clients']:
            for figure in FIGURES:
                spread = client[figure]
                self.assertLess(0, spread['min'])
                self.assertLessEqual(spread['min'], spread['median'])
                self.assertLessEqual(spread['median'], spread['max'])

    def test_say_why_a_client_is_left_out(self):
        names = [client['name'] for client in RESULTS['clients']]
        for sdk in ['sdk-1', 'sdk-2']:
            self.assertNotEqual(sdk in names, './dev bench' in RESULTS['left_out'].get(sdk, ''))

    def test_have_latencies_in_order(self):
        for client in RESULTS['clients']:
            medians = [client[figure]['median'] for figure in FIGURES[:3]]
            self.assertEqual(medians, sorted(medians))

    def test_have_a_cell_for_each_column_of_each_row(self):
        self.assertTrue(RESULTS['tables'])
        for table in RESULTS['tables']:
            for row in table['rows']:
                self.assertEqual(len(row['cells']), len(table['columns']))

    def test_name_only_columns_that_a_chart_can_draw(self):
        for table in RESULTS['tables']:
            for chart in table['charts']:
                self.assertTrue(chart['name'] and chart['y_label'])
                for column in chart['columns']:
                    self.assertLess(column, len(table['columns']))

    def test_judge_targets(self):
        self.assertTrue(RESULTS['targets'])
        for target in RESULTS['targets']:
            value, limit = target['value'], target['limit']
            is_met = value <= limit if target['wanted'] == 'at_most' else value >= limit
            self.assertEqual(target['is_met'], is_met)


class Report(unittest.TestCase):
    def test_has_every_client_table_and_target(self):
        for client in RESULTS['clients']:
            self.assertIn(f"| {client['name']} |", REPORT)
        for table in RESULTS['tables']:
            self.assertIn(f"**{table['title']}**", REPORT)
        for target in RESULTS['targets']:
            self.assertIn(f"| {target['name']} |", REPORT)

    def test_has_as_many_cells_in_all_rows_of_a_table(self):
        for block in REPORT.split('\n\n'):
            rows = [line for line in block.splitlines() if line.startswith('|')]
            self.assertLessEqual(len({row.count('|') for row in rows}), 1)


if __name__ == '__main__':
    unittest.main()
