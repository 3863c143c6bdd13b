#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "store/session.hpp"

namespace outrider {

// Where a database's schema stands against what this build knows.
struct SchemaState {
  int version = 0;  // the newest migration applied, 0 for none
  int known = 0;    // the newest migration of this build

  bool is_behind() const { return version < known; }
  bool is_newer() const { return version > known; }
};

// Reads the state and changes nothing.
SchemaState schema_state(Session& session);

// Throws Error(schema_missing, schema_behind or schema_newer) unless the schema is the one this
// build knows; `attempted` begins the text.
void require_schema(Session& session, std::string_view attempted);

// The migrations that migrate() would apply, oldest first. Throws Error(schema_newer) if the
// database is ahead of this build.
std::vector<Migration> pending_migrations(Session& session);

// Called after each statement of a migration has run, before its transaction commits.
using MigrationProgress =
    std::function<void(const Migration&, std::size_t done, std::size_t count)>;

// Brings the schema forward and returns what was applied. Each migration is one transaction
// together with its entry in the migration table, so a migrator killed at any point leaves a
// database that the next one completes. Any number may run at once: they take turns.
std::vector<Migration> migrate(Session& session, const MigrationProgress& progress = {});

}  // namespace outrider
