#include "store/postgres/copy_stream.hpp"

#include "store/postgres/handles.hpp"
#include "store/postgres/sqlstate.hpp"
#include "store/postgres/wire.hpp"

namespace outrider::postgres {

namespace {

constexpr std::size_t push_bytes = 64 * 1024;
constexpr std::string_view signature("PGCOPY\n\377\r\n\0", 11);

}  // namespace

CopyStream::CopyStream(PGconn* connection, const OwnStatement& statement)
    : connection_(connection), name_(statement.name) {
  const ResultHandle begun(PQexec(connection, statement.text.data()));
  require_success(begun.get(), connection, "cannot enqueue", name_);
  is_open_ = true;
  buffer_.reserve(2 * push_bytes);
  buffer_.append(signature);
  append_int32(buffer_, 0);  // flags
  append_int32(buffer_, 0);  // no extension
}

CopyStream::~CopyStream() {
  if (!is_open_)
    return;
  PQputCopyEnd(connection_, "the producer gave up");
  while (const ResultHandle result{PQgetResult(connection_)}) {
  }
}

void CopyStream::add_row(std::span<const Value> fields) {
  append_int16(buffer_, static_cast<std::int16_t>(fields.size()));
  for (const Value& field : fields) {
    const std::size_t start = buffer_.size();
    append_int32(buffer_, -1);
    if (!append_binary(buffer_, field))
      continue;
    std::string length;
    append_int32(length, static_cast<std::int32_t>(buffer_.size() - start - 4));
    buffer_.replace(start, 4, length);
  }
  if (buffer_.size() >= push_bytes)
    push();
}

void CopyStream::push() {
  if (PQputCopyData(connection_, buffer_.data(), static_cast<int>(buffer_.size())) != 1)
    throw to_error(nullptr, connection_, "cannot enqueue", name_);
  buffer_.clear();
}

void CopyStream::finish() {
  append_int16(buffer_, -1);
  push();
  if (PQputCopyEnd(connection_, nullptr) != 1)
    throw to_error(nullptr, connection_, "cannot enqueue", name_);
  is_open_ = false;
  const ResultHandle result(PQgetResult(connection_));
  while (const ResultHandle rest{PQgetResult(connection_)}) {
  }
  require_success(result.get(), connection_, "cannot enqueue", name_);
}

}  // namespace outrider::postgres
