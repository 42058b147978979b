// Sends the request, reads status line and fields, then the body by Content-Length, in chunks, or
// to the end of the connection. Faults are thrown as Ended and returned as GetFault.
#include "http_get.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "femflex/text.h"

#include "piece.h"

namespace femflex::service {
namespace {

// limit for status line and header fields
constexpr std::size_t kHeaderBytes = std::size_t{1} << 16U;
// limit for a chunk size with extensions
constexpr std::size_t kLineBytes = 1024;
constexpr int kInformal = 8;  // most interim responses (1xx) before the final one
constexpr std::string_view kHttp = "HTTP/1.";

struct Ended {
  GetFault fault;
};

/// Reads ahead in pieces; throws Ended, caught in http_get().
class Incoming {
 public:
  Incoming(Wire& wire, Wire::Moment until) : wire_(wire), until_(until) {}

  /// A line without its end.
  std::string line(std::size_t most) {
    for (;;) {
      const std::size_t end = held_.find('\n', at_);
      if (std::min(end, held_.size()) - at_ > most) throw Ended{GetFault::too_large};
      if (end != std::string::npos) {
        std::string out = held_.substr(at_, end - at_);
        at_ = end + 1;
        if (out.ends_with('\r')) out.pop_back();
        return out;
      }
      more();
    }
  }
  void append(std::string& body, std::size_t count) {
    while (count > 0) {
      if (at_ == held_.size()) more();
      const std::size_t piece = std::min(count, held_.size() - at_);
      body.append(held_, at_, piece);
      at_ += piece;
      count -= piece;
    }
  }
  /// Appends all that comes until the other side closes.
  void append_rest(std::string& body, std::size_t most) {
    for (;;) {
      body.append(held_, at_);
      at_ = held_.size();
      if (body.size() > most) throw Ended{GetFault::too_large};
      if (!try_more()) {
        if (wire_.fault() == Wire::Fault::closed) return;
        throw_fault();
      }
    }
  }
  std::string_view held() const { return std::string_view(held_).substr(at_); }
  bool is_empty() const { return at_ == held_.size(); }
  void more() {
    if (!try_more()) throw_fault();
  }

 private:
  bool try_more() {
    held_.erase(0, at_);
    at_ = 0;
    if (std::chrono::steady_clock::now() >= until_) throw Ended{GetFault::late};
    const std::size_t got = wire_.read(piece_.data(), piece_.size(), until_);
    held_.append(piece_.data(), got);
    return got > 0;
  }
  [[noreturn]] void throw_fault() const {
    throw Ended{wire_.fault() == Wire::Fault::late ? GetFault::late : GetFault::broken};
  }

  Wire& wire_;
  Wire::Moment until_;
  std::string held_;
  std::size_t at_ = 0;
  std::vector<char> piece_ = std::vector<char>(kPiece);
};

std::optional<std::size_t> size_of(std::string_view digits, int base) {
  std::size_t out = 0;
  const auto [end, fault] =
      std::from_chars(digits.data(), digits.data() + digits.size(), out, base);
  if (digits.empty() || fault != std::errc() || end != digits.data() + digits.size()) return {};
  return out;
}

/// What the header says about the body.
struct Framing {
  std::optional<std::size_t> length;
  bool is_chunked = false;
};

/// Status line and fields of one answer.
Framing read_header(Incoming& in, GetReply& reply) {
  // a banner without a line end is not an answer either
  while (in.held().size() < kHttp.size())
    in.more();
  if (!in.held().starts_with(kHttp)) throw Ended{GetFault::not_http};
  const std::string status = in.line(kHeaderBytes);
  reply = {};
  // "HTTP/1.1 200 OK": the three digits are at 9
  constexpr std::size_t kDigits = 9;
  if (status.size() < kDigits + 3 || status[kDigits - 1] != ' ') throw Ended{GetFault::not_http};
  const auto code = size_of(std::string_view(status).substr(kDigits, 3), 10);
  if (!code || *code < 100) throw Ended{GetFault::not_http};
  reply.status = static_cast<int>(*code);
  reply.keeps = status.starts_with("HTTP/1.1");
  Framing framing;
  std::size_t left = kHeaderBytes;
  for (;;) {
    const std::string field = in.line(left);
    if (field.empty()) return framing;
    left -= std::min(left, field.size() + 1);
    const std::size_t colon = field.find(':');
    if (colon == std::string::npos) throw Ended{GetFault::not_http};
    const std::string name = lower_case(trimmed(std::string_view(field).substr(0, colon)));
    const std::string value(trimmed(std::string_view(field).substr(colon + 1)));
    if (name == "content-length") {
      const auto length = size_of(value, 10);
      if (!length || (framing.length && framing.length != length)) throw Ended{GetFault::not_http};
      framing.length = length;
    } else if (name == "transfer-encoding") {
      framing.is_chunked = lower_case(value).ends_with("chunked");
    } else if (name == "connection" && lower_case(value).find("close") != std::string::npos) {
      reply.keeps = false;
    } else if (name == "etag") {
      reply.etag = value;
      std::erase(reply.etag, '"');
    } else if (name == "location") {
      reply.location = value;
    }
  }
}

void read_chunks(Incoming& in, std::string& body, std::size_t most) {
  for (;;) {
    const std::string line = in.line(kLineBytes);
    const auto size = size_of(trimmed(std::string_view(line).substr(0, line.find(';'))), 16);
    if (!size) throw Ended{GetFault::not_http};
    if (*size > most - body.size()) throw Ended{GetFault::too_large};
    if (*size == 0) break;
    in.append(body, *size);
    if (!in.line(kLineBytes).empty()) throw Ended{GetFault::not_http};
  }
  for (std::size_t left = kHeaderBytes;;) {  // trailer fields are ignored
    const std::string field = in.line(left);
    if (field.empty()) return;
    left -= std::min(left, field.size() + 1);
  }
}

void read_reply(Incoming& in, GetReply& reply, std::size_t most) {
  Framing framing = read_header(in, reply);
  for (int k = 0; reply.status < 200; ++k) {
    if (k == kInformal) throw Ended{GetFault::not_http};
    framing = read_header(in, reply);
  }
  constexpr int kNoContent = 204;
  constexpr int kNotModified = 304;
  if (reply.status == kNoContent || reply.status == kNotModified) return;
  if (framing.is_chunked) {
    read_chunks(in, reply.body, most);
  } else if (framing.length) {
    if (*framing.length > most) throw Ended{GetFault::too_large};
    in.append(reply.body, *framing.length);
  } else {
    reply.keeps = false;
    in.append_rest(reply.body, most);
  }
}

std::string text_of(const GetRequest& request) {
  std::string out = fmt::format(
      "GET {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: femflex\r\nAccept: application/json\r\n",
      request.path,
      request.authority);
  for (const auto& [name, value] : request.headers) {
    // a line end in a value would allow header injection
    if (value.find_first_of(std::string_view("\r\n\0", 3)) != std::string::npos) continue;
    out += fmt::format("{}: {}\r\n", name, value);
  }
  return out + "\r\n";
}

}  // namespace

GetOutcome http_get(Wire& wire,
                    const GetRequest& request,
                    std::size_t most_bytes,
                    Wire::Moment until) {
  GetOutcome out;
  const auto fault = [&]() {
    return wire.fault() == Wire::Fault::late ? GetFault::late : GetFault::broken;
  };
  Incoming in(wire, until);
  try {
    if (!wire.write_all(text_of(request), until)) throw Ended{fault()};
    read_reply(in, out.reply, most_bytes);
    // unexpected bytes would be taken for the next response
    out.reply.keeps = out.reply.keeps && in.is_empty();
  } catch (const Ended& ended) {
    out.fault = ended.fault;
    if (ended.fault == GetFault::not_http) out.words = in.held();
  }
  return out;
}

}  // namespace femflex::service
