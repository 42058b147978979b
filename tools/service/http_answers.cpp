// Turns faults of a connection and status codes of cpp-httplib into the errors in JSON that all
// other responses use.
#include "http_answers.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "femflex/errors.h"

#include "piece.h"

namespace femflex::service {
namespace {

const char* reason_of(int status) {
  switch (status) {
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 431:
      return "Request Header Fields Too Large";
    default:
      return "Bad Request";
  }
}

}  // namespace

Answer refused(int status, Connection::Fault fault) {
  switch (fault) {
    case Connection::Fault::late:
      return error_answer(408, UsageError("slow", "the request did not arrive in time"));
    case Connection::Fault::large_header:
      return error_answer(
          431, UsageError("too-large", "the header is larger than this service accepts"));
    case Connection::Fault::large_body:
      return error_answer(413,
                          UsageError("too-large", "the body is larger than this service accepts"));
    case Connection::Fault::none:
    case Connection::Fault::broken:
      break;
  }
  switch (status) {
    case 413:
      return error_answer(413,
                          UsageError("too-large", "the body is larger than this service accepts"));
    case 414:
      return error_answer(414, UsageError("too-large", "the path is too long"));
    case 404:
    case 405:
      return error_answer(405, UsageError("method", "this method is not allowed"));
    case 416:
      return error_answer(416, UsageError("range", "this range cannot be given"));
    default:
      return error_answer(status,
                          UsageError("request", "this is not a request that can be answered"));
  }
}

void send_file(const std::filesystem::path& path,
               const std::string& type,
               httplib::Response& response) {
  auto in = std::make_shared<std::ifstream>(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = in->tellg();
  if (!*in || size <= 0) {
    const Answer answer =
        error_answer(410, UsageError("gone", "the file is gone, empty or may not be read"));
    response.status = answer.status;
    response.set_content(answer.body, answer.type);
    return;
  }
  response.set_content_provider(
      static_cast<std::size_t>(size),
      type,
      [in, piece = std::vector<char>(kPiece)](
          std::size_t offset, std::size_t length, httplib::DataSink& sink) mutable {
        in->clear();
        in->seekg(static_cast<std::streamoff>(offset));
        in->read(piece.data(), static_cast<std::streamsize>(std::min(length, piece.size())));
        const auto count = static_cast<std::size_t>(in->gcount());
        return count > 0 && sink.write(piece.data(), count);
      });
}

std::string message_of(const Answer& answer) {
  return fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n{}",
      answer.status,
      reason_of(answer.status),
      answer.type,
      answer.body.size(),
      answer.body);
}

}  // namespace femflex::service
