/* C interface of spring lattices and polynomial Hamiltonians, for host programs that simulate them
 * as a part of a larger model: 20-sim, Simulink, own programs. Needs C90 and no other header. */
#ifndef FEMFLEX_LATTICE_H
#define FEMFLEX_LATTICE_H

/* The model is a file in one of the formats of docs/formats/lattice.md; "ports" in its JSON lists
 * the places where the host prescribes forces or velocities. Without ports the model runs by
 * itself. docs/how-to/use-a-lattice-in-a-host.md gives examples. SI units; angles in rad.
 *
 * Return values
 *   1 for success, 0 for an error, in every function that returns int, except:
 *     Step()                    0 for success, 1 for an error, as 20-sim requires
 *     functions that count      a number of values, 0 or more; -1 for an error
 *   After an error LastError(), or femflex_lattice_last_error(), gives the reason and a
 *   remedy, and the model is unchanged. No function ends the process, and none prints.
 *
 * Two ways of use
 *   static   the model integrates itself
 *            Initialize, InitializeRun, Step ..., TerminateRun
 *   dynamic  the host integrates the model's state
 *            SFunctionInit, SFunctionGetInitialStates, sFunction ...
 *
 * Several models in one process
 *   Names that begin with femflex_lattice_ take a handle. Functions without this prefix use one
 *   default model. Different handles may be used by different threads at the same time; one handle
 * by one thread at a time.
 *
 * Inputs and outputs, N = number of ports, D = dimension of the model (1, 2 or 3)
 *   inputs of a port    D numbers: the force [N] or the velocity [m/s], as the file says in "in"
 *   outputs of a port   D numbers: the velocity if the input is a force, and vice versa. A force is
 *                       the one that the host exerts on the model; force times velocity is the
 *                       power [W] into the model
 */

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#if defined(FEMFLEX_LATTICE_BUILD)
#define FEMFLEX_LATTICE_API __declspec(dllexport)
#else
#define FEMFLEX_LATTICE_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define FEMFLEX_LATTICE_API __attribute__((visibility("default")))
#else
#define FEMFLEX_LATTICE_API
#endif

/* NOLINTBEGIN(readability-identifier-naming, modernize-use-using): published names */

/* ---- static interface, default model -------------------------------------------------------- */

/* Sets the model file for the next Initialize(). Without this call Initialize() uses the file in
 * the folder of the library that has the library's name and the extension .json (libbridge.so:
 * libbridge.json or bridge.json), else the file given by the environment variable FEMFLEX_LATTICE.
 * Thus a copy of the library with another name is a separate module with its own model. */
FEMFLEX_LATTICE_API int SetModel(const char* path);

/* Reads the model. Returns 0 if the file is invalid; there is then no model. */
FEMFLEX_LATTICE_API int Initialize(void);

/* Sets the start state of the file, or the equilibrium if the file requests it. */
FEMFLEX_LATTICE_API int InitializeRun(void);

/* The user function of 20-sim; 0 for success, 1 for an error.
 *   in       1 + N D numbers: time [s], then the inputs of the ports in the order of the file
 *   inputs   1 + N D
 *   out      N D + 3 numbers: outputs of the ports, energy received through all ports [J],
 *            energy H of the model [J], error of the power balance [J]
 *   outputs  N D + 3
 *   major    0: `out` is computed, and the state of the model stays unchanged
 * Moves the model from its own time to in[0] in one or more steps of Runge-Kutta (order 4) with the
 * inputs held constant. The longest inner step is "step" of the file, else a fifth of the stable
 * step. After InitializeRun() the time is "start_time" of the file, 0 if it gives none. */
FEMFLEX_LATTICE_API int Step(double* in, int inputs, double* out, int outputs, int major);

/* Ends the run; InitializeRun() begins another one. */
FEMFLEX_LATTICE_API int TerminateRun(void);

/* Removes the model from memory; Initialize() reads it again. */
FEMFLEX_LATTICE_API int Terminate(void);

/* The state of the running model: positions node by node, momenta node by node, the position of R
 * if the file has one; then the memory of the model: the angle of each rotational spring and, if
 * any spring can break, 1 for each broken spring and 0 for each other spring. States of a
 * polynomial: all positions block by block, then all momenta. The same state, time and inputs give
 * the same motion bit for bit. The power balance is counted from the last InitializeRun() or
 * SetState(). */
FEMFLEX_LATTICE_API int States(void); /* count; -1: not initialised */
FEMFLEX_LATTICE_API int GetState(double* state, int states);
FEMFLEX_LATTICE_API int SetState(double time, const double* state, int states); /* time [s] */
FEMFLEX_LATTICE_API double GetTime(void); /* [s]; not a number if there is no run */

/* The reason of the last error; "" before the first error. Valid until the next call. */
FEMFLEX_LATTICE_API const char* LastError(void);

/* ---- dynamic interface, default model ------------------------------------------------------- */

/* The structure with this name in 20-sim; BOOL is int. */
struct SimulatorSFunctionStruct {
  double versionNumber;
  int nrInputs;      /* from the host; N D */
  int nrOutputs;     /* from the host; N D, or N D + 1 with the energy H [J] as the last one */
  int nrIndepStates; /* set by SFunctionInit(): positions, momenta, R */
  int nrDepStates;   /* set by SFunctionInit(): momenta of nodes that ports move */
  int nrAlgLoops;    /* set by SFunctionInit(): 0; the library computes the place of R */
  double simulationStartTime;   /* [s] */
  double simulationFinishTime;  /* [s] */
  double simulationCurrentTime; /* [s] from the host */
  int major;                    /* BOOL: not 0 at accepted steps, where angles are counted and
                                 * springs break */
  int initialOutputCalculation; /* BOOL: only outputs are needed; rates are computed as well */
};

/* The four cases of a port:
 *   force at a node        states of its own only; the output is the node's velocity
 *   velocity at a node     the D momenta of that node are dependent states: the host gives their
 *                          rates in `x` and receives the momenta in `dx`. If the host has no
 *                          dependent states, it passes 0; the output force then lacks mass times
 *                          acceleration of that node
 *   velocity at R          the position of R is a state of its own; the output is the force
 *   force at R             R has no mass; the library solves for the position where its springs
 * balance the force
 *
 * Order of calls: Initialize, SFunctionInit, SFunctionGetInitialStates, then sFunction any number
 * of times. A static run of the same model is not affected. */

/* Sets nrIndepStates, nrDepStates and nrAlgLoops; sets nrInputs and nrOutputs if the host
 * passes 0, else compares them with the model. */
FEMFLEX_LATTICE_API int SFunctionInit(struct SimulatorSFunctionStruct* s);

/* Start values: nrIndepStates states, nrDepStates rates of dependent states (0), nothing for
 * loops; an array of length 0 may be null. */
FEMFLEX_LATTICE_API int SFunctionGetInitialStates(double* initialIndepStates,
                                                  double* initialDepRates,
                                                  double* initialAlgLoopIn,
                                                  struct SimulatorSFunctionStruct* s);

/* Rates and outputs at simulationCurrentTime.
 *   u    nrInputs numbers: inputs of the ports (no time)
 *   x    nrIndepStates states, then nrDepStates rates of dependent states
 *   y    nrOutputs numbers: outputs of the ports, and H if asked for
 *   dx   nrIndepStates rates, then nrDepStates dependent states */
FEMFLEX_LATTICE_API int sFunction(
    double* u, double* x, double* y, double* dx, struct SimulatorSFunctionStruct* s);

/* ---- the same with a handle ------------------------------------------------------------------ */

typedef struct femflex_lattice femflex_lattice;

/* Reads a model. Null for an error: femflex_lattice_last_error(NULL) of the same thread says why.
 */
FEMFLEX_LATTICE_API femflex_lattice* femflex_lattice_open(const char* path);
FEMFLEX_LATTICE_API void femflex_lattice_close(femflex_lattice* model); /* null is fine */

FEMFLEX_LATTICE_API int femflex_lattice_ports(femflex_lattice* model);     /* count N */
FEMFLEX_LATTICE_API int femflex_lattice_dimension(femflex_lattice* model); /* D */

FEMFLEX_LATTICE_API int femflex_lattice_start_run(femflex_lattice* model); /* InitializeRun */
/* Like Step(), but returns 1 for success. */
FEMFLEX_LATTICE_API int femflex_lattice_step(
    femflex_lattice* model, const double* in, int inputs, double* out, int outputs, int major);
FEMFLEX_LATTICE_API int femflex_lattice_end_run(femflex_lattice* model); /* TerminateRun */

FEMFLEX_LATTICE_API int femflex_lattice_states(femflex_lattice* model);
FEMFLEX_LATTICE_API int femflex_lattice_get_state(femflex_lattice* model,
                                                  double* state,
                                                  int states);
FEMFLEX_LATTICE_API int femflex_lattice_set_state(femflex_lattice* model,
                                                  double time,
                                                  const double* state,
                                                  int states);
FEMFLEX_LATTICE_API double femflex_lattice_time(femflex_lattice* model);

FEMFLEX_LATTICE_API int femflex_lattice_s_function_init(femflex_lattice* model,
                                                        struct SimulatorSFunctionStruct* s);
FEMFLEX_LATTICE_API int femflex_lattice_s_function_initial_states(
    femflex_lattice* model,
    double* initialIndepStates,
    double* initialDepRates,
    double* initialAlgLoopIn,
    struct SimulatorSFunctionStruct* s);
FEMFLEX_LATTICE_API int femflex_lattice_s_function(femflex_lattice* model,
                                                   const double* u,
                                                   const double* x,
                                                   double* y,
                                                   double* dx,
                                                   struct SimulatorSFunctionStruct* s);

/* Last error of a model; with null, the last error of femflex_lattice_open() or of a call with a
 * null handle.
 */
FEMFLEX_LATTICE_API const char* femflex_lattice_last_error(const femflex_lattice* model);

/* NOLINTEND(readability-identifier-naming, modernize-use-using) */

#ifdef __cplusplus
}
#endif

#endif
