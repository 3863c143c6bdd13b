#include "core/position_set.hpp"

#include <algorithm>
#include <limits>

#include "core/assert.hpp"

namespace outrider {

namespace {

constexpr Position lowest = std::numeric_limits<Position>::min();
constexpr Position highest = std::numeric_limits<Position>::max();

// One further, without leaving the range.
constexpr Position before(Position position) {
  return position == lowest ? lowest : position - 1;
}
constexpr Position after(Position position) {
  return position == highest ? highest : position + 1;
}

using Interval = PositionSet::Interval;

bool ends_before(const Interval& interval, Position position) {
  return interval.last < position;
}

}  // namespace

bool PositionSet::contains(Position position) const {
  const auto found = std::lower_bound(intervals_.begin(), intervals_.end(), position, ends_before);
  return found != intervals_.end() && found->first <= position;
}

std::uint64_t PositionSet::size() const {
  std::uint64_t size = 0;
  for (const auto& [first, last] : intervals_) {
    const std::uint64_t span = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first);
    if (span == std::numeric_limits<std::uint64_t>::max()) {
      return span;  // every position there is: one more than fits
    }
    size += span + 1;
  }
  return size;
}

std::optional<Position> PositionSet::min() const {
  return empty() ? std::nullopt : std::optional(intervals_.front().first);
}

std::optional<Position> PositionSet::max() const {
  return empty() ? std::nullopt : std::optional(intervals_.back().last);
}

void PositionSet::add(Position first, Position last) {
  OUTRIDER_ASSERT(first <= last);
  // Everything that overlaps or touches the run melts into it.
  const auto begin =
      std::lower_bound(intervals_.begin(), intervals_.end(), before(first), ends_before);
  auto end = begin;
  while (end != intervals_.end() && end->first <= after(last)) {
    first = std::min(first, end->first);
    last = std::max(last, end->last);
    ++end;
  }
  if (begin == end) {
    intervals_.insert(begin, {first, last});
    return;
  }
  *begin = {first, last};
  intervals_.erase(begin + 1, end);
}

void PositionSet::add(const PositionSet& other) {
  if (empty()) {
    intervals_ = other.intervals_;
    return;
  }
  // Merged in one pass: adding the runs one by one would move the tail once for each.
  std::vector<Interval> all;
  all.reserve(intervals_.size() + other.intervals_.size());
  std::merge(intervals_.begin(), intervals_.end(), other.intervals_.begin(), other.intervals_.end(),
             std::back_inserter(all),
             [](const Interval& a, const Interval& b) { return a.first < b.first; });
  intervals_.clear();
  for (const Interval& next : all) {
    if (!intervals_.empty() && next.first <= after(intervals_.back().last)) {
      intervals_.back().last = std::max(intervals_.back().last, next.last);
    } else {
      intervals_.push_back(next);
    }
  }
}

void PositionSet::remove(Position first, Position last) {
  OUTRIDER_ASSERT(first <= last);
  const auto begin = std::lower_bound(intervals_.begin(), intervals_.end(), first, ends_before);
  auto end = begin;
  std::vector<Interval> rest;  // what sticks out on either side
  while (end != intervals_.end() && end->first <= last) {
    if (end->first < first) {
      rest.push_back({end->first, first - 1});
    }
    if (end->last > last) {
      rest.push_back({last + 1, end->last});
    }
    ++end;
  }
  const auto at = intervals_.erase(begin, end);
  intervals_.insert(at, rest.begin(), rest.end());
}

void PositionSet::remove(const PositionSet& other) {
  PositionSet complement;
  Position next = lowest;
  for (const auto& [first, last] : other.intervals_) {
    if (first > next) {
      complement.intervals_.push_back({next, first - 1});
    }
    next = after(last);
  }
  if (other.empty() || other.intervals_.back().last != highest) {
    complement.intervals_.push_back({next, highest});
  }
  *this = intersect(complement);
}

void PositionSet::remove_through(Position position) {
  if (!empty()) {
    remove(lowest, position);
  }
}

PositionSet PositionSet::intersect(const PositionSet& other) const {
  PositionSet both;
  auto a = intervals_.begin();
  auto b = other.intervals_.begin();
  while (a != intervals_.end() && b != other.intervals_.end()) {
    const Position first = std::max(a->first, b->first);
    const Position last = std::min(a->last, b->last);
    if (first <= last) {
      both.intervals_.push_back({first, last});
    }
    // The one that ends first can meet nothing further.
    if (a->last < b->last) {
      ++a;
    } else {
      ++b;
    }
  }
  return both;
}

}  // namespace outrider
