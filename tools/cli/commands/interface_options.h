// The options --interface and --spider of verbs that read files of an FE code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "femflex/importer/spider.h"

#include "fields.h"

namespace femflex::cli {

/// The option --interface. @param of  begins the help where the option is for some inputs only
template <class Request>
Option interface_option(Field<Request, std::vector<std::int64_t>> ids, const std::string& of = {}) {
  return {.name = "--interface",
          .value = "IDS",
          .help = of + "nodes where the body will be held or loaded: 101,201-208",
          .set = to(ids, interface_ids)};
}

/// The option --spider. @param of  as above
template <class Request>
Option spider_option(Field<Request, std::vector<importer::Spider>> spiders,
                     const std::string& of = {}) {
  return {.name = "--spider",
          .value = "NODE=rbe3:NODES[@X,Y,Z]",
          .help = of +
                  "adds an interface node that follows the mean of NODES (rbe3) or leads them "
                  "(rbe2): 1-20,25, set:NAME, plane:x=1.2 or cylinder:PX,PY,PZ,DX,DY,DZ,R",
          .is_repeated = true,
          .set = to(spiders, spiders_of)};
}

}  // namespace femflex::cli
