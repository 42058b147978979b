// Computes the kinds of modes that a request lists: modes of the component with fixed interface
// first, then those of the free component, collected in one set.
#include "femflex/modal/compute_modes.h"

#include <string>
#include <utility>

#include <fmt/format.h>

#include "femflex/errors.h"
#include "femflex/parallel.h"

#include "dense/symmetric_eigen.h"
#include "methods/free_modes.h"
#include "methods/held_modes.h"
#include "methods/mode_collector.h"
#include "request_checks.h"
#include "solve/mechanism_messages.h"
#include "solve/memory.h"
#include "solve/system.h"

namespace femflex::modal {
namespace {

/// Adds the constraint modes of the 1993 report: one DOF moves under its own force while all others
/// are fixed, so that u_j = F / K_jj.
void add_single_motions(const FeModel& model,
                        const System& system,
                        const ModeRequest& request,
                        ModeCollector& modes) {
  const std::vector<std::int64_t> unknowns = interface_unknowns(model, system, request.dofs);
  Eigen::MatrixXd x = unit_columns(system.size(), unknowns);
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    const double stiffness = system.K.coeff(unknowns[k], unknowns[k]);
    if (!(stiffness > 0.0))
      throw ModelError(
          "no-stiffness",
          fmt::format("DOF {} has no stiffness of its own",
                      to_string(model.dofs[system.row_of[static_cast<std::size_t>(unknowns[k])]])));
    x.col(static_cast<Eigen::Index>(k)) *= request.unit_force / stiffness;
  }
  modes.add(ModeKind::constraint, system.expand(x), "force on one DOF, all others held");
}

/// Lower bound of the number of modes besides normal ones, for the check of memory: interface modes
/// and static modes.
Eigen::Index other_mode_count(const FeModel& model,
                              const System& system,
                              const ModeRequest& request) {
  const int each_dof = (request.constraint ? 1 : 0) + (request.attachment ? 1 : 0) +
                       (request.residual_attachment ? 1 : 0);
  Eigen::Index count = 0;
  if (request.static_loads) count += static_cast<Eigen::Index>(model.loads.size());
  if (each_dof > 0 && !model.interface_nodes.empty())
    count += each_dof *
             static_cast<Eigen::Index>(interface_unknowns(model, system, request.dofs).size());
  return count;
}

void check_request(const ModeRequest& request) {
  check_count(request.normal, "--normal");
  check_count(request.krylov, "--krylov");
  check_highest_frequency(request.fmax_hz);
  if (request.fmin_hz && !(request.fmax_hz && *request.fmin_hz < *request.fmax_hz))
    throw UsageError(
        "band",
        fmt::format("the lower frequency {} Hz has no upper frequency above it", *request.fmin_hz),
        {},
        "give a band such as 10-100Hz");
  if (request.fixed == ModeRequest::Boundary::interface &&
      (request.attachment || request.residual_attachment))
    throw UsageError("attachment",
                     "attachment modes load the interface, so it cannot be held",
                     {},
                     "leave out --fixed interface");
}

}  // namespace

ComputedModes compute_modes(const FeModel& model,
                            const ModeRequest& request,
                            Diagnostics& diagnostics,
                            Progress& progress) {
  check_request(request);
  const DenseThreads dense(request.solve.threads);
  System system = build_system(model, diagnostics);
  const Eigen::Index others = other_mode_count(model, system, request);
  // how many normal modes lie below a limit is not known yet
  const Eigen::Index normal = request.fmax_hz ? 0 : request.normal;
  check_memory(system.size(), others + normal, memory_limit(), diagnostics);
  ModeCollector modes;
  ComputedModes out;
  const bool fixed = request.fixed == ModeRequest::Boundary::interface;
  const bool all_but_one =
      request.constraint && request.constraint_sense == ModeRequest::ConstraintSense::all_but_one;
  if (all_but_one) add_single_motions(model, system, request, modes);
  const bool needs_fixed_interface =
      fixed || (request.constraint && !all_but_one) || request.inertia_relief;
  const bool needs_free = !fixed || request.krylov > 0;
  for (const bool interface_fixed : {true, false}) {
    if (!(interface_fixed ? needs_fixed_interface : needs_free)) continue;
    const std::size_t first_block = modes.mark();
    with_mechanisms_held(
        model, system, interface_fixed ? &request.dofs : nullptr, diagnostics, [&] {
          modes.rewind(first_block);
          const ModeWork work{
              model, system, request, others, diagnostics, progress, modes, out.report};
          (interface_fixed ? add_held_modes : add_free_modes)(work);
        });
  }
  out.modes = std::move(modes).finish(model);
  if (out.modes.count() == 0)
    throw UsageError("nothing-asked",
                     request.fmax_hz ? fmt::format("there is no mode between {} and {} Hz",
                                                   request.fmin_hz.value_or(0.0),
                                                   *request.fmax_hz)
                                     : std::string("no modes were requested"),
                     {},
                     "request some, for example --normal 20");
  // a warning is given if the residual exceeds this multiple of the requested one
  constexpr double kWarningFactor = 2.0;
  if (out.report.worst_residual > kWarningFactor * request.solve.residual)
    diagnostics.warn(
        "residual",
        fmt::format("|K phi - lambda M phi| of a mode remains {:.1e} |K phi|: with so stiff a "
                    "mesh its shape would need more than double precision",
                    out.report.worst_residual));
  return out;
}

}  // namespace femflex::modal
