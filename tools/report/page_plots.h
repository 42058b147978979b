// The plots that a system file asks for ("page"), of one run or of several over each other.
#pragma once

#include <string>
#include <vector>

#include "report/svg_plot.h"
#include "system/run_page.h"

namespace femflex::report {

/// A run and the name that its curves bear; empty: that of the channel alone.
struct NamedRun {
  std::string name;
  const tools::ResultSeries* series = nullptr;
};

/// @throws UsageError  a run lacks a channel, or its rows are too few for a spectrum
std::vector<Plot> page_plots(const tools::RunPage& page, const std::vector<NamedRun>& runs);

}  // namespace femflex::report
