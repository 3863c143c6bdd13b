// Any file, and any value of a variable, gives usable settings or problems with a place.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "config/load.hpp"
#include "core/assert.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace outrider::config;
  const std::string text(reinterpret_cast<const char*>(bytes), size);

  Sources sources;
  sources.file = SourceFile{"fuzz.toml", text};
  const LoadedSettings loaded = load(sources);
  for (const Problem& problem : loaded.problems) {
    OUTRIDER_ASSERT(problem.where.starts_with("fuzz.toml:") && !problem.what.empty());
    OUTRIDER_ASSERT(to_string(problem).find('\n') == std::string::npos);
  }
  OUTRIDER_ASSERT(loaded.values.message_depth_max >= 1 && loaded.values.message_depth_max <= 512);
  OUTRIDER_ASSERT(loaded.values.message_payload_bytes_max <= 64 * 1024 * 1024);

  Sources variable;
  variable.environment["OUTRIDER_STORE"] = text;
  for (const Problem& problem : load(variable).problems) {
    OUTRIDER_ASSERT(problem.where == "OUTRIDER_STORE" && !problem.what.empty());
  }
  return 0;
}
