#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace outrider::bench {

// One way to do the same work. The bare ones are what the others are measured against.
struct Contender {
  std::string name;
  std::function<void(std::size_t client)> transaction;
  bool is_bare = false;
  double goal = 0;  // the least ratio of speeds asked for; 0 when nothing is asked

  std::vector<double> micros{};  // per transaction, one value per repetition
  std::vector<double> wal_bytes{};
};

struct Contest {
  std::string title;
  std::size_t clients = 1;
  int transactions = 1;  // of each client, in one repetition
  std::vector<Contender> contenders;
  std::function<double()> wal{};  // the position of the write-ahead log, where there is one
};

// Runs everybody in turn, again and again, beginning with another one each time, so that a noisy
// moment hits them all. One more repetition comes first and is not counted: it warms caches up.
void hold(Contest& contest, int repetitions);

// The result as a Markdown table. The floor is the fastest of the bare contenders. A ratio is the
// median over the repetitions of floor time by own time, both of the same repetition; above 1 is
// faster than the floor.
std::string table_of(const Contest& contest);

}  // namespace outrider::bench
