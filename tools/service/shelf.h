// Shelf: files served over HTTP in addition to the parts, with a 3D page for each body and result.
// HttpService owns it.
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

/// The requests that it answers:
///
/// GET  /               index of the files as a page
/// GET  /v1/files       the same index as JSON
/// GET  /files/NAME     the unchanged file; byte ranges are supported
/// GET  /view/NAME      the 3D page of a body or a result, with ETag; gzip, compressed once
///
/// If a file changes while it is served, its new content is sent. Only the files given to the
/// constructor are served, never folders.
class Shelf {
 public:
  /// @param units  units of body files that give none
  /// @throws UsageError  no such file, or two files with the same name
  explicit Shelf(const std::vector<std::filesystem::path>& files = {},
                 std::optional<Units> units = {});

  /// True for the paths above if there are files.
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
    Page page;              ///< the last one that was made, guarded by mutex_
  };

  ServiceResponse handle(const ServiceRequest& request);
  ServiceResponse index() const;
  ServiceResponse list() const;
  ServiceResponse view(const ServiceRequest& request, const std::string& name);
  Item& item(const std::string& name);

  std::map<std::string, Item> items_;
  std::optional<Units> units_;
  // needed because HDF5 reads one file at a time
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
};

}  // namespace femflex::service
