/* A small FMU (guest) for tests of FMU import, in FMI 2.0 and 3.0, for co-simulation and model
   exchange. It uses no code of femflex. Its model is a lag x' = (gain u - x) / time with the outputs
   y = x, through = u, high = (x > 0.5), the number of steps, and an array v = gain (w3, w2, w1). The
   equation is solved exactly for inputs that are constant or linear over a step. One parameter makes
   the guest fail in a given step. A text parameter is the name of a resource file that contains a
   number, which is added to y. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIME, U, Y, THROUGH, HIGH, COUNT, GAIN, LAG, FAIL, FILE_NAME, X, DER, W, V };
enum { OK = 0, WARNING = 1, DISCARD = 2, ERROR = 3 };

typedef struct {
  double t, x, u, rate, gain, lag, offset, w[3];
  int high, count, fail;
  bool in_events;
} State;

typedef void (*Log)(void* guest, int status, const char* text);

typedef struct {
  State s;
  char resources[512];
  Log log;
  void *logger, *environment;
} Guest;

static double derivative(const State* s) {
  return (s->gain * s->u - s->x) / s->lag;
}
static double indicator(const State* s) {
  return s->x - 0.5;
}

static Guest* make(const char* resources, Log log, void* logger, void* environment) {
  Guest* g = calloc(1, sizeof(Guest));
  g->s.gain = 1.0;
  g->s.lag = 0.1;
  g->log = log;
  g->logger = logger;
  g->environment = environment;
  const char* scheme = "file://";
  if (resources != NULL && strncmp(resources, scheme, strlen(scheme)) == 0) resources += strlen(scheme);
  if (resources != NULL) snprintf(g->resources, sizeof g->resources, "%s", resources);
  return g;
}

static int read_resource(Guest* g, const char* name) {
  char path[1024];
  snprintf(path, sizeof path, "%s/%s", g->resources, name);
  FILE* file = fopen(path, "r");
  if (file == NULL || fscanf(file, "%lf", &g->s.offset) != 1) {
    g->log(g, ERROR, "the table is not among the resources");
    if (file != NULL) fclose(file);
    return ERROR;
  }
  fclose(file);
  return OK;
}

/* exact state x of a lag after the time h, with the input u + rate s at the time s */
static int move(Guest* g, double from, double h) {
  State* s = &g->s;
  if (++s->count == s->fail) {
    g->log(g, ERROR, "the lag has worn out");
    return ERROR;
  }
  const double e = exp(-h / s->lag), slope = s->gain * s->rate;
  const double end = s->gain * s->u + slope * (h - s->lag);
  s->x = end + (s->x - s->gain * s->u + slope * s->lag) * e;
  s->u += s->rate * h;
  s->rate = 0.0;
  s->high = s->x > 0.5;
  s->t = from + h;
  return OK;
}

static int get_one(const Guest* g, unsigned vr, double* out) {
  const State* s = &g->s;
  switch (vr) {
    case TIME: *out = s->t; return OK;
    case U: *out = s->u; return OK;
    case Y: *out = s->x + s->offset; return OK;
    case THROUGH: *out = s->u; return OK;
    case HIGH: *out = s->high; return OK;
    case COUNT: *out = s->count; return OK;
    case GAIN: *out = s->gain; return OK;
    case LAG: *out = s->lag; return OK;
    case FAIL: *out = s->fail; return OK;
    case X: *out = s->x; return OK;
    case DER: *out = derivative(s); return OK;
    default: return ERROR;
  }
}

static int set_one(Guest* g, unsigned vr, double value) {
  State* s = &g->s;
  switch (vr) {
    case U: s->u = value; return OK;
    case GAIN: s->gain = value; return OK;
    case LAG: s->lag = value; return OK;
    case FAIL: s->fail = (int)value; return OK;
    case X: s->x = value; return OK;
    default: g->log(g, ERROR, "there is no such input"); return ERROR;
  }
}

static double slope(const State* s, unsigned of, unsigned by) {
  if (by == X) return of == DER ? -1.0 / s->lag : (of == Y ? 1.0 : 0.0);
  if (by == U) return of == DER ? s->gain / s->lag : (of == THROUGH ? 1.0 : 0.0);
  return 0.0;
}

static int settle(Guest* g) {
  g->s.high = indicator(&g->s) > 0.0;
  return OK;
}

/* --- FMI 2.0 ------------------------------------------------------------------------------------ */
typedef struct {
  void (*logger)(void*, const char*, int, const char*, const char*, ...);
  void* (*allocate)(size_t, size_t);
  void (*release)(void*);
  void* step_finished;
  void* environment;
} Callbacks;
typedef struct {
  int again, ends, nominals, states, has_time;
  double next;
} Events;

static void tell2(void* guest, int status, const char* text) {
  Guest* g = guest;
  ((void (*)(void*, const char*, int, const char*, const char*, ...))g->logger)(
      g->environment, "guest", status, "logStatusError", "%s (%d)", text, g->s.count);
}
void* fmi2Instantiate(const char* name, int type, const char* token, const char* resources,
                      const Callbacks* calls, int visible, int logging) {
  (void)name, (void)type, (void)visible, (void)logging;
  if (strcmp(token, "guest-token") != 0) return NULL;
  return make(resources, tell2, (void*)calls->logger, calls->environment);
}
void fmi2FreeInstance(void* c) { free(c); }
int fmi2SetupExperiment(void* c, int a, double b, double start, int d, double e) {
  (void)a, (void)b, (void)d, (void)e;
  ((Guest*)c)->s.t = start;
  return OK;
}
int fmi2EnterInitializationMode(void* c) { (void)c; return OK; }
int fmi2ExitInitializationMode(void* c) { return settle(c); }
int fmi2GetReal(void* c, const unsigned* vr, size_t n, double* out) {
  for (size_t k = 0; k < n; ++k)
    if (get_one(c, vr[k], &out[k]) != OK) return ERROR;
  return OK;
}
int fmi2SetReal(void* c, const unsigned* vr, size_t n, const double* in) {
  for (size_t k = 0; k < n; ++k)
    if (set_one(c, vr[k], in[k]) != OK) return ERROR;
  return OK;
}
int fmi2GetInteger(void* c, const unsigned* vr, size_t n, int* out) {
  double x = 0.0;
  for (size_t k = 0; k < n; out[k++] = (int)x)
    if (get_one(c, vr[k], &x) != OK) return ERROR;
  return OK;
}
int fmi2SetInteger(void* c, const unsigned* vr, size_t n, const int* in) {
  for (size_t k = 0; k < n; ++k)
    if (set_one(c, vr[k], in[k]) != OK) return ERROR;
  return OK;
}
int fmi2GetBoolean(void* c, const unsigned* vr, size_t n, int* out) { return fmi2GetInteger(c, vr, n, out); }
int fmi2SetBoolean(void* c, const unsigned* vr, size_t n, const int* in) { return fmi2SetInteger(c, vr, n, in); }
int fmi2SetString(void* c, const unsigned* vr, size_t n, const char* const* in) {
  return n == 1 && vr[0] == FILE_NAME ? read_resource(c, in[0]) : ERROR;
}
int fmi2SetRealInputDerivatives(void* c, const unsigned* vr, size_t n, const int* order, const double* in) {
  if (n != 1 || vr[0] != U || order[0] != 1) return ERROR;
  ((Guest*)c)->s.rate = in[0];
  return OK;
}
int fmi2GetDirectionalDerivative(void* c, const unsigned* of, size_t n, const unsigned* by, size_t m,
                                 const double* seed, double* out) {
  for (size_t i = 0; i < n; ++i) {
    out[i] = 0.0;
    for (size_t k = 0; k < m; ++k)
      out[i] += slope(&((Guest*)c)->s, of[i], by[k]) * seed[k];
  }
  return OK;
}
int fmi2DoStep(void* c, double from, double h, int prior) { (void)prior; return move(c, from, h); }
int fmi2SetTime(void* c, double t) { ((Guest*)c)->s.t = t; return OK; }
int fmi2SetContinuousStates(void* c, const double* x, size_t n) { (void)n; ((Guest*)c)->s.x = x[0]; return OK; }
int fmi2GetContinuousStates(void* c, double* x, size_t n) { (void)n; x[0] = ((Guest*)c)->s.x; return OK; }
int fmi2GetNominalsOfContinuousStates(void* c, double* x, size_t n) { (void)c, (void)n; x[0] = 1.0; return OK; }
int fmi2GetDerivatives(void* c, double* x, size_t n) { (void)n; x[0] = derivative(&((Guest*)c)->s); return OK; }
int fmi2GetEventIndicators(void* c, double* z, size_t n) { (void)n; z[0] = indicator(&((Guest*)c)->s); return OK; }
int fmi2EnterEventMode(void* c) { (void)c; return OK; }
int fmi2NewDiscreteStates(void* c, Events* e) {
  memset(e, 0, sizeof *e);
  return settle(c);
}
int fmi2EnterContinuousTimeMode(void* c) { (void)c; return OK; }
int fmi2CompletedIntegratorStep(void* c, int prior, int* enters, int* ends) {
  (void)c, (void)prior;
  *enters = *ends = 0;
  return OK;
}
int fmi2GetFMUstate(void* c, void** state) {
  if (*state == NULL) *state = malloc(sizeof(State));
  memcpy(*state, &((Guest*)c)->s, sizeof(State));
  return OK;
}
int fmi2SetFMUstate(void* c, void* state) { memcpy(&((Guest*)c)->s, state, sizeof(State)); return OK; }
int fmi2FreeFMUstate(void* c, void** state) { (void)c; free(*state); *state = NULL; return OK; }
int fmi2SerializedFMUstateSize(void* c, void* state, size_t* n) { (void)c, (void)state; *n = sizeof(State); return OK; }
int fmi2SerializeFMUstate(void* c, void* state, char* bytes, size_t n) { (void)c; memcpy(bytes, state, n); return OK; }
int fmi2DeSerializeFMUstate(void* c, const char* bytes, size_t n, void** state) {
  (void)c;
  if (n != sizeof(State)) return ERROR;
  if (*state == NULL) *state = malloc(n);
  memcpy(*state, bytes, n);
  return OK;
}

/* --- FMI 3.0 ------------------------------------------------------------------------------------ */
typedef void (*Logger3)(void*, int, const char*, const char*);
static void tell3(void* guest, int status, const char* text) {
  Guest* g = guest;
  ((Logger3)g->logger)(g->environment, status, "logStatusError", text);
}
void* fmi3InstantiateCoSimulation(const char* name, const char* token, const char* resources, bool visible,
                                  bool logging, bool events, bool early, const uint32_t* vr, size_t n,
                                  void* environment, Logger3 logger, void* update) {
  (void)name, (void)token, (void)visible, (void)logging, (void)events, (void)early, (void)vr, (void)n, (void)update;
  return make(resources, tell3, (void*)logger, environment);
}
void* fmi3InstantiateModelExchange(const char* name, const char* token, const char* resources, bool visible,
                                   bool logging, void* environment, Logger3 logger) {
  (void)name, (void)token, (void)visible, (void)logging;
  return make(resources, tell3, (void*)logger, environment);
}
void fmi3FreeInstance(void* c) { free(c); }
int fmi3EnterInitializationMode(void* c, bool a, double b, double start, bool d, double e) {
  (void)a, (void)b, (void)d, (void)e;
  ((Guest*)c)->s.t = start;
  return OK;
}
int fmi3ExitInitializationMode(void* c) { return settle(c); }
int fmi3GetFloat64(void* c, const uint32_t* vr, size_t n, double* out, size_t count) {
  const State* s = &((Guest*)c)->s;
  if (n == 1 && (vr[0] == W || vr[0] == V) && count == 3) {
    for (int k = 0; k < 3; ++k)
      out[k] = vr[0] == W ? s->w[k] : s->gain * s->w[2 - k];
    return OK;
  }
  return count == n ? fmi2GetReal(c, vr, n, out) : ERROR;
}
int fmi3SetFloat64(void* c, const uint32_t* vr, size_t n, const double* in, size_t count) {
  if (n == 1 && vr[0] == W && count == 3) {
    memcpy(((Guest*)c)->s.w, in, sizeof(double) * 3);
    return OK;
  }
  return count == n ? fmi2SetReal(c, vr, n, in) : ERROR;
}
int fmi3GetInt32(void* c, const uint32_t* vr, size_t n, int32_t* out, size_t count) {
  (void)count;
  return fmi2GetInteger(c, vr, n, out);
}
int fmi3SetInt32(void* c, const uint32_t* vr, size_t n, const int32_t* in, size_t count) {
  (void)count;
  return fmi2SetInteger(c, vr, n, in);
}
int fmi3GetBoolean(void* c, const uint32_t* vr, size_t n, bool* out, size_t count) {
  double x = 0.0;
  (void)n, (void)count;
  const int status = get_one(c, vr[0], &x);
  out[0] = x != 0.0;
  return status;
}
int fmi3SetString(void* c, const uint32_t* vr, size_t n, const char* const* in, size_t count) {
  (void)count;
  return fmi2SetString(c, vr, n, in);
}
int fmi3GetDirectionalDerivative(void* c, const uint32_t* of, size_t n, const uint32_t* by, size_t m,
                                 const double* seed, size_t a, double* out, size_t b) {
  (void)a, (void)b;
  return fmi2GetDirectionalDerivative(c, of, n, by, m, seed, out);
}
int fmi3DoStep(void* c, double from, double h, bool prior, bool* events, bool* ends, bool* early, double* last) {
  (void)prior;
  *events = *ends = *early = false;
  *last = from + h;
  return move(c, from, h);
}
int fmi3SetTime(void* c, double t) { return fmi2SetTime(c, t); }
int fmi3SetContinuousStates(void* c, const double* x, size_t n) { return fmi2SetContinuousStates(c, x, n); }
int fmi3GetContinuousStates(void* c, double* x, size_t n) { return fmi2GetContinuousStates(c, x, n); }
int fmi3GetNominalsOfContinuousStates(void* c, double* x, size_t n) { return fmi2GetNominalsOfContinuousStates(c, x, n); }
int fmi3GetContinuousStateDerivatives(void* c, double* x, size_t n) { return fmi2GetDerivatives(c, x, n); }
int fmi3GetEventIndicators(void* c, double* z, size_t n) { return fmi2GetEventIndicators(c, z, n); }
int fmi3EnterEventMode(void* c) { return fmi2EnterEventMode(c); }
int fmi3UpdateDiscreteStates(void* c, bool* again, bool* ends, bool* nominals, bool* states, bool* has_time,
                             double* next) {
  *again = *ends = *nominals = *states = *has_time = false;
  *next = 0.0;
  return settle(c);
}
int fmi3EnterContinuousTimeMode(void* c) { (void)c; return OK; }
int fmi3CompletedIntegratorStep(void* c, bool prior, bool* enters, bool* ends) {
  (void)c, (void)prior;
  *enters = *ends = false;
  return OK;
}
int fmi3GetFMUState(void* c, void** state) { return fmi2GetFMUstate(c, state); }
int fmi3SetFMUState(void* c, void* state) { return fmi2SetFMUstate(c, state); }
int fmi3FreeFMUState(void* c, void** state) { return fmi2FreeFMUstate(c, state); }
int fmi3SerializedFMUStateSize(void* c, void* state, size_t* n) { return fmi2SerializedFMUstateSize(c, state, n); }
int fmi3SerializeFMUState(void* c, void* state, uint8_t* bytes, size_t n) {
  return fmi2SerializeFMUstate(c, state, (char*)bytes, n);
}
int fmi3DeserializeFMUState(void* c, const uint8_t* bytes, size_t n, void** state) {
  return fmi2DeSerializeFMUstate(c, (const char*)bytes, n, state);
}
