/* Preloaded into PostgreSQL: every flush to disk takes SLOW_FLUSH_MS longer, as on a network disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <unistd.h>

static void wait_for_disk(void) {
  const char *milliseconds = getenv("SLOW_FLUSH_MS");
  if (milliseconds) usleep(1000 * atoi(milliseconds));
}

int fsync(int fd) {
  wait_for_disk();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(fd);
}

int fdatasync(int fd) {
  wait_for_disk();
  return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(fd);
}
