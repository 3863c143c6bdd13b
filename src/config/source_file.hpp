#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>

namespace outrider::config {

// A configuration file's text, with the name that problems are reported under.
struct SourceFile {
  std::string name;
  std::string text;
};

// Variables by name. A parameter everywhere, so that tests need not change the process.
using Environment = std::map<std::string, std::string, std::less<>>;

// The variables of this process whose names begin with OUTRIDER_. Not safe while another thread
// changes the environment; call it once, at the start of main.
Environment process_environment();

// Where a configuration file is looked for when nobody names one, in this order.
std::span<const std::filesystem::path> default_file_paths();

// Reads the file that was named by the flag, else by OUTRIDER_CONFIG, else the first of `defaults`
// that exists; nullopt if there is none. Throws Error(not_found) if a named file does not exist and
// Error(invalid_argument) if a file cannot be read or is larger than a mebibyte.
std::optional<SourceFile> find_source_file(const std::optional<std::filesystem::path>& named,
                                           const Environment& environment,
                                           std::span<const std::filesystem::path> defaults);

}  // namespace outrider::config
