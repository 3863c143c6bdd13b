// A line of a batch becomes a message, or is refused with an Error. A message's payload is a piece
// of the line and valid JSON, and its line says the same when it is written again.
#include <string>

#include <outrider/error.hpp>

#include "core/json_scan.hpp"
#include "fuzz_input.hpp"
#include "outrider/ndjson.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace outrider;
  const std::string_view line = fuzzing::as_text(bytes, size);
  try {
    const Message message = cli::parse_message_line(line);
    OUTRIDER_ASSERT(line.find(message.payload) != std::string_view::npos);
    OUTRIDER_ASSERT(!scan_json(message.payload, 1000));
    problems(message);
    const Message again = cli::parse_message_line("{\"payload\":" + message.payload + '}');
    OUTRIDER_ASSERT(again.payload == message.payload);
  } catch (const Error& error) {
    OUTRIDER_ASSERT(error.code() == Errc::invalid_argument);
  }
  return 0;
}
