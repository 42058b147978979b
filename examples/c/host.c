/* A host program in C that runs lattices through both interfaces of femflex_lattice.h.
 *
 *   gcc -std=c99 host.c -I PREFIX/include -L PREFIX/lib -lfemflex_lattice -lm -o host
 *   femflex lattice chain_pushed.json --nodes 11 --csv chain.csv
 *   ./host . chain.csv
 *
 *   1  chain        hangs, is pushed sideways; the same figures as the program's own run
 *   2  two masses   a polynomial Hamiltonian; q1(t) in closed form
 *   3  ladder       a force at a node and a velocity at R; energy in = energy stored
 *   4  chain and two masses at once, step by step in turns, bit for bit as alone
 *   5  the state is kept, and the run is continued from it bit for bit
 * Static means that the model integrates itself, dynamic that this program does, by Runge-Kutta.
 * Exits with 1 where a figure is off. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <femflex/femflex_lattice.h>

enum { MOST_STATES = 200, MOST_NUMBERS = 16 };

static const char* folder;
static int faults = 0;

static void stop(const char* what, const char* why) {
  fprintf(stderr, "%s: %s\n", what, why);
  exit(1);
}

static void check(const char* what, double found, double expected, double tolerance) {
  const int is_off = !(fabs(found - expected) <= tolerance);
  printf("  %-34s %15.9g  expected %15.9g%s\n", what, found, expected, is_off ? "  OFF" : "");
  faults += is_off;
}

static const char* path_of(const char* name) {
  static char path[1024];
  if (strlen(folder) + strlen(name) + 2 > sizeof path) stop(name, "path too long");
  sprintf(path, "%s/%s", folder, name);
  return path;
}

/* ---- the host's own Runge-Kutta, over sFunction of the default model ---- */

static void rates(double time, double* u, double* x, double* y, double* dx,
                  struct SimulatorSFunctionStruct* s) {
  s->simulationCurrentTime = time;
  if (sFunction(u, x, y, dx, s) == 0) stop("sFunction", LastError());
}

static void runge_kutta(double time, double h, double* u, double* x, double* y,
                        struct SimulatorSFunctionStruct* s) {
  static const double c[4] = {0.0, 0.5, 0.5, 1.0};
  static const double b[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
  static double stage[MOST_STATES], slope[MOST_STATES], sum[MOST_STATES];
  const int n = s->nrIndepStates;
  int i, k;
  for (i = 0; i < MOST_STATES; ++i)
    stage[i] = slope[i] = sum[i] = 0.0;
  s->major = 0;
  for (k = 0; k < 4; ++k) {
    for (i = 0; i < n; ++i)
      stage[i] = x[i] + c[k] * h * slope[i];
    rates(time + c[k] * h, u, stage, y, slope, s);
    for (i = 0; i < n; ++i)
      sum[i] += b[k] * slope[i];
  }
  for (i = 0; i < n; ++i)
    x[i] += h * sum[i];
  s->major = 1;
  rates(time + h, u, x, y, slope, s); /* the accepted step */
}

/* Opens a model for sFunction; its start goes to x. */
static void begin_dynamic(const char* name, int inputs, int outputs, double* x,
                          struct SimulatorSFunctionStruct* s) {
  double dependent[MOST_NUMBERS];
  memset(s, 0, sizeof *s);
  s->nrInputs = inputs;
  s->nrOutputs = outputs;
  if (SetModel(path_of(name)) == 0 || Initialize() == 0 || SFunctionInit(s) == 0)
    stop(name, LastError());
  if (s->nrIndepStates + s->nrDepStates > MOST_STATES) stop(name, "too many states");
  memset(x, 0, MOST_STATES * sizeof *x);
  if (SFunctionGetInitialStates(x, dependent, NULL, s) == 0) stop(name, LastError());
}

static void begin_static(const char* name) {
  if (SetModel(path_of(name)) == 0 || Initialize() == 0 || InitializeRun() == 0)
    stop(name, LastError());
}

static void step(double* in, int inputs, double* out, int outputs) {
  if (Step(in, inputs, out, outputs, 1) != 0) stop("Step", LastError());
}

/* ---- 1: the chain against the program's own run ---- */

static double push(int step) { return step < 600 ? -1000.0 : 0.0; } /* 0.3 s of 0.5 ms */

/* x, y, vx, vy of node 11 and the energies in the last row of a table */
static void last_row(const char* path, double* row, int count) {
  char line[4096], last[4096] = "";
  char* at;
  int i;
  FILE* file = fopen(path, "r");
  if (file == NULL) stop(path, "cannot be read");
  while (fgets(line, sizeof line, file) != NULL)
    strcpy(last, line);
  fclose(file);
  at = strchr(last, ',');
  for (i = 0; i < count; ++i) {
    if (at == NULL) stop(path, "too few columns");
    row[i] = strtod(at + 1, NULL);
    at = strchr(at + 1, ',');
  }
}

static void chain(const char* table) {
  const double h = 0.0005;
  double in[3] = {0.0}, out[5], u[2] = {0.0}, x[MOST_STATES], y[3], own[7];
  struct SimulatorSFunctionStruct s;
  double state[MOST_STATES];
  int i;
  last_row(table, own, 7);

  printf("chain, static\n");
  begin_static("chain.json");
  for (i = 0; i < 2000; ++i) {
    in[0] = h * (i + 1);
    in[1] = push(i);
    step(in, 3, out, 5);
  }
  if (GetState(state, States()) == 0) stop("GetState", LastError());
  check("x of the lower end [m]", state[20], own[0], 1e-9);
  check("y of the lower end [m]", state[21], own[1], 1e-9);
  check("its velocity vx [m/s]", out[0], own[2], 1e-9);
  check("its velocity vy [m/s]", out[1], own[3], 1e-9);
  check("energy H [J]", out[3], own[6], 1e-8);
  check("error of the power balance [J]", out[4], 0.0, 1e-5);
  if (TerminateRun() == 0 || Terminate() == 0) stop("Terminate", LastError());

  printf("chain, dynamic\n");
  begin_dynamic("chain.json", 2, 3, x, &s);
  for (i = 0; i < 2000; ++i) {
    u[0] = push(i);
    runge_kutta(h * i, h, u, x, y, &s);
  }
  check("x of the lower end [m]", x[20], own[0], 1e-9);
  check("y of the lower end [m]", x[21], own[1], 1e-9);
  check("its velocity vx [m/s]", y[0], own[2], 1e-9);
  check("energy H [J]", y[2], own[6], 1e-8);
}

/* ---- 2: two coupled masses, pushed by a constant force from rest, in closed form ---- */

static double displacement(double t) {
  const double m = 2.0, k = 8.0, coupling = 3.0, force = 5.0;
  const double in_phase = k / m, out_of_phase = (k + 2 * coupling) / m; /* omega^2 [rad^2/s^2] */
  return force / (2 * m) *
         ((1 - cos(sqrt(in_phase) * t)) / in_phase +
          (1 - cos(sqrt(out_of_phase) * t)) / out_of_phase);
}

static void two_masses(void) {
  const double h = 0.001;
  double in[2] = {0.0, 5.0}, out[4], u[1] = {5.0}, x[MOST_STATES], y[2], state[4];
  struct SimulatorSFunctionStruct s;
  int i;
  printf("two masses, static\n");
  begin_static("two_masses.json");
  for (i = 0; i < 100; ++i) {
    in[0] = 0.05 * (i + 1); /* fifty inner steps of 1 ms */
    step(in, 2, out, 4);
  }
  if (GetState(state, 4) == 0) stop("GetState", LastError());
  check("q1 at 5 s [m]", state[0], displacement(5.0), 1e-10);
  check("energy in = force times way [J]", out[1], 5.0 * displacement(5.0), 1e-9);
  check("energy H [J]", out[2], 5.0 * displacement(5.0), 1e-9);

  printf("two masses, dynamic\n");
  begin_dynamic("two_masses.json", 1, 2, x, &s);
  for (i = 0; i < 5000; ++i)
    runge_kutta(h * i, h, u, x, y, &s);
  check("q1 at 5 s [m]", x[0], displacement(5.0), 1e-10);
  check("energy H [J]", y[1], 5.0 * displacement(5.0), 1e-9);
}

/* ---- 3: the ladder with a port of force and a port of velocity ---- */

static void ladder(void) {
  const double h = 0.0002;
  double in[5] = {0.0, 0.0, -20.0, 0.1, 0.0}, out[7];
  double x[MOST_STATES], y[5];
  struct SimulatorSFunctionStruct s;
  int i;
  printf("ladder, static\n");
  begin_static("ladder.json");
  for (i = 0; i < 5000; ++i) {
    in[0] = h * (i + 1);
    step(in, 5, out, 7);
  }
  check("energy in - H, from rest [J]", out[4] - out[5], 0.0, 1e-9 * out[5]);
  check("error of the power balance [J]", out[6], 0.0, 1e-9 * out[5]);

  printf("ladder, dynamic\n");
  begin_dynamic("ladder.json", 4, 5, x, &s);
  for (i = 0; i < 5000; ++i)
    runge_kutta(h * i, h, in + 1, x, y, &s);
  check("velocity of node 9, y [m/s]", y[1], out[1], 1e-9);
  check("force on R, x [N]", y[2], out[2], 1e-9);
  check("energy H [J]", y[4], out[5], 1e-8);
}

/* ---- 4: two models at once; 5: a kept state ---- */

static femflex_lattice* opened(const char* name) {
  femflex_lattice* model = femflex_lattice_open(path_of(name));
  if (model == NULL) stop(name, femflex_lattice_last_error(NULL));
  if (femflex_lattice_start_run(model) == 0) stop(name, femflex_lattice_last_error(model));
  return model;
}

static void advance(femflex_lattice* model, int i, double* out) {
  double in[3] = {0.0};
  const int inputs = 1 + femflex_lattice_ports(model) * femflex_lattice_dimension(model);
  in[0] = 0.0005 * (i + 1);
  in[1] = push(i);
  if (femflex_lattice_step(model, in, inputs, out, inputs + 2, 1) == 0)
    stop("step", femflex_lattice_last_error(model));
}

static void at_once(void) {
  double alone[2][MOST_NUMBERS], both[2][MOST_NUMBERS], kept[MOST_STATES];
  femflex_lattice *a, *b;
  const int bytes_a = 5 * (int)sizeof(double), bytes_b = 4 * (int)sizeof(double);
  double time = 0.0;
  int i, states;
  printf("two models at once\n");
  a = opened("chain.json");
  for (i = 0; i < 1000; ++i)
    advance(a, i, alone[0]);
  femflex_lattice_close(a);
  b = opened("two_masses.json");
  for (i = 0; i < 1000; ++i)
    advance(b, i, alone[1]);
  femflex_lattice_close(b);

  a = opened("chain.json");
  b = opened("two_masses.json");
  states = femflex_lattice_states(a);
  if (states < 0 || states > MOST_STATES) stop("chain", "too many states");
  for (i = 0; i < 1000; ++i) {
    if (i == 400) {
      time = femflex_lattice_time(a);
      if (femflex_lattice_get_state(a, kept, states) == 0)
        stop("get_state", femflex_lattice_last_error(a));
    }
    advance(a, i, both[0]);
    advance(b, i, both[1]);
  }
  check("chain as alone, bit for bit", memcmp(both[0], alone[0], bytes_a) == 0, 1.0, 0.0);
  check("two masses as alone, bit for bit", memcmp(both[1], alone[1], bytes_b) == 0, 1.0, 0.0);

  if (femflex_lattice_set_state(a, time, kept, states) == 0)
    stop("set_state", femflex_lattice_last_error(a));
  for (i = 400; i < 1000; ++i)
    advance(a, i, both[0]);
  check("velocities after going back", memcmp(both[0], alone[0], 16) == 0, 1.0, 0.0);
  femflex_lattice_close(a);
  femflex_lattice_close(b);
}

int main(int count, char** words) {
  if (count != 3) {
    fprintf(stderr, "usage: host FOLDER_OF_MODELS TABLE_OF_THE_CHAIN\n");
    return 2;
  }
  folder = words[1];
  chain(words[2]);
  two_masses();
  ladder();
  at_once();
  printf("%d figures are off\n", faults);
  return faults == 0 ? 0 : 1;
}
