#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace outrider {

// A text that is safe to store, log and show: invalid UTF-8 becomes U+FFFD, U+0000 and control
// characters become a space, and the result is cut to bytes_max on a character boundary with "..."
// at the end. Any input gives a valid result, so recording a failure cannot itself fail.
std::string sanitise(std::string_view text, std::size_t bytes_max);

// ASCII letters only, whatever the locale.
std::string ascii_lower(std::string_view text);

}  // namespace outrider
