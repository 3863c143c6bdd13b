#include "store/postgres/wire.hpp"

#include <chrono>
#include <gtest/gtest.h>

#include "support/postgres_server.hpp"

namespace outrider::testing {
namespace {

Rows binary_rows(const std::string& sql) {
  const TestDatabase database(TestDatabase::Schema::none);
  const Connection connection = connect(database.conninfo());
  const std::unique_ptr<PGresult, decltype(&PQclear)> result(
      PQexecParams(connection.get(), sql.c_str(), 0, nullptr, nullptr, nullptr, nullptr, 1),
      &PQclear);
  return postgres::to_rows(result.get());
}

TEST(Wire, ReadsTimesFromTheBeginningToTheEndOfTime) {
  using std::chrono::microseconds;
  const Rows rows = binary_rows(
      "SELECT '1970-01-01 00:00:01.5Z'::timestamptz, 'infinity'::timestamptz, "
      "'-infinity'::timestamptz, NULL::timestamptz, '9999-12-31 23:59:59Z'::timestamptz");
  EXPECT_EQ(rows[0].time(0), StoreTime(microseconds(1'500'000)));
  EXPECT_EQ(rows[0].time(1), StoreTime::max());
  EXPECT_LT(rows[0].time(2), StoreTime(microseconds(-200'000'000'000'000'000)));
  EXPECT_EQ(rows[0].optional_time(3), std::nullopt);
  EXPECT_EQ(to_rfc3339(rows[0].time(0)), "1970-01-01T00:00:01.500000Z");
  EXPECT_EQ(to_rfc3339(rows[0].time(4)), "9999-12-31T23:59:59.000000Z");
  EXPECT_NE(to_rfc3339(rows[0].time(1)), to_rfc3339(rows[0].time(2)));
}

}  // namespace
}  // namespace outrider::testing
