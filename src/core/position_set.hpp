#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace outrider {

using Position = std::int64_t;

// A set of positions kept as sorted, disjoint, non-adjacent closed intervals. Adding and removing a
// run costs O(intervals); a set that is mostly contiguous stays tiny however many positions it
// holds.
class PositionSet {
 public:
  struct Interval {
    Position first;
    Position last;  // inclusive
    friend bool operator==(const Interval&, const Interval&) = default;
  };

  PositionSet() = default;

  bool empty() const { return intervals_.empty(); }
  bool contains(Position position) const;
  std::uint64_t size() const;  // number of positions; UINT64_MAX if all 2^64 are in it
  std::size_t interval_count() const { return intervals_.size(); }
  const std::vector<Interval>& intervals() const { return intervals_; }
  std::optional<Position> min() const;
  std::optional<Position> max() const;

  void add(Position position) { add(position, position); }
  void add(Position first, Position last);  // first <= last
  void add(const PositionSet& other);
  void remove(Position position) { remove(position, position); }
  void remove(Position first, Position last);
  void remove(const PositionSet& other);
  // Drops everything at or below the position.
  void remove_through(Position position);

  PositionSet intersect(const PositionSet& other) const;

  // PostgreSQL's int8multirange, for example "{[1,4),[7,8)}". A run that reaches the largest bigint
  // is written without an upper bound, "[7,)". parse_multirange accepts what the server prints,
  // parse_json what to_json does; both throw Error(invalid_argument) on anything else.
  std::string to_multirange() const;
  static PositionSet parse_multirange(std::string_view text);

  // JSON for SQLite, [[first,last],...] with both ends inclusive.
  std::string to_json() const;
  static PositionSet parse_json(std::string_view text);

  friend bool operator==(const PositionSet&, const PositionSet&) = default;

 private:
  std::vector<Interval> intervals_;
};

}  // namespace outrider
