/*
 * Preloaded into every process of a server, it records what they do to the files of one folder, in
 * the order of execution: bytes written, names created, moved and removed, and every fsync.
 * cut-power.ts derives what a power cut at any instant would have left.
 *
 * TORTURE_FOLDER is the folder, TORTURE_TRACE the output file. Each record is appended with one call
 * after the recorded call has returned, so that whatever waited for a call follows it in the trace.
 *
 * Not recorded: bytes written through a shared mapping (only SQLite's -shm does that, and it is
 * recreated), and kinds of calls that nobody made when this was written; those get records of their
 * own, and the row fails on them.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { OPEN = 1, WRITE, TRUNCATE, SYNC, DATASYNC, RENAME, UNLINK, MKDIR, LINK, SYMLINK, OTHER };

struct record {
  uint32_t magic;
  uint32_t kind;
  uint64_t inode;
  uint64_t offset;
  uint32_t path_bytes;
  uint32_t other_bytes;
};

#define MAGIC 0x54554331u
#define DESCRIPTORS 65536
#define NEXT(name) ((typeof(&name))next(#name, &next_##name))
#define DECLARE(name) static void *next_##name
#define EXPORT __attribute__((visibility("default")))

static unsigned char tracked[DESCRIPTORS];
static char folder[PATH_MAX];
static size_t folder_bytes;
static int trace = -1;

static void *next(const char *name, void **kept) {
  if (*kept == NULL) *kept = dlsym(RTLD_NEXT, name);
  return *kept;
}

DECLARE(open); DECLARE(openat); DECLARE(close); DECLARE(write); DECLARE(pwrite);
DECLARE(writev); DECLARE(pwritev); DECLARE(ftruncate); DECLARE(truncate); DECLARE(fsync);
DECLARE(fdatasync); DECLARE(rename); DECLARE(renameat); DECLARE(unlink); DECLARE(unlinkat);
DECLARE(remove); DECLARE(mkdir); DECLARE(rmdir); DECLARE(link); DECLARE(linkat); DECLARE(symlink);
DECLARE(syscall); DECLARE(mmap); DECLARE(sendfile); DECLARE(copy_file_range); DECLARE(fopen);
DECLARE(dup2);

__attribute__((constructor)) static void begin(void) {
  const char *where = getenv("TORTURE_FOLDER");
  const char *path = getenv("TORTURE_TRACE");
  if (where == NULL || path == NULL) return;
  snprintf(folder, sizeof folder, "%s/", where);
  folder_bytes = strlen(folder);
  int low = NEXT(open)(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  trace = fcntl(low, F_DUPFD_CLOEXEC, 900);
  NEXT(close)(low);
}

static void append(enum kind kind, uint64_t inode, uint64_t offset, const char *path,
                   const void *other, size_t other_bytes) {
  int kept = errno;
  size_t path_bytes = path == NULL ? 0 : strlen(path);
  struct record record = {MAGIC, kind, inode, offset, path_bytes, other_bytes};
  struct iovec parts[] = {
      {&record, sizeof record}, {(void *)path, path_bytes}, {(void *)other, other_bytes}};
  if (NEXT(writev)(trace, parts, 3) < 0) abort();
  errno = kept;
}

/* The path below the folder, or NULL if it is not there. */
static const char *below(int directory, const char *path, char whole[PATH_MAX]) {
  if (trace < 0 || path == NULL) return NULL;
  if (path[0] != '/') {
    char link_path[64], base[PATH_MAX];
    if (directory == AT_FDCWD) {
      if (getcwd(base, sizeof base) == NULL) return NULL;
    } else {
      snprintf(link_path, sizeof link_path, "/proc/self/fd/%d", directory);
      ssize_t bytes = readlink(link_path, base, sizeof base - 1);
      if (bytes < 0) return NULL;
      base[bytes] = 0;
    }
    if (snprintf(whole, PATH_MAX, "%s/%s", base, path) >= PATH_MAX) return NULL;
  } else {
    if (snprintf(whole, PATH_MAX, "%s", path) >= PATH_MAX) return NULL;
  }
  return strncmp(whole, folder, folder_bytes) == 0 ? whole + folder_bytes : NULL;
}

static void opened(int descriptor, int directory, const char *path, int flags) {
  if (descriptor < 0 || descriptor >= DESCRIPTORS) return;
  int kept = errno;
  char whole[PATH_MAX];
  const char *name = below(directory, path, whole);
  tracked[descriptor] = name != NULL;
  if (name != NULL && (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0) {
    struct stat found;
    if (fstat(descriptor, &found) == 0 && S_ISREG(found.st_mode))
      append(OPEN, found.st_ino, (flags & O_TRUNC) != 0, name, NULL, 0);
  }
  errno = kept;
}

/* The inode of a recorded regular file or folder, else 0. */
static uint64_t inode_of(int descriptor, int folders_too) {
  if (trace < 0 || descriptor < 0 || descriptor >= DESCRIPTORS || !tracked[descriptor]) return 0;
  int kept = errno;
  struct stat found;
  int is = fstat(descriptor, &found) == 0 &&
           (S_ISREG(found.st_mode) || (folders_too && S_ISDIR(found.st_mode)));
  errno = kept;
  return is ? found.st_ino : 0;
}

static void written(int descriptor, const void *bytes, ssize_t count, off_t offset) {
  if (count <= 0) return;
  uint64_t inode = inode_of(descriptor, 0);
  if (inode == 0) return;
  if (offset < 0) offset = lseek(descriptor, 0, SEEK_CUR) - count;
  append(WRITE, inode, offset, NULL, bytes, count);
}

static void written_parts(int descriptor, const struct iovec *parts, int count, ssize_t bytes,
                          off_t offset) {
  if (bytes <= 0 || inode_of(descriptor, 0) == 0) return;
  char *whole = malloc(bytes);
  size_t at = 0;
  for (int part = 0; part < count && at < (size_t)bytes; part++) {
    size_t take = parts[part].iov_len;
    if (take > bytes - at) take = bytes - at;
    memcpy(whole + at, parts[part].iov_base, take);
    at += take;
  }
  written(descriptor, whole, bytes, offset);
  free(whole);
}

static void other(const char *what, const char *path) {
  append(OTHER, 0, 0, path == NULL ? "" : path, what, strlen(what));
}

#define MODE_OF(flags)                              \
  mode_t mode = 0;                                  \
  if (((flags) & (O_CREAT | __O_TMPFILE)) != 0) {   \
    va_list rest;                                   \
    va_start(rest, flags);                          \
    mode = va_arg(rest, mode_t);                    \
    va_end(rest);                                   \
  }

EXPORT int open(const char *path, int flags, ...) {
  MODE_OF(flags)
  int descriptor = NEXT(open)(path, flags, mode);
  opened(descriptor, AT_FDCWD, path, flags);
  return descriptor;
}

EXPORT int openat(int directory, const char *path, int flags, ...) {
  MODE_OF(flags)
  int descriptor = NEXT(openat)(directory, path, flags, mode);
  opened(descriptor, directory, path, flags);
  return descriptor;
}

EXPORT int creat(const char *path, mode_t mode) {
  return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

EXPORT int close(int descriptor) {
  if (descriptor >= 0 && descriptor < DESCRIPTORS) tracked[descriptor] = 0;
  return NEXT(close)(descriptor);
}

EXPORT int dup2(int from, int to) {
  int made = NEXT(dup2)(from, to);
  if (made >= 0 && made < DESCRIPTORS && from >= 0 && from < DESCRIPTORS)
    tracked[made] = tracked[from];
  return made;
}

EXPORT ssize_t write(int descriptor, const void *bytes, size_t count) {
  ssize_t done = NEXT(write)(descriptor, bytes, count);
  written(descriptor, bytes, done, -1);
  return done;
}

EXPORT ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
  ssize_t done = NEXT(pwrite)(descriptor, bytes, count, offset);
  written(descriptor, bytes, done, offset);
  return done;
}

EXPORT ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  ssize_t done = NEXT(writev)(descriptor, parts, count);
  written_parts(descriptor, parts, count, done, -1);
  return done;
}

EXPORT ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
  ssize_t done = NEXT(pwritev)(descriptor, parts, count, offset);
  written_parts(descriptor, parts, count, done, offset);
  return done;
}

EXPORT int ftruncate(int descriptor, off_t size) {
  int result = NEXT(ftruncate)(descriptor, size);
  uint64_t inode = result == 0 ? inode_of(descriptor, 0) : 0;
  if (inode != 0) append(TRUNCATE, inode, size, NULL, NULL, 0);
  return result;
}

EXPORT int truncate(const char *path, off_t size) {
  int result = NEXT(truncate)(path, size);
  char whole[PATH_MAX];
  struct stat found;
  if (result == 0 && below(AT_FDCWD, path, whole) != NULL && stat(path, &found) == 0)
    append(TRUNCATE, found.st_ino, size, NULL, NULL, 0);
  return result;
}

EXPORT int fsync(int descriptor) {
  int result = NEXT(fsync)(descriptor);
  uint64_t inode = result == 0 ? inode_of(descriptor, 1) : 0;
  if (inode != 0) append(SYNC, inode, 0, NULL, NULL, 0);
  return result;
}

EXPORT int fdatasync(int descriptor) {
  int result = NEXT(fdatasync)(descriptor);
  uint64_t inode = result == 0 ? inode_of(descriptor, 1) : 0;
  if (inode != 0) append(DATASYNC, inode, 0, NULL, NULL, 0);
  return result;
}

static void two_paths(enum kind kind, int from_directory, const char *from, int to_directory,
                      const char *to, uint64_t flags) {
  char whole_from[PATH_MAX], whole_to[PATH_MAX];
  const char *old = below(from_directory, from, whole_from);
  const char *fresh = below(to_directory, to, whole_to);
  if (old != NULL && fresh != NULL) append(kind, 0, flags, old, fresh, strlen(fresh));
  else if (old != NULL || fresh != NULL) other("a name over the folder's edge", to);
}

EXPORT int rename(const char *from, const char *to) {
  int result = NEXT(rename)(from, to);
  if (result == 0) two_paths(RENAME, AT_FDCWD, from, AT_FDCWD, to, 0);
  return result;
}

EXPORT int renameat(int from_directory, const char *from, int to_directory, const char *to) {
  int result = NEXT(renameat)(from_directory, from, to_directory, to);
  if (result == 0) two_paths(RENAME, from_directory, from, to_directory, to, 0);
  return result;
}

EXPORT int link(const char *from, const char *to) {
  int result = NEXT(link)(from, to);
  if (result == 0) two_paths(LINK, AT_FDCWD, from, AT_FDCWD, to, 0);
  return result;
}

EXPORT int linkat(int from_directory, const char *from, int to_directory, const char *to, int flags) {
  int result = NEXT(linkat)(from_directory, from, to_directory, to, flags);
  if (result == 0) two_paths(LINK, from_directory, from, to_directory, to, 0);
  return result;
}

EXPORT int symlink(const char *target, const char *path) {
  int result = NEXT(symlink)(target, path);
  char whole[PATH_MAX];
  const char *name = result == 0 ? below(AT_FDCWD, path, whole) : NULL;
  if (name != NULL) append(SYMLINK, 0, 0, name, target, strlen(target));
  return result;
}

static void gone(int directory, const char *path) {
  char whole[PATH_MAX];
  const char *name = below(directory, path, whole);
  if (name != NULL) append(UNLINK, 0, 0, name, NULL, 0);
}

EXPORT int unlink(const char *path) {
  int result = NEXT(unlink)(path);
  if (result == 0) gone(AT_FDCWD, path);
  return result;
}

EXPORT int unlinkat(int directory, const char *path, int flags) {
  int result = NEXT(unlinkat)(directory, path, flags);
  if (result == 0) gone(directory, path);
  return result;
}

EXPORT int remove(const char *path) {
  int result = NEXT(remove)(path);
  if (result == 0) gone(AT_FDCWD, path);
  return result;
}

EXPORT int rmdir(const char *path) {
  int result = NEXT(rmdir)(path);
  if (result == 0) gone(AT_FDCWD, path);
  return result;
}

EXPORT int mkdir(const char *path, mode_t mode) {
  int result = NEXT(mkdir)(path, mode);
  char whole[PATH_MAX];
  const char *name = result == 0 ? below(AT_FDCWD, path, whole) : NULL;
  if (name != NULL) append(MKDIR, 0, 0, name, NULL, 0);
  return result;
}

EXPORT void *mmap(void *at, size_t size, int protection, int flags, int descriptor, off_t offset) {
  if ((flags & MAP_SHARED) != 0 && (protection & PROT_WRITE) != 0 && inode_of(descriptor, 0) != 0) {
    char link_path[64], path[PATH_MAX];
    snprintf(link_path, sizeof link_path, "/proc/self/fd/%d", descriptor);
    ssize_t bytes = readlink(link_path, path, sizeof path - 1);
    path[bytes < 0 ? 0 : bytes] = 0;
    if (bytes < 4 || strcmp(path + bytes - 4, "-shm") != 0) other("a writable shared mapping", path);
  }
  return NEXT(mmap)(at, size, protection, flags, descriptor, offset);
}

EXPORT ssize_t sendfile(int to, int from, off_t *offset, size_t count) {
  if (inode_of(to, 0) != 0) other("sendfile", NULL);
  return NEXT(sendfile)(to, from, offset, count);
}

EXPORT ssize_t copy_file_range(int from, off_t *from_at, int to, off_t *to_at, size_t count,
                               unsigned flags) {
  if (inode_of(to, 0) != 0) other("copy_file_range", NULL);
  return NEXT(copy_file_range)(from, from_at, to, to_at, count, flags);
}

EXPORT FILE *fopen(const char *path, const char *mode) {
  char whole[PATH_MAX];
  if (strpbrk(mode, "wa+") != NULL && below(AT_FDCWD, path, whole) != NULL) other("fopen", path);
  return NEXT(fopen)(path, mode);
}

/* The engine moves folders with renameat2, which its oldest C library does not provide. */
EXPORT long syscall(long number, ...) {
  va_list rest;
  va_start(rest, number);
  long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long);
  long d = va_arg(rest, long), e = va_arg(rest, long), f = va_arg(rest, long);
  va_end(rest);
  long result = NEXT(syscall)(number, a, b, c, d, e, f);
  if (number == SYS_renameat2 && result == 0)
    two_paths(RENAME, (int)a, (const char *)b, (int)c, (const char *)d, (uint64_t)e);
  if (number == SYS_close && a >= 0 && a < DESCRIPTORS) tracked[a] = 0;
  return result;
}

/* The same calls under their large-file names. */
EXPORT int open64(const char *, int, ...) __attribute__((alias("open")));
EXPORT int openat64(int, const char *, int, ...) __attribute__((alias("openat")));
EXPORT int creat64(const char *, mode_t) __attribute__((alias("creat")));
EXPORT ssize_t pwrite64(int, const void *, size_t, off_t) __attribute__((alias("pwrite")));
EXPORT ssize_t pwritev64(int, const struct iovec *, int, off_t) __attribute__((alias("pwritev")));
EXPORT int ftruncate64(int, off_t) __attribute__((alias("ftruncate")));
EXPORT int truncate64(const char *, off_t) __attribute__((alias("truncate")));
EXPORT void *mmap64(void *, size_t, int, int, int, off_t) __attribute__((alias("mmap")));
EXPORT ssize_t sendfile64(int, int, off_t *, size_t) __attribute__((alias("sendfile")));
EXPORT FILE *fopen64(const char *, const char *) __attribute__((alias("fopen")));
