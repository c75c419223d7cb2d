/* Fails the n-th system call that changes files below a folder. Loaded by LD_PRELOAD; armed by system_faults.ts, which
   opens paths below /likeness-fault/. SQLite's own writes can't be reached from JavaScript. The calls are those that
   Node imports from libc (`nm -D`). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { ON_PATH = 1, ON_WRITE = 2, ON_SYNC = 4, ALL = 7 };

static const struct { const char *name; int code; int on; } kinds[] = {
  {"EIO", EIO, ALL},         {"ENOSPC", ENOSPC, ALL},     {"EACCES", EACCES, ON_PATH},
  {"BUSY", EBUSY, ON_PATH},  {"SHORT", 0, ON_WRITE},      {"END", EIO, ALL},
};
enum { SHORT = 4, END = 5, OFF = -1 };

static int kind = OFF;
static long at;
static atomic_long count;
static char folder[4096];
static unsigned char is_below[1 << 16];

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Arms or disarms by a path; returns whether the path was one of these. */
static int control(const char *path) {
  char name[16];
  if (!path || strncmp(path, "/likeness-fault/", 16) != 0) return 0;
  errno = kind != OFF && count >= at ? EEXIST : ENOENT;
  kind = OFF;
  if (sscanf(path, "/likeness-fault/%15[^/]/%ld%4095s", name, &at, folder) != 3) return 1;
  count = 0;
  memset(is_below, 0, sizeof is_below);
  for (int i = 0; i <= END; i++)
    if (strcmp(name, kinds[i].name) == 0) kind = i;
  return 1;
}

static int below(int directory, const char *path) {
  if (kind == OFF || !path) return 0;
  if (path[0] == '/') return strncmp(path, folder, strlen(folder)) == 0;
  return directory >= 0 && directory < (int)sizeof is_below && is_below[directory];
}

/* Whether this call fails. */
static int fails(int on) {
  if (kind == OFF || !(kinds[kind].on & on)) return 0;
  long number = ++count;
  if (kind == END ? number < at : number != at) return 0;
  errno = kinds[kind].code;
  return 1;
}

static int opened(int fd, int ours) {
  if (fd >= 0 && fd < (int)sizeof is_below) is_below[fd] = ours;
  return fd;
}

static int is_ours(int fd) { return kind != OFF && fd >= 0 && fd < (int)sizeof is_below && is_below[fd]; }

#define OPEN(name, parameters, directory, ...)                                                                        \
  int name parameters {                                                                                               \
    va_list more;                                                                                                     \
    va_start(more, flags);                                                                                            \
    mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;                                           \
    va_end(more);                                                                                                     \
    if (control(path)) return -1;                                                                                     \
    int ours = below(directory, path);                                                                                \
    if (ours && (flags & O_ACCMODE) != O_RDONLY && fails(ON_PATH)) return -1;                                         \
    return opened(NEXT(name)(__VA_ARGS__, flags, mode), ours);                                                        \
  }
OPEN(open, (const char *path, int flags, ...), AT_FDCWD, path)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD, path)
OPEN(openat, (int dir, const char *path, int flags, ...), dir, dir, path)

#define PATH_CALL(name, parameters, directory, path, ...)                                                             \
  int name parameters { return below(directory, path) && fails(ON_PATH) ? -1 : NEXT(name)(__VA_ARGS__); }
PATH_CALL(mkdir, (const char *path, mode_t mode), AT_FDCWD, path, path, mode)
PATH_CALL(unlink, (const char *path), AT_FDCWD, path, path)
PATH_CALL(unlinkat, (int dir, const char *path, int flags), dir, path, dir, path, flags)
PATH_CALL(rmdir, (const char *path), AT_FDCWD, path, path)
PATH_CALL(remove, (const char *path), AT_FDCWD, path, path)
PATH_CALL(rename, (const char *from, const char *to), AT_FDCWD, to, from, to)
PATH_CALL(link, (const char *from, const char *to), AT_FDCWD, to, from, to)

#define WRITE(name, parameters, size, whole, part)                                                                    \
  ssize_t name parameters {                                                                                           \
    if (!is_ours(fd) || !fails(ON_WRITE)) return NEXT(name) whole;                                                    \
    return kind == SHORT && (size) > 1 ? NEXT(name) part : kind == SHORT ? NEXT(name) whole : -1;                     \
  }
WRITE(write, (int fd, const void *bytes, size_t n), n, (fd, bytes, n), (fd, bytes, n / 2))
WRITE(pwrite64, (int fd, const void *bytes, size_t n, off64_t to), n, (fd, bytes, n, to), (fd, bytes, n / 2, to))
WRITE(writev, (int fd, const struct iovec *parts, int n), n, (fd, parts, n), (fd, parts, n / 2))

#define FILE_CALL(name, on, parameters, ...)                                                                          \
  int name parameters { return is_ours(fd) && fails(on) ? -1 : NEXT(name)(__VA_ARGS__); }
FILE_CALL(fsync, ON_SYNC, (int fd), fd)
FILE_CALL(fdatasync, ON_SYNC, (int fd), fd)
FILE_CALL(ftruncate64, ON_WRITE, (int fd, off64_t size), fd, size)

int close(int fd) {
  if (fd >= 0 && fd < (int)sizeof is_below) is_below[fd] = 0;
  return NEXT(close)(fd);
}
