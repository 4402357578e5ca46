// Types that typeid knows and no program describes: int and its like.
//
// In bitcode that is linked with a program that wants them (program_library.c):
// the compiler writes them down where the functions of their class are.

#include <cxxabi.h>
#include <typeinfo>

namespace std {

type_info::~type_info() {}

bool type_info::__is_pointer_p() const { return false; }

bool type_info::__is_function_p() const { return false; }

// Nobody catches anything.
bool type_info::__do_catch(const type_info *, void **, unsigned) const {
  return false;
}

bool type_info::__do_upcast(const __cxxabiv1::__class_type_info *,
                            void **) const {
  return false;
}

} // namespace std

namespace __cxxabiv1 {

__fundamental_type_info::~__fundamental_type_info() {}

} // namespace __cxxabiv1
