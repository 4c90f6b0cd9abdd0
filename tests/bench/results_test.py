"""Checks what `caf-mcp-bench` has printed, and that render.py makes tables of it.

    results_test.py FOLDER      which holds compare.json and micro.json
"""

import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / 'apps' / 'bench'))
import render  # noqa: E402

FOLDER = Path(sys.argv.pop())
RESULTS = json.loads((FOLDER / 'compare.json').read_text())
MICRO = json.loads((FOLDER / 'micro.json').read_text())

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


class Tables(unittest.TestCase):
    def test_have_every_client_table_and_target(self):
        report = render.as_markdown(*render.parts_of(RESULTS))
        for client in RESULTS['clients']:
            self.assertIn(f"| {client['name']} |", report)
        for table in RESULTS['tables']:
            self.assertIn(f"**{table['title']}**", report)
        for target in RESULTS['targets']:
            self.assertIn(f"| {target['name']} |", report)

    def test_have_every_micro_benchmark(self):
        report = render.as_markdown(*render.parts_of(MICRO))
        for kind in ['framer', 'encode', 'decode', 'scan', 'deadline', 'fresh_process']:
            self.assertIn(f'| {kind}', report)


if __name__ == '__main__':
    unittest.main()
