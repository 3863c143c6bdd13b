#include "store/session.hpp"

#include <outrider/error.hpp>

namespace outrider {

Transaction::~Transaction() {
  if (!session_)
    return;
  try {
    session_->rollback();
  } catch (const Error&) {  // The connection is gone, and the transaction with it.
  }
}

void Transaction::commit() {
  Session* session = session_;
  session_ = nullptr;  // after a failed COMMIT there is nothing left to roll back
  session->commit();
}

}  // namespace outrider
