#pragma once

#include <optional>
#include <string_view>

#include <outrider/message.hpp>

namespace outrider::cli {

// A line of "enqueue --batch": an object with namespace, topic, payload and, if wanted, dedupe_key,
// tenant, ordering_key, headers (an object of strings), delay ("5m") and id. The payload keeps its
// bytes. Throws Error(invalid_argument) for anything else, naming the member.
Message parse_message_line(std::string_view line);

// The text of a top-level member's value in a valid JSON object, nullopt if there is none.
std::optional<std::string_view> raw_member(std::string_view object, std::string_view name);

}  // namespace outrider::cli
