#include <boost/json.hpp>
#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

#include "outrider/commands.hpp"
#include "outrider/store.hpp"
#include "store/migrator.hpp"
#include "store/statements.hpp"

namespace outrider::cli {

namespace {

int check(const Context& context, Session& session) {
  const SchemaState state = schema_state(session);
  if (context.json)
    std::cout << boost::json::object{{"version", state.version}, {"known", state.known}} << '\n';
  else if (state.is_newer())
    std::cout << fmt::format(
        "newer: the schema is version {}, this build knows {}; upgrade outrider\n", state.version,
        state.known);
  else if (state.is_behind())
    std::cout << fmt::format(
        "behind: the schema is version {}, this build needs {}; run \"outrider migrate\"\n",
        state.version, state.known);
  else
    std::cout << fmt::format("up to date: version {}\n", state.version);
  return state.is_behind() || state.is_newer() ? failed : done;
}

void show_progress(const Migration& migration, std::size_t step, std::size_t count) {
  if (::isatty(STDERR_FILENO))
    std::cerr << fmt::format("\r{:04}_{} {}/{}{}", migration.version, migration.name, step, count,
                             step == count ? "\n" : "")
              << std::flush;
}

}  // namespace

int run_migrate(const Context& context, const MigrateOptions& options) {
  const bool is_applied = options.mode == MigrateOptions::Mode::apply;
  const std::unique_ptr<Session> session = open_store(
      context.store_url(), is_applied ? MissingFile::make : MissingFile::look_at_nothing);
  if (options.mode == MigrateOptions::Mode::check)
    return check(context, *session);
  if (options.mode == MigrateOptions::Mode::plan) {
    for (const Migration& migration : pending_migrations(*session))
      std::cout << fmt::format("-- {:04}_{}.sql\n{}\n", migration.version, migration.name,
                               migration.script);
    return done;
  }
  const std::vector<Migration> applied = migrate(*session, show_progress);
  session->run(sql::register_topics);
  const SchemaState state = schema_state(*session);
  if (context.json)
    std::cout << boost::json::object{{"version", state.version}, {"applied", applied.size()}}
              << '\n';
  else if (applied.empty())
    std::cout << fmt::format("nothing to do: the schema is version {}\n", state.version);
  else
    std::cout << fmt::format("applied {} migrations: the schema is version {} ({})\n",
                             applied.size(), state.version, session->store_version());
  return done;
}

}  // namespace outrider::cli
