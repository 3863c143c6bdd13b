#include "config/source_file.hpp"

#include <array>
#include <cstddef>
#include <fmt/format.h>
#include <fstream>
#include <string_view>
#include <system_error>
#include <unistd.h>

#include <outrider/error.hpp>

#include "core/text.hpp"

namespace outrider::config {
namespace {

constexpr std::size_t file_bytes_max = 1024 * 1024;
constexpr std::string_view variable_prefix = "OUTRIDER_";

std::string shown_name(const std::filesystem::path& path) {
  return sanitise(path.string(), 512);
}

// Reads at most one byte more than is allowed, whatever the file claims about its size: it may be a
// pipe.
SourceFile read_source_file(const std::filesystem::path& path) {
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) {
    throw Error(
        Errc::invalid_argument,
        fmt::format("cannot read configuration file {}: it is a directory", shown_name(path)));
  }
  std::ifstream stream(path, std::ios::binary);
  std::string text(file_bytes_max + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream.is_open() || stream.bad()) {
    throw Error(
        Errc::invalid_argument,
        fmt::format("cannot read configuration file {}; check its permissions", shown_name(path)));
  }
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > file_bytes_max) {
    throw Error(Errc::invalid_argument,
                fmt::format("cannot read configuration file {}: it is larger than {} bytes",
                            shown_name(path), file_bytes_max));
  }
  return SourceFile{shown_name(path), std::move(text)};
}

}  // namespace

Environment process_environment() {
  Environment result;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view entry = *variable;
    const std::size_t equals = entry.find('=');
    if (entry.starts_with(variable_prefix) && equals != std::string_view::npos) {
      result.emplace(entry.substr(0, equals), entry.substr(equals + 1));
    }
  }
  return result;
}

std::span<const std::filesystem::path> default_file_paths() {
  static const std::array<std::filesystem::path, 2> paths{"outrider.toml",
                                                          "/etc/outrider/outrider.toml"};
  return paths;
}

std::optional<SourceFile> find_source_file(const std::optional<std::filesystem::path>& named,
                                           const Environment& environment,
                                           std::span<const std::filesystem::path> defaults) {
  std::optional<std::filesystem::path> chosen = named;
  std::string_view chosen_by = "--config";
  const auto variable = environment.find("OUTRIDER_CONFIG");
  if (!chosen && variable != environment.end() && !variable->second.empty()) {
    chosen = variable->second;
    chosen_by = variable->first;
  }

  std::error_code failure;
  if (chosen) {
    if (std::filesystem::status(*chosen, failure).type() == std::filesystem::file_type::not_found) {
      throw Error(Errc::not_found,
                  fmt::format("cannot read configuration file {}: it does not exist; {} names it",
                              shown_name(*chosen), chosen_by));
    }
    return read_source_file(*chosen);
  }
  for (const std::filesystem::path& path : defaults) {
    if (std::filesystem::exists(path, failure)) {
      return read_source_file(path);
    }
  }
  return std::nullopt;
}

}  // namespace outrider::config
