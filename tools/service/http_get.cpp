// Sends the request and reads status line, header fields and body. The body ends by Content-Length,
// by its chunks, or with the connection. Failures are thrown as ExchangeFailed and returned as
// GetFailure.
#include "http_get.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "femflex/text.h"

#include "buffer_size.h"

namespace femflex::service {
namespace {

// limit for status line and header fields
constexpr std::size_t kHeaderBytes = std::size_t{1} << 16U;
// limit for a chunk size with extensions
constexpr std::size_t kLineBytes = 1024;
constexpr int kMaxInterimReplies = 8;  // largest number of replies with a status of 1xx before the
                                       // final one
constexpr std::string_view kHttp = "HTTP/1.";

struct ExchangeFailed {
  GetFailure failure;
};

/// Reads a reply through a buffer. Throws ExchangeFailed, which http_get() catches.
class ReplyReader {
 public:
  ReplyReader(TcpSocket& socket, TcpSocket::TimePoint until) : socket_(socket), until_(until) {}

  /// A line without its line end.
  std::string line(std::size_t max_bytes) {
    for (;;) {
      const std::size_t end = buffer_.find('\n', read_at_);
      if (std::min(end, buffer_.size()) - read_at_ > max_bytes)
        throw ExchangeFailed{GetFailure::too_large};
      if (end != std::string::npos) {
        std::string out = buffer_.substr(read_at_, end - read_at_);
        read_at_ = end + 1;
        if (out.ends_with('\r')) out.pop_back();
        return out;
      }
      receive();
    }
  }
  void append(std::string& body, std::size_t count) {
    while (count > 0) {
      if (read_at_ == buffer_.size()) receive();
      const std::size_t piece = std::min(count, buffer_.size() - read_at_);
      body.append(buffer_, read_at_, piece);
      read_at_ += piece;
      count -= piece;
    }
  }
  /// Appends everything until the other side closes the connection.
  void append_rest(std::string& body, std::size_t max_bytes) {
    for (;;) {
      body.append(buffer_, read_at_);
      read_at_ = buffer_.size();
      if (body.size() > max_bytes) throw ExchangeFailed{GetFailure::too_large};
      if (!try_receive()) {
        if (socket_.failure() == TcpSocket::Failure::closed) return;
        throw_failure();
      }
    }
  }
  std::string_view unread() const { return std::string_view(buffer_).substr(read_at_); }
  bool is_empty() const { return read_at_ == buffer_.size(); }
  void receive() {
    if (!try_receive()) throw_failure();
  }

 private:
  bool try_receive() {
    buffer_.erase(0, read_at_);
    read_at_ = 0;
    if (std::chrono::steady_clock::now() >= until_) throw ExchangeFailed{GetFailure::timeout};
    const std::size_t received = socket_.read(chunk_.data(), chunk_.size(), until_);
    buffer_.append(chunk_.data(), received);
    return received > 0;
  }
  [[noreturn]] void throw_failure() const {
    throw ExchangeFailed{socket_.failure() == TcpSocket::Failure::timeout ? GetFailure::timeout
                                                                          : GetFailure::broken};
  }

  TcpSocket& socket_;
  TcpSocket::TimePoint until_;
  std::string buffer_;
  std::size_t read_at_ = 0;
  std::vector<char> chunk_ = std::vector<char>(kBufferSize);
};

std::optional<std::size_t> size_of(std::string_view digits, int base) {
  std::size_t out = 0;
  const auto [end, failure] =
      std::from_chars(digits.data(), digits.data() + digits.size(), out, base);
  if (digits.empty() || failure != std::errc() || end != digits.data() + digits.size()) return {};
  return out;
}

/// How the end of the body is determined, according to the header.
struct Framing {
  std::optional<std::size_t> length;
  bool is_chunked = false;
};

/// Status line and fields of one response.
Framing read_header(ReplyReader& in, GetReply& reply) {
  // checked byte by byte, because the banner of another protocol may have no line end
  while (in.unread().size() < kHttp.size())
    in.receive();
  if (!in.unread().starts_with(kHttp)) throw ExchangeFailed{GetFailure::not_http};
  const std::string status = in.line(kHeaderBytes);
  reply = {};
  // "HTTP/1.1 200 OK": the three digits of the status code start at position 9
  constexpr std::size_t kCodeAt = 9;
  if (status.size() < kCodeAt + 3 || status[kCodeAt - 1] != ' ')
    throw ExchangeFailed{GetFailure::not_http};
  const auto code = size_of(std::string_view(status).substr(kCodeAt, 3), 10);
  if (!code || *code < 100) throw ExchangeFailed{GetFailure::not_http};
  reply.status = static_cast<int>(*code);
  reply.is_reusable = status.starts_with("HTTP/1.1");
  Framing framing;
  std::size_t remaining = kHeaderBytes;
  for (;;) {
    const std::string field = in.line(remaining);
    if (field.empty()) return framing;
    remaining -= std::min(remaining, field.size() + 1);
    const std::size_t colon = field.find(':');
    if (colon == std::string::npos) throw ExchangeFailed{GetFailure::not_http};
    const std::string name = lower_case(trimmed(std::string_view(field).substr(0, colon)));
    const std::string value(trimmed(std::string_view(field).substr(colon + 1)));
    if (name == "content-length") {
      const auto length = size_of(value, 10);
      if (!length || (framing.length && framing.length != length))
        throw ExchangeFailed{GetFailure::not_http};
      framing.length = length;
    } else if (name == "transfer-encoding") {
      framing.is_chunked = lower_case(value).ends_with("chunked");
    } else if (name == "connection" && lower_case(value).find("close") != std::string::npos) {
      reply.is_reusable = false;
    } else if (name == "etag") {
      reply.etag = value;
      std::erase(reply.etag, '"');
    } else if (name == "location") {
      reply.location = value;
    }
  }
}

void read_chunks(ReplyReader& in, std::string& body, std::size_t max_bytes) {
  for (;;) {
    const std::string line = in.line(kLineBytes);
    const auto size = size_of(trimmed(std::string_view(line).substr(0, line.find(';'))), 16);
    if (!size) throw ExchangeFailed{GetFailure::not_http};
    if (*size > max_bytes - body.size()) throw ExchangeFailed{GetFailure::too_large};
    if (*size == 0) break;
    in.append(body, *size);
    if (!in.line(kLineBytes).empty()) throw ExchangeFailed{GetFailure::not_http};
  }
  for (std::size_t remaining = kHeaderBytes;;) {  // trailer fields are ignored
    const std::string field = in.line(remaining);
    if (field.empty()) return;
    remaining -= std::min(remaining, field.size() + 1);
  }
}

void read_reply(ReplyReader& in, GetReply& reply, std::size_t max_bytes) {
  Framing framing = read_header(in, reply);
  for (int k = 0; reply.status < 200; ++k) {
    if (k == kMaxInterimReplies) throw ExchangeFailed{GetFailure::not_http};
    framing = read_header(in, reply);
  }
  constexpr int kNoContent = 204;
  constexpr int kNotModified = 304;
  if (reply.status == kNoContent || reply.status == kNotModified) return;
  if (framing.is_chunked) {
    read_chunks(in, reply.body, max_bytes);
  } else if (framing.length) {
    if (*framing.length > max_bytes) throw ExchangeFailed{GetFailure::too_large};
    in.append(reply.body, *framing.length);
  } else {
    reply.is_reusable = false;
    in.append_rest(reply.body, max_bytes);
  }
}

std::string text_of(const GetRequest& request) {
  std::string out = fmt::format(
      "GET {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: femflex\r\nAccept: application/json\r\n",
      request.path,
      request.authority);
  for (const auto& [name, value] : request.headers) {
    // a line end in a value would allow a client to inject headers
    if (value.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) continue;
    out += fmt::format("{}: {}\r\n", name, value);
  }
  return out + "\r\n";
}

}  // namespace

GetOutcome http_get(TcpSocket& socket,
                    const GetRequest& request,
                    std::size_t max_bytes,
                    TcpSocket::TimePoint until) {
  GetOutcome out;
  const auto failure = [&]() {
    return socket.failure() == TcpSocket::Failure::timeout ? GetFailure::timeout
                                                           : GetFailure::broken;
  };
  ReplyReader in(socket, until);
  try {
    if (!socket.write_all(text_of(request), until)) throw ExchangeFailed{failure()};
    read_reply(in, out.reply, max_bytes);
    // unexpected bytes would be read as the next reply
    out.reply.is_reusable = out.reply.is_reusable && in.is_empty();
  } catch (const ExchangeFailed& failed) {
    out.failure = failed.failure;
    if (failed.failure == GetFailure::not_http) out.first_bytes = in.unread();
  }
  return out;
}

}  // namespace femflex::service
