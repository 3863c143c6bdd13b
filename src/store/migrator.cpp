#include "store/migrator.hpp"

#include <fmt/format.h>
#include <optional>

#include <outrider/error.hpp>

#include "store/statements.hpp"

namespace outrider {

namespace {

int read_version(Session& session) {
  return static_cast<int>(session.run(sql::read_schema_version)[0].integer(0));
}

void refuse_newer(const SchemaState& state, std::string_view attempted) {
  if (state.is_newer())
    throw Error(Errc::schema_newer,
                fmt::format("{}: the schema is version {}, this build knows {}; upgrade outrider",
                            attempted, state.version, state.known));
}

// Applies the first migration that is missing, or finds that there is none. Which one is missing is
// decided under the lock, because another migrator may have been faster.
std::optional<Migration> migrate_one(Session& session, const MigrationProgress& progress) {
  Transaction transaction(session);
  session.run(sql::lock_migrations);
  const int version = read_version(session);
  for (const Migration& migration : session.migrations()) {
    if (migration.version <= version)
      continue;
    const std::vector<std::string> statements = session.split_script(migration.script);
    for (std::size_t i = 0; i < statements.size(); ++i) {
      session.run_ddl(statements[i]);
      if (progress)
        progress(migration, i + 1, statements.size());
    }
    session.run(sql::record_migration, {migration.version, migration.name, migration.breaking});
    session.run(sql::publish_schema_version);
    transaction.commit();
    return migration;
  }
  return std::nullopt;
}

}  // namespace

SchemaState schema_state(Session& session) {
  const int version = session.has_migrations() ? read_version(session) : 0;
  return {version, session.migrations().back().version};
}

void require_schema(Session& session, std::string_view attempted) {
  const SchemaState state = schema_state(session);
  refuse_newer(state, attempted);
  if (state.version == 0)
    throw Error(Errc::schema_missing,
                fmt::format("{}: this database has no outrider schema; run \"outrider migrate\"",
                            attempted));
  if (state.is_behind())
    throw Error(
        Errc::schema_behind,
        fmt::format("{}: the schema is version {}, this build needs {}; run \"outrider migrate\"",
                    attempted, state.version, state.known));
}

std::vector<Migration> pending_migrations(Session& session) {
  const SchemaState state = schema_state(session);
  refuse_newer(state, "cannot migrate");
  std::vector<Migration> pending;
  for (const Migration& migration : session.migrations())
    if (migration.version > state.version)
      pending.push_back(migration);
  return pending;
}

std::vector<Migration> migrate(Session& session, const MigrationProgress& progress) {
  refuse_newer(schema_state(session), "cannot migrate");
  session.prepare_migration();
  std::vector<Migration> applied;
  while (const std::optional<Migration> migration = migrate_one(session, progress))
    applied.push_back(*migration);
  return applied;
}

}  // namespace outrider
