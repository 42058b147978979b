// Converts failures of a connection and status codes of cpp-httplib to the JSON errors used in all
// other responses; sends files in pieces, and writes responses as text.
#include "http_responses.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "buffer_size.h"

namespace femflex::service {
namespace {

const char* reason_of(int status) {
  switch (status) {
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 414:
      return "URI Too Long";
    case 416:
      return "Range Not Satisfiable";
    case 431:
      return "Request Header Fields Too Large";
    default:
      return "Bad Request";
  }
}

}  // namespace

ServiceResponse rejected_response(int status, Connection::Failure failure) {
  switch (failure) {
    case Connection::Failure::timeout:
      return error_response(408, UsageError("slow", "the request did not arrive in time"));
    case Connection::Failure::large_header:
      return error_response(
          431, UsageError("too-large", "the header is larger than this service accepts"));
    case Connection::Failure::large_body:
      return error_response(
          413, UsageError("too-large", "the body is larger than this service accepts"));
    case Connection::Failure::none:
    case Connection::Failure::broken:
      break;
  }
  switch (status) {
    case 413:
      return error_response(
          413, UsageError("too-large", "the body is larger than this service accepts"));
    case 414:
      return error_response(414, UsageError("too-large", "the path is too long"));
    case 404:
      return error_response(404, UsageError("no-such-path", "there is no such path"));
    case 405:
      return error_response(405, UsageError("method", "this method is not allowed"));
    case 416:
      return error_response(416, UsageError("range", "the file does not have this range of bytes"));
    default:
      return error_response(status, UsageError("request", "the request is malformed"));
  }
}

void send_file(const std::filesystem::path& path,
               const std::string& type,
               httplib::Response& response) {
  auto in = std::make_shared<std::ifstream>(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = in->tellg();
  if (!*in || size <= 0) {
    const ServiceResponse error =
        error_response(410, UsageError("gone", "the file is gone, empty or may not be read"));
    response.status = error.status;
    response.set_content(error.body, error.type);
    return;
  }
  response.set_content_provider(
      static_cast<std::size_t>(size),
      type,
      [in, buffer = std::vector<char>(kBufferSize)](
          std::size_t offset, std::size_t length, httplib::DataSink& sink) mutable {
        in->clear();
        in->seekg(static_cast<std::streamoff>(offset));
        in->read(buffer.data(), static_cast<std::streamsize>(std::min(length, buffer.size())));
        const auto count = static_cast<std::size_t>(in->gcount());
        return count > 0 && sink.write(buffer.data(), count);
      });
}

std::string http_text_of(const ServiceResponse& response) {
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
      response.status,
      reason_of(response.status),
      response.type,
      response.body.size(),
      response.body);
}

}  // namespace femflex::service
