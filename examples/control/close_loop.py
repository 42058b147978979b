"""Closes a PID loop around the matrices A, B, C, D that femflex linearise --state-space wrote.

    femflex linearise servo.json --variant open --no-statics --state-space plant.mat \\
        --state-inputs controller --state-outputs pivot/angle
    python3 close_loop.py plant.mat
"""

import sys

import numpy as np
from scipy.io import loadmat

plant = loadmat(sys.argv[1] if len(sys.argv) > 1 else "plant.mat")
A, B, C = plant["A"], plant["B"], plant["C"]
print("inputs", [str(name[0][0]) for name in plant["inputs"]])
print("states", [str(name[0][0]) for name in plant["states"]])

# u = kp e + ki integral(e) + kd (e - f) / T, f' = (e - f) / T, e = -y
kp, ki, kd, T = 220.0, 400.0, 30.0, 0.003
gain = kp + kd / T
n = A.shape[0]
zero = np.zeros((n, 1))
loop = np.block(
    [
        [A - gain * B @ C, B, -kd / T * B],  # plant
        [-ki * C, np.zeros((1, 2))],  # integral
        [-C / T, np.array([[0.0, -1.0 / T]])],  # filter
    ]
)
for pole in sorted(np.linalg.eigvals(loop), key=abs):
    print(f"{pole.real:16.9f} {pole.imag:+16.9f}i")
