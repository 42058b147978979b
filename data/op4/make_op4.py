#!/usr/bin/env python3
"""Writes the small OUTPUT4 files of valid/ and invalid/: every layout, type, byte order and word size.

All valid files hold the same three matrices, REAL (5 x 4), CPLX (5 x 4) and a 1 x 1 zero called NONE,
so that one test can compare them all. Single precision files hold numbers that single carries.
Only the standard library is used, and nothing of femflex.
"""
import pathlib
import struct

HERE = pathlib.Path(__file__).parent
REAL = [[1.5, 0.0, 0.0, -2.25], [0.0, 0.0, 0.0, 8.0], [-0.125, 4.0, 0.0, 0.0], [3.0, 5.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1024.0]]
CPLX = [[complex(x, -2.0 * x) if (i + j) % 2 else complex(x, 0.5 * x) for j, x in enumerate(row)] for i, row in enumerate(REAL)]
NONE = [[0.0]]
MATRICES = [('REAL', 2, REAL), ('CPLX', 2, CPLX), ('NONE', 6, NONE)]


def is_complex(a):
    return isinstance(a[0][0], complex)


def column(a, j):
    return [row[j] for row in a]


def parts(x):
    return [x.real, x.imag] if isinstance(x, complex) else [x]


def strings(col):
    """Runs without zeros: (first row, values)."""
    out = []
    for i, x in enumerate(col):
        if x == 0:
            continue
        if out and out[-1][0] + len(out[-1][1]) == i:
            out[-1][1].append(x)
        else:
            out.append((i, [x]))
    return out


def binary(matrices, layout, big=False, word=4, single=False):
    e = '>' if big else '<'
    integer = 'i' if word == 4 else 'q'
    real = 'f' if single and word == 4 else 'd'
    per_real = struct.calcsize('=' + real) // word

    def record(payload):
        n = struct.pack(e + 'i', len(payload))
        return n + payload + n

    out = b''
    for name, form, a in matrices:
        kind = (3 if is_complex(a) else 1) + (0 if single else 1)
        text = name.ljust(8)
        text = text if word == 4 else text[:4] + '    ' + text[4:] + '    '
        rows = -len(a) if layout == 'bigmat' else len(a)
        out += record(struct.pack(e + '4' + integer, len(a[0]), rows, form, kind) + text.encode())
        for j in range(len(a[0])):
            runs = strings(column(a, j))
            if not runs:
                continue
            if layout == 'dense':
                first, last = runs[0][0], runs[-1][0] + len(runs[-1][1])
                values = [p for x in column(a, j)[first:last] for p in parts(x)]
                out += record(struct.pack(e + '3' + integer, j + 1, first + 1, len(values) * per_real)
                              + struct.pack(f'{e}{len(values)}{real}', *values))
                continue
            body = b''
            for first, run in runs:
                values = [p for x in run for p in parts(x)]
                length = len(values) * per_real
                head = [length + 1, first + 1] if layout == 'bigmat' else [first + 1 + 65536 * (length + 1)]
                body += struct.pack(f'{e}{len(head)}{integer}', *head) + struct.pack(f'{e}{len(values)}{real}', *values)
            out += record(struct.pack(e + '3' + integer, j + 1, 0, len(body) // word) + body)
        out += record(struct.pack(e + '3' + integer, len(a[0]) + 1, 1, per_real) + struct.pack(e + real, 1.0))
    return out


def ascii_text(matrices, layout, fmt='1P,3E23.16', single=False, d=False, i16=False, eol='\n'):
    per_line, width = int(fmt.split(',')[1].split('E')[0].split('D')[0]), int(fmt.split('.')[0].split('E')[-1].split('D')[-1])
    digits = int(fmt.split('.')[1])
    lines = []

    def numbers(values):
        for k in range(0, len(values), per_line):
            text = ''.join(f'{x:{width}.{digits}E}' for x in values[k:k + per_line])
            lines.append(text.replace('E', 'D') if d else text)

    words = 1 if single else 2
    for name, form, a in matrices:
        kind = (3 if is_complex(a) else 1) + (0 if single else 1)
        rows = -len(a) if layout == 'bigmat' or i16 else len(a)
        size = 16 if i16 else 8
        lines.append(f'{len(a[0]):{size}d}{rows:{size}d}{form:8d}{kind:8d}{name:8s}{fmt}' + ('|I16' if i16 else ''))
        for j in range(len(a[0])):
            runs = strings(column(a, j))
            if not runs:
                continue
            if layout == 'dense':
                first, last = runs[0][0], runs[-1][0] + len(runs[-1][1])
                values = [p for x in column(a, j)[first:last] for p in parts(x)]
                lines.append(f'{j + 1:8d}{first + 1:8d}{len(values):8d}')
                numbers(values)
                continue
            head = 2 if layout == 'bigmat' else 1
            total = sum(head + len(run) * len(parts(run[0])) * words for _, run in runs)
            lines.append(f'{j + 1:8d}{0:8d}{total:8d}')
            for first, run in runs:
                values = [p for x in run for p in parts(x)]
                length = len(values) * words
                lines.append(f'{length + 1:8d}{first + 1:8d}' if head == 2 else f'{first + 1 + 65536 * (length + 1):8d}')
                numbers(values)
        lines.append(f'{len(a[0]) + 1:8d}{1:8d}{1:8d}')
        numbers([1.0])
    return (eol.join(lines) + eol).encode()


def write(name, content):
    (HERE / name).write_bytes(content)


for layout in ('dense', 'nonbigmat', 'bigmat'):
    for word in (4, 8):
        for big in (False, True):
            order = 'be' if big else 'le'
            write(f'valid/{layout}_{order}{8 * word}.op4', binary(MATRICES, layout, big, word))
    write(f'valid/{layout}_single_le32.op4', binary(MATRICES, layout, single=True))
    write(f'valid/{layout}_single_be32.op4', binary(MATRICES, layout, True, single=True))
    write(f'valid/{layout}_ascii.op4', ascii_text(MATRICES, layout))
    write(f'valid/{layout}_ascii_single.op4', ascii_text(MATRICES, layout, '1P,5E16.9', single=True))
    write(f'valid/{layout}_ascii_d_exponents.op4', ascii_text(MATRICES, layout, '1P,3D23.16', d=True))
write('valid/dense_ascii_crlf.op4', ascii_text(MATRICES, 'dense', eol='\r\n'))
write('valid/dense_ascii_i16.op4', ascii_text(MATRICES, 'dense', i16=True))
write('valid/bigmat_ascii_i16.op4', ascii_text(MATRICES, 'bigmat', i16=True))
write('valid/dense_ascii_touching.op4', ascii_text(MATRICES, 'dense', '1P,6E10.3'))

good = binary(MATRICES, 'dense')
write('invalid/truncated.op4', good[:200])
write('invalid/length_words_differ.op4', good[:32] + b'\x77' + good[33:])
write('invalid/type_seven.op4', good[:16] + struct.pack('<i', 7) + good[20:])
write('invalid/column_too_long.op4', binary([('REAL', 2, REAL)], 'dense').replace(struct.pack('<3i', 1, 1, 8), struct.pack('<3i', 1, 3, 8), 1))
text = ascii_text(MATRICES, 'dense').decode()
write('invalid/letters.op4', text.replace(' 4.0000000000000000E+00', ' 4.0000000000 hello E+00').encode())
write('invalid/truncated_ascii.op4', text[:300].encode())
write('invalid/rows_beyond.op4', text.replace(f'{2:8d}{3:8d}{2:8d}', f'{2:8d}{5:8d}{2:8d}').encode())
write('invalid/huge_count.op4', text.replace(f'{2:8d}{3:8d}{2:8d}', f'{2:8d}{3:8d}99999999').encode())
