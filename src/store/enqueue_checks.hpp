#pragma once

#include <span>

#include <outrider/enqueue.hpp>

namespace outrider {

// Throws Error(invalid_argument) listing the problems of the first bad message with its index,
// before anything is written.
void validate_all(std::span<const Message> messages, const MessageLimits& limits);

// Throws Error(payload_differs) if the options ask for it and the dedupe key belongs to a message
// with another payload.
void require_same_payload(const Enqueued& result, const Message& message,
                          const EnqueueOptions& options);

}  // namespace outrider
