#!/usr/bin/env python3
"""Writes the files of the double mass-spring that the FE run itself did not give.

    generate.py [FOLDER]

m = 5, 5 kg; k = 20, 10 N/m; node 1 fixed; a-set: z of nodes 2 and 3. Only the standard library is
used, and nothing of femflex, so that the files check its readers.
"""
import math
import pathlib
import struct
import sys

FOLDER = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent)
K = [[30.0, -10.0], [-10.0, 10.0]]
M = [[5.0, 0.0], [0.0, 5.0]]
S = math.sqrt(2.0) - 1.0
DYNAMIC = [[S, 1.0], [1.0, -S]]  # columns scaled so that the largest component is 1
LAMBDA = [[4.0 - 2.0 * math.sqrt(2.0)], [4.0 + 2.0 * math.sqrt(2.0)]]
STATIC = [[0.05], [0.15]]  # answer to the load (0, 1)
CONSTRAINT = [[0.0], [-0.1]]


def columns(a):
    return [[row[j] for row in a] for j in range(len(a[0]))]


def op4_ascii(matrices):
    out = []
    for name, form, a in matrices:
        out.append(f'{len(a[0]):8d}{len(a):8d}{form:8d}{2:8d}{name:8s}1P,3E23.16\n')
        for j, column in enumerate(columns(a)):
            out.append(f'{j + 1:8d}{1:8d}{len(column):8d}\n')
            for k in range(0, len(column), 3):
                out.append(''.join(f'{x:23.16E}' for x in column[k:k + 3]) + '\n')
        out.append(f'{len(a[0]) + 1:8d}{1:8d}{1:8d}\n{1.0:23.16E}\n')
    return ''.join(out).encode()


def op4_binary(matrices):
    """BIGMAT strings, little-endian, 32-bit words."""
    def record(payload):
        return struct.pack('<i', len(payload)) + payload + struct.pack('<i', len(payload))

    out = b''
    for name, form, a in matrices:
        out += record(struct.pack('<4i', len(a[0]), -len(a), form, 2) + name.ljust(8).encode())
        for j, column in enumerate(columns(a)):
            strings = b''
            for i, x in enumerate(column):
                if x != 0.0:
                    strings += struct.pack('<2id', 3, i + 1, x)
            out += record(struct.pack('<3i', j + 1, 0, len(strings) // 4) + strings)
        out += record(struct.pack('<3id', len(a[0]) + 1, 1, 2, 1.0))
    return out


def dmig(matrices):
    """Symmetric DMIG, the upper triangle by columns, as DMIGPCH writes it."""
    out = []
    for name, a in matrices:
        out.append(f'DMIG    {name:8s}{0:8d}{6:8d}{2:8d}{0:8d}{"":16s}{len(a):8d}\n')
        for j in range(len(a)):
            out.append(f'DMIG*   {name:16s}{j + 2:16d}{3:16d}\n')
            for i in range(j + 1):
                if a[i][j] != 0.0:
                    out.append(f'*       {i + 2:16d}{3:16d}{a[i][j]:16.9E}\n'.replace('E', 'D'))
    return ''.join(out).encode()


def punch(kind, shapes, eigenvalues=None):
    lines = []

    def line(text):
        lines.append(f'{text:72s}{len(lines) + 1:8d}\n')

    for number, shape in enumerate(columns(shapes), 1):
        line('$TITLE   = DOUBLE MASS SPRING')
        line('$SUBTITLE=')
        line('$LABEL   =')
        line(f'${kind}')
        line('$REAL OUTPUT')
        line(f'$SUBCASE ID = {1:11d}')
        if eigenvalues:
            line(f'$EIGENVALUE = {eigenvalues[number - 1][0]:14.7E}  MODE = {number:5d}')
        for node, z in enumerate([0.0] + shape, 1):
            line(f'{node:10d}       G{0.0:18.6E}{0.0:18.6E}{z:18.6E}')
            line(f'-CONT-            {0.0:18.6E}{0.0:18.6E}{0.0:18.6E}')
    return ''.join(lines).encode()


def write(name, content):
    (FOLDER / name).write_bytes(content)


write('dms_km_ascii.op4', op4_ascii([('KAA', 6, K), ('MAA', 6, M)]))
write('dms_km_binary.op4', op4_binary([('KAA', 6, K), ('MAA', 6, M)]))
write('dms_km.pch', dmig([('KAAX', K), ('MAAX', M)]))
write('dms_dynamic.op4', op4_ascii([('PHID', 2, DYNAMIC), ('LAMBDA', 2, LAMBDA)]))
write('dms_static.op4', op4_ascii([('USTATIC', 2, STATIC)]))
write('dms_constraint.op4', op4_ascii([('UCONSTR', 2, CONSTRAINT)]))
write('dms_dynamic.pch', punch('EIGENVECTOR', DYNAMIC, LAMBDA))
write('dms_static.pch', punch('DISPLACEMENTS', STATIC))
write('dms_constraint.pch', punch('DISPLACEMENTS', CONSTRAINT))
