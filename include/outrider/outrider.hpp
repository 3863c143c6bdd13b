#pragma once

// Everything a user of the library needs.
#include <outrider/canonical.hpp>
#include <outrider/enqueue.hpp>
#include <outrider/error.hpp>
#include <outrider/idempotency.hpp>
#include <outrider/message.hpp>
#include <outrider/uuid.hpp>
#include <outrider/version.hpp>
