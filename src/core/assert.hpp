#pragma once

namespace outrider {

// Prints the broken expectation and aborts. See OUTRIDER_ASSERT.
[[noreturn]] void assertion_failed(const char* expression, const char* file, int line) noexcept;

}  // namespace outrider

// States an invariant that no input can break. Checked in release builds too: a broken invariant in
// an outbox must stop the process rather than lose a message.
#define OUTRIDER_ASSERT(expression)    \
  ((expression) ? static_cast<void>(0) \
                : ::outrider::assertion_failed(#expression, __FILE__, __LINE__))
