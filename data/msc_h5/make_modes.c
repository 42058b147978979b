/* Writes valid/modes.h5: two grids and two modes in the layout of MDLPRM,HDF5 (MSC NASTRAN 2020).
   cc make_modes.c $(pkg-config --cflags --libs hdf5) && ./a.out valid/modes.h5 */
#include <hdf5.h>
#include <stddef.h>
#include <stdint.h>

typedef struct { int64_t id, cp; double x[3]; int64_t cd, ps, seid, domain; } Grid;
typedef struct { int64_t id, subcase, step, analysis; double eigr, eigi; int64_t mode; } Domain;
typedef struct { int64_t mode, order; double eigen, omega, freq, mass, stiff; int64_t domain; } Value;
typedef struct { int64_t id; double x, y, z, rx, ry, rz; int64_t domain; } Row;

static hid_t make(const char* names[], const hid_t types[], const size_t at[], int n, size_t size) {
  hid_t t = H5Tcreate(H5T_COMPOUND, size);
  for (int k = 0; k < n; ++k) H5Tinsert(t, names[k], at[k], types[k]);
  return t;
}

static void put(hid_t file, const char* path, hid_t type, const void* rows, hsize_t n) {
  hid_t space = H5Screate_simple(1, &n, NULL), link = H5Pcreate(H5P_LINK_CREATE);
  H5Pset_create_intermediate_group(link, 1);
  hid_t set = H5Dcreate2(file, path, type, space, link, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, rows);
  H5Dclose(set);
}

int main(int argc, char** argv) {
  const hid_t I = H5T_NATIVE_INT64, R = H5T_NATIVE_DOUBLE;
  hid_t file = H5Fcreate(argc > 1 ? argv[1] : "modes.h5", H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hsize_t three = 3;
  const hid_t X = H5Tarray_create2(R, 1, &three);
  const Grid grids[] = {{1, 0, {0, 0, 0}, 0, 0, 0, 1}, {2, 0, {1, 2, 3}, 0, 0, 0, 1}};
  put(file, "/NASTRAN/INPUT/NODE/GRID",
      make((const char*[]){"ID", "CP", "X", "CD", "PS", "SEID", "DOMAIN_ID"}, (hid_t[]){I, I, X, I, I, I, I},
           (size_t[]){offsetof(Grid, id), offsetof(Grid, cp), offsetof(Grid, x), offsetof(Grid, cd), offsetof(Grid, ps), offsetof(Grid, seid), offsetof(Grid, domain)}, 7, sizeof(Grid)),
      grids, 2);
  const Domain domains[] = {{1, 0, 0, 0, 0, 0, 0}, {2, 1, 0, 2, 4, 0, 1}, {3, 1, 0, 2, 9, 0, 2}, {4, 1, 0, 2, 4, 0, 1}, {5, 1, 0, 2, 9, 0, 2}};
  put(file, "/NASTRAN/RESULT/DOMAINS",
      make((const char*[]){"ID", "SUBCASE", "STEP", "ANALYSIS", "TIME_FREQ_EIGR", "EIGI", "MODE"}, (hid_t[]){I, I, I, I, R, R, I},
           (size_t[]){offsetof(Domain, id), offsetof(Domain, subcase), offsetof(Domain, step), offsetof(Domain, analysis), offsetof(Domain, eigr), offsetof(Domain, eigi), offsetof(Domain, mode)}, 7, sizeof(Domain)),
      domains, 5);
  const Value values[] = {{1, 1, 4, 2, 0.3183098861837907, 1, 4, 2}, {2, 2, 9, 3, 0.477464829275686, 1, 9, 3}};
  put(file, "/NASTRAN/RESULT/SUMMARY/EIGENVALUE",
      make((const char*[]){"MODE", "ORDER", "EIGEN", "OMEGA", "FREQ", "MASS", "STIFF", "DOMAIN_ID"}, (hid_t[]){I, I, R, R, R, R, R, I},
           (size_t[]){offsetof(Value, mode), offsetof(Value, order), offsetof(Value, eigen), offsetof(Value, omega), offsetof(Value, freq), offsetof(Value, mass), offsetof(Value, stiff), offsetof(Value, domain)}, 8, sizeof(Value)),
      values, 2);
  const Row rows[] = {{1, 1, 2, 3, 4, 5, 6, 4}, {2, 0, 0, 1, 0, 0, 0, 4}, {1, -1, -2, -3, -4, -5, -6, 5}, {2, 0, 0, -1, 0, 0, 0, 5}};
  put(file, "/NASTRAN/RESULT/NODAL/EIGENVECTOR",
      make((const char*[]){"ID", "X", "Y", "Z", "RX", "RY", "RZ", "DOMAIN_ID"}, (hid_t[]){I, R, R, R, R, R, R, I},
           (size_t[]){offsetof(Row, id), offsetof(Row, x), offsetof(Row, y), offsetof(Row, z), offsetof(Row, rx), offsetof(Row, ry), offsetof(Row, rz), offsetof(Row, domain)}, 8, sizeof(Row)),
      rows, 4);
  return H5Fclose(file) < 0;
}
