// A service that runs inside the test program on a free port.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include <Eigen/SparseCore>  // before httplib.h: resolv.h makes a macro of Eigen's _res
#include <httplib.h>

#include "document/json_text.h"
#include "service/http_client.h"
#include "service/http_service.h"

namespace femflex::service {

/// Reads an assembly file from its text.
inline tools::AssemblyFile parsed(const std::string& text) {
  Diagnostics diagnostics;
  return tools::read_assembly(
      tools::parse_json(text, "test.json"), ".", diagnostics, no_progress());
}

/// A service in this process, which the destructor stops.
class Running {
 public:
  explicit Running(const std::string& file, ServiceOptions options = {})
      : Running(parsed(file), std::move(options), Shelf()) {}
  Running(tools::AssemblyFile file, ServiceOptions options, Shelf shelf)
      : book_(std::move(file),
              http_parts({.connect = std::chrono::milliseconds(500),
                          .total = std::chrono::milliseconds(1000)})) {
    options.log = [this](std::string_view line) {
      const std::lock_guard lock(mutex_);
      log_.emplace_back(line);
    };
    service_ = std::make_unique<HttpService>(book_, options, std::move(shelf));
    thread_ = std::thread([this]() { service_->run(); });
    wait_until_it_answers();
  }
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  Running(Running&&) = delete;
  Running& operator=(Running&&) = delete;
  ~Running() { stop(); }

  void stop() {
    if (!thread_.joinable()) return;
    service_->stop();
    thread_.join();
  }
  int port() const { return service_->port(); }
  httplib::Client client() const { return httplib::Client("127.0.0.1", port()); }
  std::vector<std::string> log() {
    const std::lock_guard lock(mutex_);
    return log_;
  }

 private:
  void wait_until_it_answers() const {
    for (int k = 0; k < 200; ++k) {
      httplib::Client probe("127.0.0.1", port());
      if (probe.Get("/v1/health")) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }

  tools::PartBook book_;
  std::unique_ptr<HttpService> service_;
  std::thread thread_;
  std::mutex mutex_;
  std::vector<std::string> log_;
};

/// The address of a service in this process.
inline std::string url_of(const Running& house) {
  return "http://127.0.0.1:" + std::to_string(house.port());
}

}  // namespace femflex::service
