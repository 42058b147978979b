/* A client of FMUs in C that uses no code of femflex, for fmu_test.cpp: it loads the library of an
 * unpacked FMU, calls the functions of the FMI standard and prints their results.
 *
 *   fmu_client COMMAND LIBRARY RESOURCES TOKEN ARGUMENTS... */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned int Ref;
typedef void* Fmu;

/* FMI 2.0 */
typedef struct {
  void (*logger)(void*, const char*, int, const char*, const char*, ...);
  void* (*allocate)(size_t, size_t);
  void (*release)(void*);
  void (*step_finished)(void*, int);
  void* environment;
} Callbacks;

static Fmu (*instantiate)(const char*, int, const char*, const char*, const Callbacks*, int, int);
static void (*free_instance)(Fmu);
static int (*setup)(Fmu, int, double, double, int, double);
static int (*enter_initialisation)(Fmu);
static int (*exit_initialisation)(Fmu);
static int (*terminate)(Fmu);
static int (*reset)(Fmu);
static int (*get_real)(Fmu, const Ref*, size_t, double*);
static int (*set_real)(Fmu, const Ref*, size_t, const double*);
static int (*do_step)(Fmu, double, double, int);
static int (*get_state)(Fmu, void**);
static int (*set_state)(Fmu, void*);
static int (*free_state)(Fmu, void**);
static int (*state_size)(Fmu, void*, size_t*);
static int (*serialise)(Fmu, void*, char*, size_t);
static int (*deserialise)(Fmu, const char*, size_t, void**);
static int (*derivative)(Fmu, const Ref*, size_t, const Ref*, size_t, const double*, double*);
static int (*input_rates)(Fmu, const Ref*, size_t, const int*, const double*);
static int (*new_discrete_states)(Fmu, void*);
static int (*enter_continuous_time)(Fmu);
static int (*set_time)(Fmu, double);
static int (*set_states)(Fmu, const double*, size_t);
static int (*get_states)(Fmu, double*, size_t);
static int (*get_derivatives)(Fmu, double*, size_t);
/* FMI 3.0 */
static Fmu (*instantiate3)(const char*,
                           const char*,
                           const char*,
                           _Bool,
                           _Bool,
                           _Bool,
                           _Bool,
                           const Ref*,
                           size_t,
                           void*,
                           void (*)(void*, int, const char*, const char*),
                           void*);
static void (*free_instance3)(Fmu);
static int (*enter3)(Fmu, _Bool, double, double, _Bool, double);
static int (*exit3)(Fmu);
static int (*get3)(Fmu, const Ref*, size_t, double*, size_t);
static int (*set3)(Fmu, const Ref*, size_t, const double*, size_t);
static int (*step3)(Fmu, double, double, _Bool, _Bool*, _Bool*, _Bool*, double*);
static int (*enter_events3)(Fmu);
static int (*update3)(Fmu, _Bool*, _Bool*, _Bool*, _Bool*, _Bool*, double*);
static int (*enter_steps3)(Fmu);
static int (*adjoint3)(
    Fmu, const Ref*, size_t, const Ref*, size_t, const double*, size_t, double*, size_t);

static const char* token;
static const char* resources;

static void fail(const char* what) {
  fprintf(stderr, "failed: %s\n", what);
  exit(1);
}
static void ok(int status, const char* what) {
  if (status != 0) fail(what);
}

static void load(void* library, const char* name, void* place) {
  void* found = dlsym(library, name);
  if (found == NULL) fail(name);
  memcpy(place, &found, sizeof found);
}

static void load_all(const char* path) {
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) fail(dlerror());
  load(library, "fmi2Instantiate", &instantiate);
  load(library, "fmi2FreeInstance", &free_instance);
  load(library, "fmi2SetupExperiment", &setup);
  load(library, "fmi2EnterInitializationMode", &enter_initialisation);
  load(library, "fmi2ExitInitializationMode", &exit_initialisation);
  load(library, "fmi2Terminate", &terminate);
  load(library, "fmi2Reset", &reset);
  load(library, "fmi2GetReal", &get_real);
  load(library, "fmi2SetReal", &set_real);
  load(library, "fmi2DoStep", &do_step);
  load(library, "fmi2GetFMUstate", &get_state);
  load(library, "fmi2SetFMUstate", &set_state);
  load(library, "fmi2FreeFMUstate", &free_state);
  load(library, "fmi2SerializedFMUstateSize", &state_size);
  load(library, "fmi2SerializeFMUstate", &serialise);
  load(library, "fmi2DeSerializeFMUstate", &deserialise);
  load(library, "fmi2GetDirectionalDerivative", &derivative);
  load(library, "fmi2SetRealInputDerivatives", &input_rates);
  load(library, "fmi2NewDiscreteStates", &new_discrete_states);
  load(library, "fmi2EnterContinuousTimeMode", &enter_continuous_time);
  load(library, "fmi2SetTime", &set_time);
  load(library, "fmi2SetContinuousStates", &set_states);
  load(library, "fmi2GetContinuousStates", &get_states);
  load(library, "fmi2GetDerivatives", &get_derivatives);
  load(library, "fmi3InstantiateCoSimulation", &instantiate3);
  load(library, "fmi3FreeInstance", &free_instance3);
  load(library, "fmi3EnterInitializationMode", &enter3);
  load(library, "fmi3ExitInitializationMode", &exit3);
  load(library, "fmi3GetFloat64", &get3);
  load(library, "fmi3SetFloat64", &set3);
  load(library, "fmi3DoStep", &step3);
  load(library, "fmi3EnterEventMode", &enter_events3);
  load(library, "fmi3UpdateDiscreteStates", &update3);
  load(library, "fmi3EnterStepMode", &enter_steps3);
  load(library, "fmi3GetAdjointDerivative", &adjoint3);
}

static void log_message(void* environment,
                        const char* name,
                        int status,
                        const char* category,
                        const char* format,
                        ...) {
  va_list list;
  (void)environment;
  printf("log %s %d %s ", name, status, category);
  va_start(list, format);
  vprintf(format, list);
  va_end(list);
  printf("\n");
}
static void log_message3(void* environment, int status, const char* category, const char* text) {
  (void)environment;
  printf("log %d %s %s\n", status, category, text);
}

static const Callbacks kCallbacks = {log_message, calloc, free, NULL, NULL};

/* Parameters of a run: input IN = AMPLITUDE sin(RATE t), set at the start of each step; outputs. */
typedef struct {
  double stop, step, amplitude, rate;
  Ref in;
  Ref out[64];
  size_t outs;
} Plan;

static Plan plan_of(char** argv, int argc) {
  Plan plan = {0};
  int k = 0;
  if (argc < 6) fail("arguments");
  plan.stop = atof(argv[k++]);
  plan.step = atof(argv[k++]);
  plan.in = (Ref)atoi(argv[k++]);
  plan.amplitude = atof(argv[k++]);
  plan.rate = atof(argv[k++]);
  while (k < argc)
    plan.out[plan.outs++] = (Ref)atoi(argv[k++]);
  return plan;
}

static Fmu begin(const Plan* plan, int type) {
  Fmu fmu = instantiate("client", type, token, resources, &kCallbacks, 0, 0);
  if (fmu == NULL) fail("instantiate");
  ok(setup(fmu, 0, 0.0, 0.0, 1, plan->stop), "setup");
  ok(enter_initialisation(fmu), "enter initialisation");
  ok(exit_initialisation(fmu), "exit initialisation");
  return fmu;
}

static void show(Fmu fmu, const Plan* plan, double t) {
  double values[64];
  ok(get_real(fmu, plan->out, plan->outs, values), "get");
  printf("%.17g", t);
  for (size_t k = 0; k < plan->outs; ++k)
    printf(" %.17g", values[k]);
  printf("\n");
}

static int steps_of(const Plan* plan) {
  return (int)floor(plan->stop / plan->step + 0.5);
}

/* Computes the steps `from` to `to`, each of length plan->step. */
static void go(Fmu fmu, const Plan* plan, int from, int to, int shows) {
  for (int k = from; k < to; ++k) {
    const double t = k * plan->step;
    const double u = plan->amplitude * sin(plan->rate * t);
    if (plan->amplitude != 0.0) ok(set_real(fmu, &plan->in, 1, &u), "set");
    ok(do_step(fmu, t, plan->step, 0), "step");
    if (shows) show(fmu, plan, (k + 1) * plan->step);
  }
}

static void run(const Plan* plan) {
  Fmu fmu = begin(plan, 1);
  show(fmu, plan, 0.0);
  go(fmu, plan, 0, steps_of(plan), 1);
  ok(terminate(fmu), "terminate");
  free_instance(fmu);
}

/* Like run(), but also sets the rate of the input in every step. */
static void run_rates(const Plan* plan) {
  Fmu fmu = begin(plan, 1);
  const int order = 1;
  show(fmu, plan, 0.0);
  for (int k = 0; k < steps_of(plan); ++k) {
    const double t = k * plan->step, next = t + plan->step;
    const double u = plan->amplitude * sin(plan->rate * t);
    const double rate = (plan->amplitude * sin(plan->rate * next) - u) / plan->step;
    ok(set_real(fmu, &plan->in, 1, &u), "set");
    ok(input_rates(fmu, &plan->in, 1, &order, &rate), "rates");
    ok(do_step(fmu, t, plan->step, 0), "step");
    show(fmu, plan, next);
  }
  free_instance(fmu);
}

static void run3(const Plan* plan) {
  Fmu fmu = instantiate3("client", token, resources, 0, 0, 0, 0, NULL, 0, NULL, log_message3, NULL);
  double values[64];
  if (fmu == NULL) fail("instantiate");
  ok(enter3(fmu, 0, 0.0, 0.0, 1, plan->stop), "enter initialisation");
  ok(exit3(fmu), "exit initialisation");
  for (int k = 0; k <= steps_of(plan); ++k) {
    const double t = k * plan->step;
    ok(get3(fmu, plan->out, plan->outs, values, plan->outs), "get");
    printf("%.17g", t);
    for (size_t i = 0; i < plan->outs; ++i)
      printf(" %.17g", values[i]);
    printf("\n");
    if (k == steps_of(plan)) break;
    const double u = plan->amplitude * sin(plan->rate * t);
    _Bool events, ends, early;
    double last;
    if (plan->amplitude != 0.0) ok(set3(fmu, &plan->in, 1, &u, 1), "set");
    ok(step3(fmu, t, plan->step, 0, &events, &ends, &early, &last), "step");
    if (events || ends || early) fail("the step ends early");
  }
  free_instance3(fmu);
}

/* Prints the time of the next event, which the instance reports in event mode; leaves that mode. */
static void settle3(Fmu fmu) {
  _Bool again, ends, nominals, states, has_time;
  double next;
  ok(update3(fmu, &again, &ends, &nominals, &states, &has_time, &next), "update");
  if (again || ends) fail("the events do not settle");
  printf("next %.17g\n", has_time ? next : -1.0);
  ok(enter_steps3(fmu), "step mode");
}

/* Computes steps that may return early, with event mode. */
static void events3(const Plan* plan) {
  Fmu fmu = instantiate3("client", token, resources, 0, 0, 1, 1, NULL, 0, NULL, log_message3, NULL);
  if (fmu == NULL) fail("instantiate");
  ok(enter3(fmu, 0, 0.0, 0.0, 1, plan->stop), "enter initialisation");
  ok(exit3(fmu), "exit initialisation");
  double t = 0.0, last, value;
  _Bool events, ends, early;
  if (step3(fmu, t, plan->step, 0, &events, &ends, &early, &last) == 0)
    fail("a step in event mode");
  settle3(fmu);
  if (enter_steps3(fmu) == 0) fail("step mode twice");
  for (int k = 1; k <= steps_of(plan); ++k) {
    const double end = k * plan->step;
    while (t < end) {
      ok(step3(fmu, t, end - t, 0, &events, &ends, &early, &last), "step");
      if (early != (last < end)) fail("early return");
      t = last;
      if (!events) continue;
      printf("event %.17g\n", t);
      ok(enter_events3(fmu), "event mode");
      settle3(fmu);
    }
  }
  ok(get3(fmu, plan->out, 1, &value, 1), "get");
  printf("value %.17g\n", value);
  free_instance3(fmu);
}

/* fmi3IntermediateUpdateCallback of section 2.2.5 of FMI 3.0: four booleans, then two results. */
static void return_late(void* environment,
                        double time,
                        _Bool may_set,
                        _Bool may_get,
                        _Bool is_complete,
                        _Bool may_return,
                        _Bool* wants_return,
                        double* when) {
  if (may_set || !may_get || !is_complete) fail("flags of the intermediate update");
  (void)when;
  *wants_return = may_return && time >= *(double*)environment;
}

/* Computes one step that the client cancels after a quarter of its length. */
static void cancel3(const Plan* plan) {
  double quarter = 0.25 * plan->stop, last;
  void* update = NULL;
  void (*given)(void*, double, _Bool, _Bool, _Bool, _Bool, _Bool*, double*) = return_late;
  memcpy(&update, &given, sizeof update);
  Fmu fmu =
      instantiate3("client", token, resources, 0, 0, 0, 1, NULL, 0, &quarter, log_message3, update);
  _Bool events, ends, early;
  if (fmu == NULL) fail("instantiate");
  ok(enter3(fmu, 0, 0.0, 0.0, 1, plan->stop), "enter initialisation");
  ok(exit3(fmu), "exit initialisation");
  ok(step3(fmu, 0.0, plan->stop, 0, &events, &ends, &early, &last), "step");
  printf("%d %.17g\n", early, last);
  free_instance3(fmu);
}

/* Saves the state at half time to a file and continues the run. */
static void save(const Plan* plan, const char* path) {
  Fmu fmu = begin(plan, 1);
  const int half = steps_of(plan) / 2;
  void* state = NULL;
  size_t size = 0;
  go(fmu, plan, 0, half, 0);
  ok(get_state(fmu, &state), "get state");
  ok(state_size(fmu, state, &size), "size");
  char* bytes = malloc(size);
  ok(serialise(fmu, state, bytes, size), "serialise");
  FILE* file = fopen(path, "wb");
  if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) fail("write");
  free(bytes);
  ok(free_state(fmu, &state), "free state");
  if (state != NULL) fail("the pointer of a freed state is not null");
  ok(get_state(fmu, &state), "get state");
  /* as fmusim 0.0.38 frees it: the state in place of its address */
  ok(free_state(fmu, (void**)state), "free state by itself");
  go(fmu, plan, half, steps_of(plan), 0);
  show(fmu, plan, plan->stop);
  free_instance(fmu);
}

/* Continues a run from a state that another process saved. */
static void resume(const Plan* plan, const char* path) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) fail("read");
  static char bytes[1 << 24];
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  Fmu fmu = instantiate("another", 1, token, resources, &kCallbacks, 0, 0);
  void* state = NULL;
  ok(deserialise(fmu, bytes, size, &state), "deserialise");
  ok(set_state(fmu, state), "set state");
  ok(free_state(fmu, &state), "free state");
  go(fmu, plan, steps_of(plan) / 2, steps_of(plan), 0);
  show(fmu, plan, plan->stop);
  free_instance(fmu);
}

/* At half time, computes a step and returns to the state before it, many times. */
static void rollback(const Plan* plan, int times) {
  Fmu fmu = begin(plan, 1);
  const int half = steps_of(plan) / 2;
  void* state = NULL;
  go(fmu, plan, 0, half, 0);
  ok(get_state(fmu, &state), "get state");
  for (int k = 0; k < times; ++k) {
    go(fmu, plan, half, half + 1 + k % 3, 0);
    ok(set_state(fmu, state), "set state");
  }
  go(fmu, plan, half, steps_of(plan), 0);
  show(fmu, plan, plan->stop);
  ok(free_state(fmu, &state), "free state");
  free_instance(fmu);
}

typedef struct {
  const Plan* plan;
  double values[64];
} Job;

static void* work(void* data) {
  Job* job = data;
  Fmu fmu = begin(job->plan, 1);
  go(fmu, job->plan, 0, steps_of(job->plan), 0);
  ok(get_real(fmu, job->plan->out, job->plan->outs, job->values), "get");
  free_instance(fmu);
  return NULL;
}

static void threads(const Plan* plan, int count) {
  Job jobs[64];
  pthread_t ids[64];
  for (int k = 0; k < count; ++k) {
    jobs[k].plan = plan;
    if (pthread_create(&ids[k], NULL, work, &jobs[k]) != 0) fail("thread");
  }
  for (int k = 0; k < count; ++k)
    pthread_join(ids[k], NULL);
  for (int k = 0; k < count; ++k) {
    printf("%.17g", plan->stop);
    for (size_t i = 0; i < plan->outs; ++i)
      printf(" %.17g", jobs[k].values[i]);
    printf("\n");
  }
}

/* Prints derivatives of the outputs with respect to the input at half time, and differences for two
 * initial values. */
static void derivatives(const Plan* plan) {
  Fmu fmu = begin(plan, 1);
  const double one = 1.0;
  double slope[64], back[64];
  go(fmu, plan, 0, steps_of(plan) / 2, 0);
  ok(derivative(fmu, plan->out, plan->outs, &plan->in, 1, &one, slope), "derivative");
  for (size_t k = 0; k < plan->outs; ++k) {
    double seed[64] = {0};
    seed[k] = 1.0;
    ok(adjoint3(fmu, plan->out, plan->outs, &plan->in, 1, seed, plan->outs, &back[k], 1),
       "adjoint");
  }
  free_instance(fmu);
  /* accelerations at the start of a run depend on the inputs */
  double values[2][64], first[64];
  for (int side = 0; side < 2; ++side) {
    const double u = side == 0 ? -0.5 : 0.5;
    fmu = instantiate("side", 1, token, resources, &kCallbacks, 0, 0);
    ok(setup(fmu, 0, 0.0, 0.0, 0, 0.0), "setup");
    ok(enter_initialisation(fmu), "enter");
    ok(set_real(fmu, &plan->in, 1, &u), "set");
    ok(get_real(fmu, plan->out, plan->outs, values[side]), "get");
    if (side == 1)
      ok(derivative(fmu, plan->out, plan->outs, &plan->in, 1, &one, first), "derivative");
    free_instance(fmu);
  }
  for (size_t k = 0; k < plan->outs; ++k)
    printf("%.17g %.17g %.17g %.17g\n", slope[k], back[k], first[k], values[1][k] - values[0][k]);
}

/* Model exchange with n states by the classic Runge-Kutta method. Every stage sets the inputs. */
static void model_exchange(const Plan* plan, size_t n) {
  struct {
    int a, b, c, d, e;
    double f;
  } info;
  Fmu fmu = begin(plan, 0);
  double x[64], y[64], k[4][64];
  const double nodes[] = {0.0, 0.5, 0.5, 1.0}, weights[] = {1.0, 2.0, 2.0, 1.0};
  if (n > 64) fail("states");
  ok(new_discrete_states(fmu, &info), "discrete states");
  ok(enter_continuous_time(fmu), "continuous time");
  ok(get_states(fmu, x, n), "states");
  show(fmu, plan, 0.0);
  for (int step = 0; step < steps_of(plan); ++step) {
    const double t = step * plan->step;
    for (int s = 0; s < 4; ++s) {
      const double now = t + nodes[s] * plan->step, u = plan->amplitude * sin(plan->rate * now);
      for (size_t i = 0; i < n; ++i)
        y[i] = x[i] + (s == 0 ? 0.0 : nodes[s] * plan->step * k[s - 1][i]);
      ok(set_time(fmu, now), "time");
      ok(set_real(fmu, &plan->in, 1, &u), "set");
      ok(set_states(fmu, y, n), "set states");
      ok(get_derivatives(fmu, k[s], n), "derivatives");
    }
    for (size_t i = 0; i < n; ++i)
      for (int s = 0; s < 4; ++s)
        x[i] += plan->step * weights[s] / 6.0 * k[s][i];
    const double end = t + plan->step, u = plan->amplitude * sin(plan->rate * end);
    ok(set_time(fmu, end), "time");
    ok(set_real(fmu, &plan->in, 1, &u), "set");
    ok(set_states(fmu, x, n), "set states");
    show(fmu, plan, end);
  }
  free_instance(fmu);
}

/* Makes wrong calls. Each must return a status and a message; the instance must remain usable. */
static void refuse(const Plan* plan) {
  Fmu fmu = instantiate("wrong", 1, "another token", resources, &kCallbacks, 0, 0);
  printf("token %d\n", fmu == NULL);
  printf("kind %d\n", instantiate("kind", 0, token, resources, &kCallbacks, 0, 0) == NULL);
  printf("resources %d\n",
         instantiate("place", 1, token, "file:///nowhere", &kCallbacks, 0, 0) == NULL);
  char cut[4096]; /* a place that is sound up to its zero character */
  snprintf(cut, sizeof cut, "%s/model.femflex%%00", resources);
  printf("zero %d\n", instantiate("zero", 1, token, cut, &kCallbacks, 0, 0) == NULL);
  fmu = begin(plan, 1);
  const Ref unknown = 1000000;
  double value = NAN;
  printf("nan %d\n", set_real(fmu, &plan->in, 1, &value));
  value = 1e9;
  printf("above %d\n", set_real(fmu, &plan->in, 1, &value));
  printf("unknown %d\n", get_real(fmu, &unknown, 1, &value));
  value = 0.0;
  printf("output %d\n", set_real(fmu, plan->out, 1, &value));
  printf("negative %d\n", do_step(fmu, 0.0, -1e-3, 0));
  printf("nothing %d\n", do_step(fmu, 0.0, 0.0, 0));
  printf("nan_step %d\n", do_step(fmu, 0.0, NAN, 0));
  printf("nan_time %d\n", do_step(fmu, NAN, 1e-3, 0));
  printf("elsewhere %d\n", do_step(fmu, 0.5, 1e-3, 0));
  printf("beyond %d\n", do_step(fmu, 0.0, 2.0 * plan->stop, 0));
  printf("again %d\n", enter_initialisation(fmu));
  printf("null %d\n", set_state(fmu, NULL));
  void* state = NULL;
  printf("bytes %d\n", deserialise(fmu, "no state", 8, &state));
  printf("exchange %d\n", set_time(fmu, 0.0));
  go(fmu, plan, 0, steps_of(plan), 0);
  show(fmu, plan, plan->stop);
  ok(reset(fmu), "reset");
  ok(setup(fmu, 0, 0.0, 0.0, 1, plan->stop), "setup");
  ok(enter_initialisation(fmu), "enter");
  ok(exit_initialisation(fmu), "exit");
  go(fmu, plan, 0, steps_of(plan), 0);
  show(fmu, plan, plan->stop);
  free_instance(fmu);
}

int main(int argc, char** argv) {
  if (argc < 5) fail("arguments");
  const char* command = argv[1];
  load_all(argv[2]);
  resources = argv[3];
  token = argv[4];
  argv += 5;
  argc -= 5;
  if (strcmp(command, "run") == 0) {
    const Plan plan = plan_of(argv, argc);
    run(&plan);
  } else if (strcmp(command, "rates") == 0) {
    const Plan plan = plan_of(argv, argc);
    run_rates(&plan);
  } else if (strcmp(command, "run3") == 0) {
    const Plan plan = plan_of(argv, argc);
    run3(&plan);
  } else if (strcmp(command, "events3") == 0) {
    const Plan plan = plan_of(argv, argc);
    events3(&plan);
  } else if (strcmp(command, "cancel3") == 0) {
    const Plan plan = plan_of(argv, argc);
    cancel3(&plan);
  } else if (strcmp(command, "derivatives") == 0) {
    const Plan plan = plan_of(argv, argc);
    derivatives(&plan);
  } else if (strcmp(command, "refuse") == 0) {
    const Plan plan = plan_of(argv, argc);
    refuse(&plan);
  } else {
    const char* extra = argv[0];
    const Plan plan = plan_of(argv + 1, argc - 1);
    if (strcmp(command, "save") == 0)
      save(&plan, extra);
    else if (strcmp(command, "resume") == 0)
      resume(&plan, extra);
    else if (strcmp(command, "rollback") == 0)
      rollback(&plan, atoi(extra));
    else if (strcmp(command, "threads") == 0)
      threads(&plan, atoi(extra));
    else if (strcmp(command, "exchange") == 0)
      model_exchange(&plan, (size_t)atoi(extra));
    else
      fail("no such command");
  }
  return 0;
}
