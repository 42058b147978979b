#!/usr/bin/python3
"""Writes small ANSYS files by the documented layout: .full, .rst, .sub, .cdb, in the variants that ANSYS versions write.

    make_ansys.py FOLDER

Model: pin-jointed bars of 1000 N/m between all pairs of the nodes 1, 2, 3, 7 and from 12 to 1, 2, 3; 2 kg per node;
node 12 is held. The axes of node 3 are rotated (30, 20, 10 degrees); its rows are in these axes.
"""
import math, pathlib, struct, sys

NODES = {1: (0, 0, 0), 2: (1, 0, 0), 3: (0, 1.5, 0), 7: (0.25, 0.5, 2), 12: (-1, -1, -0.5)}
ANGLES = {3: (30.0, 20.0, 10.0)}
BARS = [(1, 2), (1, 3), (1, 7), (2, 3), (2, 7), (3, 7), (12, 1), (12, 2), (12, 3)]
STIFFNESS, MASS, HELD = 1000.0, 2.0, 12
ORDER = [2, 12, 1, 7, 3]  # of the nodes in results and equations


def turn(axis, degrees):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    i, j = [(1, 2), (2, 0), (0, 1)][axis]
    m = [[float(a == b) for b in range(3)] for a in range(3)]
    m[i][i] = m[j][j] = c
    m[i][j], m[j][i] = -s, s
    return m


def times(a, b):
    return [[sum(a[i][k] * b[k][j] for k in range(len(b))) for j in range(len(b[0]))] for i in range(len(a))]


def axes(node):
    xy, yz, zx = ANGLES.get(node, (0.0, 0.0, 0.0))
    return times(times(turn(2, xy), turn(0, yz)), turn(1, zx))


def stiffness():
    """K along the axes of the nodes, in the order of the equations."""
    n = 3 * len(ORDER)
    k = [[0.0] * n for _ in range(n)]
    for a, b in BARS:
        d = [NODES[b][c] - NODES[a][c] for c in range(3)]
        length = math.sqrt(sum(x * x for x in d))
        row = [0.0] * n
        for node, sign in ((a, -1.0), (b, 1.0)):
            local = times([[x / length for x in d]], axes(node))[0]
            for c in range(3):
                row[3 * ORDER.index(node) + c] = sign * local[c]
        for i in range(n):
            for j in range(n):
                k[i][j] += STIFFNESS * row[i] * row[j]
    return k


def modes(k):
    """Eigenvalues and columns of a symmetric matrix by Jacobi rotations, rising."""
    n = len(k)
    a, v = [r[:] for r in k], [[float(i == j) for j in range(n)] for i in range(n)]
    for _ in range(60):
        for p in range(n):
            for q in range(p + 1, n):
                if abs(a[p][q]) < 1e-300: continue
                theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
                t = math.copysign(1.0, theta) / (abs(theta) + math.sqrt(theta * theta + 1))
                c = 1 / math.sqrt(t * t + 1)
                s = t * c
                for m in (a, v):
                    for r in m:
                        r[p], r[q] = c * r[p] - s * r[q], s * r[p] + c * r[q]
                a[p], a[q] = [c * x - s * y for x, y in zip(a[p], a[q])], [s * x + c * y for x, y in zip(a[p], a[q])]
    order = sorted(range(n), key=lambda i: a[i][i])
    return [(a[i][i], [v[r][i] for r in range(n)]) for i in order]


class Records:
    def __init__(self, kind, big=False):
        self.e, self.out = '>' if big else '<', bytearray()
        head = [0] * 100
        head[0], head[9] = kind, self.word('21.1')
        for i, c in enumerate(range(0, 80, 4)): head[40 + i] = self.word('five bars'.ljust(80)[c:c + 4])
        self.integers(head)

    def word(self, text):
        return struct.unpack('>i', text.encode())[0]

    def at(self):
        return len(self.out) // 4

    def record(self, flags, payload):
        n = len(payload) // 4
        self.out += struct.pack(self.e + 'iI', n, flags << 24) + payload + struct.pack(self.e + 'i', n)

    def integers(self, v):
        self.record(0x80, struct.pack(f'{self.e}{len(v)}i', *v))

    def reals(self, v, single=False):
        self.record(0x40 if single else 0, struct.pack(f'{self.e}{len(v)}{"f" if single else "d"}', *v))

    def bits(self, v, short=False):
        """Sparse by bits: reals, or short integers filled up to whole words."""
        given = [x for x in v if x != 0]
        mask = sum(1 << i for i, x in enumerate(v) if x != 0)
        body = struct.pack(f'{self.e}{len(given)}{"h" if short else "d"}', *given)
        body += b'\0' * (-len(body) % 4)
        self.record(0xC8 if short else 0x08, struct.pack(self.e + 'iI', len(v), mask) + body)

    def windows(self, v):
        """Sparse by windows: single items, runs, and runs of one value."""
        runs, i = [], 0
        while i < len(v):
            if v[i] == 0: i += 1; continue
            j = i
            while j < len(v) and v[j] != 0: j += 1
            runs.append((i, v[i:j])); i = j
        body = struct.pack(self.e + 'ii', len(v), len(runs))
        for start, run in runs:
            if len(run) == 1 and start > 0: body += struct.pack(self.e + 'id', start, run[0])
            elif len(set(run)) == 1: body += struct.pack(self.e + 'iid', -start, -len(run), run[0])
            else: body += struct.pack(f'{self.e}ii{len(run)}d', -start, len(run), *run)
        self.record(0x10, body)

    def put(self, word, values, at):
        """Overwrites integers of the record at `at`."""
        struct.pack_into(f'{self.e}{len(values)}i', self.out, 4 * (at + 2 + word - 1), *values)


def full(big=False, lumped=False):
    f = Records(4, big)
    n = 3 * len(ORDER)
    head = [0] * 160
    head[0], head[1], head[7], head[10], head[32] = -4, n, 3, int(lumped), len(ORDER)
    header = f.at(); f.integers(head)
    f.integers([1, 2, 3]); f.integers(ORDER)
    held = [3 * ORDER.index(HELD) + c for c in range(3)]

    def columns(m):
        at, terms = f.at(), 0
        for j in range(n):
            rows = [j] if j in held else [i for i in range(j + 1, n) if m[i][j] != 0 and i not in held] + [j]
            f.integers([i + 1 for i in rows])
            f.reals([1.0 if j in held else m[i][j] for i in rows])
            terms += len(rows)
        return at, terms
    at, terms = columns(stiffness())
    f.put(19, [at, 0], header); f.put(9, [terms, 0], header)
    if lumped: at, terms = f.at(), n; f.reals([MASS] * n)
    else: at, terms = columns([[MASS * (i == j) for j in range(n)] for i in range(n)])
    f.put(27, [at, 0], header); f.put(34, [terms], header)
    f.put(36, [f.at(), 0], header)
    f.integers([3] * len(ORDER))
    f.integers([-(c + 1) if node == HELD else c + 1 for node in ORDER for c in range(3)])
    return f.out


def inverse(m):
    n = len(m)
    a = [list(map(float, r)) + [float(i == j) for j in range(n)] for i, r in enumerate(m)]
    for p in range(n):
        best = max(range(p, n), key=lambda r: abs(a[r][p]))
        a[p], a[best] = a[best], a[p]
        a[p] = [x / a[p][p] for x in a[p]]
        for r in range(n):
            if r != p: a[r] = [x - a[r][p] * y for x, y in zip(a[r], a[p])]
    return [r[n:] for r in a]


MASTERS = [7, 3, 2]  # in the order of the rows; node 1 is internal, node 12 held


def craig_bampton():
    """K and M of the masters and of all three modes of node 1 with the masters fixed, so that the reduction is exact."""
    k = stiffness()
    out = [3 * ORDER.index(node) + c for node in MASTERS for c in range(3)]
    inside = [3 * ORDER.index(1) + c for c in range(3)]
    k_ii = [[k[i][j] for j in inside] for i in inside]
    follow = times(inverse(k_ii), [[-k[i][j] for j in out] for i in inside])
    shapes = [[column[i] / math.sqrt(MASS) for _, column in modes([[x / MASS for x in r] for r in k_ii])] for i in range(3)]
    t = [[float(i == j) for j in range(len(out))] + [0.0] * 3 for i in range(len(out))]
    t += [f + s for f, s in zip(follow, shapes)]
    t_t = [list(c) for c in zip(*t)]
    used = out + inside
    return times(t_t, times([[k[i][j] for j in used] for i in used], t)), [[MASS * x for x in r] for r in times(t_t, t)]


def sub(big=False, columns='lower', by_number=False):
    """The superelement; `by_number`: rows by node numbers instead of places in the node table."""
    f = Records(8, big)
    k, m = craig_bampton()
    n, table, virtual = len(k), [2, 12, 1, 7, 3, 13], 13  # a node for the modes
    rows = [(node, c) for node in [*MASTERS, virtual] for c in range(1, 4)]
    head = [0] * 80
    head[0:3], head[4:9], head[10:12] = [8, n, 2], [3, 12, 0, len(table), len(MASTERS)], [1, 1]
    head[14], head[43] = 1, 3
    header = f.at(); f.integers(head)
    f.put(31, [f.at()], header); f.integers([1, 2, 3])
    f.put(32, [f.at()], header)
    f.integers([((node if by_number else table.index(node) + 1) - 1) * 3 + c for node, c in rows])
    f.put(33, [f.at()], header); f.integers(table)
    f.put(38, [f.at()], header); f.integers(sorted((node - 1) * 32 + c for node, c in rows))
    f.put(35, [f.at()], header); f.integers(MASTERS)
    f.put(36, [f.at()], header)
    for node in MASTERS: f.reals([*map(float, NODES[node]), *ANGLES.get(node, (0.0, 0.0, 0.0))])
    f.put(22, [f.at()], header)
    for i in range(n):
        first, end = {'lower': (0, i + 1), 'upper': (i, n), 'all': (0, n)}[columns]
        for a in (k, m): f.reals(a[i][first:end])
    f.reals([0.0] * n)
    return f.out


def rst(big=False, packed=True, single=False, old=False, imaginary=(), analysis=2):
    """Modes, those of `imaginary` with an imaginary part behind them, or, of another analysis, load steps."""
    f = Records(12, big)
    k = stiffness()
    free = [i for i in range(len(k)) if i // 3 != ORDER.index(HELD)]
    found = modes([[k[i][j] / MASS for j in free] for i in free])[:8]
    sets = [(*found[i], part) for i in range(len(found)) for part in ((0, 1) if i + 1 in imaginary else (0,))]
    places = 2 + len(sets)
    head = [0] * 80
    head[0], head[1], head[2], head[3], head[4], head[5], head[6], head[7], head[8], head[19] = \
        12, 12, len(ORDER), places, 3, len(BARS), len(BARS), analysis, len(sets), 1
    head[35] = 1 << 27  # what is available: displacements
    header = f.at(); f.integers(head)
    f.integers([1, 2, 3])
    f.put(15, [f.at()], header); f.integers(ORDER)
    f.put(14, [f.at()], header); f.integers(list(range(1, len(BARS) + 1)))
    pointers = f.at(); f.put(11, [pointers], header); f.integers([0] * (2 * places))
    f.put(12, [f.at()], header)
    f.reals([math.sqrt(max(l, 0.0)) / (2 * math.pi) for l, *_ in sets] + [0.0] * (places - len(sets)))
    f.put(13, [f.at()], header); f.integers([0] * (3 * places))
    geometry = f.at(); f.put(16, [geometry], header)
    head = [0] * 80
    head[1], head[3], head[4] = 1, len(NODES), len(BARS)
    f.integers(head)

    def point(before, new, at):
        f.put(*((before, [at]) if old else (new, [at, 0])), geometry)
    types = f.at(); point(7, 21, types)
    table = f.at(); f.integers([0]); f.put(1, [f.at() - types], table)
    f.integers([1, 180] + [0] * 98)
    point(9, 27, f.at())
    for node, x in NODES.items():
        record = [float(node), *map(float, x), *ANGLES.get(node, (0.0, 0.0, 0.0))]
        f.bits(record) if packed else f.reals(record)
    elements = f.at(); point(11, 29, elements)
    f.integers([0] * (len(BARS) * (1 if old else 2)))
    for number, bar in enumerate(BARS, 1):
        f.put(number if old else 2 * number - 1, [f.at() - elements], elements)
        record = [1, 1, 1, 1, 0, 0, 0, 0, number, 0, *bar]
        f.bits(record, True) if packed else f.integers(record)
    for number, (_, column, part) in enumerate(sets, 1):
        start = f.at(); f.put(number, [start], pointers)
        head = [0] * 200
        head[2], head[18], head[19], head[20:23] = len(ORDER), part, 3, [1, 2, 3]
        f.integers(head)
        f.reals([0.0] * 100)
        offset = f.at() - start
        f.put(*((11, [offset]) if old else (105, [offset, 0])), start)
        shape = [0.0] * len(k)
        for i, value in zip(free, column): shape[i] = value / math.sqrt(MASS)
        some = [i for i, node in enumerate(ORDER) if node != HELD]
        if packed: f.windows(shape)
        elif single: f.reals(shape, True)
        else:  # without the node that is held
            f.reals([shape[3 * i + c] for i in some for c in range(3)])
            f.integers([i + 1 for i in some])
    return f.out


def solids(old=False):
    """A brick, a tetrahedron and a wedge with stresses: 1000 element + 100 mode + 10 corner + component."""
    f = Records(12)
    nodes = {i: x for i, x in enumerate(BRICK, 1)}
    elements = {5: (1, (1, 2, 3, 4, 5, 6, 7, 8)), 6: (2, (1, 2, 4, 5)), 7: (1, (1, 2, 3, 3, 5, 6, 7, 7))}
    corners = {5: 8, 6: 4, 7: 8}
    head = [0] * 80
    head[0], head[2], head[3], head[4], head[6], head[7], head[8], head[35] = 12, len(nodes), 4, 3, len(elements), 2, 2, 1 << 27
    header = f.at(); f.integers(head)
    f.integers([1, 2, 3])
    f.put(15, [f.at()], header); f.integers(list(nodes))
    f.put(14, [f.at()], header); f.integers(list(elements))
    pointers = f.at(); f.put(11, [pointers], header); f.integers([0] * 8)
    f.put(12, [f.at()], header); f.reals([10.0, 20.0, 0.0, 0.0])
    f.put(13, [f.at()], header); f.integers([0] * 12)
    geometry = f.at(); f.put(16, [geometry], header)
    head = [0] * 80
    head[1], head[3], head[4] = 2, len(nodes), len(elements)
    f.integers(head)
    types = f.at(); f.put(21, [types, 0], geometry)
    table = f.at(); f.integers([0, 0])
    for number, routine, count in ((1, 185, 8), (2, 285, 4)):
        f.put(number, [f.at() - types], table)
        f.integers([number, routine] + [0] * 58 + [count] + [0] * 32 + [count])
    f.put(27, [f.at(), 0], geometry)
    for node, x in nodes.items(): f.bits([float(node), *map(float, x), 0.0, 0.0, 0.0])
    start = f.at(); f.put(29, [start, 0], geometry)
    f.integers([0] * (2 * len(elements)))
    for k, (number, (kind, some)) in enumerate(elements.items()):
        f.put(2 * k + 1, [f.at() - start], start)
        f.integers([1, kind, 1, 1, 0, 0, 0, 0, number, 0, *some])
    for mode in (1, 2):
        start = f.at(); f.put(mode, [start], pointers)
        head = [0] * 200
        head[2], head[19], head[20:23] = len(nodes), 3, [1, 2, 3]
        f.integers(head); f.reals([0.0] * 100)
        f.put(105, [f.at() - start, 0], start)
        f.reals([mode * node + c / 8 for node in nodes for c in range(3)])
        results = f.at()
        f.put(*((12, [results - start]) if old else (119, [results - start, 0])), start)
        f.integers([0] * (len(elements) * (1 if old else 2)))
        for k, number in enumerate(elements):
            at = f.at(); f.put(k + 1 if old else 2 * k + 1, [at - results], results)
            f.integers([0] * 25); f.put(3, [f.at() - at], at)
            width = 11 if old else 6
            f.reals([1000 * number + 100 * mode + 10 * corner + c for corner in range(corners[number]) for c in range(width)], not old)
    return f.out


def number(x, width, digits):
    mantissa, exponent = f'{x:.{digits}E}'.split('E')
    return f'{mantissa}E{exponent[0]}{int(exponent[1:]):03d}'.rjust(width)


def cdb():
    out = ['/COM,ANSYS RELEASE 2021 R1', '/PREP7', '/TITLE,five bars', '*SET,_RETURN ,  0.000000000000    ', '/UNITS,SI',
           'ET,        1,180', f'NBLOCK,6,SOLID,        12,{len(NODES):10d}', '(3i9,6e21.13e3)']
    for node, x in NODES.items():
        values = [*map(float, x), *ANGLES.get(node, (0.0, 0.0, 0.0))]
        while values and values[-1] == 0: values.pop()
        out.append(f'{node:9d}{0:9d}{0:9d}' + ''.join(number(v, 21, 13) for v in values))
    out += ['N,R5.3,LOC,       -1,', f'EBLOCK,19,SOLID,{len(BARS):10d},{len(BARS):10d}', '(19i9)']
    for i, bar in enumerate(BARS, 1):
        out.append(''.join(f'{v:9d}' for v in (1, 1, 1, 1, 0, 0, 0, 0, 2, 0, i, *bar)))
    out += ['       -1', 'CMBLOCK,FOOT    ,NODE,       3  ! users node component definition', '(8i10)',
            f'{1:10d}{-3:10d}{12:10d}', 'MPDATA,R5.0, 1,EX  ,       1, 1, 200000000.000',
            *(f'D,{HELD:7d},{d}  ,  0.00000000    ,  0.00000000' for d in ('UX', 'UY', 'UZ')),
            'F,      7,FX  ,  12.5000000    ,  0.00000000', '/GO', 'FINISH']
    return '\n'.join(out) + '\n'


# corners and mid nodes of a brick in the order of SOLID186, as places on a grid of half edges
BRICK = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2)]
EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
# which corner stands at each place: brick, wedge, pyramid, tetrahedron
MERGED = [[0, 1, 2, 3, 4, 5, 6, 7], [0, 1, 2, 2, 4, 5, 6, 6], [0, 1, 2, 3, 4, 4, 4, 4], [0, 1, 2, 2, 4, 4, 4, 4]]


def shapes():
    """A deck of every shape of solids and shells, linear and quadratic, in lower case and with another format."""
    nodes, ids = [], {}

    def node(x):
        if x not in ids: ids[x] = len(nodes) + 1; nodes.append(x)
        return ids[x]

    def middle(a, b):
        return tuple((p + q) / 2 for p, q in zip(a, b))
    rows = []
    for kind, merged in [(k, m) for k in (1, 2) for m in MERGED]:
        corners = [tuple(map(float, BRICK[m])) for m in merged]
        mids = [middle(corners[a], corners[b]) for a, b in EDGES] if kind == 2 else []
        rows.append((kind, [node(x) for x in corners + mids]))
    for merged in ([0, 1, 2, 3], [0, 1, 2, 2]):
        corners = [tuple(map(float, BRICK[m])) for m in merged]
        rows.append((3, [node(x) for x in corners]))
        rows.append((4, [node(x) for x in corners + [middle(corners[a], corners[(a + 1) % 4]) for a in range(4)]]))
    tetra = [tuple(map(float, BRICK[m])) for m in (0, 1, 3, 4)]
    mids = [middle(tetra[a], tetra[b]) for a, b in ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))]
    rows.append((5, [node(x) for x in tetra + mids]))
    rows.append((5, [node(x) for x in tetra] + [0] * 6))
    rows.append((6, [node((0.0, 0.0, 0.0)), node((2.0, 0.0, 0.0)), node((0.0, 2.0, 0.0))]))
    out = ['! a deck as Workbench writes it', '/prep7', 'etblock,        6,        6', '(2i9,19a9)',
           *(f'{t:9d}{r:9d}' for t, r in enumerate((185, 186, 181, 281, 187, 188), 1)), '       -1',
           f'nblock,3,,{len(nodes)}', '(1i9,3e20.9e3)']
    out += [f'{i:9d}' + ''.join(number(v, 20, 9) for v in x) for i, x in enumerate(nodes, 1)]
    out += ['-1', 'eblock,19,solid,,' + str(len(rows)), '(19i9)']
    for i, (kind, some) in enumerate(rows, 1):
        head = [1, kind, 1, 1, 0, 0, 0, 0, len(some), 0, i, *some[:8]]
        out.append(''.join(f'{v:9d}' for v in head))
        if some[8:]: out.append(''.join(f'{v:9d}' for v in some[8:]))
    return '\n'.join(out + ['-1', 'ce,1,0,1,ux,1']) + '\n'


if __name__ == '__main__':
    folder = pathlib.Path(sys.argv[1])
    for name, content in {'bars.full': full(), 'bars_big.full': full(big=True), 'bars_lumped.full': full(lumped=True),
                          'bars.rst': rst(), 'bars_plain.rst': rst(big=True, packed=False, old=True),
                          'bars_single.rst': rst(packed=False, single=True),
                          'bars_complex.rst': rst(imaginary=(1, 3, 4, 8)),
                          'bars_steps.rst': rst(big=True, packed=False, analysis=0),
                          'bars.sub': sub(), 'bars_big.sub': sub(big=True, columns='all', by_number=True),
                          'bars_upper.sub': sub(columns='upper'),
                          'solids.rst': solids(), 'solids_old.rst': solids(old=True)}.items():
        (folder / name).write_bytes(content)
    (folder / 'bars.cdb').write_text(cdb())
    (folder / 'shapes.dat').write_text(shapes())
