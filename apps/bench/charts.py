"""Draws the charts of a comparison, by gnuplot, for render.py.

`draw` writes NAME.svg for `latency` and `requests-per-second`, which compare the clients, and for every chart that a table
of the results names. A point is the median over the rounds; its bar, or the band around a line, is the least to the
greatest.
"""

import math
import re
import subprocess

# For lines that stay apart for colour-blind readers (Okabe and Ito).
COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#56b4e9', '#e69f00', '#000000', '#999999']

UNITS = {'': 1, 'B': 1, 'KiB': 1024, 'MiB': 1024**2, 'GiB': 1024**3}

# Ratios of the greatest to the least from which an axis is logarithmic.
LOG_X_RATIO = 16
LOG_Y_RATIO = 30

# Between two labels, as a part of the x axis.
LABEL_GAP = 0.11

# Black on white reads well beside light and dark text.
SETTINGS = '''
set terminal svg size 760,420 noenhanced font "sans-serif,13" background "white"
set border 3 lc rgb "#444444"
set tics nomirror
set grid ytics lc rgb "#dddddd" lt 1
set key outside right top Left reverse samplen 2
set pointintervalbox 0
set format y "%.8g"
'''


def quoted(text):
    return "'" + text.replace("'", "''") + "'"


def number_of(name):
    """Returns the number that a row's name is, in bytes if it has such a unit; None if it is none."""
    found = re.fullmatch(r'([\d,.]+) ?([A-Za-z]*)', name)
    if not found or found[2] not in UNITS:
        return None
    return float(found[1].replace(',', '')) * UNITS[found[2]]


def places_of(names):
    """Returns where rows are along the x axis: at their numbers, or one beside the other."""
    numbers = [number_of(name) for name in names]
    return list(range(1, len(names) + 1)) if None in numbers else numbers


def is_logarithmic(values, ratio):
    return min(values) > 0 and max(values) / min(values) >= ratio


def labels_of(places, names, is_log):
    """Returns the labels of the x axis: the rows' names, without those too near the one before."""
    scaled = [math.log(place) for place in places] if is_log else places
    gap = (scaled[-1] - scaled[0]) * LABEL_GAP
    labels = []
    last = None
    for at, name in zip(scaled, names):
        has_room = last is None or at - last >= gap
        labels.append(name if has_room else '')
        last = at if has_room else last
    return labels


def axes_of(places, names, series):
    """Returns gnuplot's settings of both axes."""
    lines = []
    is_log_x = is_logarithmic(places, LOG_X_RATIO)
    if is_log_x:
        lines.append('set logscale x')
        lines.append(f'set xrange [{min(places) / 1.3}:{max(places) * 1.3}]')
    else:
        margin = (max(places) - min(places)) * 0.05 or 0.5
        lines.append(f'set xrange [{min(places) - margin}:{max(places) + margin}]')
    labels = labels_of(places, names, is_log_x)
    tics = ', '.join(f'{quoted(label)} {place}' for label, place in zip(labels, places))
    lines.append(f'set xtics ({tics})')
    medians = [cell['median'] for _, cells in series for cell in cells if cell]
    lines.append('set logscale y' if is_logarithmic(medians, LOG_Y_RATIO) else 'set yrange [0:*]')
    return lines


def data_of(place, series, places):
    """Returns a block of data: x, median, least, greatest; without cells that were not measured."""
    _, cells = series
    rows = [f"{x} {cell['median']} {cell['min']} {cell['max']}" for x, cell in zip(places, cells) if cell]
    return [f'$series{place} << EOD', *rows, 'EOD']


def script_of(chart, names, series, kind):
    """Returns the gnuplot script of a chart.

    `names` are those of the rows; `series` are pairs of a title and a cell for each row; `kind` makes from a block of
    data, a colour and a title what gnuplot plots.
    """
    places = places_of(names)
    lines = [SETTINGS, f"set title {quoted(chart['title'])}"]
    lines += [f"set xlabel {quoted(chart['x_label'])}", f"set ylabel {quoted(chart['y_label'])}"]
    lines += axes_of(places, names, series)
    if len(series) == 1:
        lines.append('unset key')
    plots = []
    for place, one in enumerate(series):
        shift = (place - (len(series) - 1) / 2) * 0.12
        shifted = [x + shift for x in places] if kind is points_of else places
        lines += data_of(place, one, shifted)
        plots += kind(f'$series{place}', COLOURS[place % len(COLOURS)], one[0])
    lines.append('plot ' + ', '.join(plots))
    return '\n'.join(lines) + '\n'


def lines_of(data, colour, title):
    return [f'{data} using 1:3:4 with filledcurves fc rgb "{colour}" fs transparent solid 0.15 noborder notitle',
            f'{data} using 1:2 with linespoints lc rgb "{colour}" lw 2 pt 7 ps 0.5 title {quoted(title)}']


def points_of(data, colour, title):
    return [f'{data} using 1:2:3:4 with yerrorbars lc rgb "{colour}" lw 2 pt 7 ps 0.6 title {quoted(title)}']


def charts_of_clients(results):
    """Yields the names and scripts of the charts that compare the clients."""
    clients = results['clients']
    if not clients:
        return
    names = [client['name'] for client in clients]

    def script(title, y_label, figures):
        chart = {'title': title, 'x_label': '', 'y_label': y_label}
        series = [(label, [client[figure] for client in clients]) for label, figure in figures]
        return script_of(chart, names, series, points_of)

    yield 'latency', script('one request at a time', 'us', [
        ('p50', 'sequential_p50_us'), ('p99', 'sequential_p99_us'), ('p99.9', 'sequential_p999_us')])
    in_flight = results['settings']['in_flight']
    yield 'requests-per-second', script(f'{in_flight} requests in flight', 'requests/s', [
        ('requests/s', 'pipelined_per_second')])


def charts_of_tables(results):
    """Yields the names and scripts of the charts that tables name."""
    for table in results['tables']:
        names = [row['name'] for row in table['rows']]
        for chart in table['charts']:
            columns = chart['columns'] or range(len(table['columns']))
            series = [(table['columns'][i], [row['cells'][i] for row in table['rows']]) for i in columns]
            has_numbers = all(number_of(name) is not None for name in names)
            kind = lines_of if has_numbers else points_of
            yield chart['name'], script_of({'title': table['title'], **chart}, names, series, kind)


def draw(results, folder):
    """Writes all charts of the results, and returns their files."""
    files = []
    folder.mkdir(parents=True, exist_ok=True)
    for name, script in [*charts_of_clients(results), *charts_of_tables(results)]:
        files.append(folder / f'{name}.svg')
        output = f'set output {quoted(str(files[-1]))}\n'
        subprocess.run(['gnuplot'], input=output + script, text=True, check=True)
    return files
