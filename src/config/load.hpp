#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "config/settings.hpp"
#include "config/source_file.hpp"

namespace outrider::config {

// A value given on the command line.
struct Flag {
  std::string name;  // as the user typed it, "--store"
  std::string key;   // the declared key it sets, "store.url"
  std::string value;
};

// Everything that settings come from, weakest first.
struct Sources {
  std::optional<SourceFile> file;
  Environment environment;
  std::vector<Flag> flags;
};

// One thing that is wrong. Never contains a secret.
struct Problem {
  std::string where;  // "outrider.toml:3:7", "OUTRIDER_STORE_URL" or "--store"
  std::string what;   // lower-case, with the nearest valid key or the allowed values

  friend bool operator==(const Problem&, const Problem&) = default;
};

std::string to_string(const Problem& problem);

// One setting as it was found, for "config print".
struct LoadedSetting {
  const Setting* setting;  // never null; lives as long as the program
  std::string value;       // safe to show
  std::string source;      // "default", "outrider.toml:2", "OUTRIDER_STORE" or "--store"
};

struct LoadedSettings {
  Settings values;
  std::vector<LoadedSetting> entries;  // every declared setting, in the order of the reference
  std::vector<Problem> problems;       // empty, or the values must not be used
};

// Reads and checks everything at once: a flag overrides a variable, which overrides the file, which
// overrides the default; a value that is overridden is checked all the same. Pure; safe for any
// text. A flag with an undeclared key is a bug in the program and aborts it.
LoadedSettings load(const Sources& sources);

// Throws Error(invalid_argument) with one line per problem, if there are any.
void require_no_problems(std::span<const Problem> problems);

}  // namespace outrider::config
