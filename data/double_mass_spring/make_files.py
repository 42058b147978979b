#!/usr/bin/python3
"""Writes the files of the double mass-spring that no FE run left behind:

    dms_ascii.op4       K and M (18 x 18, all six freedoms of three grids), ASCII OUTPUT4
    dms_dmig.pch        the same as DMIG cards
    dms_modes_max.pch   both normal modes with their largest entry 1, punch
    dms_static.pch      subcase 1: the static mode under a unit force on grid 3;
                        subcase 2: the constraint mode (grid 2 held, force -1 on grid 3), punch

m = 5, 5 kg; k = 20 N/m (1-2), 10 N/m (2-3); grid 1 fixed, motion along z alone.
Closed forms: omega^2 = 4 -+ 2 sqrt 2, shapes (sqrt 2 - 1, 1) and (1, 1 - sqrt 2).
"""
import math
import pathlib

folder = pathlib.Path(__file__).resolve().parent
K = {(3, 3): 20.0, (3, 9): -20.0, (9, 9): 30.0, (9, 15): -10.0, (15, 15): 10.0}
M = {(row, row): 5.0 for row in (7, 8, 9, 13, 14, 15)}


def dense(lower):
    full = [[0.0] * 18 for _ in range(18)]
    for (r, c), value in lower.items():
        full[r - 1][c - 1] = full[c - 1][r - 1] = value
    return full


def op4(name, full):
    out = f'{18:8d}{18:8d}{6:8d}{2:8d}{name:<8s}1P,3E23.16\n'
    for col in range(18):
        rows = [r for r in range(18) if full[r][col] != 0.0]
        if not rows:
            continue
        first, last = rows[0], rows[-1]
        values = [full[r][col] for r in range(first, last + 1)]
        out += f'{col + 1:8d}{first + 1:8d}{2 * len(values):8d}\n'
        for at in range(0, len(values), 3):
            out += ''.join(f'{v:23.16E}' for v in values[at:at + 3]) + '\n'
    return out + f'{19:8d}{1:8d}{2:8d}\n{1.0:23.16E}\n'


def dmig(name, lower):
    out = f'DMIG    {name:<8s}       0       6       2       0\n'
    columns = {}
    for (r, c), value in lower.items():
        columns.setdefault(min(r, c), []).append((max(r, c), value))
    for col, entries in sorted(columns.items()):
        out += f'DMIG*   {name:<16s}{(col - 1) // 6 + 1:16d}{(col - 1) % 6 + 1:16d}\n'
        for row, value in sorted(entries):
            number = f'{value:16.9E}'.replace('E', 'D')
            out += f'*       {(row - 1) // 6 + 1:16d}{(row - 1) % 6 + 1:16d}{number}\n'
    return out


class Punch:
    def __init__(self):
        self.text, self.line = '', 0

    def put(self, text):
        self.line += 1
        self.text += f'{text:<72s}{self.line:8d}\n'

    def block(self, heads, z2, z3):
        for head in heads:
            self.put(head)
        for grid, z in ((1, 0.0), (2, z2), (3, z3)):
            self.put(f'{grid:10d}       G{0.0:18.6E}{0.0:18.6E}{z:18.6E}')
            self.put(f'-CONT-            {0.0:18.6E}{0.0:18.6E}{0.0:18.6E}')


root = math.sqrt(2.0)
modes = Punch()
for number, (value, z2, z3) in enumerate(((4 - 2 * root, root - 1, 1.0), (4 + 2 * root, 1.0, 1 - root)), 1):
    modes.block(['$TITLE   = DOUBLE MASS SPRING, LARGEST ENTRY 1', '$SUBTITLE=', '$LABEL   =',
                 '$EIGENVECTOR OUTPUT', '$REAL OUTPUT', '$SUBCASE ID =           1',
                 f'$EIGENVALUE = {value:14.7E}  MODE = {number:5d}'], z2, z3)
static = Punch()
for subcase, (label, z2, z3) in enumerate((('UNIT FORCE ON GRID 3', 0.05, 0.15), ('GRID 2 HELD, FORCE -1 ON GRID 3', 0.0, -0.1)), 1):
    static.block(['$TITLE   = DOUBLE MASS SPRING', '$SUBTITLE=', f'$LABEL   = {label}',
                  '$DISPLACEMENTS', '$REAL OUTPUT', f'$SUBCASE ID = {subcase:11d}'], z2, z3)

(folder / 'dms_ascii.op4').write_text(op4('KGG', dense(K)) + op4('MGG', dense(M)))
(folder / 'dms_dmig.pch').write_text(dmig('KAAX', K) + dmig('MAAX', M))
(folder / 'dms_modes_max.pch').write_text(modes.text)
(folder / 'dms_static.pch').write_text(static.text)
