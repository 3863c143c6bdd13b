#pragma once

#include <chrono>
#include <string_view>

#include <outrider/message.hpp>

namespace outrider::cli {

// A line of "enqueue --batch": an object with namespace, topic, payload and, if wanted, dedupe_key,
// tenant, ordering_key, headers (an object of strings), delay ("5m") and id. The payload keeps its
// bytes. Throws Error(invalid_argument) for anything else, naming the member.
Message parse_message_line(std::string_view line);

// A message's delay. Throws Error(invalid_argument) if the text is not a duration.
std::chrono::milliseconds parse_delay(std::string_view text);

}  // namespace outrider::cli
