// page_plots(): the plots requested by "page" of a system file, for one run or several runs in the
// same diagram. The reports use it.
#pragma once

#include <string>
#include <vector>

#include "report/svg_plot.h"
#include "system/run_page.h"

namespace femflex::report {

/// A run, and the name of its curves; empty: curves have the name of the channel.
struct NamedRun {
  std::string name;
  const tools::ResultSeries* series = nullptr;
};

/// @throws UsageError  a run lacks a channel, or its rows are too few for a spectrum
std::vector<Plot> page_plots(const tools::RunPage& page, const std::vector<NamedRun>& runs);

}  // namespace femflex::report
