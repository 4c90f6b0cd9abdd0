// To be preloaded: makes one pthread_create fail, as at the limit of processes,
// the one with the number in FAIL_THREAD, counted from 1, and all after it.
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* how,
                              void* (*run)(void*), void* with) {
  static std::atomic<int> count = 0;
  const auto* limit = std::getenv("FAIL_THREAD");
  if (limit != nullptr && ++count >= std::atoi(limit))
    return EAGAIN;
  using function
    = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  const auto next
    = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "pthread_create"));
  return next(thread, how, run, with);
}
