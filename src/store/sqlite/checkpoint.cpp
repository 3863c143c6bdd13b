#include "store/sqlite/checkpoint.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include <outrider/error.hpp>

namespace outrider::sqlite {

namespace {

constexpr std::chrono::milliseconds first_pause{1};
constexpr std::chrono::milliseconds longest_pause{20};

std::string reason(int number) {
  return std::generic_category().message(number);
}

bool try_lock(int file, int operation) {
  int result = 0;
  do {
    result = ::flock(file, operation | LOCK_NB);
  } while (result != 0 && errno == EINTR);
  return result == 0;
}

// Whoever may write the database must be able to lock, so the lock file takes over its mode, as
// SQLite does for its own files. stat does not open the database: closing it would drop SQLite's
// locks on it.
mode_t mode_of(const std::string& database_path) {
  struct stat found {};
  return ::stat(database_path.c_str(), &found) == 0 ? found.st_mode & 0777U : 0644U;
}

int open_lock_file(const std::string& path, const std::string& database_path) {
  const mode_t mode = mode_of(database_path);
  int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file >= 0) {
    // Past the umask. A failure leaves the narrower mode, which at least its owner can use.
    [[maybe_unused]] const int changed = ::fchmod(file, mode);
    return file;
  }
  // flock asks for no right to write, so a file of another user will do.
  return ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
}

}  // namespace

CheckpointLock::CheckpointLock(const std::string& database_path) {
  if (database_path.empty())
    return;
  path_ = database_path + "-outrider-lock";
  file_ = open_lock_file(path_, database_path);
  if (file_ < 0) {
    const int number = errno;
    const Errc code = number == EACCES   ? Errc::permission_denied
                      : number == EROFS  ? Errc::read_only
                      : number == ENOSPC ? Errc::disk_full
                                         : Errc::store_failure;
    throw Error(code, fmt::format("cannot open the lock file {}: {}", path_, reason(number)));
  }
}

CheckpointLock::~CheckpointLock() {
  if (file_ >= 0)
    ::close(file_);
}

CheckpointLock::Hold::~Hold() {
  if (file_ >= 0)
    ::flock(file_, LOCK_UN);
}

CheckpointLock::Hold CheckpointLock::share(std::chrono::milliseconds patience) const {
  if (!has_file())
    return Hold(-1);
  // Polling, because flock has no time limit, and a stopped checkpointer must not stop everyone.
  const auto deadline = std::chrono::steady_clock::now() + patience;
  auto pause = first_pause;
  while (!try_lock(file_, LOCK_SH)) {
    const int number = errno;
    if (number != EWOULDBLOCK)
      throw Error(Errc::store_failure, fmt::format("cannot lock {}: {}", path_, reason(number)));
    if (std::chrono::steady_clock::now() >= deadline)
      throw Error(Errc::busy, fmt::format("cannot commit: a checkpoint has held {} for {} ms; "
                                          "repeat the whole transaction",
                                          path_, patience.count()));
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, longest_pause);
  }
  return Hold(file_);
}

std::optional<CheckpointLock::Hold> CheckpointLock::try_exclude() const {
  if (!has_file() || !try_lock(file_, LOCK_EX))
    return std::nullopt;
  return Hold(file_);
}

Checkpointer::Checkpointer(sqlite3* connection, const CheckpointLock& lock, int pages_max)
    : connection_(connection), lock_(&lock), pages_max_(pages_max), pages_due_(pages_max) {
  // Takes the place of SQLite's own hook, which would checkpoint without the lock.
  sqlite3_wal_hook(connection, &Checkpointer::note_pages, this);
}

int Checkpointer::note_pages(void* self, sqlite3*, const char*, int pages) {
  static_cast<Checkpointer*>(self)->pages_ = pages;
  return SQLITE_OK;
}

void Checkpointer::after_commit() noexcept {
  if (pages_ < pages_max_)
    pages_due_ = pages_max_;  // somebody else has emptied the log
  if (pages_ < pages_due_)
    return;
  checkpoint();
}

bool Checkpointer::checkpoint() noexcept {
  const std::optional<CheckpointLock::Hold> hold = lock_->try_exclude();
  if (!hold)
    return false;
  // TRUNCATE first asks for the write lock and so keeps the application's own commits out as well;
  // where it cannot have it, it does what PASSIVE does. Without a busy timeout neither waits: a
  // writer that waits for our lock holds the write lock, and both would wait for each other.
  sqlite3_stmt* asked = nullptr;
  int timeout = 0;
  if (sqlite3_prepare_v2(connection_, "PRAGMA busy_timeout", -1, &asked, nullptr) == SQLITE_OK &&
      sqlite3_step(asked) == SQLITE_ROW)
    timeout = sqlite3_column_int(asked, 0);
  sqlite3_finalize(asked);
  sqlite3_busy_timeout(connection_, 0);
  const int code =
      sqlite3_wal_checkpoint_v2(connection_, "main", SQLITE_CHECKPOINT_TRUNCATE, nullptr, nullptr);
  sqlite3_busy_timeout(connection_, timeout);
  // A reader that holds the log back would make each commit try again for nothing.
  pages_due_ = code == SQLITE_OK ? pages_max_ : pages_ + pages_max_;
  if (code == SQLITE_OK)
    pages_ = 0;
  return code == SQLITE_OK;
}

}  // namespace outrider::sqlite
