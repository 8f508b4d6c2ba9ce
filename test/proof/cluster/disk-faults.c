/*
 * Preloaded into PostgreSQL: its disk is slow, full or broken, as the file that DISK_FAULTS names says. All processes map
 * that file, so a change holds at once; they count in it what they did. See disk-faults.ts.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { TABLES = 1, LOG = 2 };

static volatile struct {
  /* What is wrong: milliseconds, a set of TABLES and LOG, and whether flushes of the log fail. */
  int flush_ms, full, broken;
  /* What was done. */
  int slowed, refused, failed;
} *faults;

__attribute__((constructor)) static void map_file(void) {
  const char *path = getenv("DISK_FAULTS");
  int fd = path ? open(path, O_RDWR) : -1;
  if (fd < 0) return;
  void *memory = mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (memory != MAP_FAILED) faults = memory;
  close(fd);
}

static int is_full(int fd, off_t end) {
  char link[64], path[4096];
  struct stat file;
  if (!faults || !faults->full) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  int full = strstr(path, "/pg_wal/") ? faults->full & LOG
             /* A full disk still takes what replaces something. */
             : strstr(path, "/base/") ? (faults->full & TABLES) && fstat(fd, &file) == 0 && end > file.st_size
                                      : 0;
  if (full) __sync_fetch_and_add(&faults->refused, 1);
  return full;
}

static void be_slow(void) {
  if (!faults || faults->flush_ms <= 0) return;
  __sync_fetch_and_add(&faults->slowed, 1);
  usleep(1000 * faults->flush_ms);
}

static size_t bytes_of(const struct iovec *parts, int count) {
  size_t bytes = 0;
  for (int i = 0; i < count; i++) bytes += parts[i].iov_len;
  return bytes;
}

static ssize_t refuse(void) {
  errno = ENOSPC;
  return -1;
}

/* Only processes are killed, so nothing has to reach the real disk. After a panic, PostgreSQL flushes every file. */
int fsync(int fd) {
  (void)fd;
  be_slow();
  return 0;
}

/* Only for the log. PostgreSQL panics if it fails. */
int fdatasync(int fd) {
  (void)fd;
  be_slow();
  if (!faults || !faults->broken) return 0;
  __sync_fetch_and_add(&faults->failed, 1);
  errno = EIO;
  return -1;
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t at) {
  static ssize_t (*next)(int, const void *, size_t, off_t);
  if (is_full(fd, at + count)) return refuse();
  if (!next) next = dlsym(RTLD_NEXT, "pwrite");
  return next(fd, bytes, count, at);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  static ssize_t (*next)(int, const struct iovec *, int, off_t);
  if (is_full(fd, at + bytes_of(parts, count))) return refuse();
  if (!next) next = dlsym(RTLD_NEXT, "pwritev");
  return next(fd, parts, count, at);
}

int posix_fallocate(int fd, off_t at, off_t count) {
  if (is_full(fd, at + count)) return ENOSPC;
  return ((int (*)(int, off_t, off_t))dlsym(RTLD_NEXT, "posix_fallocate"))(fd, at, count);
}
