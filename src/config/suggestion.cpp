#include "config/suggestion.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

namespace outrider::config {
namespace {

// No declared key is near this long; a longer one is no misspelling, and the work stays small.
constexpr std::size_t key_bytes_max = 128;

std::string_view last_part(std::string_view key) {
  return key.substr(key.rfind('.') + 1);
}

// The fewest insertions, deletions, substitutions and swaps of neighbours that turn a into b.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_previous(b.size() + 1);
  std::vector<std::size_t> previous(b.size() + 1);
  std::vector<std::size_t> current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, substituted});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before_previous[j - 2] + 1);
      }
    }
    std::swap(before_previous, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

// The words of a name in one order, so that max_depth and depth_max are the same.
std::string sorted_words(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char each : name) {
    if (each == '_')
      words.emplace_back();
    else
      words.back().push_back(each);
  }
  std::sort(words.begin(), words.end());
  return std::accumulate(words.begin(), words.end(), std::string());
}

}  // namespace

std::optional<std::string_view> nearest_key(std::string_view key,
                                            std::span<const std::string_view> candidates) {
  if (key.size() > key_bytes_max) {
    return std::nullopt;
  }
  std::optional<std::string_view> nearest;
  // Only a distance below this counts: about a third of the letters wrong, and always room for two.
  std::size_t bound = std::max<std::size_t>(2, key.size() / 3) + 1;
  for (const std::string_view candidate : candidates) {
    const std::size_t whole = edit_distance(key, candidate);
    const std::size_t name_alone = edit_distance(last_part(key), last_part(candidate)) + 1;
    const std::size_t reordered =
        edit_distance(sorted_words(last_part(key)), sorted_words(last_part(candidate))) + 1;
    const std::size_t distance = std::min({whole, name_alone, reordered});
    if (distance < bound) {
      bound = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace outrider::config
