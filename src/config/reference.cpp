#include "config/reference.hpp"

#include <fmt/format.h>
#include <string_view>

#include "config/settings.hpp"

namespace outrider::config {
namespace {

constexpr std::string_view introduction = R"(# Configuration

<!-- Made from src/config/settings.cpp; run the tests with OUTRIDER_UPDATE=1 after a change. -->

Outrider reads `--config FILE`, else the file that `OUTRIDER_CONFIG` names, else `outrider.toml` in
the working directory, else `/etc/outrider/outrider.toml`. Without any of them the defaults hold. A
variable of the environment overrides the file, and a flag of the command line overrides both.

`outrider config print` shows every setting with its value and where that value came from; passwords
are left out. `outrider config check` reports everything that is wrong at once. A key that is not
listed here is an error, and so is a value outside its bounds.

Sizes are bytes, as a number or as a text with one of the units B, kB, MB, GB, KiB, MiB and GiB.
)";

std::string_view shown_kind(Kind kind) {
  switch (kind) {
    case Kind::store_url:
      return "text";
    case Kind::count:
      return "whole number";
    case Kind::size:
      return "size";
  }
  return "";
}

std::string shown_variables(const Setting& setting) {
  std::string variables = fmt::format("`{}`", variable_name(setting.key));
  if (!setting.short_variable.empty()) {
    variables += fmt::format(" or `{}`", setting.short_variable);
  }
  return variables;
}

}  // namespace

std::string reference_page() {
  const Settings defaults;
  std::string page(introduction);
  std::string_view section;
  for (const Setting& setting : declared_settings()) {
    const std::size_t dot = setting.key.rfind('.');
    if (setting.key.substr(0, dot) != section) {
      section = setting.key.substr(0, dot);
      page += fmt::format("\n## `[{}]`\n", section);
    }
    page += fmt::format("\n### `{}`\n\n{}\n\n", setting.key.substr(dot + 1), setting.meaning);
    page += fmt::format("| kind | default | bounds | variable |\n|---|---|---|---|\n");
    page += fmt::format("| {} | `{}` | {} | {} |\n", shown_kind(setting.kind),
                        shown_value(setting, defaults), shown_bounds(setting),
                        shown_variables(setting));
  }
  return page;
}

}  // namespace outrider::config
