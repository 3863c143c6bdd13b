#include <CLI/CLI.hpp>
#include <iostream>

#include <outrider/error.hpp>
#include <outrider/version.hpp>

#include "config/suggestion.hpp"
#include "outrider/commands.hpp"

namespace outrider::cli {
namespace {

struct GlobalFlags {
  std::optional<std::string> store, config;
  bool json = false;
};

Context make_context(const GlobalFlags& flags) {
  config::Sources sources;
  sources.environment = config::process_environment();
  std::optional<std::filesystem::path> named;
  if (flags.config)
    named = *flags.config;
  sources.file = config::find_source_file(named, sources.environment, config::default_file_paths());
  if (flags.store)
    sources.flags.push_back({"--store", "store.url", *flags.store});
  return {config::load(sources), flags.json};
}

Context usable_context(const GlobalFlags& flags) {
  Context context = make_context(flags);
  config::require_no_problems(context.loaded.problems);
  return context;
}

// The whole command line. A command stores what it was given and what to run; parsing runs nothing.
struct CommandLine {
  CLI::App app{
      "A transactional outbox for PostgreSQL and SQLite.\n"
      "Write a message in the transaction of your change; it is delivered at least once.",
      "outrider"};
  GlobalFlags flags;
  MigrateOptions migrate;
  EnqueueArguments enqueue;
  bool is_batch = false;
  std::size_t batch_size = 1000;
  ListArguments list;
  std::string show_id;
  std::function<int()> chosen;

  CommandLine();
  void add_migrate();
  void add_enqueue();
  void add_list_and_show();
  void add_config();
};

CommandLine::CommandLine() {
  app.set_version_flag("--version", "outrider " + std::string(version()));
  app.require_subcommand(1);
  app.fallthrough();  // global options may stand before or after the command
  app.add_option("--store", flags.store,
                 "sqlite:PATH, postgres://USER@HOST/DB, or a libpq string [OUTRIDER_STORE]")
      ->type_name("URL");
  app.add_option("--config", flags.config,
                 "configuration file [OUTRIDER_CONFIG]; default ./outrider.toml")
      ->type_name("FILE");
  app.add_flag("--json", flags.json, "machine-readable output");
  app.footer(
      "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found.\n"
      "Start here:\n"
      "  outrider migrate --store sqlite:app.db\n"
      "  outrider enqueue --store sqlite:app.db shop order:placed '{\"order\": 1}'\n"
      "  outrider list --store sqlite:app.db");
  add_migrate();
  add_enqueue();
  add_list_and_show();
  add_config();
}

void CommandLine::add_migrate() {
  CLI::App* command = app.add_subcommand("migrate", "Create or upgrade the schema in the store");
  auto* plan = command->add_flag_callback(
      "--plan", [this] { migrate.mode = MigrateOptions::Mode::plan; },
      "print the SQL that would run, and run nothing");
  command
      ->add_flag_callback(
          "--check", [this] { migrate.mode = MigrateOptions::Mode::check; },
          "exit 1 if the schema is not the one this build needs")
      ->excludes(plan);
  command->footer("Safe to run at every start and by several at once: they take turns.");
  command->callback(
      [this] { chosen = [this] { return run_migrate(usable_context(flags), migrate); }; });
}

void CommandLine::add_enqueue() {
  CLI::App* command =
      app.add_subcommand("enqueue", "Write a message, or many, in a transaction of its own");
  command->add_option("NAMESPACE", enqueue.ns, "letters, digits and . _ : -");
  command->add_option("TOPIC", enqueue.topic, "letters, digits and . _ : -");
  command->add_option("PAYLOAD", enqueue.payload, "JSON, @FILE, or - for standard input");
  command->add_option("--dedupe-key", enqueue.dedupe_key, "enqueue once per key")->type_name("KEY");
  command->add_option("--tenant", enqueue.tenant, "whose message it is")->type_name("UUID");
  command->add_option("--ordering-key", enqueue.ordering_key, "deliver in order within this key")
      ->type_name("KEY");
  command->add_option("--header", enqueue.headers, "sent along to every sink; may be repeated")
      ->type_name("NAME=VALUE");
  command->add_option("--delay", enqueue.delay, "not before this long from now, for example 5m")
      ->type_name("DURATION");
  auto* batch =
      command->add_flag("--batch", is_batch, "read one JSON object per line from standard input");
  command->add_option("--batch-size", batch_size, "messages per transaction with --batch")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str()
      ->needs(batch);
  command->footer(
      "Examples:\n"
      "  outrider enqueue shop order:placed '{\"order\": 7}' --dedupe-key order-7\n"
      "  outrider enqueue shop order:placed @order.json --delay 5m\n"
      "  echo '{\"namespace\":\"shop\",\"topic\":\"t\",\"payload\":1}' | outrider enqueue --batch");
  command->callback([this] {
    if (!is_batch && (enqueue.ns.empty() || enqueue.topic.empty() || enqueue.payload.empty()))
      throw CLI::RequiredError("NAMESPACE TOPIC PAYLOAD, or --batch,");
    chosen = [this] {
      return is_batch ? run_enqueue_batch(usable_context(flags), std::cin, batch_size)
                      : run_enqueue(usable_context(flags), enqueue);
    };
  });
}

void CommandLine::add_list_and_show() {
  CLI::App* command = app.add_subcommand("list", "Messages, newest first");
  command->add_option("--listener", list.filter.listener, "with their status at this listener")
      ->type_name("NAME");
  command->add_option("--status", list.filter.status, "only this status")
      ->check(CLI::IsMember({"pending", "processing", "delivered", "failed", "dead", "skipped"}));
  command->add_option("--namespace", list.filter.ns, "only this namespace");
  command->add_option("--topic", list.filter.topic, "only this topic");
  command->add_option("--tenant", list.tenant, "only this tenant")->type_name("UUID");
  command->add_option("--limit", list.filter.limit, "how many")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  command->add_option("--after", list.after, "continue after the page that ended here");
  command->callback([this] { chosen = [this] { return run_list(usable_context(flags), list); }; });

  CLI::App* show = app.add_subcommand("show", "One message with its payload and what became of it");
  show->add_option("ID", show_id, "the message's id")->required();
  show->callback([this] { chosen = [this] { return run_show(usable_context(flags), show_id); }; });
}

void CommandLine::add_config() {
  CLI::App* command = app.add_subcommand("config", "Check or print the configuration");
  command->require_subcommand(1);
  command->add_subcommand("check", "Say everything that is wrong with it")->callback([this] {
    chosen = [this] { return run_config_check(make_context(flags)); };
  });
  command->add_subcommand("print", "Every setting with its value and where it comes from")
      ->callback([this] { chosen = [this] { return run_config_print(usable_context(flags)); }; });
}

// A misspelt command gets the nearest one named.
std::string suggestion(const CLI::App& app, int count, char** words) {
  std::vector<std::string_view> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  for (int i = 1; i < count; ++i)
    if (words[i][0] != '-') {
      const auto nearest = config::nearest_key(words[i], names);
      return nearest && *nearest != words[i]
                 ? "did you mean \"outrider " + std::string(*nearest) + "\"? "
                 : "";
    }
  return "";
}

int exit_code(Errc code) {
  return code == Errc::not_found          ? not_found
         : code == Errc::invalid_argument ? wrong_usage
                                          : failed;
}

int run(int count, char** words) {
  CommandLine line;
  try {
    line.app.parse(count, words);
  } catch (const CLI::Success& wanted) {
    return line.app.exit(wanted);
  } catch (const CLI::ParseError& error) {
    std::cerr << "outrider: " << error.what() << "\n"
              << suggestion(line.app, count, words) << "see \"outrider --help\"\n";
    return wrong_usage;
  }
  try {
    return line.chosen();
  } catch (const Error& error) {
    std::cerr << "outrider: " << error.what() << '\n';
    return exit_code(error.code());
  }
}

}  // namespace
}  // namespace outrider::cli

int main(int count, char** words) {
  try {
    return outrider::cli::run(count, words);
  } catch (const std::exception& error) {
    std::cerr << "outrider: " << error.what() << '\n';
    return outrider::cli::failed;
  }
}
