#!/usr/bin/python3
"""Writes small OUTPUT2 files in every layout that readers meet, all with the same contents.

    make_op2.py FOLDER

Model: grids 11, 12 (CP 20, CD 20), 15; scalar points 101, 102; CORD2R 10, CORD2C 20, CORD1S 30.
Two modes on 11, 15 and 101: value = id / 8 + component + 100 mode (a scalar point only its first).
K is 20 x 20 tridiagonal, C 3 x 4 complex, DMIG KAAX symmetric over 11/1, 11/2, 101/0.
Every number is exact in single precision, so all files must read alike to the last bit.
"""
import pathlib, struct, sys

GRIDS = [(11, 0, (1.0, 2.0, 3.0), 0), (12, 20, (2.0, 90.0, 0.5), 20), (15, 0, (-4.0, 0.25, 8.0), 0)]
SPOINTS = [101, 102]
POINTS = [11, 12, 15, 101, 102]
SHOWN = [(11, 1), (15, 1), (101, 2)]
EIGENVALUES = [1.5, 6.25]


def value(point, component, mode):
    return point / 8 + component + 100 * mode


class Writer:
    def __init__(self, word=4, big=False, header=True, versions=False, block=0, name8=False):
        self.word, self.e = word, '>' if big else '<'
        self.block, self.versions, self.name8 = block, versions, name8
        self.out = bytearray()
        if header:
            self.key(3); self.record(self.ints([11, 20, 26]))
            self.key(7); self.record(self.text('NASTRAN FORT TAPE ID CODE - '))
            self.key(2); self.record(self.text('XXXXXXXX'))
            if versions: self.key(6); self.record(self.ints([0] * 6))
            self.key(-1); self.key(0)

    def ints(self, values):
        return struct.pack(self.e + str(len(values)) + ('i' if self.word == 4 else 'q'), *values)

    def reals(self, values):
        return struct.pack(self.e + str(len(values)) + ('f' if self.word == 4 else 'd'), *values)

    def doubles(self, values):
        return struct.pack(self.e + str(len(values)) + 'd', *values)

    def text(self, text):
        text = text + ' ' * (-len(text) % 4)
        if self.word == 4: return text.encode()
        if self.name8: return (text + ' ' * (2 * len(text) - len(text))).encode()
        return b''.join((text[i:i + 4] + '    ').encode() for i in range(0, len(text), 4))

    def record(self, data):
        length = struct.pack(self.e + 'i', len(data))
        self.out += length + data + length

    def key(self, k):
        self.record(self.ints([k]))

    def pairs(self, data):
        """One logical record in blocks."""
        size = (self.block or 10 ** 9) * self.word
        for i in range(0, len(data), size):
            piece = data[i:i + size]
            self.key(len(piece) // self.word); self.record(piece)

    def begin(self, name, trailer, inner=None):
        self.key(2); self.record(self.text(name.ljust(8)))
        if self.versions: self.key(6); self.record(self.ints([0] * 6))
        self.key(-1); self.key(7); self.record(self.ints(trailer)); self.key(-2)
        self.key(1); self.key(0)
        self.pairs(self.text((inner or name).ljust(8)))
        self.level = -3

    def logical(self, pieces, kind=0):
        self.key(self.level); self.key(1); self.key(kind)
        for p in pieces: self.pairs(p) if kind == 0 else (self.key(len(p) // self.word), self.record(p))
        self.level -= 1

    def end(self):
        self.key(self.level); self.key(1); self.key(0); self.key(0)

    def finish(self):
        self.key(0)
        return bytes(self.out)


def geometry(w, double):
    w.begin('GEOM1S', [101, 0, 0, 8, 0, 0, 0], 'GEOM1')
    real = w.doubles if double else w.reals
    body = w.ints([10, 1, 2, 0]) + real([1, 0, 0, 1, 0, 1, 2, 0, 0])
    w.logical([w.ints([2101, 21, 2220008 if double else 8]) + body])
    body = w.ints([20, 2, 2, 10]) + real([0, 0, 0, 0, 0, 1, 1, 0, 0])
    w.logical([w.ints([2001, 20, 2220009 if double else 9]) + body])
    w.logical([w.ints([1901, 19, 7, 30, 3, 1, 11, 12, 15])])
    w.logical([w.ints([1627, 16, 463, 11, 123, 101, 1, -1, -1])])
    body = b''.join(w.ints([i, cp]) + real(x) + w.ints([cd, 0, 0]) for i, cp, x, cd in GRIDS)
    w.logical([w.ints([4501, 45, 1120001 if double else 1]) + body])
    w.logical([w.ints([65535, 65535, 65535])])
    w.end()
    w.begin('GEOM2S', [102, 0, 0, 8, 0, 0, 0], 'GEOM2')
    w.logical([w.ints([5551, 49, 105] + SPOINTS)])
    w.logical([w.ints([2408, 24, 180, 1, 2, 11, 12, 0, 0, 0, 0])])
    w.logical([w.ints([65535, 65535, 65535])])
    w.end()


def bookkeeping(w):
    w.begin('EQEXINS', [103, 5, 0, 0, 0, 0, 0])
    w.logical([w.ints([x for i, p in enumerate(POINTS) for x in (p, i + 1)])])
    sil, row = [], 1
    for p in POINTS:
        sil += [p, 10 * row + (2 if p in SPOINTS else 1)]
        row += 1 if p in SPOINTS else 6
    w.logical([w.ints(sil)])
    w.end()
    w.begin('USETTAB', [104, 0, 20, 0, 2, 0, 0], 'USET')
    w.logical([w.ints([2] * 18 + [4, 4])])
    w.end()
    w.begin('OES1X', [105, 0, 0, 0, 0, 0, 0])  # a table that no reader of shapes needs
    w.logical([w.ints([21, 5, 33] + [0] * 143)])
    w.logical([w.ints(list(range(34)))])
    w.end()


def ident(w, approach, code, subcase, mode, eigenvalue, kind, width, mode_real=None):
    head = w.ints([10 * approach + 1, code, 0, subcase])
    head += w.ints([mode]) if mode_real is None else w.reals([mode_real])
    head += w.reals([eigenvalue, 0.0]) + w.ints([0, kind, width]) + w.ints([0] * 40)
    return head + w.text('FEMFLEX OP2 VARIANT'.ljust(128)) + w.text(' ' * 128) + w.text(' ' * 128)


def lama(w):
    w.begin('LAMA', [105, 2, 0, 0, 0, 0, 0])
    w.logical([ident(w, 2, 6, 1, 0, 0.0, 1, 7)])
    rows = b''
    for m, x in enumerate(EIGENVALUES):
        rows += w.ints([m + 1, m + 1]) + w.reals([x, x ** 0.5, 0.25 * (m + 1), 2.0 + m, (2.0 + m) * x])
    w.logical([rows])
    w.end()


def values_of(point, kind, mode):
    return [value(point, c, mode) if kind == 1 or c == 1 else 0.0 for c in range(1, 7)]


def sort1(w, name='OUGV1', each_own_table=False):
    for m in (1, 2):
        if m == 1 or each_own_table: w.begin(name, [101, 0, 24, 0, 0, 0, 0], 'OUGV1')
        w.logical([ident(w, 2, 7, 1, m, EIGENVALUES[m - 1], 1, 8)])
        w.logical([b''.join(w.ints([10 * p + 1, k]) + w.reals(values_of(p, k, m)) for p, k in SHOWN)])
        if m == 2 or each_own_table: w.end()


def sort2(w):
    w.begin('OUGV2', [101, 0, 24, 0, 0, 0, 0])
    for p, k in SHOWN:
        w.logical([ident(w, 2, 2007, 1, 10 * p + 1, 0.0, 1, 8)])
        w.logical([b''.join(w.ints([m, k]) + w.reals(values_of(p, k, m)) for m in (1, 2))])
    w.end()


def response(w, polar, by_point):
    """Displacements at 5 and 7.5 Hz: real part as mode 1, imaginary part as mode 2 (or magnitude
    = value of mode 1 and phase 90 degrees)."""
    w.begin('OUGV2' if by_point else 'OUGV1', [101, 0, 48, 0, 0, 0, 0])
    kind = 3 if polar else 2
    second = lambda p, k: [90.0] * 6 if polar else values_of(p, k, 2)
    if by_point:
        for p, k in SHOWN:
            w.logical([ident(w, 5, 2001, 3, 10 * p + 1, 0.0, kind, 14)])
            w.logical([b''.join(w.reals([f]) + w.ints([k]) + w.reals(values_of(p, k, 1) + second(p, k)) for f in (5.0, 7.5))])
    else:
        for f in (5.0, 7.5):
            w.logical([ident(w, 5, 1, 3, 0, 0.0, kind, 14, mode_real=f)])
            w.logical([b''.join(w.ints([10 * p + 1, k]) + w.reals(values_of(p, k, 1) + second(p, k)) for p, k in SHOWN)])
    w.end()


# element type, words of an entry, id, (word, what): whole numbers and texts of an entry
STRESSES = [(33, 17, 7, {}), (34, 16, 8, {}), (1, 5, 9, {}), (95, 11, 7, {1: 2}), (4, 4, 6, {}),
            (2, 111, 5, {1: 11, 101: 15}),
            (144, 87, 4, {1: 'CEN/', 2: 4, 19: 11, 36: 12, 53: 15, 70: 11}),
            (67, 193, 3, {1: 0, 2: 'GRID', 3: 8, 4: 0, **{4 + 21 * k: 11 + k % 2 for k in range(1, 9)}})]


def stress_entry(w, first, width, element, fixed, mode):
    """Word k of mode m is k + element / 8 + 1000 m."""
    out = first
    for k in range(1, width):
        what = fixed.get(k, k + element / 8 + 1000.0 * mode)
        out += w.text(what) if isinstance(what, str) else w.ints([what]) if isinstance(what, int) else w.reals([what])
    return out


def stresses(w, by_element=False):
    """Stresses and, of CQUAD4 with the code of strain in fibres and material axes, strains."""
    for name, code, shown in (('OES1X1', 1, STRESSES), ('OSTR1X', 31, STRESSES[:1]), ('OSTR1X', 11, STRESSES[:1])):
        w.begin(name, [101, 0, 0, 0, 0, 0, 0])
        for kind, width, element, fixed in shown:
            head = lambda table, fifth, x: ident(w, 2, table, 1, fifth, x, 1, width)
            with_code = lambda h: h[:2 * w.word] + w.ints([kind]) + h[3 * w.word:10 * w.word] + w.ints([code]) + h[11 * w.word:]
            if by_element:
                w.logical([with_code(head(2005, 10 * element + 1, 0.0))])
                w.logical([b''.join(stress_entry(w, w.ints([m]), width, element, fixed, m) for m in (1, 2))])
                continue
            for m in (1, 2):
                w.logical([with_code(head(5, m, EIGENVALUES[m - 1]))])
                w.logical([stress_entry(w, w.ints([10 * element + 1]), width, element, fixed, m)])
        w.end()


def with_stresses(by_element=False):
    def write(w):
        sort1(w)
        stresses(w, by_element)
    return write


def matrices(w):
    w.begin('KGG', [101, 20, 20, 6, 2, 6, 1450])
    for j in range(20):
        if j == 7:
            w.logical([], 1)  # an empty column is a record without blocks
            continue
        rows = [i for i in (j - 1, j, j + 1) if 0 <= i < 20 and i != 7]
        strings = []
        for i in rows:
            v = 4.0 + j / 16 if i == j else -1.0
            if strings and strings[-1][0] + len(strings[-1][1]) == i: strings[-1][1].append(v)
            else: strings.append((i, [v]))
        w.logical([w.ints([i + 1]) + w.doubles(v) for i, v in strings], 1)
    w.end()
    w.begin('CMAT', [102, 4, 3, 2, 3, 6, 5000])
    for j in range(4):
        w.logical([w.ints([1 + j % 2]) + w.reals([x for i in range(2) for x in (j + i + 0.5, -j)])], 1)
    w.end()
    w.begin('MATPOOL', [103, 32768, 0, 0, 0, 0, 0])
    body = w.ints([114, 1, 120]) + w.text('KAAX    ') + w.ints([0, 6, 2, 2, 0, 0, 0])
    for gj, cj, terms in ((11, 1, [(11, 1, 5.0), (101, 0, -2.0)]), (11, 2, [(11, 2, 7.0)]), (101, 0, [(101, 0, 3.0)])):
        body += w.ints([gj, cj]) + b''.join(w.ints([g, c]) + w.doubles([v]) for g, c, v in terms) + w.ints([-1, -1])
    body += w.ints([-1, -1])
    w.logical([body])
    w.logical([w.ints([65535, 65535, 65535])])
    w.end()


def whole(shapes=sort1, double=False, **layout):
    w = Writer(**layout)
    geometry(w, double); bookkeeping(w); lama(w); shapes(w)
    if not layout.get('block'): matrices(w)  # blocks of matrix records are strings: not split
    return w.finish()


# Element matrices: rods (kind 1) of EA/L = 1000, 500, 1000 between the grids below, with axes; a spring (kind 12)
# of 50 between the scalar points; point masses (kind 30) of 2. Rods 1 and 3 share one column.
FRAME = {11: (0.0, 0.0, 0.0), 12: (0.0, 2.0, 0.0), 15: (3.0, 2.0, 4.0)}
RODS = [(1, 11, 12, 1000.0), (2, 12, 15, 500.0), (3, 11, 15, 1000.0)]


def axes_along(a, b):
    """Element axes as columns, row by row: the first along a rod, the others normal to it."""
    x = [FRAME[b][k] - FRAME[a][k] for k in range(3)]
    length = sum(v * v for v in x) ** 0.5
    x = [v / length for v in x]
    h = [0.0, 0.0, 1.0] if abs(x[2]) < 0.9 else [1.0, 0.0, 0.0]
    y = [h[1] * x[2] - h[2] * x[1], h[2] * x[0] - h[0] * x[2], h[0] * x[1] - h[1] * x[0]]
    length = sum(v * v for v in y) ** 0.5
    y = [v / length for v in y]
    z = [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    return [v for k in range(3) for v in (x[k], y[k], z[k])]


def packed(n, entries):
    """The column of an element: its lower triangle column by column; strings of one value."""
    at = {}
    for (i, j), value in entries.items():
        at[j * n - j * (j - 1) // 2 + i - j] = value
    return sorted(at.items())


def element_matrices(**layout):
    w = Writer(**layout)
    w.begin('GEOM1S', [101, 0, 0, 8, 0, 0, 0], 'GEOM1')
    w.logical([w.ints([2101, 21, 8]) + w.ints([10, 1, 2, 0]) + w.reals([0, 0, 0, 1, 0, 0, 0, 1, 0])])
    body = b''.join(w.ints([i, 0]) + w.reals(x) + w.ints([10 if i == 12 else 0, 0, 0]) for i, x in FRAME.items())
    w.logical([w.ints([4501, 45, 1]) + body])
    w.logical([w.ints([65535, 65535, 65535])]); w.end()
    w.begin('GEOM2S', [102, 0, 0, 8, 0, 0, 0], 'GEOM2')
    w.logical([w.ints([3001, 30, 48] + [x for e, a, b, _ in RODS for x in (e, 1, a, b)])])
    w.logical([w.ints([5551, 49, 105] + SPOINTS)])
    w.logical([w.ints([65535, 65535, 65535])]); w.end()
    bookkeeping(w)
    first = {11: 1, 12: 7, 15: 13, 101: 19, 102: 20}
    step = 2 if w.word == 4 else 1
    dictionary = w.ints([1, 7 + 9 * step, 2, 6, 4])
    for e, a, b, _ in RODS:
        dictionary += w.ints([e, 2]) + w.reals([0]) + w.ints([0, 10 if e != 2 else 16, first[a], first[b]])
        dictionary += w.doubles(axes_along(a, b))
    springs = w.ints([12, 7, 2, 1, 3]) + w.ints([9, 2]) + w.reals([0]) + w.ints([0, 22, first[101], first[102]])
    w.begin('KDICT', [101, 2, 12, 20, 78, 0, 0]); w.logical([dictionary]); w.logical([springs]); w.end()
    columns = [packed(12, {(0, 0): c, (6, 0): -c, (6, 6): c}) for c in (1000.0, 500.0)]
    columns.append(packed(2, {(0, 0): 50.0, (1, 0): -50.0, (1, 1): 50.0}))
    element_columns(w, 'KELM', columns, 78)
    masses = w.ints([30, 6, 1, 6, 3]) + b''.join(
        w.ints([20 + k, 1]) + w.reals([0]) + w.ints([0, 10, first[g]]) for k, g in enumerate(FRAME))
    w.begin('MDICT', [101, 2, 6, 0, 21, 0, 0]); w.logical([masses]); w.end()
    element_columns(w, 'MELM', [packed(6, {(k, k): 2.0 for k in range(3)})], 21)
    return w.finish()


def element_columns(w, name, columns, rows):
    w.begin(name, [101, len(columns), rows, 2, 2, 24, 100])
    for column in columns:
        w.logical([w.ints([at + 1]) + w.doubles([value]) for at, value in column], 1)
    w.end()


# External superelement in one file: boundary grid 11, mode 101; grids 12 and 15 of masses 1 and 2 follow as a rigid
# body, and by the mode along their own axes x: 0.6 and -0.4 (12 has the axes of system 10).
def superelement(**layout):
    names = ['GEOM1EX', 'GEOM2EX', 'GEOM1EXA', 'MATK', 'MATM', 'TUG1', 'MUG1']
    w = Writer(header=False, **layout)
    w.begin('XSOP2DIR', [101, len(names), 0, 0, 0, 0, 0])
    for name in names: w.logical([w.text(name.ljust(8))])
    w.end()

    def table(inner, trailer, records):
        w.begin('EXTDB', trailer, inner)
        for r in records: w.logical([r])
        w.end()
    stop = w.ints([65535, 65535, 65535])
    grid = lambda i: w.ints([i, 0]) + w.reals(FRAME[i]) + w.ints([10 if i == 12 else 0, 0, 0])
    axes = w.ints([2101, 21, 8]) + w.ints([10, 1, 2, 0]) + w.reals([0, 0, 0, 1, 0, 0, 0, 1, 0])
    table('GEOM1', [101, 0, 0, 8, 0, 0, 0],
          [w.ints([1627, 16, 463, 11, 123456, 101, 1, -1, -1]), w.ints([4501, 45, 1]) + grid(11), stop])
    table('GEOM2', [102, 0, 0, 8, 0, 0, 0], [w.ints([5551, 49, 105, 101]), stop])
    table('GEOM1', [101, 0, 0, 8, 0, 0, 0], [axes, w.ints([4501, 45, 1]) + grid(12) + grid(15), stop])
    recovery = {}  # (grid, component) -> row over tx ty tz rx ry rz of 11 and the mode
    mass = [[0.0] * 7 for _ in range(7)]
    for g, m, q in ((12, 1.0, 0.6), (15, 2.0, -0.4)):
        r = [FRAME[g][k] - FRAME[11][k] for k in range(3)]
        basic = [[1, 0, 0, 0, r[2], -r[1]], [0, 1, 0, -r[2], 0, r[0]], [0, 0, 1, r[1], -r[0], 0]]
        turn = [[0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]]
        order = (1, 2, 0) if g == 12 else (0, 1, 2)  # axes x y z of system 10 are y z x of basic
        rows = [basic[k] + [q if n == 0 else 0.0] for n, k in enumerate(order)]
        for n in range(3):
            recovery[g, n + 1] = rows[n]
            recovery[g, n + 4] = turn[order[n]] + [0.0]
        for i in range(7):
            for j in range(7): mass[i][j] += m * sum(row[i] * row[j] for row in rows)
    for k in range(6): recovery[11, k + 1] = [float(j == k) for j in range(7)]
    dofs = [(11, c) for c in range(1, 7)] + [(101, 0)]

    def dmig(values):
        body = w.ints([114, 1, 120]) + w.text('EXTDB   ') + w.ints([0, 6, 2, 2, 0, 0, 0])
        for j, (g, c) in enumerate(dofs):
            terms = [(i, values[i][j]) for i in range(j, 7) if values[i][j] != 0.0]
            if not terms: continue
            body += w.ints([g, c or 1])  # columns call the component of a scalar point 1, rows 0
            body += b''.join(w.ints(list(dofs[i])) + w.doubles([v]) for i, v in terms) + w.ints([-1, -1])
        return body + w.ints([-1, -1])
    stiffness = [[400.0 * (i == 6 and j == 6) for j in range(7)] for i in range(7)]
    table('EXTDB', [101, 32768, 0, 0, 0, 0, 0], [dmig(stiffness), stop])
    table('EXTDB', [101, 32768, 0, 0, 0, 0, 0], [dmig(mass), stop])
    points = [(1, 11, 6, 1), (1, 12, 6, 7), (1, 15, 6, 13), (2, 101, 6, 19)]
    head = (w.text('TYPE') + w.text('ID  ') + w.text('COMP') + w.text('ROW ') + w.text('    ')) * 2
    table('PHIP', [101, 24, 7, 32767, 0, 7, 0],
          [w.ints([1, 0]), head + b''.join(w.ints(list(p) + [0]) for p in points)])
    w.begin('EXTDB', [101, 7, 24, 2, 2, 100, 100], 'MUG1')
    for j in range(7):
        column = [recovery[g, c][j] for g in (11, 12, 15) for c in range(1, 7)] + [float(j == 6)]
        w.logical([w.ints([i + 1]) + w.doubles([v]) for i, v in enumerate(column) if v != 0.0], 1)
    w.end()
    return w.finish()


def main():
    folder = pathlib.Path(sys.argv[1])
    valid, invalid = folder / 'valid', folder / 'invalid'
    valid.mkdir(parents=True, exist_ok=True); invalid.mkdir(exist_ok=True)
    good = whole()
    files = {
        'le32': good, 'be32': whole(big=True), 'le64': whole(word=8), 'be64': whole(word=8, big=True),
        'le64_names': whole(word=8, name8=True),
        'no_header': whole(header=False), 'versions': whole(versions=True), 'double_grids': whole(double=True),
        'le64_double_grids': whole(word=8, double=True, versions=True),
        'split': whole(block=5), 'be64_split': whole(word=8, big=True, block=3),
        'sort2': whole(shapes=sort2), 'table_a_mode': whole(shapes=lambda w: sort1(w, each_own_table=True)),
        'response': whole(shapes=lambda w: response(w, False, False)),
        'response_sort2': whole(shapes=lambda w: response(w, False, True), big=True),
        'response_polar': whole(shapes=lambda w: response(w, True, False), word=8),
        'basic_frame': whole(shapes=lambda w: sort1(w, name='BOUGV1')),
        'stress_le32': whole(shapes=with_stresses()), 'stress_be64': whole(shapes=with_stresses(), word=8, big=True),
        'stress_sort2': whole(shapes=with_stresses(True), big=True),
        'elements_le32': element_matrices(), 'elements_be64': element_matrices(word=8, big=True),
        'superelement': superelement(), 'superelement_be64': superelement(word=8, big=True),
        'no_end_key': good[:-12],
        'cut_in_matrix': good[:good.find(b'CMAT') + 150],
    }
    for name, data in files.items(): (valid / (name + '.op2')).write_bytes(data)
    at = good.find(b'OUGV1') - 60
    (invalid / 'cut_in_header.op2').write_bytes(good[:70])
    (invalid / 'cut_in_first_table.op2').write_bytes(good[:400])
    w = Writer(); w.begin('KGG', [101, 1, 2, 6, 9, 0, 0]); w.logical([w.ints([1]) + w.doubles([1.0])], 1); w.end()
    (invalid / 'matrix_type.op2').write_bytes(w.finish())
    w = Writer(); w.begin('KGG', [101, 1, 2, 6, 2, 0, 0]); w.logical([w.ints([2]) + w.doubles([1.0, 2.0])], 1); w.end()
    (invalid / 'row_beyond.op2').write_bytes(w.finish())
    w = Writer(); w.begin('OUGV1', [101, 0, 0, 0, 0, 0, 0])
    w.logical([ident(w, 2, 7, 1, 1, 1.0, 1, 8)]); w.logical([w.ints([111, 1, 0])]); w.end()
    (invalid / 'entry_cut.op2').write_bytes(w.finish())
    broken = bytearray(good); broken[broken.find(b'GEOM1S') + 8] ^= 0x40
    (invalid / 'length_words_differ.op2').write_bytes(bytes(broken))
    (invalid / 'formatted.op2').write_text('X 0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ$/+-()\'=.*"#%&,;:<>?@![]^_\\        020080\n 62^626N6C^66^G\n')


main()
