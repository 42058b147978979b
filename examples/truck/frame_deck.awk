# Writes a ladder frame of solid elements as a CalculiX deck: awk -v step=0.018 -f frame_deck.awk
# Two channel rails of 8 mm, 0.2 m high, 0.8 m apart, 6 m long, and seven channel cross members that
# hold to the rails by bolted washers alone. Brick by brick on a grid of planes: a cell is filled or
# empty, and filled cells share nodes. Units m, kg, s. Node sets S201 ... are where femflex's truck
# is mounted: 100 (bay + 1) + corner, a bay each 0.5 m; corner 1 right bottom, 2 right top, 3 left
# bottom, 4 left top.
function plane(list, n, value) { list[n + 1] = value; return n + 1 }
function id(i, j, k) { return 10000 + ((k - 1) * ny + (j - 1)) * nx + i }
function node(i, j, k,   number) { number = id(i, j, k); used[number] = 1; return number }
function member_of(i,   m) { # the cross member whose web is the cell i, or whose flange covers it
  for (m = 1; m <= members; m++)
    if (i >= first[m] && i < first[m] + 5) return m
  return 0
}
function filled(i, j, k,   y, z, m, is_web) {
  y = (ys[j] + ys[j + 1]) / 2; if (y < 0) y = -y
  z = (zs[k] + zs[k + 1]) / 2; if (z < 0) z = -z
  if (y > 0.392) return 1                 # web of a rail
  if (z > 0.092) return y > 0.33          # its flanges
  m = member_of(i)
  if (m == 0 || z > 0.081) return 0
  is_web = i == first[m] || z > 0.069     # web and flanges of a cross member
  if (y > 0.384) return is_web && i <= first[m] + 1 && (z > 0.069 || z < 0.013)  # washers at bolts
  return is_web
}
function brick(i, j, k) {
  printf "%d, %d, %d, %d, %d, %d, %d, %d, %d\n", ++elements, node(i, j, k), node(i + 1, j, k), node(i + 1, j + 1, k), node(i, j + 1, k), \
    node(i, j, k + 1), node(i + 1, j, k + 1), node(i + 1, j + 1, k + 1), node(i, j + 1, k + 1)
}
BEGIN {
  if (step == "") step = 0.0176
  thickness = 0.008; members = 7
  # x: evenly, but for a thin cell at each web of a cross member
  for (m = 1; m <= members; m++) at[m] = 0.03 + (m - 1) * 0.98
  nx = plane(xs, 0, 0)
  for (m = 1; m <= members + 1; m++) {
    end = m <= members ? at[m] : 6
    cells = int((end - xs[nx]) / step + 0.5); if (cells < 1) cells = 1
    size = (end - xs[nx]) / cells; from = xs[nx]
    for (c = 1; c <= cells; c++) nx = plane(xs, nx, from + c * size)
    if (m <= members) { first[m] = nx; nx = plane(xs, nx, at[m] + thickness) }
  }
  ny = plane(ys, 0, -0.4); ny = plane(ys, ny, -0.392); ny = plane(ys, ny, -0.384)
  for (c = 1; c <= 3; c++) ny = plane(ys, ny, -0.384 + c * 0.018)
  for (c = 1; c <= 33; c++) ny = plane(ys, ny, -0.33 + c * 0.02)
  for (c = 1; c <= 3; c++) ny = plane(ys, ny, 0.33 + c * 0.018)
  ny = plane(ys, ny, 0.392); ny = plane(ys, ny, 0.4)
  nz = plane(zs, 0, -0.1); nz = plane(zs, nz, -0.092); nz = plane(zs, nz, -0.08); nz = plane(zs, nz, -0.07)
  for (c = 1; c <= 12; c++) nz = plane(zs, nz, -0.07 + c * 0.14 / 12)
  nz = plane(zs, nz, 0.08); nz = plane(zs, nz, 0.092); nz = plane(zs, nz, 0.1)
  print "** a ladder frame, by frame_deck.awk"
  print "*ELEMENT, TYPE=C3D8I, ELSET=FRAME"
  for (k = 1; k < nz; k++) for (j = 1; j < ny; j++) for (i = 1; i < nx; i++) if (filled(i, j, k)) brick(i, j, k)
  print "*NODE, NSET=ALL"
  for (k = 1; k <= nz; k++) for (j = 1; j <= ny; j++) for (i = 1; i <= nx; i++)
    if (id(i, j, k) in used) { nodes++; printf "%d, %.6f, %.6f, %.6f\n", id(i, j, k), xs[i], ys[j], zs[k] }
  # where forces act: nodes of the flange or of the web within 45 mm
  split("201 202 204 301 303 401 403 502 504 701 802 804 1001 1003 1101 1102 1103 1104 1201 1203 1302 1304", seats, " ")
  for (s in seats) {
    corner = seats[s] % 100; x = (int(seats[s] / 100) - 1) * 0.5
    y = corner < 3 ? -0.4 : 0.4; z = corner % 2 ? -0.1 : 0.1
    printf "*NSET, NSET=S%d\n", seats[s]
    for (k = 1; k <= nz; k++) for (j = 1; j <= ny; j++) for (i = 1; i <= nx; i++)
      if ((id(i, j, k) in used) && (xs[i] - x) ^ 2 + (ys[j] - y) ^ 2 + (zs[k] - z) ^ 2 < 0.045 ^ 2) printf "%d,\n", id(i, j, k)
  }
  print "*MATERIAL, NAME=STEEL\n*ELASTIC\n2.1E11, 0.3\n*DENSITY\n7850.\n*SOLID SECTION, ELSET=FRAME, MATERIAL=STEEL"
  print "*STEP\n*FREQUENCY, SOLVER=MATRIXSTORAGE\n10\n*END STEP"
  printf "%d nodes, %d elements, %d DOFs\n", nodes, elements, 3 * nodes > "/dev/stderr"
}
