// What programs in C++ call behind their own back, and threads of its library.
//
// A std::thread is the handle of ours, and what it executes an object whose
// class clang's code has: it begins with a table of functions, by the ABI of
// Itanium that of its destructors and then the one to execute.  A
// std::condition_variable is one of POSIX.  Nobody catches an exception, for
// programs are compiled without.

#define _GNU_SOURCE

#include "runtime/threads/world.h"

// ------------------------------------------------ variables in functions ---

// The first byte is what clang's code looks at.
typedef struct PosixGuard {
  uint8_t is_made, is_being_made;
} PosixGuard;

static void set_guard(PosixGuard *guard, PosixGuard value) {
  posix_lock_changed(guard, sizeof *guard);
  *guard = value;
}

static int posix___cxa_guard_acquire(PosixGuard *guard) {
  world_step(guard, sizeof *guard, true);
  while (guard->is_being_made)
    world_wait(WAIT_ONCE, guard);
  races_acquire(guard);
  if (guard->is_made)
    return 0;
  set_guard(guard, (PosixGuard){.is_being_made = 1});
  return 1;
}

static void posix___cxa_guard_release(PosixGuard *guard) {
  world_step(guard, sizeof *guard, true);
  set_guard(guard, (PosixGuard){.is_made = 1});
  races_release(guard);
  world_wake_all(WAIT_ONCE, guard);
}

// ----------------------------------------------------------------- threads ---

typedef struct CxxState {
  void (**functions)(struct CxxState *);
} CxxState;

enum { DELETES = 1, EXECUTES = 2 };

static void *run_state(void *data) {
  CxxState *state = data;
  state->functions[EXECUTES](state);
  state->functions[DELETES](state);
  return NULL;
}

static void start_thread(uint64_t *handle, CxxState **state,
                         void (*depends)(void)) {
  (void)depends;
  world_touch(state, sizeof *state, true);
  thread_create(handle, run_state, *state);
  *state = NULL;
}

static void nothing(void *object) { (void)object; }

static _Noreturn void terminate(void) {
  world_fail(MISHAP_ABORT, "std::terminate is called");
}

static uint64_t take_handle(uint64_t *handle) {
  world_touch(handle, sizeof *handle, true);
  uint64_t taken = *handle;
  if (!taken)
    terminate();
  *handle = 0;
  return taken;
}

static void join(uint64_t *handle) {
  posix_pthread_join(take_handle(handle), NULL);
}

static void detach(uint64_t *handle) {
  posix_pthread_detach(take_handle(handle));
}

// -------------------------------------------------------------- conditions ---

// Of a std::unique_lock, which begins with where its mutex is.
static void wait(void *condition, void **lock) {
  world_touch(lock, sizeof *lock, false);
  posix_pthread_cond_wait(condition, *lock);
}

// ----------------------------------------------------------- std::call_once

// What it has left in variables of the thread.
static void posix___once_proxy(void) {
  void (*call)(void) = *(void (**)(void))(void *)(world.tls + ONCE_CALL_AT);
  call();
}

// ------------------------------------------------------------- std::future

// A table of functions, which its heirs set, and no exception.
static void begin_result(void **result) {
  world_touch(result, 2 * sizeof *result, true);
  result[0] = result[1] = NULL;
}

// What is kept until a thread has ended (set_value_at_thread_exit).
static _Noreturn void wait_for_end(void) {
  world_fail(MISHAP_REFUSED,
             "a future that is ready when its thread ends is not executed");
}

// -------------------------------------------------------------------- ends ---

static _Noreturn void throw(void) {
  world_fail(MISHAP_ABORT, "an exception is thrown, and nobody catches it");
}

// One that no function has thrown, such as of a promise that was not kept.
static _Noreturn void make_exception(void) {
  world_fail(MISHAP_REFUSED, "an exception is made, which is not executed");
}

static _Noreturn void posix___cxa_pure_virtual(void) {
  world_fail(MISHAP_ABORT, "a pure virtual function is called");
}

// There is one.
static void *same_locale(void *locale) { return locale; }

static int no_exceptions(void) { return 0; }

#define POSIX_CALL_AS(name, function) {#name, (void *)(uintptr_t)(function), 0}
#define CXX(name, function, traits)                                            \
  {name, (void *)(uintptr_t)(function), traits}

const PosixCall cxx_calls[] = {
    POSIX_APART(__cxa_guard_acquire),
    POSIX_APART(__cxa_guard_release),
    POSIX_CALL(__cxa_pure_virtual),
    CXX("_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_"
        "deleteIS1_EEPFvvE",
        start_thread, CAPTURES),
    CXX("_ZNSt6thread6_StateD1Ev", nothing, 0),
    CXX("_ZNSt6thread6_StateD2Ev", nothing, 0),
    CXX("_ZNSt6thread4joinEv", join, 0),
    CXX("_ZNSt6thread6detachEv", detach, 0),
    CXX("_ZNSt18condition_variableC1Ev", condition_begin, 0),
    CXX("_ZNSt18condition_variableD1Ev", posix_pthread_cond_destroy, 0),
    CXX("_ZNSt18condition_variable4waitERSt11unique_lockISt5mutexE", wait, 0),
    CXX("_ZNSt18condition_variable10notify_oneEv", posix_pthread_cond_signal,
        0),
    CXX("_ZNSt18condition_variable10notify_allEv", posix_pthread_cond_broadcast,
        0),
    CXX("_ZSt9terminatev", terminate, 0),
    POSIX_CALL(__once_proxy),
    CXX("_ZNSt13__future_base12_Result_baseC2Ev", begin_result, 0),
    CXX("_ZNSt13__future_base12_Result_baseD2Ev", nothing, 0),
    CXX("_ZNSt13__future_base13_State_baseV211_Make_ready6_M_setEv",
        wait_for_end, 0),
    CXX("_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv", nothing, 0),
    CXX("_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv", nothing, 0),
    CXX("_ZSt15future_categoryv", make_exception, 0),
    CXX("_ZNSt15__exception_ptr13exception_ptrC1EPv", make_exception, 0),
    CXX("_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
        make_exception, 0),
    POSIX_CALL_AS(__cxa_allocate_exception, make_exception),
    POSIX_CALL_AS(__cxa_init_primary_exception, make_exception),
    CXX("_ZNSt11logic_errorC2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESa"
        "IcEEE",
        make_exception, 0),
    CXX("_ZNSt11logic_errorC2ERKS_", make_exception, 0),
    CXX("_ZNSt12future_errorD1Ev", make_exception, 0),
    CXX("_ZSt20__throw_future_errori", throw, 0),
    CXX("_ZSt18uncaught_exceptionv", no_exceptions, 0),
    CXX("_ZSt19uncaught_exceptionsv", no_exceptions, 0),
    CXX("_ZSt17__throw_bad_allocv", throw, 0),
    CXX("_ZSt20__throw_length_errorPKc", throw, 0),
    CXX("_ZSt19__throw_logic_errorPKc", throw, 0),
    CXX("_ZSt20__throw_out_of_rangePKc", throw, 0),
    CXX("_ZSt24__throw_out_of_range_fmtPKcz", throw, 0),
    CXX("_ZSt24__throw_invalid_argumentPKc", throw, 0),
    CXX("_ZSt19__throw_ios_failurePKc", throw, 0),
    CXX("_ZSt19__throw_ios_failurePKci", throw, 0),
    CXX("_ZSt16__throw_bad_castv", throw, 0),
    POSIX_CALL_AS(__cxa_bad_cast, throw),
    POSIX_CALL_AS(__cxa_bad_typeid, throw),
    POSIX_CALL_AS(__uselocale, same_locale),
    CXX("_ZSt20__throw_system_errori", throw, 0),
    CXX("_ZSt25__throw_bad_function_callv", throw, 0),
    CXX("_ZSt28__throw_bad_array_new_lengthv", throw, 0),
    {NULL, NULL, 0}};
