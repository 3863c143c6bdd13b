#pragma once

#include <chrono>
#include <optional>
#include <sqlite3.h>
#include <string>

namespace outrider::sqlite {

// SQLite before 3.51.3 can corrupt a file when a checkpoint meets a commit at the wrong instant
// (the "WAL-reset bug"). So no connection of ours checkpoints by itself: a checkpoint holds the
// file
// "<database>-outrider-lock" exclusively, and each commit holds it shared. The lock is flock's, of
// an open file description: it works between threads as between processes, and ends with the
// process.
//
// An application's own connection to the same file commits without this lock. It should set
//   PRAGMA journal_mode = WAL;  PRAGMA synchronous = FULL;  PRAGMA wal_autocheckpoint = 0;
//   PRAGMA mmap_size = 0;       PRAGMA cache_spill = OFF;   PRAGMA busy_timeout = 5000;
// begin what writes with BEGIN IMMEDIATE, and leave checkpoints to Outrider.
class CheckpointLock {
 public:
  // Opens the lock file beside the database, making it if needed. An empty path, which a database
  // in memory has, gives a lock that is always free. Throws Error if the file cannot be opened.
  explicit CheckpointLock(const std::string& database_path);
  ~CheckpointLock();
  CheckpointLock(const CheckpointLock&) = delete;
  CheckpointLock& operator=(const CheckpointLock&) = delete;

  // Lets go when it goes out of scope. One lock has at most one hold at a time.
  class Hold {
   public:
    explicit Hold(int file) : file_(file) {}
    ~Hold();
    Hold(Hold&& other) noexcept : file_(other.file_) { other.file_ = -1; }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    Hold& operator=(Hold&&) = delete;

   private:
    int file_;
  };

  // For a commit. Waits for a checkpoint to end; throws Error(busy) when patience runs out.
  Hold share(std::chrono::milliseconds patience) const;

  // For a checkpoint. Never waits: nullopt while a commit or another checkpoint is under way.
  std::optional<Hold> try_exclude() const;

  // False for a database in memory.
  bool has_file() const { return file_ >= 0; }

 private:
  std::string path_;
  int file_ = -1;
};

// Decides when a session checkpoints, and does it. Used by the session's thread only.
class Checkpointer {
 public:
  Checkpointer(sqlite3* connection, const CheckpointLock& lock, int pages_max);
  Checkpointer(const Checkpointer&) = delete;
  Checkpointer& operator=(const Checkpointer&) = delete;

  // To be called after each commit, without a transaction. Checkpoints if the log has grown past
  // its bound and nobody commits at this moment; otherwise a later commit will. Never waits and
  // never fails: the commit before it has succeeded, whatever becomes of the checkpoint.
  void after_commit() noexcept;

  // Checkpoints now unless a commit or another checkpoint is under way. True if the log is empty
  // afterwards; a reader, or a writer of the application, may keep it from being emptied.
  bool checkpoint() noexcept;

  // Pages in the log after the last commit of this connection.
  int pages() const { return pages_; }

 private:
  static int note_pages(void* self, sqlite3* connection, const char* schema, int pages);

  sqlite3* connection_;
  const CheckpointLock* lock_;
  int pages_max_;
  int pages_due_;
  int pages_ = 0;
};

}  // namespace outrider::sqlite
