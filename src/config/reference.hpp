#pragma once

#include <string>

namespace outrider::config {

// docs/reference/configuration.md, made from the declared settings. A test compares the file with
// it and rewrites the file when OUTRIDER_UPDATE=1 is set.
std::string reference_page();

}  // namespace outrider::config
