#!/usr/bin/python3
"""Writes small CalculiX decks, runs CalculiX on them and keeps what the tests need.

    make_decks.py FOLDER [NAME...]      needs ccx (Debian: calculix-ccx)

For each deck: NAME.inp, the stored matrices NAME.sti, NAME.mas and NAME.dof (*FREQUENCY,
SOLVER=MATRIXSTORAGE), and in frequencies.csv the frequencies in Hz that CalculiX itself prints (seven digits;
same deck, its own eigensolver). Units m, kg, s.
"""
import gzip, math, pathlib, re, subprocess, sys, tempfile

STEEL = """*MATERIAL, NAME=STEEL
*ELASTIC
2.1E11,0.3
*DENSITY
7850.
"""
ALUMINIUM = """*MATERIAL, NAME=ALU
*ELASTIC
7.0E10,0.33
*DENSITY
2700.
"""


def nodes_text(nodes, name='NALL'):
    return f'*NODE, NSET={name}\n' + ''.join(f'{k},{x:.10g},{y:.10g},{z:.10g}\n' for k, (x, y, z) in nodes.items())


def elements_text(kind, elements, name='EALL'):
    out = f'*ELEMENT, TYPE={kind}, ELSET={name}\n'
    for k, nodes in elements.items():
        words = [str(k)] + [str(n) for n in nodes]
        lines = [','.join(words[i:i + 12]) for i in range(0, len(words), 12)]
        out += ',\n'.join(lines) + '\n'
    return out


def nset(name, ids):
    ids = [str(i) for i in ids]
    return f'*NSET, NSET={name}\n' + ''.join(','.join(ids[i:i + 10]) + ',\n' for i in range(0, len(ids), 10))


class Grid:
    """Nodes by their place, numbered as they are asked for."""

    def __init__(self, first=1):
        self.nodes, self.at, self.next = {}, {}, first

    def node(self, x, y, z):
        key = (round(x, 9), round(y, 9), round(z, 9))
        if key not in self.at:
            self.at[key] = self.next
            self.nodes[self.next] = key
            self.next += 1
        return self.at[key]

    def middle(self, a, b):
        p, q = self.nodes[a], self.nodes[b]
        return self.node(*((u + v) / 2 for u, v in zip(p, q)))

    def where(self, test):
        return [k for k, p in self.nodes.items() if test(*p)]


HEX_EDGES = [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)]
WEDGE_EDGES = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)]
TET_EDGES = [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)]


def with_middles(grid, corners, edges):
    return corners + [grid.middle(corners[a], corners[b]) for a, b in edges]


def block(kind, n=(2, 1, 1), size=(0.4, 0.1, 0.12), grid=None, at=(0, 0, 0), first=1):
    """A block of solids; gives the grid and the elements."""
    grid = grid or Grid()
    order = int(re.match(r'C3D(\d+)', kind).group(1))
    elements = {}
    hexes = []
    for i in range(n[0]):
        for j in range(n[1]):
            for k in range(n[2]):
                def corner(a, b, c):
                    return grid.node(at[0] + (i + a) * size[0] / n[0], at[1] + (j + b) * size[1] / n[1],
                                     at[2] + (k + c) * size[2] / n[2])
                hexes.append([corner(*c) for c in [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0),
                                                   (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]])
    for h in hexes:
        if order in (8, 20):
            parts = [h]
        elif order in (6, 15):
            parts = [[h[0], h[1], h[2], h[4], h[5], h[6]], [h[0], h[2], h[3], h[4], h[6], h[7]]]
        else:
            parts = [[h[a] for a in t] for t in [(0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6),
                                                 (0, 4, 5, 6), (0, 5, 1, 6)]]
        for p in parts:
            edges = {20: HEX_EDGES, 15: WEDGE_EDGES, 10: TET_EDGES}.get(order)
            elements[first + len(elements)] = with_middles(grid, p, edges) if edges else p
    return grid, elements


def plate(kind, n=(3, 2), size=(0.3, 0.2), grid=None, map3=lambda u, v: (u, v, 0.0), first=1):
    """Shells, membranes or plane elements over (u, v)."""
    grid = grid or Grid()
    number = int(re.search(r'(\d)R?$', kind).group(1))
    corners_of = 3 if number in (3, 6) else 4
    quadratic = number in (6, 8)
    elements = {}
    for i in range(n[0]):
        for j in range(n[1]):
            def at(a, b):
                return grid.node(*map3((i + a) * size[0] / n[0], (j + b) * size[1] / n[1]))
            quad = [(0, 0), (1, 0), (1, 1), (0, 1)]
            parts = [quad] if corners_of == 4 else [[quad[0], quad[1], quad[2]], [quad[0], quad[2], quad[3]]]
            for p in parts:
                nodes = [at(*c) for c in p]
                if quadratic:
                    for a, b in zip(p, p[1:] + p[:1]):
                        nodes.append(at((a[0] + b[0]) / 2, (a[1] + b[1]) / 2))
                elements[first + len(elements)] = nodes
    return grid, elements


def line(kind, points, n=3, grid=None, first=1):
    """Beams or trusses along a polygon."""
    grid = grid or Grid()
    elements = {}
    for p, q in zip(points, points[1:]):
        def at(s):
            return grid.node(*(a + s * (b - a) for a, b in zip(p, q)))
        for i in range(n):
            nodes = [at(i / n), at((i + 1) / n)]
            if kind in ('B32', 'B32R'):
                nodes.insert(1, at((i + 0.5) / n))
            elements[first + len(elements)] = nodes
    return grid, elements


def solid(kind, held=True, extra='', n=(2, 1, 1)):
    grid, elements = block(kind, n)
    ends = nset('NFIX', grid.where(lambda x, y, z: x == 0)) + nset('NEND', grid.where(lambda x, y, z: abs(x - 0.4) < 1e-9))
    return (nodes_text(grid.nodes) + elements_text(kind, elements) + ends + STEEL +
            '*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL\n' + ('*BOUNDARY\nNFIX,1,3\n' if held else '') + extra)


def shell(kind, fix='NFIX,1,6', thickness=0.004, map3=lambda u, v: (u, v, 0.0), extra='', n=(3, 2), edge=True):
    grid, elements = plate(kind, n, map3=map3)
    on_edge = {tuple(round(c, 9) for c in map3(0.0, 0.2 * j / (2 * n[1]))) for j in range(2 * n[1] + 1)}
    fixed = [k for k, p in grid.nodes.items() if p in on_edge]
    section = '*MEMBRANE SECTION' if kind.startswith('M') else '*SHELL SECTION'
    return (nodes_text(grid.nodes) + elements_text(kind, elements) + nset('NFIX', fixed) + STEEL +
            f'{section}, ELSET=EALL, MATERIAL=STEEL\n{thickness}\n' +
            (f'*BOUNDARY\n{fix}\n' if fix else '') + extra)


def plane(kind, thickness='0.01'):
    shift = 0.1 if kind.startswith('CAX') else 0.0
    grid, elements = plate(kind, map3=lambda u, v: (u + shift, v, 0.0))
    body = '' if kind.startswith('CAX') else thickness + '\n'
    return (nodes_text(grid.nodes) + elements_text(kind, elements) +
            nset('NFIX', grid.where(lambda x, y, z: y == 0)) + STEEL +
            '*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL\n' + body + '*BOUNDARY\nNFIX,1,2\n')


def beam(kind, points=((0, 0, 0), (0.5, 0, 0)), fix='1,1,6', section='RECT\n0.02,0.01\n0,0.6,0.8', n=3, extra=''):
    grid, elements = line(kind, points, n)
    shape, rest = section.split('\n', 1)
    return (nodes_text(grid.nodes) + elements_text(kind, elements) + STEEL +
            f'*BEAM SECTION, ELSET=EALL, MATERIAL=STEEL, SECTION={shape}\n{rest}\n' +
            (f'*BOUNDARY\n{fix}\n' if fix else '') + extra)


def frame(kind):
    """Three beams that meet in one node, of three sections."""
    shape = 'CIRC' if kind.startswith('B32') else 'RECT'  # linear circular ones do not exist
    grid = Grid()
    _, first = line(kind, [(0, 0, 0), (0.3, 0, 0)], 2, grid)
    _, second = line(kind, [(0.3, 0, 0), (0.3, 0.25, 0)], 2, grid, first=11)
    _, third = line(kind, [(0.3, 0, 0), (0.45, 0, 0.2)], 2, grid, first=21)
    return (nodes_text(grid.nodes) + elements_text(kind, first, 'E1') + elements_text(kind, second, 'E2') +
            elements_text(kind, third, 'E3') + STEEL +
            '*BEAM SECTION, ELSET=E1, MATERIAL=STEEL, SECTION=RECT\n0.02,0.01\n0,1,0\n'
            '*BEAM SECTION, ELSET=E2, MATERIAL=STEEL, SECTION=RECT\n0.015,0.01\n0,0,1\n'
            f'*BEAM SECTION, ELSET=E3, MATERIAL=STEEL, SECTION={shape}\n0.01,0.008\n0,1,0\n'
            f'*BOUNDARY\n{grid.node(0, 0, 0)},1,6\n')


def jump(kind):
    """A plate of two thicknesses."""
    grid, elements = plate(kind)
    half = len(elements) // 2
    thin = {k: v for k, v in elements.items() if k <= half}
    thick = {k: v for k, v in elements.items() if k > half}
    return (nodes_text(grid.nodes) + elements_text(kind, thin, 'THIN') + elements_text(kind, thick, 'THICK') +
            nset('NFIX', grid.where(lambda x, y, z: x == 0)) + STEEL +
            '*SHELL SECTION, ELSET=THIN, MATERIAL=STEEL\n0.004\n*SHELL SECTION, ELSET=THICK, MATERIAL=STEEL\n0.007\n'
            '*BOUNDARY\nNFIX,1,6\n')


def branch(kind):
    """A plate with a rib in its middle: three shells meet along a line."""
    grid, elements = plate(kind, (2, 2), (0.3, 0.2))
    _, rib = plate(kind, (2, 1), (0.3, 0.08), grid, lambda u, v: (u, 0.1, v), first=101)
    elements.update(rib)
    return (nodes_text(grid.nodes) + elements_text(kind, elements) +
            nset('NFIX', grid.where(lambda x, y, z: x == 0)) + STEEL +
            '*SHELL SECTION, ELSET=EALL, MATERIAL=STEEL\n0.004\n*BOUNDARY\nNFIX,1,6\n')


def truss(kind):
    text = '*NODE, NSET=NALL\n1,1,0,0\n2,0,1,0\n3,0,0,1\n4,0,0,0\n'
    bars = {1: [1, 4], 2: [2, 4], 3: [3, 4]}
    return (text + elements_text(kind, bars) + STEEL + '*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL\n1e-4\n'
            '*BOUNDARY\n1,1,3\n2,1,3\n3,1,3\n')


def two_blocks(joint, loose=False):
    """Two blocks of different meshes, one behind the other."""
    grid, elements = block('C3D8', (2, 1, 1))
    other = Grid(501)
    _, more = block('C3D8', (1, 2, 1), (0.2, 0.1, 0.12), other, (0.4 + (0.05 if loose else 0.0), 0, 0), first=501)
    text = nodes_text(grid.nodes) + nodes_text(other.nodes, 'NB') + elements_text('C3D8', elements) + elements_text('C3D8', more, 'EB')
    text += nset('NFIX', grid.where(lambda x, y, z: x == 0))
    return (text + STEEL + ALUMINIUM + '*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL\n'
            '*SOLID SECTION, ELSET=EB, MATERIAL=ALU\n' + joint + '*BOUNDARY\nNFIX,1,3\n')


TIE = ('*SURFACE, NAME=SA, TYPE=ELEMENT\n2,S4\n*SURFACE, NAME=SB, TYPE=ELEMENT\n501,S6\n502,S6\n'
       '*TIE, NAME=T1, POSITION TOLERANCE=0.01\nSB,SA\n')


def point_elements(text, kind, elements, section):
    return text + elements_text(kind, elements, 'EP') + section


def rigid(free=False):
    return solid('C3D8', not free, n=(3, 2, 1), extra= '*NODE\n901,0.5,0.05,0.06\n902,0.5,0.05,0.06\n'
                 '*RIGID BODY, NSET=NEND, REF NODE=901, ROT NODE=902\n')


def rigid_without_rotation_node(kind, extra=''):
    """A rigid body whose rotation node CalculiX adds, at two ends of the block or with other added nodes."""
    return solid(kind, True, extra='*NODE\n901,0.5,0.05,0.06\n905,0.45,0.05,0.06\n*RIGID BODY, NSET=NEND, REF NODE=901\n' + extra)


def coupling(kind):
    return solid('C3D8', True, '*NODE\n901,0.5,0.05,0.06\n*SURFACE, NAME=SEND, TYPE=ELEMENT\n2,S4\n'
                 f'*COUPLING, REF NODE=901, SURFACE=SEND, CONSTRAINT NAME=C1\n*{kind}\n1,3\n' +
                 '*ELEMENT, TYPE=MASS, ELSET=EM\n901,901\n*MASS, ELSET=EM\n3.0\n')


def decks():
    d = {}
    for kind in ('C3D4', 'C3D6', 'C3D8', 'C3D8R', 'C3D8I', 'C3D10', 'C3D15', 'C3D20', 'C3D20R'):
        d['held_' + kind] = solid(kind)
    for kind in ('C3D4', 'C3D8', 'C3D8I', 'C3D10'):
        d['free_' + kind] = solid(kind, False, n=(2, 1, 1) if kind == 'C3D10' else (3, 2, 1))
    for kind in ('S3', 'S4', 'S4R', 'S6', 'S8', 'S8R', 'M3D4'):
        fix = 'NFIX,1,6' if kind[0] == 'S' else 'NFIX,1,3\nNALL,3,3'
        d['plate_' + kind] = shell(kind, fix)
    d['pinned_S8R'] = shell('S8R', 'NFIX,1,3')
    d['pinned_S4'] = shell('S4', 'NFIX,1,3')
    d['hinge_S4'] = shell('S4', 'NFIX,1,3\nNFIX,5,6')
    d['free_S4'] = shell('S4', '')
    d['free_S8R'] = shell('S8R', '')
    d['free_rib_S4'] = branch('S4').replace('*BOUNDARY\nNFIX,1,6\n', '')
    d['free_jump_S8R'] = jump('S8R').replace('*BOUNDARY\nNFIX,1,6\n', '')
    d['free_frame_B32'] = frame('B32').replace('*BOUNDARY\n1,1,6\n', '')
    arc = lambda u, v: (0.2 * math.sin(u / 0.2), v, 0.2 * math.cos(u / 0.2))
    for kind in ('S3', 'S4', 'S6', 'S8R'):
        d['shell_of_arc_' + kind] = shell(kind, map3=arc)
    fold = lambda u, v: (u, v, 0.0) if u <= 0.1 + 1e-12 else (0.1, v, u - 0.1)
    for kind in ('S4', 'S8R', 'S6'):
        d['fold_' + kind] = shell(kind, map3=fold)
    for kind in ('S3', 'S4', 'S4R', 'S6', 'S8', 'S8R'):
        d['jump_' + kind] = jump(kind)
    for kind in ('S4', 'S8R', 'S3'):
        d['rib_' + kind] = branch(kind)
    d['transform_S4'] = shell('S4', 'NFIX,1,3', extra='*TRANSFORM, NSET=NFIX, TYPE=R\n0.6,0.8,0,-0.8,0.6,0\n')
    for kind in ('CPS3', 'CPS4', 'CPS4R', 'CPS6', 'CPS8', 'CPS8R', 'CPE3', 'CPE4', 'CPE4R', 'CPE6', 'CPE8', 'CPE8R',
                 'CAX3', 'CAX4', 'CAX4R', 'CAX6', 'CAX8', 'CAX8R'):
        d['plane_' + kind] = plane(kind)
    for kind in ('B31', 'B31R', 'B32', 'B32R'):
        d['beam_' + kind] = beam(kind)
        d['corner_' + kind] = beam(kind, ((0, 0, 0), (0.3, 0, 0), (0.3, 0.2, 0)), n=2, section='RECT\n0.02,0.01\n0,0,1')
        d['frame_' + kind] = frame(kind)
    d['pinned_B32R'] = beam('B32R', fix='1,1,4\n7,2,3')
    d['pinned_B31'] = beam('B31', fix='1,1,4\n4,2,3')
    d['free_B31'] = beam('B31', fix='')
    d['free_B32'] = beam('B32', fix='')
    d['beam_circle_B32R'] = beam('B32R', section='CIRC\n0.02,0.01\n0,1,0')
    d['beam_pipe_B32R'] = beam('B32R', section='PIPE\n0.02,0.002\n0,1,0')
    d['beam_tip_mass_B31'] = beam('B31', extra='*ELEMENT, TYPE=MASS, ELSET=EM\n91,4\n*MASS, ELSET=EM\n0.3\n')
    d['beam_spring_B32'] = beam('B32', extra='*ELEMENT, TYPE=SPRING1, ELSET=ES\n91,7\n*SPRING, ELSET=ES\n3\n50000.\n')
    d['tripod_T3D2'] = truss('T3D2')
    # constraints
    d['equation'] = two_blocks(''.join(f'*EQUATION\n3\n{s},{c},1.0,{a},{c},-0.5,{b},{c},-0.5\n'
                                       for s, a, b in ((501, 9, 9),) for c in (1, 2, 3)), True)
    d['tie'] = two_blocks(TIE)
    d['loose_parts'] = two_blocks('', True)
    d['rigid_body'] = rigid()
    d['rigid_body_free'] = rigid(True)
    d['rigid_body_mass'] = rigid() + '*ELEMENT, TYPE=MASS, ELSET=EM\n901,901\n*MASS, ELSET=EM\n3.0\n'
    d['rigid_body_held_turn'] = rigid() + '*BOUNDARY\n902,1,1\n'
    d['rigid_body_held_turns'] = rigid() + '*BOUNDARY\n902,2,3\n'
    d['rigid_body_unnamed'] = rigid_without_rotation_node('C3D8')
    d['rigid_body_unnamed_C3D8I'] = rigid_without_rotation_node('C3D8I')
    d['rigid_body_equation'] = rigid() + ('*NODE\n903,0.6,0.05,0.06\n*ELEMENT, TYPE=MASS, ELSET=EM\n903,903\n*MASS, ELSET=EM\n3.0\n'
                                          '*EQUATION\n3\n903,2,1.,901,2,-1.,902,3,-0.1\n2\n903,1,1.,901,1,-1.\n2\n903,3,1.,901,3,-1.\n')
    d['transform_equation'] = solid('C3D8', True, '*TRANSFORM, NSET=NEND, TYPE=C\n0,0.05,0.06,1,0.05,0.06\n*EQUATION\n2\n9,1,1.,12,1,-1.\n')
    d['two_sections_S4'] = shell('S4', 'NFIX,1,6').replace('*BOUNDARY', '*ELSET, ELSET=PATCH\n1\n*SHELL SECTION, ELSET=PATCH, MATERIAL=STEEL\n0.012\n*BOUNDARY', 1)
    d['coupling_kinematic'] = coupling('KINEMATIC')
    d['coupling_distributing'] = coupling('DISTRIBUTING')
    d['distributing_coupling'] = solid('C3D8', True, '*NODE\n901,0.5,0.05,0.06\n*ELEMENT, TYPE=DCOUP3D, ELSET=EC\n901,901\n'
                                       '*DISTRIBUTING COUPLING, ELSET=EC\n9,1.\n10,1.\n11,1.\n12,1.\n')
    d['transform_r'] = solid('C3D8', True, '*TRANSFORM, NSET=NEND, TYPE=R\n0.6,0.8,0,-0.8,0.6,0\n*BOUNDARY\nNEND,1,1\n')
    d['transform_c'] = solid('C3D8', False, '*TRANSFORM, NSET=NFIX, TYPE=C\n0,0.05,0.06,1,0.05,0.06\n*BOUNDARY\nNFIX,2,3\n')
    d['orientation'] = solid('C3D8').replace(STEEL, '*ORIENTATION, NAME=OR1\n0.8,0.6,0,-0.6,0.8,0\n*MATERIAL, NAME=STEEL\n'
                                             '*ELASTIC, TYPE=ENGINEERING CONSTANTS\n1.4e11,1e10,1e10,0.3,0.3,0.4,5e9,5e9,\n3.5e9\n*DENSITY\n1600.\n'
                                             ).replace('MATERIAL=STEEL\n*BOUNDARY', 'MATERIAL=STEEL, ORIENTATION=OR1\n*BOUNDARY')
    d['springs'] = point_elements(solid('C3D8', False), 'SPRING2', {901: [1, 5], 902: [2, 6]}, '*SPRING, ELSET=EP\n2,2\n1000000.\n') + \
        '*ELEMENT, TYPE=SPRING1, ELSET=EG\n' + ''.join(f'{910 + k},{k}\n' for k in range(1, 5)) + '*SPRING, ELSET=EG\n3\n2000000.\n'
    d['spring_a'] = point_elements(solid('C3D8', True), 'SPRINGA', {901: [1, 12]}, '*SPRING, ELSET=EP\n40000000.\n')
    d['dashpot'] = point_elements(solid('C3D8', True), 'DASHPOTA', {901: [1, 12]}, '*DASHPOT, ELSET=EP\n400.\n')
    d['masses'] = point_elements(solid('C3D8', True), 'MASS', {901: [9], 902: [12]}, '*MASS, ELSET=EP\n1.5\n')
    d['free_masses'] = point_elements(solid('C3D8', False, n=(3, 2, 1)), 'MASS', {901: [9], 902: [12]}, '*MASS, ELSET=EP\n1.5\n')
    d['unconnected_nodes'] = solid('C3D8', True, '*NODE\n801,1,2,3\n802,3,2,1\n')
    d['sparse_numbers'] = re.sub(r'(?m)^(\d+),', lambda m: m.group(0), solid('C3D8', True))
    # mixed
    grid, elements = block('C3D8', (1, 1, 1), (0.1, 0.1, 0.1))
    _, shells = plate('S4', (2, 1), (0.2, 0.1), grid, lambda u, v: (0.1 + u, v, 0.1), first=101)
    d['shell_on_solid'] = (nodes_text(grid.nodes) + elements_text('C3D8', elements) + elements_text('S4', shells, 'ES') +
                           nset('NFIX', grid.where(lambda x, y, z: x == 0)) + STEEL +
                           '*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL\n*SHELL SECTION, ELSET=ES, MATERIAL=STEEL\n0.004\n*BOUNDARY\nNFIX,1,3\n')
    d['free_shell_on_solid'] = d['shell_on_solid'].replace('*BOUNDARY\nNFIX,1,3\n', '')
    # knots of shells and beams have one stretch or, of a section, two
    for kind, rib in (('S4', 'B31'), ('S8R', 'B32'), ('S6', 'B32')):
        grid, elements = plate(kind, (3, 2), (0.3, 0.2))
        _, beams = line(rib, [(0, 0.1, 0), (0.3, 0.1, 0)], 3, grid, first=101)
        ribbed = (nodes_text(grid.nodes) + elements_text(kind, elements) + elements_text(rib, beams, 'EB') +
                  nset('NFIX', grid.where(lambda x, y, z: x == 0)) + STEEL +
                  '*SHELL SECTION, ELSET=EALL, MATERIAL=STEEL\n0.004\n'
                  '*BEAM SECTION, ELSET=EB, MATERIAL=STEEL, SECTION=RECT\n0.02,0.01\n0,0,1\n')
        d['ribbed_' + kind] = ribbed + '*BOUNDARY\nNFIX,1,6\n'
        d['free_ribbed_' + kind] = ribbed
    grid, elements = plate('S4', (2, 2), (0.2, 0.2))
    _, beams = line('B31', [(0, 0.1, 0), (0.1, 0.1, 0), (0.2, 0.1, 0)], 1, grid, first=101)
    d['stiffened_plate'] = (nodes_text(grid.nodes) + elements_text('S4', elements) + elements_text('B31', beams, 'EB') +
                            nset('NFIX', grid.where(lambda x, y, z: x == 0)) + STEEL +
                            '*SHELL SECTION, ELSET=EALL, MATERIAL=STEEL\n0.004\n'
                            '*BEAM SECTION, ELSET=EB, MATERIAL=STEEL, SECTION=RECT\n0.01,0.02\n0,1,0\n*BOUNDARY\nNFIX,1,6\n')
    d['shell_rigid_body'] = shell('S4', 'NFIX,1,6', extra='*NODE\n901,0.35,0.1,0\n902,0.35,0.1,0\n*NSET, NSET=NTIP\n10,11,12\n'
                                  '*RIGID BODY, NSET=NTIP, REF NODE=901, ROT NODE=902\n')
    for kind, tip in (('S4', '10,11,12'), ('S8R', '22,23,25,27,28')):
        d['free_shell_rigid_body_' + kind] = shell(kind, '', extra='*NODE\n901,0.35,0.1,0\n902,0.35,0.1,0\n*NSET, NSET=NTIP\n' + tip +
                                                   '\n*RIGID BODY, NSET=NTIP, REF NODE=901, ROT NODE=902\n')
    # the reference node off the edge can turn about it, without stiffness and mass
    square = lambda u, v: (u * 4 / 3, v * 2, 0.0)
    grid, _ = plate('S4', (4, 4), map3=square)
    d['free_shell_rigid_edge_S4'] = shell('S4', '', n=(4, 4), map3=square, extra='*NODE\n901,0.45,0.2,0.02\n902,0.45,0.2,0.02\n' +
                                          nset('NEDGE', grid.where(lambda x, y, z: x > 0.39)) +
                                          '*RIGID BODY, NSET=NEDGE, REF NODE=901, ROT NODE=902\n')
    # not in frequencies.csv: the spin about the line of the beam has neither stiffness nor mass
    d['free_beam_rigid_body'] = beam('B31', fix='', extra='*NODE\n901,0.6,0,0\n902,0.6,0,0\n*NSET, NSET=NTIP\n4,\n'
                                     '*RIGID BODY, NSET=NTIP, REF NODE=901, ROT NODE=902\n')
    # rigid bodies tie the mean translation of a section
    body = ('*NODE\n901,0.6,0.2,0.1\n902,0.6,0.2,0.1\n*NSET, NSET=NTIP\n{},\n*ELEMENT, TYPE=MASS, ELSET=EM\n901,901\n*MASS, ELSET=EM\n0.3\n')
    for kind, node in (('B31', 4), ('B31', 2), ('B32', 7), ('B32', 4), ('B32R', 5)):
        d[f'beam_tied_{kind}_{node}'] = beam(kind, extra=body.format(node) + '*RIGID BODY, NSET=NTIP, REF NODE=901, ROT NODE=902\n')
    d['beam_tied_circle_B32'] = beam('B32', section='CIRC\n0.02,0.01\n0,0.6,0.8',
                                     extra=body.format(7) + '*RIGID BODY, NSET=NTIP, REF NODE=901, ROT NODE=902\n')
    d['beam_coupled_B31'] = beam('B31', extra=body.format(4) + '*SURFACE, NAME=STIP, TYPE=NODE\nNTIP\n'
                                 '*COUPLING, CONSTRAINT NAME=C1, REF NODE=901, SURFACE=STIP\n*KINEMATIC\n1,3\n')
    # not in frequencies.csv: its first eight are those of rigid motions
    d['free_beam_tied_B32'] = beam('B32', fix='', extra=body.format(7) + '*RIGID BODY, NSET=NTIP, REF NODE=901, ROT NODE=902\n')
    # a rigid body ties the translations of a knot alone
    d['body_on_knot_B31'] = frame('B31').split('*BOUNDARY')[0] + body.format(3) + '*RIGID BODY, NSET=NTIP, REF NODE=901, ROT NODE=902\n*BOUNDARY\n1,1,6\n'
    # the rotation of a rigid body at a node of a shell is not that of the shell (not in frequencies.csv: six of its first
    # eight are those of motions without stiffness)
    for kind, rib in (('S4', 'B31'), ('S8R', 'B32')):
        grid, elements = plate(kind, (3, 2), (0.3, 0.2))
        held = grid.where(lambda x, y, z: x == 0)
        centre = grid.node(0.3, 0.1, 0)
        _, beams = line(rib, [(0.3, 0.1, 0.05), (0.6, 0.1, 0.05)], 3, grid, first=101)
        d['body_on_' + kind] = (nodes_text(grid.nodes) + elements_text(kind, elements) + elements_text(rib, beams, 'EB') + nset('NFIX', held) + STEEL +
                                '*SHELL SECTION, ELSET=EALL, MATERIAL=STEEL\n0.004\n*BEAM SECTION, ELSET=EB, MATERIAL=STEEL, SECTION=RECT\n0.02,0.01\n0,0,1\n'
                                f'*NSET, NSET=NTIP\n{grid.node(0.3, 0.1, 0.05)},\n*RIGID BODY, NSET=NTIP, REF NODE={centre}\n'
                                f'*ELEMENT, TYPE=MASS, ELSET=EM\n901,{grid.node(0.6, 0.1, 0.05)}\n*MASS, ELSET=EM\n0.5\n*BOUNDARY\nNFIX,1,3\n')
    # refused: CalculiX ties the middle of the section as if it were at the node
    d['free_arc_tied_offset_S8R'] = (d['shell_of_arc_S8R'].replace('*BOUNDARY\nNFIX,1,6\n', '').replace('SHELL SECTION,', 'SHELL SECTION, OFFSET=-0.5,') +
                                     '*NODE\n901,0,0,0\n902,0,0,0\n*RIGID BODY, NSET=NFIX, REF NODE=901, ROT NODE=902\n')
    # of C3D8R on an arc CalculiX resists rotations (not in frequencies.csv: refused)
    grid = Grid()
    _, ring = block('C3D8R', (3, 2, 1), (1.0, 1.0, 1.0), grid)
    turned = {k: ((0.1 + 0.01 * z) * math.cos(x * math.pi / 2), (0.1 + 0.01 * z) * math.sin(x * math.pi / 2), 0.1 * y) for k, (x, y, z) in grid.nodes.items()}
    d['free_arc_C3D8R'] = nodes_text(turned) + elements_text('C3D8R', ring) + STEEL + '*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL\n'
    d['shell_mass'] = shell('S4', 'NFIX,1,6', extra='*ELEMENT, TYPE=MASS, ELSET=EM\n901,12\n*MASS, ELSET=EM\n0.5\n')
    d['shell_mass_S8R'] = shell('S8R', 'NFIX,1,6', extra='*ELEMENT, TYPE=MASS, ELSET=EM\n901,27\n902,29\n*MASS, ELSET=EM\n0.5\n')
    d['free_shell_mass'] = shell('S4', '', extra='*ELEMENT, TYPE=MASS, ELSET=EM\n901,12\n*MASS, ELSET=EM\n0.5\n')
    d['shell_equation'] = shell('S4', 'NFIX,1,6', extra='*EQUATION\n2\n10,3,1.,12,3,-1.\n')
    d['shell_offset'] = shell('S4').replace('*SHELL SECTION, ELSET=EALL', '*SHELL SECTION, OFFSET=0.5, ELSET=EALL')
    # a sector of four of a square ring
    sector = Grid()
    _, ring = block('C3D8', (2, 2, 1), (1.0, 1.0, 0.05), sector)
    turned = {k: ((0.2 + 0.2 * x) * math.cos(y * math.pi / 2), (0.2 + 0.2 * x) * math.sin(y * math.pi / 2), z) for k, (x, y, z) in sector.nodes.items()}
    d['cyclic'] = (nodes_text(turned) + elements_text('C3D8', ring) +
                   nset('NLEFT', [k for k, p in sector.nodes.items() if p[1] == 0]) + nset('NRIGHT', [k for k, p in sector.nodes.items() if p[1] == 1]) +
                   '*SURFACE, NAME=SLEFT, TYPE=NODE\nNLEFT\n*SURFACE, NAME=SRIGHT, TYPE=NODE\nNRIGHT\n'
                   '*TIE, NAME=T1, POSITION TOLERANCE=1E-3, CYCLIC SYMMETRY\nSLEFT,SRIGHT\n'
                   '*CYCLIC SYMMETRY MODEL, N=4, NGRAPH=4, TIE=T1\n0,0,0,0,0,1\n' +
                   nset('NFIX', [k for k, p in sector.nodes.items() if p[0] == 0 and p[1] > 0]) + STEEL +
                   '*SOLID SECTION, ELSET=EALL, MATERIAL=STEEL\n*BOUNDARY\nNFIX,1,3\n')
    return d


# nodes whose displacements in the first modes stand in shapes.csv: those that constraints move
SHAPES = {'rigid_body_unnamed': (9, 12), 'rigid_body_unnamed_C3D8I': (9, 12), 'rigid_body_held_turns': (19, 24),
          'rigid_body_equation': (19, 903), 'transform_equation': (9, 12), 'coupling_kinematic': (9, 11)}
SHAPE_COUNT = 2


def step(name, storage, count):
    solver = ', SOLVER=MATRIXSTORAGE' if storage else ''
    modes = '*SELECT CYCLIC SYMMETRY MODES, NMIN=1, NMAX=1\n' if name == 'cyclic' else ''
    return f'*STEP\n*FREQUENCY{solver}\n{count}\n{modes}' + ('' if storage or name not in SHAPES else '*NODE FILE\nU\n') + '*END STEP\n'


def ccx(folder, job, deck):
    (folder / (job + '.inp')).write_text(deck)
    done = subprocess.run(['ccx', '-i', job], cwd=folder, capture_output=True, text=True, timeout=120)
    return done.stdout


def frequencies(dat):
    out = []
    for text in dat.splitlines():
        words = text.split()
        if len(words) == 6 and words[0].isdigit() and words[1].isdigit():  # with the nodal diameter
            words.pop(0)
        if len(words) == 5 and words[0].isdigit():
            out.append((float(words[1]), float(words[3])))
        elif words and out and 'P A R T I C I P A T I O N' in text:
            break
    return out


def shapes(frd, name):
    """Lines of shapes.csv from a result file: deck, mode, node, displacements (unit generalised mass)."""
    out, mode, is_field = [], 0, False
    for text in frd.splitlines():
        if text.startswith(' -4'):
            is_field = 'DISP' in text
            mode += is_field
        elif text.startswith(' -3'):
            is_field = False
        elif is_field and text.startswith(' -1') and mode <= SHAPE_COUNT and int(text[3:13]) in SHAPES[name]:
            values = [float(text[13 + 12 * k:25 + 12 * k]) for k in range(3)]
            out.append(f'{name},{mode},{int(text[3:13])},' + ','.join(f'{v:.6g}' for v in values))
    return out


def run(folder, name, deck, table, motions):
    with tempfile.TemporaryDirectory() as place:
        place = pathlib.Path(place)
        heading = f'*HEADING\nfemflex test deck {name}\n'
        log = ccx(place, 'job', heading + deck + step(name, True, 4))
        rows = len((place / 'job.dof').read_text().split()) if (place / 'job.dof').exists() else 0
        # its eigensolver needs several vectors for each mode
        log += ccx(place, 'own', heading + deck + step(name, False, max(1, min(8, rows // 7))))
        if name in SHAPES:
            motions += shapes((place / 'own.frd').read_text(), name)
        dat = (place / 'own.dat').read_text() if (place / 'own.dat').exists() else ''
        found = frequencies(dat)
        if not found or not rows:
            errors = [t for t in log.splitlines() if 'ERROR' in t]
            print(name, 'not made:', len(found), 'frequencies,', rows, 'rows;', errors[:2])
            return
        for end in ('inp', 'dof'):
            (folder / f'{name}.{end}').write_bytes((place / f'job.{end}').read_bytes())
        for end in ('sti', 'mas'):
            # explicit zeros say nothing
            kept = [t for t in (place / f'job.{end}').read_text().splitlines() if t.split() and float(t.split()[2]) != 0.0]
            with open(folder / f'{name}.{end}.gz', 'wb') as raw, gzip.GzipFile('', 'wb', 9, raw, 0) as out:
                out.write(('\n'.join(' '.join(t.split()) for t in kept) + '\n').encode())
        table.append(name + ',' + ','.join(f'{hz:.7g}' if value > 0 else '0' for value, hz in found))


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    chosen = sys.argv[2:]
    table, motions = [], []
    for name, deck in decks().items():
        if not chosen or name in chosen:
            run(folder, name, deck, table, motions)
    (folder / 'shapes.csv').write_text('# deck, mode, node, displacements of unit generalised mass as CalculiX prints them\n' +
                                       '\n'.join(motions) + '\n')
    (folder / 'frequencies.csv').write_text('# deck, frequencies in Hz as CalculiX prints them\n' + '\n'.join(table) + '\n')


main()
