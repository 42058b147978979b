#!/usr/bin/env python3
# Writes the samples of measured histories: a push 40 sin(3 t) N and an acceleration 0.5 cos(2 t)
# m/s^2, 2 s at 100 Hz, as MATLAB files of level 5 (plain and packed) and as RPC III (integers and
# floating point). Needs numpy and scipy. RPC III: own writer from the published record layout.
import os
import struct

import numpy as np
from scipy.io import savemat

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "valid")
t = np.arange(201) * 0.01
push = 40 * np.sin(3 * t)
acceleration = 0.5 * np.cos(2 * t)

arrays = {
    "t": t,
    "push": push,
    "both": np.column_stack([push, acceleration]),
    "counts": np.arange(5, dtype=np.int16),
    "single": push.astype(np.float32),
    "note": "measured on a bench",
}
savemat(os.path.join(FOLDER, "bench_v6.mat"), arrays, do_compression=False)
savemat(os.path.join(FOLDER, "bench_v7.mat"), arrays, do_compression=True)


def record(key, value):
    return key.encode().ljust(32, b"\0") + str(value).encode().ljust(96, b"\0")


def rpc(name, is_real):
    per_frame, per_group = 64, 128
    frames = 4  # 256 points: 201 of the history, the rest holds the last value
    columns = [np.concatenate([c, np.full(256 - 201, c[-1])]) for c in (push, acceleration)]
    scales = [max(abs(c)) / 32752 for c in columns]
    records = [
        ("FORMAT", "BINARY_IEEE_LITTLE_END"),
        ("NUM_HEADER_BLOCKS", 0),
        ("CHANNELS", 2),
        ("DELTA_T", "1.000000e-002"),
        ("FILE_TYPE", "TIME_HISTORY"),
        ("DATA_TYPE", "FLOATING_POINT" if is_real else "SHORT_INTEGER"),
        ("PTS_PER_FRAME", per_frame),
        ("PTS_PER_GROUP", per_group),
        ("FRAMES", frames),
        ("INT_FULL_SCALE", 32752),
    ]
    for k, (desc, units) in enumerate((("push", "N"), ("acceleration", "m/s^2")), 1):
        records += [
            (f"DESC.CHAN_{k}", desc),
            (f"UNITS.CHAN_{k}", units),
            (f"SCALE.CHAN_{k}", repr(scales[k - 1])),
            (f"LOWER_LIMIT.CHAN_{k}", -1),
            (f"UPPER_LIMIT.CHAN_{k}", 1),
        ]
    while len(records) % 4:
        records.append(("", ""))
    records[1] = ("NUM_HEADER_BLOCKS", len(records) // 4)
    data = b"".join(record(key, value) for key, value in records)
    for group in range(256 // per_group):
        for column, scale in zip(columns, scales):
            piece = column[group * per_group:(group + 1) * per_group]
            data += (piece.astype("<f4").tobytes() if is_real
                     else np.round(piece / scale).astype("<i2").tobytes())
    with open(os.path.join(FOLDER, name), "wb") as out:
        out.write(data)


rpc("bench_short.rsp", False)
rpc("bench_float.rsp", True)
