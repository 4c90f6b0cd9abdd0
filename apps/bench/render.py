#!/usr/bin/env python3
"""Turns what caf-mcp-bench has printed into tables.

    render.py RESULTS.json [--markdown]         prints them, as text or as Markdown
    render.py RESULTS.json --documents FOLDER   renews the figures and charts of the repository in FOLDER

RESULTS.json is what `caf-mcp-bench compare`, or `micro --benchmark_format=json`, has printed. A figure is the median over
the rounds; in brackets are the least and the greatest, where they differ.
"""

import argparse
import json
import re
import sys
from pathlib import Path
from typing import NamedTuple

import charts


class Table(NamedTuple):
    """A table in words; the first column names the rows."""

    title: str
    columns: list
    rows: list

    def has_figures(self, column):
        """Returns whether all cells of a column are figures, which are aligned by their last digit."""
        return all(row[column][:1] in '0123456789-' and row[column] for row in self.rows)


def number(value, digits):
    return f'{value:,.{digits}f}'


def cell(spread, digits=None):
    """Returns a figure in words; None is one that was not measured."""
    if spread is None:
        return '-'
    if digits is None:
        digits = 2 if spread['median'] < 100 else 0
    median, least, greatest = (number(spread[part], digits) for part in ('median', 'min', 'max'))
    return median if least == greatest else f'{median} ({least}..{greatest})'


# --- A comparison --------------------------------------------------------------------------------------------------

# Of each client: title of the column, figure, digits, and whether as a multiple of the floor's.
ONE_AT_A_TIME = [
    ('p50 us', 'sequential_p50_us', 1, False),
    ('p99 us', 'sequential_p99_us', 1, False),
    ('p99.9 us', 'sequential_p999_us', 1, False),
    ('p50 / floor', 'sequential_p50_us', 2, True),
    ('CPU us/request', 'sequential_cpu_us', 1, False),
    ('waits/request', 'sequential_waits', 2, False),
]
MANY_IN_FLIGHT = [
    ('requests/s', 'pipelined_per_second', 0, False),
    ('of the floor', 'pipelined_per_second', 2, True),
    ('CPU us/request', 'pipelined_cpu_us', 2, False),
    ('waits/request', 'pipelined_waits', 3, False),
]


def figure_of(client, name, digits, is_ratio):
    if is_ratio:
        return cell(client['to_floor'][name], digits) if 'to_floor' in client else '-'
    return cell(client[name], digits)


def table_of_clients(title, clients, columns):
    rows = [[client['name'], *(figure_of(client, *column[1:]) for column in columns)] for client in clients]
    return Table(title, ['client', *(column[0] for column in columns)], rows)


def table_of_memory(memory):
    def row(name, size):
        return [name, number(size / 1024, 0)]

    first, last = (f'after {memory[key]:,} requests' for key in ('requests_first', 'requests_all'))
    growth = memory['bytes_all'] - memory['bytes_first']
    rows = [row(first, memory['bytes_first']), row(last, memory['bytes_all']), row('growth', growth)]
    return Table('resident memory, event-based caller, time-out 60 s', ['', 'KiB'], rows)


def table_of_targets(targets):
    rows = [[target['name'], number(target['value'], 2), f"{target['wanted'].replace('_', ' ')} {number(target['limit'], 2)}",
             'met' if target['is_met'] else 'missed'] for target in targets]
    return Table('targets', ['target', 'found', 'wanted', ''], rows)


def tables_of_comparison(results):
    """Yields all figures and targets."""
    clients = results['clients']
    described = [[client['name'], client['description']] for client in clients]
    described += [[name, f'left out: {why}'] for name, why in results['left_out'].items()]
    if described:
        yield Table('clients', ['client', 'what it is'], described)
    if clients:
        yield table_of_clients('one request at a time', clients, ONE_AT_A_TIME)
        yield table_of_clients(f"{results['settings']['in_flight']} in flight", clients, MANY_IN_FLIGHT)
    if results['memory']:
        yield table_of_memory(results['memory'])
    for table in results['tables']:
        rows = [[row['name'], *(cell(each) for each in row['cells'])] for row in table['rows']]
        yield Table(table['title'], ['', *table['columns']], rows)
    if results['targets']:
        yield table_of_targets(results['targets'])


def setting_of_comparison(results):
    """Returns where and how was measured, a line each."""
    machine, versions, settings = results['machine'], results['versions'], results['settings']
    lines = [
        f"{machine['cores']} cores ({machine['cpu']}), {machine['memory_mib']} MiB, {machine['kernel']}",
        f"caf-mcp {versions['caf_mcp']}, CAF {versions['caf']}, Boost {versions['boost']}, {versions['compiler']}",
        f"server: {settings['server']}, legacy era, tools/call echo, {settings['request_bytes']} bytes a request",
    ]
    if results['clients']:
        lines.append(f"{settings['rounds']} rounds, each with at least {settings['sequential_requests']:,} requests one at a time"
                     f" and {settings['pipelined_requests']:,} with {settings['in_flight']} in flight")
    lines.append('figures: median (least..greatest) of the rounds')
    lines.append(f"CAF's settings: {' '.join(settings['caf_arguments']) or 'as they come'}")
    return lines


# --- Micro-benchmarks ----------------------------------------------------------------------------------------------


def tables_of_micro(results):
    """Yields the table of what Google Benchmark has printed as JSON."""

    def rate(run, key, scale):
        return number(run[key] / scale, 1) if key in run else '-'

    rows = [[run['name'], number(run['real_time'], 1), run['time_unit'], rate(run, 'bytes_per_second', 1e6),
             rate(run, 'items_per_second', 1e6), rate(run, 'page faults', 1)] for run in results['benchmarks']]
    yield Table('micro-benchmarks', ['', 'time', 'unit', 'MB/s', 'million/s', 'page faults'], rows)


def setting_of_micro(results):
    context = results['context']
    return [f"{context['num_cpus']} cores at {context['mhz_per_cpu']} MHz, load {context['load_avg']}"]


# --- Output --------------------------------------------------------------------------------------------------------


def as_text(setting, tables):
    lines = list(setting)
    for table in tables:
        widths = [max(len(row[i]) for row in [table.columns, *table.rows]) for i in range(len(table.columns))]
        lines += ['', table.title]
        for row in [table.columns, *table.rows]:
            cells = [text.rjust(width) if table.has_figures(i) else text.ljust(width)
                     for i, (text, width) in enumerate(zip(row, widths))]
            lines.append(('  ' + '  '.join(cells)).rstrip())
    return '\n'.join(lines) + '\n'


def as_markdown(setting, tables):
    lines = [f'- {line}' for line in setting]
    for table in tables:
        alignments = ['---:' if table.has_figures(i) else '---' for i in range(len(table.columns))]
        lines += ['', f'**{table.title}**', '']
        lines += [f"| {' | '.join(row)} |" for row in [table.columns, alignments, *table.rows]]
    return '\n'.join(lines) + '\n'


def parts_of(results):
    """Returns the setting and the tables of results of either kind."""
    if 'benchmarks' in results:
        return setting_of_micro(results), list(tables_of_micro(results))
    return setting_of_comparison(results), list(tables_of_comparison(results))


def summary_of(results):
    """Returns the figures that README.md and docs/performance.md both show."""
    to_floor = {client['name']: client['to_floor'] for client in results['clients']}
    per_peer = {target['name'][-1]: number(target['value'], 1) for target in results['targets'] if 'TypeScript' in target['name']}

    def of_floor(client, figure):
        return number(to_floor[client][figure]['median'], 2)

    return [
        f"- One request at a time takes {of_floor('event', 'sequential_p50_us')} times as long as over a plain loop with the same",
        f"  pipes from an event-based actor, {of_floor('pinned', 'sequential_p50_us')} times from an actor in the loop of the connection.",
        f"- With {results['settings']['in_flight']} in flight, a pipeline makes {of_floor('pipeline', 'pipelined_per_second')} times the"
        ' requests of that loop a second,',
        f"  {per_peer['1']} and {per_peer['2']} times those of the official TypeScript client, version 1 and 2.",
    ]


def replace_block(file, name, lines):
    """Replaces what stands between two marks of a document."""
    begin, end = f'<!-- begin of {name} -->', f'<!-- end of {name} -->'
    text, count = re.subn(f'{begin}.*{end}', lambda _: '\n'.join([begin, *lines, end]), file.read_text(), flags=re.DOTALL)
    if count != 1:
        sys.exit(f'{file}: not one block `{begin}` ... `{end}`')
    file.write_text(text)


def missing_in(results):
    """Returns which clients the documents show that the results lack; part of a run must not replace a whole one."""
    found = {client['name'] for client in results['clients']}
    return sorted({'floor', 'event', 'pinned', 'pipeline', 'sdk-1', 'sdk-2'} - found)


def renew_documents(results, folder):
    """Renews every figure and chart of the documents, or none."""
    if lacking := missing_in(results):
        sys.exit(f'no document was changed: the results lack {", ".join(lacking)}')
    for document in ('README.md', 'docs/performance.md'):
        replace_block(folder / document, 'summary', summary_of(results))
    replace_block(folder / 'docs/figures.md', 'figures', as_markdown(*parts_of(results)).splitlines())
    charts.draw(results, folder / 'docs/charts')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('results', type=Path)
    parser.add_argument('--markdown', action='store_true')
    parser.add_argument('--documents', type=Path, metavar='FOLDER')
    given = parser.parse_args()
    results = json.loads(given.results.read_text())
    if given.documents:
        renew_documents(results, given.documents)
    else:
        print((as_markdown if given.markdown else as_text)(*parts_of(results)), end='')


if __name__ == '__main__':
    main()
