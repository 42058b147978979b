/* Loads the shared library of lattices as a host program does, runs the static and the dynamic
 * interface, and checks that the energy put in through the ports is that of the model.
 * Truths: the power balance; the same motion by both interfaces. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "femflex_lattice.h"

static void* library;

static void* find(const char* name) {
  void* symbol = dlsym(library, name);
  if (symbol == NULL) {
    fprintf(stderr, "no %s in the library\n", name);
    exit(1);
  }
  return symbol;
}

static const char* (*last_error)(void);

static void need(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "%s: %s\n", what, last_error());
  exit(1);
}

/* ISO C has no cast from an object to a function pointer. */
#define LOOK_UP(pointer, name)                  \
  do {                                          \
    void* symbol = find(name);                  \
    memcpy(&(pointer), &symbol, sizeof symbol); \
  } while (0)

int main(int count, char** words) {
  int (*set_model)(const char*);
  int (*initialize)(void);
  int (*initialize_run)(void);
  int (*step)(double*, int, double*, int, int);
  int (*terminate_run)(void);
  int (*terminate)(void);
  int (*states)(void);
  int (*initial_state)(double*, int);
  int (*rate)(double*, int, double*, int, const double*, double*, int, int);
  double in[5] = {0.0, 0.0, -20.0, 0.1, 0.0};
  double out[7] = {0.0};
  double minor[7] = {0.0};
  double flow[4] = {0.0};
  int i, k, s, n;
  double *state, *stage, *slope, *sum;
  if (count != 3) return 2;
  library = dlopen(words[1], RTLD_NOW);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  LOOK_UP(last_error, "LastError");
  LOOK_UP(set_model, "SetModel");
  LOOK_UP(initialize, "Initialize");
  LOOK_UP(initialize_run, "InitializeRun");
  LOOK_UP(step, "Step");
  LOOK_UP(terminate_run, "TerminateRun");
  LOOK_UP(terminate, "Terminate");
  LOOK_UP(states, "States");
  LOOK_UP(initial_state, "InitialState");
  LOOK_UP(rate, "Rate");

  need(step(in, 5, out, 7, 1) != 0, "a step before Initialize is refused");
  need(set_model("/no/such/model.json") == 0 && initialize() != 0, "a missing model is refused");
  need(set_model(words[2]) == 0 && initialize() == 0, "Initialize");
  need(initialize_run() == 0, "InitializeRun");
  need(step(in, 4, out, 7, 1) != 0, "a wrong number of inputs is refused");
  for (i = 1; i <= 2000; ++i) {
    in[0] = 0.0005 * i;
    if (i % 100 == 0) {
      need(step(in, 5, minor, 7, 0) == 0, "minor step");
      need(step(in, 5, out, 7, 1) == 0, "major step");
      need(memcmp(minor, out, sizeof out) == 0, "a minor step tells the major one");
    } else {
      need(step(in, 5, out, 7, 1) == 0, "major step");
    }
  }
  printf("in %.9g J, H %.9g J, error %.3g J\n", out[4], out[5], out[6]);
  need(fabs(out[4]) > 1.0, "the ports do work");
  need(fabs(out[6]) < 1e-8 * fabs(out[4]), "power balance");
  need(terminate_run() == 0, "TerminateRun");

  /* the host's own Runge-Kutta steps over the dynamic interface: three to a step of the static
   * one, as many as the model takes inside it */

  n = states();
  need(n > 0, "States");
  state = calloc((size_t)n * 4, sizeof(double));
  if (state == NULL) return 1;
  stage = state + n;
  slope = stage + n;
  sum = slope + n;
  need(initial_state(state, n) == 0, "InitialState");
  for (i = 0; i < 6000; ++i) {
    static const double h = 0.0005 / 3;
    static const double c[4] = {0.0, 0.5, 0.5, 1.0};
    static const double b[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    memset(sum, 0, (size_t)n * sizeof(double));
    memset(slope, 0, (size_t)n * sizeof(double));
    for (s = 0; s < 4; ++s) {
      for (k = 0; k < n; ++k)
        stage[k] = state[k] + c[s] * h * slope[k];
      in[0] = h * (i + c[s]);
      need(rate(in, 5, flow, 4, stage, slope, n, s == 3) == 0, "Rate");
      for (k = 0; k < n; ++k)
        sum[k] += b[s] * slope[k];
    }
    for (k = 0; k < n; ++k)
      state[k] += h * sum[k];
  }
  in[0] = 1.0;
  need(rate(in, 5, flow, 4, state, slope, n, 1) == 0, "Rate");
  for (k = 0; k < 4; ++k)
    need(fabs(flow[k] - out[k]) < 1e-9 * (1.0 + fabs(out[k])), "both interfaces agree");
  free(state);
  need(terminate() == 0, "Terminate");
  need(initialize() == 0 && initialize_run() == 0, "the model is still known after Terminate");
  need(terminate() == 0, "Terminate");
  return 0;
}
