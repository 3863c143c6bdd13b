#include "config/toml_file.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <optional>
#include <string_view>
#include <toml++/toml.h>
#include <utility>

#include "config/suggestion.hpp"
#include "core/text.hpp"

namespace outrider::config {
namespace {

std::string_view section_of(std::string_view key) {
  return key.substr(0, key.rfind('.'));
}

std::string place(const SourceFile& file, const toml::source_position& at) {
  return fmt::format("{}:{}:{}", file.name, at.line, at.column);
}

class Reader {
 public:
  Reader(const SourceFile& file, Settings& settings, const Found& found)
      : file_(file), settings_(settings), found_(found) {}

  // The names of a table are those of declared settings or of the sections they are in.
  void read(const toml::table& table, const std::string& prefix) {
    for (const auto& [name, node] : table) {
      const std::string key = prefix + std::string(name.str());
      if (const Setting* setting = find_setting(key)) {
        read_value(*setting, node);
      } else if (is_section(key)) {
        read_section(key, node);
      } else {
        refuse_unknown(key, name.source().begin, node.is_table() || node.is_array_of_tables());
      }
    }
  }

  // The parser orders names alphabetically; a person reads the file from the top.
  void report(std::vector<Problem>& problems) {
    std::ranges::stable_sort(problems_, std::less{}, &Finding::at);
    for (Finding& finding : problems_) {
      problems.push_back({place(file_, finding.at), std::move(finding.what)});
    }
  }

 private:
  static const Setting* find_setting(std::string_view key) {
    const auto settings = declared_settings();
    const auto it =
        std::ranges::find_if(settings, [&](const Setting& setting) { return setting.key == key; });
    return it == settings.end() ? nullptr : &*it;
  }

  static bool is_section(std::string_view key) {
    return std::ranges::any_of(declared_settings(), [&](const Setting& setting) {
      return section_of(setting.key) == key;
    });
  }

  void read_section(const std::string& key, const toml::node& node) {
    if (const toml::table* section = node.as_table()) {
      read(*section, key + ".");
    } else {
      add_problem(node.source().begin, fmt::format("{} must be a table, written [{}]", key, key));
    }
  }

  void read_value(const Setting& setting, const toml::node& node) {
    std::optional<std::string> problem;
    if (const auto text = node.value_exact<std::string_view>()) {
      problem = assign_value(setting, *text, settings_);
    } else if (const auto number = node.value_exact<std::int64_t>()) {
      problem = assign_value(setting, *number, settings_);
    } else {
      problem = assign_value(setting, std::monostate{}, settings_);
    }
    if (problem) {
      add_problem(node.source().begin, std::move(*problem));
    } else {
      found_(setting, fmt::format("{}:{}", file_.name, node.source().begin.line));
    }
  }

  void refuse_unknown(const std::string& key, const toml::source_position& at, bool is_table) {
    std::vector<std::string_view> candidates;
    for (const Setting& setting : declared_settings()) {
      const std::string_view candidate = is_table ? section_of(setting.key) : setting.key;
      if (std::ranges::find(candidates, candidate) == candidates.end()) {
        candidates.push_back(candidate);
      }
    }
    const std::string_view what = is_table ? "section" : "key";
    const std::string shown = sanitise(key, 128);
    if (const auto nearest = nearest_key(key, candidates)) {
      add_problem(at,
                  fmt::format("unknown {} \"{}\"; did you mean \"{}\"?", what, shown, *nearest));
    } else {
      add_problem(at, fmt::format("unknown {} \"{}\"; there are: {}", what, shown,
                                  fmt::join(candidates, ", ")));
    }
  }

  void add_problem(const toml::source_position& at, std::string what) {
    problems_.push_back({at, std::move(what)});
  }

  struct Finding {
    toml::source_position at;
    std::string what;
  };

  const SourceFile& file_;
  Settings& settings_;
  const Found& found_;
  std::vector<Finding> problems_;
};

}  // namespace

void read_toml(const SourceFile& file, Settings& settings, const Found& found,
               std::vector<Problem>& problems) {
  toml::table table;
  try {
    table = toml::parse(file.text, file.name);
  } catch (const toml::parse_error& error) {
    problems.push_back({place(file, error.source().begin),
                        "not valid TOML: " + sanitise(error.description(), 256)});
    return;
  }
  Reader reader(file, settings, found);
  reader.read(table, "");
  reader.report(problems);
}

}  // namespace outrider::config
