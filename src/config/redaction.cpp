#include "config/redaction.hpp"

#include <algorithm>
#include <cstddef>

namespace outrider::config {
namespace {

constexpr std::string_view hidden = "***";
constexpr std::string_view white_space = " \t\n\r\f\v";

bool is_secret(std::string_view name) {
  return name == "password" || name == "sslpassword";
}

// libpq decodes the names of URL parameters, so an encoded one may spell a secret's name.
bool may_be_secret(std::string_view encoded_name) {
  return is_secret(encoded_name) || encoded_name.find('%') != std::string_view::npos;
}

// Hides the values of secret parameters. A name begins after any '?' or '&', so that what was
// hidden before may have swallowed the real '?'; a value ends at '&' only, since a password may
// contain '?'.
std::string redact_parameters(std::string_view text) {
  std::string result;
  for (;;) {
    const std::size_t separator = text.find_first_of("?&");
    result.append(text.substr(0, separator));
    if (separator == std::string_view::npos) {
      return result;
    }
    result.push_back(text[separator]);
    text.remove_prefix(separator + 1);
    const std::size_t name_end = text.find_first_of("=?&");
    const bool has_value = name_end != std::string_view::npos && text[name_end] == '=';
    if (has_value && may_be_secret(text.substr(0, name_end))) {
      result.append(text.substr(0, name_end + 1)).append(hidden);
      text.remove_prefix(std::min(text.find('&'), text.size()));
    }
  }
}

// Hides what stands between the first ':' and the last '@'. The last one ends the userinfo even if
// the password contains unescaped separators: libpq would refuse such a URL, but the refusal must
// not show the password either.
std::string redact_userinfo(std::string_view text) {
  const std::size_t at = text.rfind('@');
  const std::size_t colon = text.find(':');
  if (at == std::string_view::npos || colon > at) {
    return std::string(text);
  }
  return std::string(text.substr(0, colon + 1)).append(hidden).append(text.substr(at));
}

std::string redact_url(std::string_view url, std::size_t authority) {
  return std::string(url.substr(0, authority)) +
         redact_parameters(redact_userinfo(url.substr(authority)));
}

// The length of a connection string's value at the front of the text, quotes included.
std::size_t value_length(std::string_view text) {
  const bool is_quoted = text.starts_with('\'');
  std::size_t i = is_quoted ? 1 : 0;
  while (i < text.size()) {
    if (text[i] == '\\') {
      i += 2;
      continue;
    }
    if (is_quoted && text[i] == '\'') {
      return i + 1;
    }
    if (!is_quoted && white_space.find(text[i]) != std::string_view::npos) {
      return i;
    }
    ++i;
  }
  return text.size();
}

std::string redact_connection_string(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t name_begin = text.find_first_not_of(white_space);
    const std::size_t equals = text.find('=');
    if (name_begin == std::string_view::npos) {
      return result.append(text);
    }
    if (equals == std::string_view::npos) {
      return result.append(text.substr(0, name_begin)).append(hidden);
    }
    std::string_view name = text.substr(name_begin, equals - name_begin);
    name = name.substr(0, name.find_last_not_of(white_space) + 1);
    // A name of several words means that the text went wrong earlier; what they and the rest are is
    // anybody's guess.
    if (name.find_first_of(white_space) != std::string_view::npos) {
      return result.append(text.substr(0, name_begin)).append(hidden);
    }

    std::size_t value = text.find_first_not_of(white_space, equals + 1);
    value = value == std::string_view::npos ? text.size() : value;
    const std::size_t length = value_length(text.substr(value));
    if (is_secret(name)) {
      result.append(text.substr(0, value)).append(hidden);
      // libpq needs no space after a closing quote; what stands for the value has none to end it.
      const std::string_view rest = text.substr(value + length);
      if (!rest.empty() && white_space.find(rest.front()) == std::string_view::npos) {
        result.push_back(' ');
      }
    } else {
      result.append(text.substr(0, value + length));
    }
    text.remove_prefix(value + length);
  }
  return result;
}

}  // namespace

std::string redact_store_url(std::string_view url) {
  if (url.starts_with("sqlite:")) {
    return std::string(url);
  }
  const std::size_t scheme_end = url.find("://");
  if (scheme_end < url.find_first_of("= \t")) {
    return redact_url(url, scheme_end + 3);
  }
  // A lone word holds no parameter, and showing it tells the user what went wrong.
  if (url.find_first_of("= \t\n\r\f\v@") == std::string_view::npos) {
    return std::string(url);
  }
  return redact_connection_string(url);
}

}  // namespace outrider::config
