// SPDX-License-Identifier: Apache-2.0

#define _GNU_SOURCE
#include "CAllocationCounter.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

static __thread call_counts counts;
static __thread bool counting;

void call_counter_begin(void) {
  counts = (call_counts){0, 0, 0};
  counting = true;
}

call_counts call_counter_end(void) {
  counting = false;
  return counts;
}

#ifdef SANITIZED

bool call_counter_works(void) { return false; }

#else

bool call_counter_works(void) { return true; }

// A program's own definitions come before those of glibc, which also exports its allocator under these names.
extern void *__libc_malloc(size_t);
extern void __libc_free(void *);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static void count_allocation(void) {
  if (counting) counts.allocations++;
}

void *malloc(size_t size) {
  count_allocation();
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  count_allocation();
  return __libc_calloc(count, size);
}

void *realloc(void *pointer, size_t size) {
  count_allocation();
  return __libc_realloc(pointer, size);
}

void *memalign(size_t alignment, size_t size) {
  count_allocation();
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count_allocation();
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **out, size_t alignment, size_t size) {
  count_allocation();
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}

void free(void *pointer) {
  if (counting && pointer) counts.releases++;
  __libc_free(pointer);
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  static int (*next)(pthread_mutex_t *);
  if (counting) counts.locks++;
  if (!next) next = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
  return next(mutex);
}

#endif
