#include "config/load.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>

#include <outrider/error.hpp>

#include "config/assign.hpp"
#include "config/toml_file.hpp"
#include "core/assert.hpp"

namespace outrider::config {
namespace {

// Carries the values from the weakest source to the strongest.
class Loading {
 public:
  Loading() {
    for (const Setting& setting : declared_settings()) {
      result_.entries.push_back({&setting, "", "default"});
    }
  }

  void read_file(const SourceFile& file) {
    read_toml(
        file, result_.values,
        [this](const Setting& setting, std::string source) {
          entry_of(setting.key).source = std::move(source);
        },
        result_.problems);
  }

  void read_environment(const Environment& environment) {
    for (const Setting& setting : declared_settings()) {
      const auto full = environment.find(variable_name(setting.key));
      const auto brief = environment.find(setting.short_variable);
      const bool has_full = full != environment.end();
      const bool has_brief = brief != environment.end();
      if (has_full && has_brief && full->second != brief->second) {
        result_.problems.push_back(
            {full->first, fmt::format("{} is set to another value in {}; unset one of them",
                                      setting.key, brief->first)});
      } else if (has_full || has_brief) {
        const auto& [name, value] = has_full ? *full : *brief;
        take(setting, name, value);
      }
    }
  }

  void read_flags(std::span<const Flag> flags) {
    for (const Flag& flag : flags) {
      take(*entry_of(flag.key).setting, flag.name, flag.value);
    }
  }

  LoadedSettings finish() && {
    for (LoadedSetting& entry : result_.entries) {
      entry.value = shown_value(*entry.setting, result_.values);
    }
    return std::move(result_);
  }

 private:
  LoadedSetting& entry_of(std::string_view key) {
    const auto it = std::ranges::find_if(
        result_.entries, [&](const LoadedSetting& entry) { return entry.setting->key == key; });
    OUTRIDER_ASSERT(it != result_.entries.end());
    return *it;
  }

  void take(const Setting& setting, const std::string& source, std::string_view text) {
    if (auto problem = assign_text(setting, text, result_.values)) {
      result_.problems.push_back({source, std::move(*problem)});
    } else {
      entry_of(setting.key).source = source;
    }
  }

  LoadedSettings result_;
};

}  // namespace

std::string to_string(const Problem& problem) {
  return fmt::format("{}: {}", problem.where, problem.what);
}

LoadedSettings load(const Sources& sources) {
  Loading loading;
  if (sources.file) {
    loading.read_file(*sources.file);
  }
  loading.read_environment(sources.environment);
  loading.read_flags(sources.flags);
  return std::move(loading).finish();
}

void require_no_problems(std::span<const Problem> problems) {
  if (problems.empty()) {
    return;
  }
  std::string what = "cannot use the configuration:";
  for (const Problem& problem : problems) {
    what += "\n  " + to_string(problem);
  }
  throw Error(Errc::invalid_argument, what);
}

}  // namespace outrider::config
