#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace outrider::config {

// The candidate that the misspelt key most likely means, or nullopt if none is near. Both are
// dotted; a right name under a wrong or missing section counts as near. Ties go to the first
// candidate. The result is a view of the candidate.
std::optional<std::string_view> nearest_key(std::string_view key,
                                            std::span<const std::string_view> candidates);

}  // namespace outrider::config
