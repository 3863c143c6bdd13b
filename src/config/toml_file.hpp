#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "config/assign.hpp"
#include "config/load.hpp"
#include "config/settings.hpp"
#include "config/source_file.hpp"

namespace outrider::config {

// Called for every declared setting that the file has, with the place of its value ("name:line").
using Found = std::function<void(const Setting& setting, std::string source)>;

// Reads the file into `settings`. Whatever is wrong with it (syntax, unknown keys, wrong kinds,
// values out of bounds) is added to `problems` with line and column, all of it, except that nothing
// can be said about the text after a syntax error.
void read_toml(const SourceFile& file, Settings& settings, const Found& found,
               std::vector<Problem>& problems);

}  // namespace outrider::config
