/* Tests the shared library of lattices: loads it as a host program does, and makes wrong calls of
 * every kind. Each must return an error with a message and leave the model unchanged.
 * Truth: the return values in the header; the closed form of a mass with prescribed motion; the model
 * beside a copy of the library. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "femflex_lattice.h"

static void* library;
static const char* (*last_error)(void);
static const char* (*handle_error)(const femflex_lattice*);

static void* find(const char* name) {
  void* symbol = dlsym(library, name);
  if (symbol == NULL) {
    fprintf(stderr, "no %s in the library\n", name);
    exit(1);
  }
  return symbol;
}

static void need(int condition, const char* what) {
  if (condition) return;
  fprintf(stderr, "%s: %s / %s\n", what, last_error(), handle_error(NULL));
  exit(1);
}

/* ISO C does not allow a cast from an object pointer to a function pointer. */
#define LOOK_UP(pointer, name)                  \
  do {                                          \
    void* symbol = find(name);                  \
    memcpy(&(pointer), &symbol, sizeof symbol); \
  } while (0)

static int (*set_model)(const char*);
static int (*initialize)(void);
static int (*initialize_run)(void);
static int (*step)(double*, int, double*, int, int);
static int (*terminate_run)(void);
static int (*terminate)(void);
static int (*states)(void);
static int (*get_state)(double*, int);
static int (*set_state)(double, const double*, int);
static double (*get_time)(void);
static int (*s_init)(struct SimulatorSFunctionStruct*);
static int (*s_start)(double*, double*, double*, struct SimulatorSFunctionStruct*);
static int (*s_function)(double*, double*, double*, double*, struct SimulatorSFunctionStruct*);
static femflex_lattice* (*open_model)(const char*);
static void (*close_model)(femflex_lattice*);
static int (*handle_step)(femflex_lattice*, const double*, int, double*, int, int);
static int (*handle_ports)(femflex_lattice*);

static void load(const char* path) {
  library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  LOOK_UP(last_error, "LastError");
  LOOK_UP(handle_error, "femflex_lattice_last_error");
  LOOK_UP(set_model, "SetModel");
  LOOK_UP(initialize, "Initialize");
  LOOK_UP(initialize_run, "InitializeRun");
  LOOK_UP(step, "Step");
  LOOK_UP(terminate_run, "TerminateRun");
  LOOK_UP(terminate, "Terminate");
  LOOK_UP(states, "States");
  LOOK_UP(get_state, "GetState");
  LOOK_UP(set_state, "SetState");
  LOOK_UP(get_time, "GetTime");
  LOOK_UP(s_init, "SFunctionInit");
  LOOK_UP(s_start, "SFunctionGetInitialStates");
  LOOK_UP(s_function, "sFunction");
  LOOK_UP(open_model, "femflex_lattice_open");
  LOOK_UP(close_model, "femflex_lattice_close");
  LOOK_UP(handle_step, "femflex_lattice_step");
  LOOK_UP(handle_ports, "femflex_lattice_ports");
}

static void before_initialize(void) {
  double in[5] = {0.0}, out[7];
  struct SimulatorSFunctionStruct s;
  memset(&s, 0, sizeof s);
  need(step(in, 5, out, 7, 1) == 1 && strstr(last_error(), "Initialize"), "Step first");
  need(initialize_run() == 0 && terminate_run() == 0 && terminate() == 0, "run first");
  need(states() == -1 && get_state(out, 7) == 0 && set_state(0, in, 5) == 0, "state first");
  need(isnan(get_time()), "time first");
  need(s_init(&s) == 0 && s_start(in, in, in, &s) == 0 && s_function(in, in, out, out, &s) == 0,
       "sFunction first");
  need(set_model(NULL) == 0 && strstr(last_error(), "null"), "SetModel(NULL)");
  need(set_model("/no/such/model.json") == 1 && initialize() == 0, "no such file");
  need(strstr(last_error(), "/no/such/model.json") != NULL, "the message names the file");
  need(open_model(NULL) == NULL && open_model("/no/such.json") == NULL, "open");
  need(strstr(handle_error(NULL), "/no/such.json") != NULL, "the message of open");
  need(handle_ports(NULL) == -1 && handle_step(NULL, in, 5, out, 7, 1) == 0, "null handle");
  close_model(NULL);
}

static void write_text(const char* path, const char* text) {
  FILE* file = fopen(path, "w");
  if (file == NULL) exit(1);
  fputs(text, file);
  fclose(file);
}

static void broken_files(const char* ladder) {
  static const char* const texts[][2] = {
      {"", "empty"},
      {"{ \"nodes\": [", "broken.json:1"},
      {"{ \"femflex\": 1, \"nodes\": [] }", "nodes"},
      {"H = 0.5*[0]^2 + 0.5*[1]^2", "start"},
      {"{ \"polynomial\": \"[0]^2 + [1]^2\" }", "start"},
      {"{ \"polynomial\": \"[0]^2 + [1]^2\", \"start\": [1] }", "1 start states"},
      {"{ \"polynomial\": \"[1]^2\", \"start\": [0, 0], \"ports\": [{\"block\": 1, \"in\": \"force\"}] }",
       "block 1"},
      {"{ \"polynomial\": \"[1]^2\", \"start\": [0, 0], \"ports\": [{\"block\": 0, \"in\": "
       "\"velocity\"}] }",
       "force"},
      {"{ \"dimension\": 1, \"nodes\": [ { \"id\": 1, \"x\": 0, \"mass\": 1 } ], \"loads\": [ { "
       "\"node\": 1, \"force\": [1], \"steps\": 3 } ] }",
       "steps"},
      {"{ \"dimension\": 1, \"nodes\": [ { \"id\": 1, \"x\": 0, \"mass\": 1 } ], \"motions\": [ { "
       "\"node\": 1, \"axis\": \"x\", \"displacement\": \"t\" } ] }",
       "motions"},
      {"{ \"dimension\": 1, \"nodes\": [ { \"id\": 1, \"x\": 0, \"fixed\": true } ], \"ports\": [ { "
       "\"node\": 1, \"in\": \"force\" } ] }",
       "node 1"}};
  size_t i;
  need(set_model("broken.json") == 1, "SetModel");
  for (i = 0; i < sizeof texts / sizeof texts[0]; ++i) {
    write_text("broken.json", texts[i][0]);
    need(initialize() == 0, texts[i][0]);
    need(strstr(last_error(), texts[i][1]) != NULL, texts[i][1]);
    need(initialize_run() == 0, "a failed Initialize leaves no model");
  }
  need(set_model(ladder) == 1 && initialize() == 1, "a sound model after broken ones");
}

static void wrong_steps(void) {
  double in[5] = {0.0, 0.0, -20.0, 0.1, 0.0}, out[7], again[7], state[80], back[80];
  int n, i;
  need(step(in, 5, out, 7, 1) == 1 && strstr(last_error(), "InitializeRun"), "no run");
  need(initialize_run() == 1 && get_time() == 0.0, "InitializeRun");
  n = states();
  need(n == 4 * 18 + 2, "States");
  in[0] = 0.01;
  need(step(in, 5, out, 7, 0) == 0, "minor step");
  need(step(in, 5, again, 7, 1) == 0 && memcmp(out, again, sizeof out) == 0, "major step");
  need(get_state(state, n) == 1, "GetState");
  need(step(in, 4, out, 7, 1) == 1 && strstr(last_error(), "inputs is 4, expected 5"), "inputs");
  need(step(in, 5, out, 6, 1) == 1 && strstr(last_error(), "outputs is 6"), "outputs");
  need(step(in, -1, out, 7, 1) == 1 && step(in, 5, out, -7, 1) == 1, "negative counts");
  need(step(NULL, 5, out, 7, 1) == 1 && step(in, 5, NULL, 7, 1) == 1, "null arrays");
  in[0] = 0.0;
  need(step(in, 5, out, 7, 1) == 1 && strstr(last_error(), "backwards"), "time runs backwards");
  in[0] = 1e9;
  need(step(in, 5, out, 7, 1) == 1 && strstr(last_error(), "inner steps"), "a far time");
  in[0] = 0.02;
  in[2] = NAN;
  need(step(in, 5, out, 7, 1) == 1 && strstr(last_error(), "in[2]"), "not a number");
  in[2] = 1e300;
  need(step(in, 5, out, 7, 1) == 1 && strstr(last_error(), "finite"), "out of range");
  need(get_state(back, n) == 1 && memcmp(state, back, (size_t)n * sizeof(double)) == 0,
       "mistakes leave the state as it was");
  need(get_time() == 0.01, "and the time");
  need(get_state(NULL, n) == 0 && get_state(back, n - 1) == 0, "GetState");
  need(set_state(0, NULL, n) == 0 && set_state(0, state, n + 1) == 0, "SetState");
  need(set_state(NAN, state, n) == 0, "SetState, time");
  for (i = 0; i < n; ++i)
    back[i] = state[i];
  back[n - 1] = INFINITY;
  need(set_state(0, back, n) == 0 && strstr(last_error(), "finite"), "SetState, values");
  need(terminate_run() == 1 && terminate_run() == 0, "TerminateRun twice");
  need(get_state(state, n) == 0, "GetState after the run");
  need(initialize_run() == 1 && terminate() == 1 && terminate() == 0, "Terminate twice");
  need(initialize() == 1 && initialize_run() == 1, "the model is still known after Terminate");
}

/* v = sin t: x = 1 - cos t; F = 50 x + 3 cos t with the dependent state, F = 50 x without it. */
static void moved_mass(const char* model) {
  struct SimulatorSFunctionStruct s;
  double x[8] = {0.0}, dx[8], u[2], y[3], dependent[1];
  const double t = 0.7;
  memset(&s, 0, sizeof s);
  need(set_model(model) == 1 && initialize() == 1, "moved mass");
  need(s_init(NULL) == 0 && s_start(x, dependent, NULL, &s) == 0, "SFunctionInit comes first");
  need(s_init(&s) == 1 && s.nrInputs == 2 && s.nrOutputs == 2, "counts of the model");
  s.nrInputs = 3;
  need(s_init(&s) == 0 && strstr(last_error(), "nrInputs is 3, expected 2"), "nrInputs");
  s.nrInputs = 2;
  s.nrOutputs = 3;
  need(s_init(&s) == 1, "SFunctionInit");
  need(s.nrIndepStates == 6 && s.nrDepStates == 1 && s.nrAlgLoops == 0, "sizes");
  need(s_function(u, x, y, dx, &s) == 0, "sFunction before the start values");
  need(s_start(NULL, dependent, NULL, &s) == 0 && s_start(x, NULL, NULL, &s) == 0, "null");
  need(s_start(x, dependent, NULL, NULL) == 0, "null structure");
  need(s_start(x, dependent, NULL, &s) == 1 && dependent[0] == 0.0, "start");
  s.simulationCurrentTime = t;
  u[0] = sin(t);
  u[1] = 0.0;
  x[1] += 1.0 - cos(t);
  x[6] = 3.0 * cos(t);
  need(s_function(u, x, y, dx, &s) == 1, "sFunction");
  need(fabs(y[0] - (50.0 * (1.0 - cos(t)) + 3.0 * cos(t))) < 1e-12, "force with the mass");
  need(fabs(dx[1] - sin(t)) < 1e-15 && fabs(dx[6] - 3.0 * sin(t)) < 1e-15, "dependent state");
  need(fabs(y[2] - (25.0 * pow(1.0 - cos(t), 2) + 1.5 * pow(sin(t), 2))) < 1e-12, "energy");
  x[6] = 0.0;
  need(s_function(u, x, y, dx, &s) == 1, "sFunction");
  need(fabs(y[0] - 50.0 * (1.0 - cos(t))) < 1e-12, "force without the mass");
  need(s_function(NULL, x, y, dx, &s) == 0 && s_function(u, NULL, y, dx, &s) == 0, "null");
  need(s_function(u, x, NULL, dx, &s) == 0 && s_function(u, x, y, NULL, &s) == 0, "null");
  need(s_function(u, x, y, dx, NULL) == 0, "null structure");
  s.nrDepStates = 0;
  need(s_function(u, x, y, dx, &s) == 0 && strstr(last_error(), "nrDepStates"), "sizes");
  s.nrDepStates = 1;
  x[0] = NAN;
  need(s_function(u, x, y, dx, &s) == 0 && strstr(last_error(), "x[0]"), "not a number");
  x[0] = 0.0;
  s.simulationCurrentTime = INFINITY;
  need(s_function(u, x, y, dx, &s) == 0, "time");
}

static void copy_file(const char* from, const char* to) {
  char bytes[65536];
  size_t count;
  FILE* in = fopen(from, "rb");
  FILE* out = fopen(to, "wb");
  if (in == NULL || out == NULL) exit(1);
  while ((count = fread(bytes, 1, sizeof bytes, in)) > 0)
    if (fwrite(bytes, 1, count, out) != count) exit(1);
  fclose(in);
  fclose(out);
}

/* A copy of the library is a separate module that uses the model beside it. */
static void copied_library(const char* path) {
  copy_file(path, "./libspring.so");
  write_text("spring.json",
             "{ \"dimension\": 1, \"start_time\": 2, \"nodes\": [ { \"id\": 1, \"x\": 0, \"mass\": 1, "
             "\"v\": 3 } ] }");
  load("./libspring.so");
  need(initialize() == 1 && initialize_run() == 1, "the model beside the library");
  need(get_time() == 2.0 && states() == 2, "start_time");
  {
    double in[1] = {4.0}, out[3], state[2];
    need(step(in, 1, out, 3, 1) == 0 && get_state(state, 2) == 1, "a model without ports");
    need(fabs(state[0] - 6.0) < 1e-12 && fabs(out[1] - 4.5) < 1e-12, "a free mass");
  }
}

int main(int count, char** words) {
  if (count != 4) return 2;
  load(words[1]);
  before_initialize();
  broken_files(words[2]);
  wrong_steps();
  moved_mass(words[3]);
  copied_library(words[1]);
  return 0;
}
