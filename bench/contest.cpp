#include "contest.hpp"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <string_view>
#include <thread>

namespace outrider::bench {

namespace {

double at_part(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1) + 0.5)];
}

double median(const std::vector<double>& values) {
  return at_part(values, 0.5);
}

double micros_per_transaction(const Contest& contest, const Contender& contender) {
  const auto work = [&](std::size_t client) {
    for (int i = 0; i < contest.transactions; ++i)
      contender.transaction(client);
  };
  const auto start = std::chrono::steady_clock::now();
  if (contest.clients == 1) {
    work(0);
  } else {
    std::vector<std::jthread> threads;
    for (std::size_t client = 0; client < contest.clients; ++client)
      threads.emplace_back(work, client);
  }
  const std::chrono::duration<double, std::micro> took = std::chrono::steady_clock::now() - start;
  return took.count() / (contest.transactions * static_cast<double>(contest.clients));
}

std::vector<double> ratios(const std::vector<double>& over, const std::vector<double>& under) {
  std::vector<double> found;
  for (std::size_t i = 0; i < over.size(); ++i)
    found.push_back(over[i] / under[i]);
  return found;
}

const Contender& floor_of(const Contest& contest) {
  const Contender* fastest = nullptr;
  for (const Contender& each : contest.contenders)
    if (each.is_bare && (!fastest || median(each.micros) < median(fastest->micros)))
      fastest = &each;
  return *fastest;
}

// A goal is met or missed when the whole middle half of the repetitions says so.
std::string_view verdict(const std::vector<double>& faster, double goal) {
  if (at_part(faster, 0.25) >= goal)
    return "met";
  return at_part(faster, 0.75) < goal ? "missed" : "unclear";
}

}  // namespace

void hold(Contest& contest, int repetitions) {
  const std::size_t count = contest.contenders.size();
  for (int repetition = -1; repetition < repetitions; ++repetition)
    for (std::size_t turn = 0; turn < count; ++turn) {
      Contender& each =
          contest.contenders[(turn + static_cast<std::size_t>(repetition + 1)) % count];
      const double before = contest.wal ? contest.wal() : 0;
      const double micros = micros_per_transaction(contest, each);
      const double wal = contest.wal ? contest.wal() - before : 0;
      if (repetition < 0)
        continue;
      each.micros.push_back(micros);
      each.wal_bytes.push_back(wal / (contest.transactions * static_cast<double>(contest.clients)));
    }
}

std::string table_of(const Contest& contest) {
  const Contender& floor = floor_of(contest);
  const bool has_wal = static_cast<bool>(contest.wal);
  std::string text = fmt::format(
      "## {}\n\n| | us | min..max | ratio | middle half | goal "
      "|{}\n|---|---:|---:|---:|---:|---:|{}\n",
      contest.title, has_wal ? " WAL bytes | ratio |" : "", has_wal ? "---:|---:|" : "");
  for (const Contender& each : contest.contenders) {
    const std::vector<double> faster = ratios(floor.micros, each.micros);
    const std::string goal =
        each.goal == 0 ? "" : fmt::format("{:.2f} {}", each.goal, verdict(faster, each.goal));
    text +=
        fmt::format("| {} | {:.0f} | {:.0f}..{:.0f} | {:.2f} | {:.2f}..{:.2f} | {} |", each.name,
                    median(each.micros), at_part(each.micros, 0), at_part(each.micros, 1),
                    median(faster), at_part(faster, 0.25), at_part(faster, 0.75), goal);
    if (has_wal)
      text += fmt::format(" {:.0f} | {:.2f} |", median(each.wal_bytes),
                          median(each.wal_bytes) / median(floor.wal_bytes));
    text += '\n';
  }
  return text + '\n';
}

}  // namespace outrider::bench
