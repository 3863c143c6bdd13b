// Whatever types and bytes a server answers with, reading the cells gives values or
// Error(internal).
#include <array>
#include <libpq-fe.h>
#include <string>

#include <outrider/error.hpp>

#include "fuzz_input.hpp"
#include "store/postgres/handles.hpp"
#include "store/postgres/wire.hpp"

namespace {

using outrider::Rows;

constexpr std::array<unsigned, 9> types{16, 17, 20, 21, 23, 25, 2950, 1184, 114};

template <typename Read>
void read_cell(Read read) {
  try {
    read();
  } catch (const outrider::Error& error) {
    OUTRIDER_ASSERT(error.code() == outrider::Errc::internal);
  }
}

void read_every_way(const Rows::Row& row, std::size_t column) {
  read_cell([&] { row.integer(column); });
  read_cell([&] { row.boolean(column); });
  read_cell([&] { row.text(column); });
  read_cell([&] { row.uuid(column); });
  read_cell([&] { row.time(column); });
  read_cell([&] { row.optional_text(column); });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  using namespace outrider;
  fuzzing::Input input(bytes, size);
  const postgres::ResultHandle result(PQmakeEmptyPGresult(nullptr, PGRES_TUPLES_OK));
  const std::size_t columns = 1 + input.byte() % 4;
  std::array<PGresAttDesc, 4> descriptions{};
  std::string name = "c";
  for (std::size_t i = 0; i < columns; ++i)
    descriptions[i] = {name.data(), 0, 0, 1, types[input.byte() % types.size()], -1, -1};
  OUTRIDER_ASSERT(PQsetResultAttrs(result.get(), static_cast<int>(columns), descriptions.data()));
  const std::size_t cells = columns * (input.byte() % 4U);
  for (std::size_t i = 0; i < cells; ++i) {
    std::string cell(input.text());
    const bool is_null = cell == "null";
    OUTRIDER_ASSERT(PQsetvalue(result.get(), static_cast<int>(i / columns),
                               static_cast<int>(i % columns), is_null ? nullptr : cell.data(),
                               is_null ? -1 : static_cast<int>(cell.size())));
  }
  try {
    const Rows rows = postgres::to_rows(result.get());
    for (const Rows::Row row : rows)
      for (std::size_t i = 0; i < columns; ++i)
        read_every_way(row, i);
  } catch (const Error& error) {
    OUTRIDER_ASSERT(error.code() == Errc::internal);
  }
  return 0;
}
