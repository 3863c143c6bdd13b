#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iostream>

#include <outrider/error.hpp>
#include <outrider/version.hpp>

#include "config/suggestion.hpp"
#include "outrider/commands.hpp"

namespace outrider::cli {
namespace {

const std::string global_options =
    "Options of every command: --store URL, --config FILE, --json; see \"outrider --help\".";

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
      "Write a message in the transaction of your change: both are committed, or neither is.",
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
  app.require_subcommand(0, 1);  // run() refuses none, and says what there is
  app.fallthrough();             // global options may stand before or after the command
  app.add_option("--store", flags.store,
                 "sqlite:PATH, postgres://USER@HOST/DB, or a libpq string\n"
                 "[OUTRIDER_STORE]; default sqlite:outrider.db")
      ->type_name("URL");
  app.add_option("--config", flags.config,
                 "configuration file [OUTRIDER_CONFIG]; default ./outrider.toml")
      ->type_name("FILE");
  app.add_flag("--json", flags.json, "machine-readable output");
  add_migrate();
  add_enqueue();
  add_list_and_show();
  add_config();
  // After the commands, which would inherit it.
  app.footer(
      "Exit codes: 0 done, 1 failed, 2 wrong usage, 3 not found.\n"
      "Start here:\n"
      "  outrider migrate --store sqlite:app.db\n"
      "  outrider enqueue --store sqlite:app.db shop order:placed '{\"order\": 1}'\n"
      "  outrider list --store sqlite:app.db");
}

void CommandLine::add_migrate() {
  CLI::App* command = app.add_subcommand("migrate", "Create or upgrade the schema in the store");
  auto* plan = command->add_flag_callback(
      "--plan", [this] { migrate.mode = MigrateOptions::Mode::plan; },
      "print the SQL that would run, and run nothing");
  plan->option_text(" ");
  command
      ->add_flag_callback(
          "--check", [this] { migrate.mode = MigrateOptions::Mode::check; },
          "exit 1 if the schema is not the one this build needs")
      ->excludes(plan)
      ->option_text(" ");
  command->footer("Safe to run at every start and by several at once: they take turns.\n\n" +
                  global_options);
  command->callback(
      [this] { chosen = [this] { return run_migrate(usable_context(flags), migrate); }; });
}

void CommandLine::add_enqueue() {
  CLI::App* command =
      app.add_subcommand("enqueue", "Write a message, or many, in a transaction of its own");
  command->add_option("NAMESPACE", enqueue.ns, "letters, digits and . _ : -")->option_text(" ");
  command->add_option("TOPIC", enqueue.topic, "letters, digits and . _ : -")->option_text(" ");
  command->add_option("PAYLOAD", enqueue.payload, "JSON, @FILE, or - for standard input")
      ->option_text(" ");
  command->add_option("--dedupe-key", enqueue.dedupe_key, "enqueue once per key")->type_name("KEY");
  command->add_option("--tenant", enqueue.tenant, "whose message it is")->type_name("UUID");
  command->add_option("--ordering-key", enqueue.ordering_key, "deliver in order within this key")
      ->type_name("KEY");
  command->add_option("--header", enqueue.headers, "sent along to every sink; may be repeated")
      ->allow_extra_args(false)  // else it would take the words after it as well
      ->option_text("NAME=VALUE");
  command->add_option("--delay", enqueue.delay, "not before this long from now, for example 5m")
      ->type_name("DURATION");
  auto* batch =
      command->add_flag("--batch", is_batch, "read one JSON object per line from standard input");
  command
      ->add_option("--batch-size", batch_size,
                   "messages per transaction with --batch, 1 to 100000 (default 1000)")
      ->check(CLI::Range(1, 100000))
      ->option_text("N")
      ->needs(batch);
  command->footer(
      "Examples:\n"
      "  outrider enqueue shop order:placed '{\"order\": 7}' --dedupe-key order-7\n"
      "  outrider enqueue shop order:placed @order.json --delay 5m\n"
      "  echo '{\"namespace\":\"shop\",\"topic\":\"t\",\"payload\":1}' | outrider enqueue "
      "--batch\n\n" +
      global_options);
  command->callback([this] {
    const bool is_complete =
        !enqueue.ns.empty() && !enqueue.topic.empty() && !enqueue.payload.empty();
    if (!is_batch && !is_complete)
      throw CLI::ValidationError("name NAMESPACE, TOPIC and PAYLOAD, or read many with --batch");
    if (is_batch && !enqueue.ns.empty())
      throw CLI::ValidationError("--batch reads its messages from standard input and takes no " +
                                 ("\"" + enqueue.ns + "\""));
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
  command
      ->add_option("--status", list.filter.status,
                   "pending, processing, delivered, failed, dead or skipped")
      ->option_text("STATUS")
      ->check(CLI::IsMember({"pending", "processing", "delivered", "failed", "dead", "skipped"}));
  command->add_option("--namespace", list.filter.ns, "only this namespace")->type_name("NAME");
  command->add_option("--topic", list.filter.topic, "only this topic")->type_name("NAME");
  command->add_option("--tenant", list.tenant, "only this tenant")->type_name("UUID");
  command->add_option("--limit", list.filter.limit, "how many, 1 to 10000 (default 50)")
      ->check(CLI::Range(1, 10000))
      ->option_text("N");
  command->add_option("--after", list.after, "the next page: what the last one gave as \"after\"")
      ->type_name("POSITION");
  command->footer(global_options);
  command->callback([this] { chosen = [this] { return run_list(usable_context(flags), list); }; });

  CLI::App* show = app.add_subcommand("show", "One message with its payload and what became of it");
  show->add_option("ID", show_id, "what enqueue answered, a UUID")->required()->option_text(" ");
  show->footer(global_options);
  show->callback([this] { chosen = [this] { return run_show(usable_context(flags), show_id); }; });
}

void CommandLine::add_config() {
  CLI::App* command = app.add_subcommand("config", "Check or print the configuration");
  command->require_subcommand(0, 1);
  command->footer(global_options);
  command->add_subcommand("check", "Say everything that is wrong with it")->callback([this] {
    chosen = [this] { return run_config_check(make_context(flags)); };
  });
  command->add_subcommand("print", "Every setting with its value and where it comes from")
      ->callback([this] { chosen = [this] { return run_config_print(usable_context(flags)); }; });
}

std::vector<std::string_view> commands_of(const CLI::App& app) {
  std::vector<std::string_view> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  return names;
}

std::vector<std::string_view> options_of(const CLI::App& app) {
  std::vector<std::string_view> names;
  for (const CLI::App* each = &app; each; each = each->get_parent())
    for (const CLI::Option* option : each->get_options())
      for (const std::string& name : option->get_lnames())
        names.push_back(name);
  return names;
}

// The command that the words have reached: "outrider config" for "outrider config chek".
const CLI::App& reached(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  return chosen.empty() ? app : reached(*chosen.front());
}

std::string full_name(const CLI::App& app) {
  return app.get_parent() ? full_name(*app.get_parent()) + " " + app.get_name() : app.get_name();
}

// What is wrong with words that no command or option took; the first one is told.
std::string unknown_word(const CLI::App& at, const std::string& word) {
  const bool is_option = word.starts_with('-');
  const std::string bare = word.substr(std::min(word.find_first_not_of('-'), word.size()));
  const auto nearest = config::nearest_key(bare, is_option ? options_of(at) : commands_of(at));
  const std::string kind = is_option                 ? "an option"
                           : commands_of(at).empty() ? "expected here; there is one word too many"
                                                     : "a command";
  std::string text = fmt::format("\"{}\" is not {}", word, kind);
  if (nearest && is_option)
    text += fmt::format("; did you mean \"--{}\"?", *nearest);
  else if (nearest)
    text += fmt::format("; did you mean \"{} {}\"?", full_name(at), *nearest);
  else if (!is_option && !commands_of(at).empty())
    text += fmt::format("; there are {}", fmt::join(commands_of(at), ", "));
  return text;
}

// CLI11 lists the value of an unknown option before the option, which is the one to be told of.
std::string first_unknown(const std::vector<std::string>& left) {
  const auto option = std::find_if(left.begin(), left.end(),
                                   [](const std::string& word) { return word.starts_with('-'); });
  return option != left.end() ? *option : left.empty() ? "" : left.front();
}

int refuse_words(const CLI::App& app, const std::string& what) {
  std::cerr << fmt::format("outrider: {}\nsee \"{} --help\"\n", what, full_name(reached(app)));
  return wrong_usage;
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
  } catch (const CLI::ExtrasError&) {
    const std::vector<std::string> left = line.app.remaining(true);
    return refuse_words(line.app, unknown_word(reached(line.app), first_unknown(left)));
  } catch (const CLI::ParseError& error) {
    return refuse_words(line.app, error.what());
  }
  if (!line.chosen)
    return refuse_words(line.app, fmt::format("which command? There are {}",
                                              fmt::join(commands_of(reached(line.app)), ", ")));
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
