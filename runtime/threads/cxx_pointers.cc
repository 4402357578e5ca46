// Locks of C++'s library below std::atomic_load of a std::shared_ptr.
//
// In bitcode that is linked with a program that wants them (program_library.c).
// As in the library, pointers share a few locks, and two are locked in order.

#include <memory>

#include <pthread.h>

namespace {

enum { LOCKS = 16, ALIGNMENT = 16 };

pthread_mutex_t locks[LOCKS];

unsigned char lock_of(const void *pointer) {
  return reinterpret_cast<unsigned long>(pointer) / ALIGNMENT % LOCKS;
}

} // namespace

namespace std {

_Sp_locker::_Sp_locker(const void *pointer) noexcept
    : _M_key1(lock_of(pointer)), _M_key2(_M_key1) {
  pthread_mutex_lock(&locks[_M_key1]);
}

_Sp_locker::_Sp_locker(const void *one, const void *other) noexcept
    : _M_key1(lock_of(one)), _M_key2(lock_of(other)) {
  if (_M_key2 < _M_key1)
    swap(_M_key1, _M_key2);
  pthread_mutex_lock(&locks[_M_key1]);
  if (_M_key1 != _M_key2)
    pthread_mutex_lock(&locks[_M_key2]);
}

_Sp_locker::~_Sp_locker() {
  if (_M_key1 != _M_key2)
    pthread_mutex_unlock(&locks[_M_key2]);
  pthread_mutex_unlock(&locks[_M_key1]);
}

} // namespace std
