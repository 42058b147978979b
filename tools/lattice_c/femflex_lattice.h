#ifndef FEMFLEX_LATTICE_H
#define FEMFLEX_LATTICE_H

/* A lattice between two ports for a host program that loads libfemflex_lattice. One model per
 * process; every function returns 0 on success, else LastError() gives the reason.
 *
 * The model file is JSON (docs/formats/lattice.md) with "ports": two places, each with the kind of
 * its input. Static interface, in the host's order:
 *   SetModel (or the environment variable FEMFLEX_LATTICE), Initialize, InitializeRun,
 *   Step ... Step, TerminateRun, Terminate.
 * in   = time [s], input of port 1 (dimension numbers), input of port 2
 * out  = output of port 1, output of port 2, energy input through both [J], H [J],
 *        error of the power balance [J]
 * Step moves the model from the time of the last major step to in[0] with the inputs held
 * constant. With `major` 0 it returns the outputs, but leaves the state of the model unchanged.
 *
 * Dynamic interface: the host integrates. States() and InitialState() give the state, Rate() its
 * rate and the outputs (without the three energies).
 */

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define FEMFLEX_LATTICE_API __declspec(dllexport)
#else
#define FEMFLEX_LATTICE_API __attribute__((visibility("default")))
#endif

/* NOLINTBEGIN(readability-identifier-naming): names of the published interface */
FEMFLEX_LATTICE_API int SetModel(const char* path);
FEMFLEX_LATTICE_API int Initialize(void);
FEMFLEX_LATTICE_API int InitializeRun(void);
FEMFLEX_LATTICE_API int Step(double* in, int inputs, double* out, int outputs, int major);
FEMFLEX_LATTICE_API int TerminateRun(void);
FEMFLEX_LATTICE_API int Terminate(void);

FEMFLEX_LATTICE_API int States(void);
FEMFLEX_LATTICE_API int InitialState(double* state, int states);
FEMFLEX_LATTICE_API int Rate(double* in,
                             int inputs,
                             double* out,
                             int outputs,
                             const double* state,
                             double* rate,
                             int states,
                             int major);

FEMFLEX_LATTICE_API const char* LastError(void);
/* NOLINTEND(readability-identifier-naming) */

#ifdef __cplusplus
}
#endif

#endif
