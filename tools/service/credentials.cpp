// Takes the secret from the Authorization header and compares it in constant time.
#include "credentials.h"

#include <algorithm>
#include <cctype>
#include <cstdint>

namespace femflex::service {
namespace {

/// The text after the name of the scheme; empty for another scheme.
std::string_view after_scheme(std::string_view text, std::string_view scheme) {
  const bool has_scheme =
      text.size() > scheme.size() && text[scheme.size()] == ' ' &&
      std::equal(scheme.begin(), scheme.end(), text.begin(), [](char wanted, unsigned char c) {
        return wanted == static_cast<char>(std::tolower(c));
      });
  if (!has_scheme) return {};
  text.remove_prefix(scheme.size());
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

/// Decodes base64 (RFC 4648, section 4); empty if the text is malformed.
std::string from_base64(std::string_view text) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  while (text.ends_with('='))
    text.remove_suffix(1);
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return {};
    bits = bits << 6U | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> static_cast<unsigned>(count) & 0xffU);
  }
  return out;
}

/// Compares in a time that does not depend on the position of the first difference.
bool is_same_secret(std::string_view sent, std::string_view token) {
  unsigned difference = sent.size() == token.size() ? 0U : 1U;
  for (std::size_t k = 0; k < sent.size(); ++k) {
    difference |= static_cast<unsigned char>(sent[k]) ^
                  static_cast<unsigned>(static_cast<unsigned char>(token[k % token.size()]));
  }
  return difference == 0U;
}

}  // namespace

std::string secret_of_header(std::string_view authorization) {
  if (const auto bearer = after_scheme(authorization, "bearer"); !bearer.empty())
    return std::string(bearer);
  const std::string pair = from_base64(after_scheme(authorization, "basic"));
  const std::size_t colon = pair.find(':');
  return colon == std::string::npos ? std::string() : pair.substr(colon + 1);
}

void authorise(const ServiceRequest& request, std::string_view token) {
  if (token.empty()) return;
  const std::string sent = secret_of_header(request.authorization);
  if (sent.empty()) {
    throw HttpError(
        401, "token-missing", "a token is required here", "send Authorization: Bearer TOKEN");
  }
  if (!is_same_secret(sent, token))
    throw HttpError(403, "token-wrong", "the token that was sent is not valid for this request");
}

}  // namespace femflex::service
