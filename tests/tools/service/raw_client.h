// Clients and servers on plain sockets, for tests of the HTTP service, that violate HTTP as a
// correct program would not.
#pragma once

#include <string>
#include <utility>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace femflex::service {

/// A TCP client that can send requests that are not correct HTTP.
class RawClient {
 public:
  explicit RawClient(int port) : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int yes = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    static_cast<void>(
        ::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address));
  }
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  RawClient(RawClient&&) = delete;
  RawClient& operator=(RawClient&&) = delete;
  ~RawClient() { ::close(socket_); }

  /// Returns false if the other side has closed the connection.
  bool send(const std::string& text) {
    return ::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) ==
           static_cast<ssize_t>(text.size());
  }

  /// Status of the next answer; 0 if the connection ends without an answer.
  int status() {
    std::string text = std::exchange(held_, {});
    std::size_t end = std::string::npos;
    while ((end = text.find("\r\n\r\n")) == std::string::npos) {
      if (!receive(text)) break;
    }
    if (end == std::string::npos) end = text.size();
    // skips the body, so that the next answer starts at the read position
    const std::size_t length_at = text.find("Content-Length: ");
    if (length_at < end) {
      const std::size_t length = std::stoul(text.substr(length_at + 16));
      while (text.size() < end + 4 + length && receive(text)) {
      }
      if (text.size() > end + 4 + length) held_ = text.substr(end + 4 + length);
    }
    return text.starts_with("HTTP/1.1 ") ? std::stoi(text.substr(9, 3)) : 0;
  }

 private:
  bool receive(std::string& text) {
    pollfd one{socket_, POLLIN, 0};
    if (::poll(&one, 1, 5000) <= 0) return false;
    char buffer[4096];
    const ssize_t got = ::recv(socket_, buffer, sizeof buffer, 0);
    if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
    return got > 0;
  }

  int socket_;
  std::string held_;  // text of later answers that has already been received
};

/// A host that accepts connections and sends nothing.
class SilentHost {
 public:
  SilentHost() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    static_cast<void>(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address));
    ::listen(socket_, 8);
    socklen_t size = sizeof address;
    ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  SilentHost(const SilentHost&) = delete;
  SilentHost& operator=(const SilentHost&) = delete;
  SilentHost(SilentHost&&) = delete;
  SilentHost& operator=(SilentHost&&) = delete;
  ~SilentHost() { ::close(socket_); }
  int port() const { return port_; }

 private:
  int socket_;
  int port_ = 0;
};

}  // namespace femflex::service
