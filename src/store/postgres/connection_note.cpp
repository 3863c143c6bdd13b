#include "store/postgres/connection_note.hpp"

#include <libpq-events.h>
#include <memory>

#include <outrider/error.hpp>

namespace outrider::postgres {

namespace {

using Owned = std::unique_ptr<ConnectionNote>;

// libpq is the owner between registration and destruction, so the pointer leaves unique_ptr there
// and comes back here.
int on_event(PGEventId event, void* info, void* /*pass_through*/) noexcept {
  if (event == PGEVT_CONNDESTROY) {
    PGconn* connection = static_cast<PGEventConnDestroy*>(info)->conn;
    Owned(static_cast<ConnectionNote*>(PQinstanceData(connection, on_event))).reset();
  } else if (event == PGEVT_CONNRESET) {
    PGconn* connection = static_cast<PGEventConnReset*>(info)->conn;
    if (auto* note = static_cast<ConnectionNote*>(PQinstanceData(connection, on_event)))
      *note = ConnectionNote();
  }
  return 1;
}

}  // namespace

ConnectionNote& ConnectionNote::of(PGconn* connection) {
  if (void* known = PQinstanceData(connection, on_event))
    return *static_cast<ConnectionNote*>(known);
  Owned note = std::make_unique<ConnectionNote>();
  if (!PQregisterEventProc(connection, on_event, "outrider", nullptr) ||
      !PQsetInstanceData(connection, on_event, note.get()))
    throw Error(Errc::internal,
                "cannot enqueue: libpq keeps no note of the connection (out of memory)");
  return *note.release();
}

}  // namespace outrider::postgres
