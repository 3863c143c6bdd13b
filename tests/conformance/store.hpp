#pragma once

#include <gtest/gtest.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <outrider/outrider.hpp>

#include "core/position_set.hpp"
#include "store/session.hpp"

namespace outrider::testing {

struct StoredMessage {
  Position position = 0;
  std::string id;
  std::string topic;  // "namespace/topic"
  std::string payload;
  std::optional<std::string> tenant_id, dedupe_key, ordering_key, headers;
  std::optional<std::int64_t> delay_ms;  // deliver_at - created_at
};

// An application's own connection, as the code under test meets it.
class Caller {
 public:
  virtual ~Caller() = default;
  virtual void run(const std::string& sql) = 0;  // throws std::runtime_error on an error
  virtual Enqueued enqueue(const Message& message, const EnqueueOptions& options = {}) = 0;
  virtual std::vector<Enqueued> enqueue(std::span<const Message> messages,
                                        const EnqueueOptions& options = {}) = 0;
};

// One database with a table of the application's own, change(n integer).
class Store {
 public:
  enum class Schema { migrated, none };
  virtual ~Store() = default;
  virtual std::unique_ptr<Caller> connect() = 0;
  virtual std::unique_ptr<Caller> connect_read_only() = 0;
  virtual std::unique_ptr<Session> session() = 0;
  // The file or connection string, for other programs.
  virtual std::string address() const = 0;
  // Every message, by position.
  virtual std::vector<StoredMessage> messages() = 0;
  virtual std::vector<int> changes() = 0;
  // Pretends that a newer build has migrated this database with a breaking change.
  virtual void add_breaking_migration() = 0;
};

std::unique_ptr<Store> make_postgres_store(Store::Schema schema);
std::unique_ptr<Store> make_sqlite_store(Store::Schema schema);

// Tests that run on both stores: TEST_P(Enqueue, ...) with GetParam() naming the store.
class OnBothStores : public ::testing::TestWithParam<std::string> {
 protected:
  static std::unique_ptr<Store> make(Store::Schema schema = Store::Schema::migrated) {
    return GetParam() == "postgres" ? make_postgres_store(schema) : make_sqlite_store(schema);
  }
};

#define OUTRIDER_ON_BOTH_STORES(suite)                                             \
  INSTANTIATE_TEST_SUITE_P(Stores, suite, ::testing::Values("postgres", "sqlite"), \
                           [](const auto& store) { return store.param; })

}  // namespace outrider::testing
