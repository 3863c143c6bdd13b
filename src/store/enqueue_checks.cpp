#include "store/enqueue_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <outrider/error.hpp>

namespace outrider {

void validate_all(std::span<const Message> messages, const MessageLimits& limits) {
  for (std::size_t i = 0; i < messages.size(); ++i)
    if (const auto found = problems(messages[i], limits); !found.empty())
      throw Error(Errc::invalid_argument, fmt::format("cannot enqueue message {} of {}: {}", i + 1,
                                                      messages.size(), fmt::join(found, "; ")));
}

void require_same_payload(const Enqueued& result, const Message& message,
                          const EnqueueOptions& options) {
  if (result.payload_differs && options.payload_conflict == EnqueueOptions::PayloadConflict::fail)
    throw Error(
        Errc::payload_differs,
        fmt::format(
            "cannot enqueue: the dedupe key of {}/{} belongs to message {} with another payload",
            message.ns, message.topic, result.id.to_string()));
}

}  // namespace outrider
