// LiveRoutes: the HTTP paths of the live page, for models, sessions, pictures and commands.
// HttpService uses it.
#pragma once

#include <memory>
#include <string>

#include "exchange.h"
#include "live/live_desk.h"

namespace femflex::service {

/// The live page over HTTP:
///
///   GET  /live/                     the page
///   GET  /live/models               { "models": [...] }
///   POST /live/sessions             { "model": NAME } -> { "session": ID }
///   GET  /live/ID/drawing           the drawing (LiveSession::drawing)
///   GET  /live/ID/picture?after=N   the next picture, with its number in X-Picture; 204: none yet
///   POST /live/ID/command           { "do": ... } -> the state of the session (LiveDesk::command)
///   POST /live/ID/close
class LiveRoutes {
 public:
  /// @param desk  null if there is no live page
  explicit LiveRoutes(std::shared_ptr<live::LiveDesk> desk = nullptr) : desk_(std::move(desk)) {}

  bool handles(const std::string& path) const;
  /// Never throws.
  ServiceResponse respond(const ServiceRequest& request) const;
  /// True for requests that arrive sixty times per second; they are not logged.
  static bool is_frequent(const std::string& path);

 private:
  ServiceResponse handle(const ServiceRequest& request) const;

  std::shared_ptr<live::LiveDesk> desk_;
};

}  // namespace femflex::service
