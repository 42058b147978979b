#!/bin/sh
# The roads of the manoeuvres as tables of two tracks: roads.sh, in the folder that takes them.
# Leaves twist.csv, cobbles.csv, kerb.csv; columns are x, left, right in metres.
set -e
# a twist ditch: waves of 6 m and 0.12 m, the tracks against each other, from x = 10 m on
awk 'BEGIN { for (x = -20; x <= 80; x += 0.1) {
  z = x < 10 || x > 40 ? 0 : 0.06 * (1 - cos(2 * 3.14159265 * (x - 10) / 6))
  s = x < 10 || x > 40 ? 0 : (x - 10) % 12 < 6
  printf "%.2f, %.6f, %.6f\n", x, s ? z : 0, s ? 0 : z } }' > twist.csv
# a mile of cobbles of 0.16 m and random height, rms 6 mm, as a wheel with a patch of 0.2 m feels it
awk 'function uniform() { seed = (16807 * seed) % 2147483647; return seed / 2147483647 - 0.5 }
BEGIN { seed = 4711; step = 0.05; n = 34200
  for (i = 0; i <= n; i++) {
    stone = int(i * step / 0.16)
    if (stone != last || i == 0) { l = 0.0208 * uniform(); r = 0.0208 * uniform(); last = stone }
    left[i] = l; right[i] = r }
  for (i = 2; i <= n - 2; i++) {
    x = i * step - 20; ramp = x < 8 ? 0 : (x > 12 ? 1 : (x - 8) / 4)
    sl = sr = 0; for (k = -2; k <= 2; k++) { sl += left[i + k] / 5; sr += right[i + k] / 5 }
    printf "%.2f, %.6f, %.6f\n", x, ramp * sl, ramp * sr } }' > cobbles.csv
# a kerb of 0.1 m with a rounded edge below the left wheels, from x = 12 m to 22 m
awk 'BEGIN { h = 0.1; r = 0.02
  for (x = -20; x < 11.9; x += 0.5) printf "%.3f, 0, 0\n", x
  for (x = 11.95; x < 12.15; x += 0.005) { d = (x - 12) / 0.03
    z = d <= 0 ? 0 : (d >= 1 ? h : h * d * d * (3 - 2 * d)); printf "%.3f, %.6f, 0\n", x, z }
  for (x = 12.5; x < 21.9; x += 0.5) printf "%.3f, %.6f, 0\n", x, h
  for (x = 21.95; x < 22.15; x += 0.005) { d = (x - 22) / 0.03
    z = d <= 0 ? h : (d >= 1 ? 0 : h * (1 - d * d * (3 - 2 * d))); printf "%.3f, %.6f, 0\n", x, z }
  for (x = 22.5; x < 80; x += 0.5) printf "%.3f, 0, 0\n", x }' > kerb.csv
