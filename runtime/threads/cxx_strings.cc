// Strings of C++'s library, as code of the program.
//
// Headers declare them as compiled elsewhere, up to C++17.  Here they are, in
// bitcode that is linked with a program that wants them (program_library.c), so
// that each access of theirs is seen as the program's own.  They are compiled
// once more for C++14, in which some have another name.

#include <string>

template class std::__cxx11::basic_string<char>;
template class std::allocator<char>;
template std::string std::operator+(const char *, const std::string &);
template std::string std::operator+(char, const std::string &);
template bool std::operator==(const char *, const std::string &);

template class std::__cxx11::basic_string<wchar_t>;
template class std::allocator<wchar_t>;
template std::wstring std::operator+(const wchar_t *, const std::wstring &);
template std::wstring std::operator+(wchar_t, const std::wstring &);
template bool std::operator==(const wchar_t *, const std::wstring &);
