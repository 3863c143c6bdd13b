#pragma once

#include <chrono>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include <outrider/message.hpp>

#include "config/load.hpp"
#include "store/catalogue.hpp"

namespace outrider::cli {

// What every command knows. The settings have no problems, except for "config check".
struct Context {
  config::LoadedSettings loaded;
  bool json = false;

  const std::string& store_url() const { return loaded.values.store_url; }
  MessageLimits limits() const;
};

// Exit codes, the same for every command.
inline constexpr int done = 0;
inline constexpr int failed = 1;
inline constexpr int wrong_usage = 2;
inline constexpr int not_found = 3;

struct MigrateOptions {
  enum class Mode { apply, plan, check };
  Mode mode = Mode::apply;
};

struct EnqueueArguments {
  std::string ns, topic, payload;  // the payload is JSON, @FILE, or - for standard input
  std::optional<std::string> dedupe_key, tenant, ordering_key, delay;
  std::vector<std::string> headers;  // NAME=VALUE
};

struct ListArguments {
  MessageFilter filter;
  std::optional<std::string> tenant, after;
};

// Each returns an exit code and throws Error for everything that goes wrong on the way.
int run_migrate(const Context& context, const MigrateOptions& options);
int run_enqueue(const Context& context, const EnqueueArguments& arguments);
int run_enqueue_batch(const Context& context, std::istream& lines, std::size_t batch_size);
int run_list(const Context& context, ListArguments arguments);
int run_show(const Context& context, const std::string& id);
int run_config_check(const Context& context);
int run_config_print(const Context& context);

}  // namespace outrider::cli
