#!/usr/bin/python3
"""Writes small universal files by the published layout of their data sets.

    make_universal.py FOLDER

shapes.unv: every element shape, on a brick of 2 mm; lengths in mm. modes.unv: nodes of one line, two modes and a load
case in data sets 55 and 2414, a function 58, a group. Value of mode m at node n: n + component / 8 + 100 m.
functions.unv: what a test bench writes, in text: the push 40 sin 3t at 12+Z with even abscissas, the acceleration
0.5 cos 2t at 12-X with uneven ones and at 7 with double precision, a frequency response. functions_binary.unv: the
same push and acceleration as bytes (58b), in both byte orders.
"""
import math, pathlib, struct, sys

BRICK = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2)]
# kind, corners on the brick, and the nodes of the file: a corner, or the middle of two
SHAPES = {
    115: ([0, 1, 2, 3, 4, 5, 6, 7], None),
    116: ([0, 1, 2, 3, 4, 5, 6, 7],
          [0, (0, 1), 1, (1, 2), 2, (2, 3), 3, (3, 0), (0, 4), (1, 5), (2, 6), (3, 7), 4, (4, 5), 5, (5, 6), 6, (6, 7), 7, (7, 4)]),
    112: ([0, 1, 3, 4, 5, 7], None),
    113: ([0, 1, 3, 4, 5, 7], [0, (0, 1), 1, (1, 2), 2, (2, 0), (0, 3), (1, 4), (2, 5), 3, (3, 4), 4, (4, 5), 5, (5, 3)]),
    111: ([0, 1, 3, 4], None),
    118: ([0, 1, 3, 4], [0, (0, 1), 1, (1, 2), 2, (2, 0), (0, 3), (1, 3), (2, 3), 3]),
    94: ([0, 1, 2, 3], None),
    95: ([0, 1, 2, 3], [0, (0, 1), 1, (1, 2), 2, (2, 3), 3, (3, 0)]),
    91: ([0, 1, 3], None),
    92: ([0, 1, 3], [0, (0, 1), 1, (1, 2), 2, (2, 0)]),
    21: ([0, 1], None),
    24: ([0, 1], [0, (0, 1), 1]),
    11: ([0, 6], None),
}


def data_set(number, lines):
    return ['    -1', f'{number:6d}', *lines, '    -1']


def rows(values, width, most):
    return [''.join(f'{v:{width}d}' for v in values[i:i + most]) for i in range(0, len(values), most)]


def shapes():
    nodes, ids, elements = [], {}, []

    def node(x):
        if x not in ids: ids[x] = 10 * (len(nodes) + 1); nodes.append(x)
        return ids[x]
    for label, (kind, (corners, order)) in enumerate(SHAPES.items(), 1):
        x = [tuple(map(float, BRICK[c])) for c in corners]
        some = [node(x[k] if isinstance(k, int) else tuple((a + b) / 2 for a, b in zip(x[k[0]], x[k[1]])))
                for k in (order or range(len(corners)))]
        elements += rows([label, kind, 1, 1, 7, len(some)], 10, 6)
        if kind in (11, 21, 24): elements += rows([0, 1, 1], 10, 3)
        elements += rows(some, 10, 8)
    elements += rows([99, 136, 1, 1, 7, 2], 10, 6) + rows([10, 20], 10, 8)
    points = []
    for x in nodes: points += rows([ids[x], 1, 1, 11], 10, 4) + [''.join(f'{v:25.16E}'.replace('E', 'D') for v in x)]
    out = data_set(151, ['a brick in thirteen ways', 'none', 'x', '01-JAN-70  00:00:00         0         0         0'])
    out += data_set(164, ['         5MM (milli newton)           2', '  1.00000000000000000D+03  1.00000000000000000D+03',
                          '  1.00000000000000000D+00  2.73149999999999977D+02'])
    return out + data_set(2411, points) + data_set(2412, elements)


def values(number, shift, count):
    return ''.join(f'{number + c / 8 + shift:13.5E}' for c in range(1, count + 1))


def modes():
    points = [f'{n:10d}{0:10d}{0:10d}{8:10d}' + ''.join(f'{v:13.5E}' for v in (n / 4, n / 2, 1)) for n in (3, 8, 5)]
    text = ['NONE'] * 5
    out = data_set(15, points)
    for mode, frequency in ((1, 12.5), (2, 40.0)):
        lines = text + rows([1, 2, 3, 8, 2, 6], 10, 6) + rows([2, 4, 0, mode], 10, 8) + \
            [''.join(f'{v:13.5E}' for v in (frequency, 2.0, 0.01, 0.0))]
        for n in (3, 8, 5): lines += [f'{n:10d}', values(n, 100 * mode, 6)]
        out += data_set(55, lines)
    lines = [f'{1:10d}', 'LOAD', f'{1:10d}'] + text + rows([1, 1, 2, 8, 2, 3], 10, 6) + \
        rows([0, 0, 1, 0, 1, 0, 0, 0], 10, 8) + rows([0, 0], 10, 8) + ['  0.00000E+00' * 6] * 2
    for n in (3, 8): lines += [f'{n:10d}', values(n, 0, 3)]
    out += data_set(2414, lines)
    lines = [f'{3:10d}', 'STRESS', f'{2:10d}'] + text + rows([1, 1, 4, 2, 2, 6], 10, 6) + \
        rows([0, 0, 1, 0, 1, 0, 0, 0], 10, 8) + rows([0, 0], 10, 8) + ['  0.00000E+00' * 6] * 2 + rows([1, 6], 10, 2) + [values(1, 0, 6)]
    out += data_set(2414, lines)
    out += data_set(58, head_of_function(4, (3, 1), (8, 1), 5, 2, 1, 0.0, 1.0) + ['  1.00000E+00  0.00000E+00  2.00000E+00  0.00000E+00'])
    return out + data_set(2467, rows([4, 0, 0, 0, 0, 0, 0, 3], 10, 8) + ['FOOT'] + rows([7, 3, 0, 0, 8, 1, 0, 0], 10, 8) + rows([7, 5, 0, 0], 10, 8))


def head_of_function(kind, place, reference, form, count, even, start, step):
    def entity(node, direction): return f' {"NONE":10s}{node:10d}{direction:4d}'
    axes = [f'{18 if kind == 4 else 17:10d}    0    0    0 NONE                 NONE                ',
            f'{12:10d}    0    0    0 NONE                 NONE                ', *2 * [f'{0:10d}    0    0    0 NONE                 NONE                ']]
    return ['a bench'] + ['NONE'] * 4 + [f'{kind:5d}{0:10d}{1:5d}{0:10d}' + entity(*place) + entity(*reference),
            f'{form:10d}{count:10d}{even:10d}{start:13.5E}{step:13.5E}{0:13.5E}', *axes]


TIMES = [0.01 * k for k in range(201)]
PUSH, ACCELERATION = [40 * math.sin(3 * t) for t in TIMES], [0.5 * math.cos(2 * t) for t in TIMES]


def functions():
    def table(numbers, most, form): return [''.join(form(v) for v in numbers[i:i + most]) for i in range(0, len(numbers), most)]
    single, double = (lambda v: f'{v:13.5E}'), (lambda v: f'{v:20.12E}')
    pairs = [x for t, a in zip(TIMES, ACCELERATION) for x in (t, a)]
    out = data_set(58, head_of_function(1, (12, 3), (0, 0), 2, 201, 1, 0, 0.01) + table(PUSH, 6, single))
    out += data_set(58, head_of_function(1, (12, -1), (0, 0), 2, 201, 0, 0, 0) + table(pairs, 6, single))
    out += data_set(58, head_of_function(1, (7, 0), (0, 0), 4, 201, 1, 0, 0.01) + table(ACCELERATION, 4, double))
    return out + data_set(58, head_of_function(4, (12, 3), (3, 1), 5, 2, 1, 0, 1) + table([1, 0, 2, 0], 6, single))


def binary_function(place, numbers, order, even, form):
    data = struct.pack(f'{"<" if order == 1 else ">"}{len(numbers)}{"f" if form == 2 else "d"}', *numbers)
    head = head_of_function(1, place, (0, 0), form, 201, even, 0, 0.01 if even else 0)
    first = f'{58:6d}b{order:6d}{2:6d}{11:12d}{len(data):12d}{0:6d}{0:6d}{0:12d}{0:12d}'
    return '\n'.join(['    -1', first, *head]).encode() + b'\n' + data + b'\n    -1\n'


def binary_functions():
    pairs = [x for t, a in zip(TIMES, ACCELERATION) for x in (t, a)]
    return binary_function((12, 3), PUSH, 1, 1, 4) + binary_function((12, -1), pairs, 2, 0, 2)


if __name__ == '__main__':
    folder = pathlib.Path(sys.argv[1])
    (folder / 'shapes.unv').write_text('\n'.join(shapes()) + '\n')
    (folder / 'functions.unv').write_text('\n'.join(functions()) + '\n')
    (folder / 'functions_binary.unv').write_bytes(binary_functions())
    (folder / 'modes.unv').write_text('\n'.join(modes()) + '\n')
