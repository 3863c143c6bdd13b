// A message of any bytes is judged without a crash, and validate agrees with problems.
#include <outrider/error.hpp>
#include <outrider/message.hpp>

#include "core/utf8.hpp"
#include "fuzz_input.hpp"

namespace {

outrider::Message message_from(outrider::fuzzing::Input& input) {
  outrider::Message message;
  const unsigned shape = input.byte();
  message.ns = input.text();
  message.topic = input.text();
  if ((shape & 1U) != 0) {
    message.dedupe_key = input.text();
  }
  if ((shape & 2U) != 0) {
    message.ordering_key = input.text();
  }
  for (unsigned count = (shape >> 2U) & 7U; count > 0; --count) {
    const std::string name(input.text());
    message.headers[name] = input.text();
  }
  if ((shape & 32U) != 0) {
    message.tenant_id = outrider::Uuid::parse(input.text());
  }
  message.deliver_after = std::chrono::milliseconds{input.byte() - 5};
  message.payload = input.rest();
  return message;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace outrider;
  fuzzing::Input input(bytes, size);
  const Message message = message_from(input);
  const auto found = problems(message);
  for (const std::string& problem : found) {
    OUTRIDER_ASSERT(!find_invalid_utf8(problem));
  }
  try {
    validate(message);
    OUTRIDER_ASSERT(found.empty());
  } catch (const Error& error) {
    OUTRIDER_ASSERT(!found.empty() && error.code() == Errc::invalid_argument);
  }
  return 0;
}
