// Files served over HTTP in addition to the parts, with a 3D page for each body and each result.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "femflex/units.h"

#include "exchange.h"

namespace femflex::service {

/// Files served in addition to the agents:
///
///   GET  /               index of the files as a page
///   GET  /v1/files       the same as JSON
///   GET  /files/NAME     a file as it is; byte ranges too
///   GET  /view/NAME      the 3D page of a body or a result, ETag; gzip, compressed once
///
/// A file that changes while it is served is sent in its new state. Folders are never read; only
/// the files named to the constructor are.
class Shelf {
 public:
  /// @param units  units of body files that give none
  /// @throws UsageError  no such file; two files of one name
  explicit Shelf(const std::vector<std::filesystem::path>& files = {},
                 std::optional<Units> units = {});

  /// True for the paths above, if there are files.
  bool handles(const std::string& path) const;
  /// Never throws.
  ServiceResponse respond(const ServiceRequest& request);

 private:
  struct Page {
    std::string version;
    std::string text;
    std::string gzip_text;  ///< gzip of `text`, made at the first request
  };
  struct Item {
    std::filesystem::path path;
    std::string kind;
    bool has_page = false;  ///< has a 3D page
    Page page;              ///< the last one made, guarded by mutex_
  };

  ServiceResponse handle(const ServiceRequest& request);
  ServiceResponse index() const;
  ServiceResponse list() const;
  ServiceResponse view(const ServiceRequest& request, const std::string& name);
  Item& item(const std::string& name);

  std::map<std::string, Item> items_;
  std::optional<Units> units_;
  // because HDF5 reads one file at a time
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
};

}  // namespace femflex::service
