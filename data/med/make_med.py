#!/usr/bin/python3
"""Writes small MED files by the published layout (MED 4 on HDF5), with h5py.

    make_med.py FOLDER

shapes.med: every element shape, on a brick of 2. modes.med: a brick of 1 x 2 x 3 with numbers of its own, two modes
(12.5 and 40 Hz), a load case on the first four nodes alone, stresses, the groups FOOT (nodes) and TOP (faces). Value of
mode m at the k-th node: k + component / 8 + 100 m. modes_new.med: the same in the newer form of HDF5.
"""
import pathlib, sys
import h5py
import numpy as np

NONE = 'MED_NO_PROFILE_INTERNAL'
BRICK = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0), (0, 0, 2), (2, 0, 2), (2, 2, 2), (0, 2, 2)]
# corners on the brick, seen from above: MED numbers the lower face of a solid clockwise
CORNERS = {'SE2': [0, 1], 'TR3': [0, 1, 3], 'QU4': [0, 1, 2, 3], 'TE4': [0, 3, 1, 4], 'PY5': [0, 3, 2, 1, 4],
           'PE6': [0, 3, 1, 4, 7, 5], 'HE8': [0, 3, 2, 1, 4, 7, 6, 5]}
# quadratic kinds: the linear one, and the corners between which each further node lies: lower, upper, upright edges
RING3, RING4 = [(0, 1), (1, 2), (2, 0)], [(0, 1), (1, 2), (2, 3), (3, 0)]
MIDS = {'SE3': ('SE2', [(0, 1)]), 'TR6': ('TR3', RING3), 'QU8': ('QU4', RING4),
        'T10': ('TE4', RING3 + [(0, 3), (1, 3), (2, 3)]), 'P13': ('PY5', RING4 + [(k, 4) for k in range(4)]),
        'P15': ('PE6', RING3 + [(a + 3, b + 3) for a, b in RING3] + [(k, k + 3) for k in range(3)]),
        'H20': ('HE8', RING4 + [(a + 4, b + 4) for a, b in RING4] + [(k, k + 4) for k in range(4)])}


# number of each kind of element
GEOMETRY = {'PO1': 1, 'SE2': 102, 'SE3': 103, 'TR3': 203, 'QU4': 204, 'TR6': 206, 'QU8': 208, 'TE4': 304, 'PY5': 305,
            'PE6': 306, 'HE8': 308, 'T10': 310, 'P13': 313, 'P15': 315, 'H20': 320}


def text(value): return np.bytes_(value)


def numbers(group, **values):
    for key, value in values.items(): group.attrs[key] = np.int32(value)


def texts(group, **values):
    for key, value in values.items(): group.attrs[key] = text(value)


def all_of(group, **more):
    """What MED says of every group of nodes or elements."""
    numbers(group, CGT=1, CGS=1, **more)
    texts(group, PFL=NONE)
    return group


def start(path, name, new):
    h5py.get_config().track_order = not new  # MED's own library goes through groups in this order
    f = h5py.File(path, 'w', libver='latest' if new else 'earliest')
    info = f.create_group('INFOS_GENERALES')
    numbers(info, MAJ=4, MIN=0, REL=0)
    mesh = f.create_group(f'ENS_MAA/{name}')
    numbers(mesh, DIM=3, ESP=3, REP=0, TYP=0, SRT=1, NXT=-1, NXI=-1)
    texts(mesh, NOM=''.join(c.ljust(16) for c in 'XYZ'), DES='made by hand', UNI='m'.ljust(16) * 3, UNT='s')
    step = mesh.create_group(f'{-1:020d}{-1:020d}')
    numbers(step, CGT=1, NDT=-1, NOR=-1, NXT=-1, NXI=-1, PVT=-1, PVI=-1)
    step.attrs['PDT'] = -1.0
    numbers(f.create_group(f'FAS/{name}/FAMILLE_ZERO'), NUM=0)
    return f, step


def data_set(group, name, values, count, kind=np.int32):
    made = group.create_dataset(name, data=np.asarray(values, dtype=kind))
    numbers(made, CGT=1, NBR=count)


def columns(rows): return np.asarray(rows).T.flatten()


def family(f, path, number, groups):
    group = f.create_group(path)
    numbers(group, NUM=number)
    names = group.create_group('GRO')
    numbers(names, NBR=len(groups))
    made = names.create_dataset('NOM', (len(groups),), dtype='80int8')
    for k, name in enumerate(groups): made[k] = [ord(c) for c in name.ljust(80, '\0')]


def shapes(path):
    f, step = start(path, 'brick', False)
    nodes, ids = [], {}

    def node(x):
        if x not in ids: ids[x] = len(nodes) + 1; nodes.append(x)
        return ids[x]
    for kind in [*CORNERS, *MIDS, 'PO1']:
        linear, mids = MIDS.get(kind, (kind, []))
        corners = [tuple(map(float, BRICK[k])) for k in CORNERS.get(linear, [0])]
        some = corners + [tuple((p + q) / 2 for p, q in zip(corners[a], corners[b])) for a, b in mids]
        group = all_of(step.require_group('MAI').create_group(kind), GEO=GEOMETRY[kind])
        data_set(group, 'NOD', columns([[node(x) for x in some]]), 1)
    numbers(step['MAI'], CGT=1)
    data_set(all_of(step.create_group('NOE')), 'COO', columns(nodes), len(nodes), float)
    f.close()


def field(f, name, components, steps):
    """`steps`: number, value, profile, values with a row a node."""
    made = f.create_group(f'CHA/{name}')
    numbers(made, TYP=6, NCO=len(components))
    texts(made, MAI='part', NOM=''.join(c.ljust(16) for c in components), UNI=' ' * 16 * len(components), UNT='s')
    for number, value, profile, values in steps:
        step = made.create_group(f'{number:020d}{number:020d}')
        numbers(step, NDT=number, NOR=number, RDT=-1, ROR=-1)
        step.attrs['PDT'] = float(value)
        group = step.create_group(f'NOE/{profile}')
        texts(step['NOE'], GAU='', PFL=profile)
        numbers(group, NBR=len(values), NGA=1)
        texts(group, GAU='')
        group.create_dataset('CO', data=columns(values))


def modes(path, new):
    f, step = start(path, 'part', new)
    nodes = [(x, y, z) for z in (0.0, 3.0) for y in (0.0, 2.0) for x in (0.0, 1.0)]
    group = all_of(step.create_group('NOE'))
    data_set(group, 'COO', columns(nodes), 8, float)
    data_set(group, 'NUM', [11, 12, 13, 14, 21, 22, 23, 24], 8)
    data_set(group, 'FAM', [1, 1, 1, 2, 0, 0, 0, 0], 8)
    brick = all_of(step.create_group('MAI/HE8'), GEO=308)
    numbers(step['MAI'], CGT=1)
    data_set(brick, 'NOD', columns([[1, 3, 4, 2, 5, 7, 8, 6]]), 1)
    face = all_of(step.create_group('MAI/QU4'), GEO=204)
    data_set(face, 'NOD', columns([[5, 6, 8, 7]]), 1)
    data_set(face, 'FAM', [-4], 1)
    family(f, 'FAS/part/NOEUD/one', 1, ['FOOT'])
    family(f, 'FAS/part/NOEUD/two', 2, ['FOOT', 'CORNER'])
    family(f, 'FAS/part/ELEME/top', -4, ['TOP'])
    numbers(f.create_group('PROFILS/first'), NBR=4)
    f['PROFILS/first'].create_dataset('PFL', data=np.arange(1, 5, dtype=np.int32))

    def values(mode, count, width): return [[k + c / 8 + 100 * mode for c in range(1, width + 1)] for k in range(1, count + 1)]
    field(f, 'MODES___DEPL', ['DX', 'DY', 'DZ', 'DRX', 'DRY', 'DRZ'],
          [(1, 12.5, NONE, values(1, 8, 6)), (2, 40.0, NONE, values(2, 8, 6))])
    field(f, 'LOAD____DEPL', ['DX', 'DY', 'DZ'], [(1, 0.0, 'first', values(0, 4, 3))])
    field(f, 'LOAD____SIEQ', ['VMIS'], [(1, 0.0, NONE, values(0, 8, 1))])
    f.close()


if __name__ == '__main__':
    folder = pathlib.Path(sys.argv[1])
    shapes(folder / 'shapes.med')
    modes(folder / 'modes.med', False)
    modes(folder / 'modes_new.med', True)
