"""Writes the .crg samples of the tests and a table of closed-form heights.

Format: ASAM OpenCRG 1.2, sections 6.2 to 6.4. Run in this folder: python3 make_samples.py
"""
import math
import random
import struct

NAN = float("nan")


def records(rows, encoding):
    """Road data of rows of numbers in one of the four encodings."""
    is_double = encoding[1] == "D"
    if encoding[2] == "B":
        form, size = (">d", 8) if is_double else (">f", 4)
        data = b"".join(struct.pack(form, x) for row in rows for x in row)
        while len(data) % 80:
            data += struct.pack(form, NAN)
        return data
    width, digits = (20, 15) if is_double else (10, 7)
    lines = []
    for row in rows:
        fields = ["*missing*".rjust(width) if math.isnan(x) else f"{x:{width}.{digits}f}" for x in row]
        assert all(len(f) == width for f in fields)
        per_line = 80 // width
        lines += ["".join(fields[k:k + per_line]) for k in range(0, len(fields), per_line)]
    return ("\n".join(lines) + "\n").encode()


def write(name, encoding, sections, rows):
    text = ["$CT", "sample of the tests, see make_samples.py", "$"]
    for keyword, lines in sections:
        text += [f"${keyword}  ! a comment"] + lines + ["$!" + "*" * 40]
    text += ["* a comment of its own line", "$" * 80]
    with open(f"{name}_{encoding.lower()}.crg", "wb") as out:
        out.write(("\n".join(text) + "\n").encode() + records(rows, encoding))


# A left-hand bend: circle of radius R through the nodes, slope and banking that grow with u.
R, INC, ROWS = 60.0, 0.02, 601
X0, Y0, Z0, PHI0 = 10.0, -4.0, 0.5, 0.3
V = [-1.5, -1.0, -0.2, 0.0, 0.7, 1.5]


def slope(u):
    return 0.03 + 0.0004 * u


def banking(u):
    return 0.05 + 0.002 * u


def bump(u, v):
    return 0.001 * u + 0.0007 * u * v - 0.002 * v


def bend_height(u, v):
    return Z0 + 0.03 * u + 0.0002 * u * u + banking(u) * v + bump(u, v)


def bend():
    turn = 2.0 * math.asin(INC / (2.0 * R))
    rows = []
    for i in range(ROWS):
        u = i * INC
        # headings and slopes belong to the segment before a row; the first ones are not used
        rows.append([PHI0 + (i - 0.5) * turn, slope(u - 0.5 * INC), banking(u)] + [bump(u, v) for v in V])
    for encoding in ("KRBI", "KDBI", "LRFI", "LDFI"):
        write("bend", encoding, [
            ("ROAD_CRG", [f"REFERENCE_LINE_START_U = 0.0", f"REFERENCE_LINE_END_U = {INC * (ROWS - 1):.2f}",
                          f"REFERENCE_LINE_INCREMENT = {INC}", f"reference_line_start_x = {X0}  ! lower case too",
                          f"REFERENCE_LINE_START_Y = {Y0}", f"REFERENCE_LINE_START_Z = {Z0}"]),
            ("KD_Definition", [f"#:{encoding}", f"U:reference line u,m,0.0,{INC}", "D:reference line phi,rad",
                               "D:reference line slope,m/m", "D:reference line banking,m/m"]
             + [f"D:long section at v = {v:.3f},m" for v in V]),
        ], rows)
    random.seed(22)
    centre_x, centre_y = X0 - R * math.sin(PHI0), Y0 + R * math.cos(PHI0)
    with open("bend_heights.csv", "w") as out:
        out.write("# x, y, z of the closed form: u = R theta, v = R - r\n")
        for _ in range(400):
            u, v = random.uniform(0.01, 11.99), random.uniform(-1.49, 1.49)
            theta = PHI0 + u / R
            x = centre_x + (R - v) * math.sin(theta)
            y = centre_y - (R - v) * math.cos(theta)
            out.write(f"{x:.15g},{y:.15g},{bend_height(u, v):.15g}\n")


# A small straight road with missing heights, numbered sections, options and modifiers.
def small():
    rows = [[0.01 * i * (j + 1) for j in range(4)] for i in range(6)]
    rows[2][0] = NAN
    rows[3][2] = rows[3][3] = NAN
    for encoding in ("KRBI", "KDBI", "LRFI", "LDFI"):
        write("small", encoding, [
            ("ROAD_CRG", ["REFERENCE_LINE_START_U = 1.0", "REFERENCE_LINE_END_U = 3.5",
                          "REFERENCE_LINE_INCREMENT = 0.5", "REFERENCE_LINE_START_PHI = 0.25",
                          "LONG_SECTION_V_RIGHT = -0.75", "LONG_SECTION_V_INCREMENT = 0.5"]),
            ("ROAD_CRG_OPTS", ["BORDER_MODE_U = 2", "BORDER_OFFSET_U = 0.25", "BORDER_MODE_V = 2"]),
            ("ROAD_CRG_MODS", ["REFLINE_OFFSET_X = 100", "GRID_NAN_MODE = 2"]),
            ("KD_DEFINITION", [f"#:{encoding}"] + [f"D:long section {k + 1},m" for k in range(4)]),
        ], rows)


bend()
small()
