// Buffers of C++'s streams, and the streams of strings and files.
//
// The templates of the headers, in bitcode that is linked with a program that
// wants them (program_library.c): each access of a buffer is seen as the
// program's own, so two threads that use one stream at once race.  A file is
// one of the descriptors of posix_descriptors.c.  All of it is compiled once
// more for C++20, which has other names for some functions of strings.

#include <fstream>
#include <sstream>

#include <fcntl.h>
#include <unistd.h>

#if __cplusplus < 202002L

// ------------------------------------------------------------------- files ---

// In place of a FILE, of which nobody but we knows anything: the number of a
// descriptor and one more.
static int number_of(FILE *file) {
  return static_cast<int>(reinterpret_cast<long>(file)) - 1;
}

static FILE *file_of(int number) {
  return reinterpret_cast<FILE *>(static_cast<long>(number) + 1);
}

static int flags_of(std::ios_base::openmode mode) {
  bool reads = (mode & std::ios_base::in) != 0;
  bool appends = (mode & std::ios_base::app) != 0;
  bool writes = appends || (mode & std::ios_base::out) != 0;
  bool clears = (mode & std::ios_base::trunc) != 0;
  if ((!reads && !writes) || (clears && (appends || !writes)))
    return -1;
  if (!writes)
    return O_RDONLY;
  return (reads ? O_RDWR : O_WRONLY) | (appends            ? O_CREAT | O_APPEND
                                        : clears || !reads ? O_CREAT | O_TRUNC
                                                           : 0);
}

namespace std {

__basic_file<char>::__basic_file(__c_lock *) throw()
    : _M_cfile(nullptr), _M_cfile_created(false) {}

__basic_file<char>::~__basic_file() { close(); }

bool __basic_file<char>::is_open() const throw() { return _M_cfile; }

int __basic_file<char>::fd() throw() { return number_of(_M_cfile); }

__basic_file<char> *__basic_file<char>::open(const char *name,
                                             ios_base::openmode mode, int) {
  int flags = flags_of(mode);
  if (is_open() || flags < 0)
    return nullptr;
  int number = ::open(name, flags, 0664);
  if (number < 0)
    return nullptr;
  _M_cfile = file_of(number);
  _M_cfile_created = true;
  return this;
}

__basic_file<char> *__basic_file<char>::close() {
  if (!is_open())
    return nullptr;
  int failed = ::close(number_of(_M_cfile));
  _M_cfile = nullptr;
  return failed ? nullptr : this;
}

streamsize __basic_file<char>::xsputn(const char *text, streamsize bytes) {
  return ::write(number_of(_M_cfile), text, static_cast<size_t>(bytes));
}

streamsize __basic_file<char>::xsputn_2(const char *first, streamsize bytes,
                                        const char *second, streamsize more) {
  streamsize put = bytes ? xsputn(first, bytes) : 0;
  return put == bytes ? put + xsputn(second, more) : put;
}

streamsize __basic_file<char>::xsgetn(char *to, streamsize bytes) {
  return ::read(number_of(_M_cfile), to, static_cast<size_t>(bytes));
}

streamoff __basic_file<char>::seekoff(streamoff offset,
                                      ios_base::seekdir from) throw() {
  return ::lseek(number_of(_M_cfile), offset, from);
}

int __basic_file<char>::sync() { return 0; }

streamsize __basic_file<char>::showmanyc() { return 0; }

// Of bytes that are characters.
codecvt<char, char, mbstate_t>::~codecvt() {}

codecvt_base::result
codecvt<char, char, mbstate_t>::do_out(mbstate_t &, const char *from,
                                       const char *, const char *&from_next,
                                       char *to, char *, char *&to_next) const {
  from_next = from;
  to_next = to;
  return noconv;
}

codecvt_base::result
codecvt<char, char, mbstate_t>::do_unshift(mbstate_t &, char *to, char *,
                                           char *&to_next) const {
  to_next = to;
  return noconv;
}

codecvt_base::result
codecvt<char, char, mbstate_t>::do_in(mbstate_t &, const char *from,
                                      const char *, const char *&from_next,
                                      char *to, char *, char *&to_next) const {
  from_next = from;
  to_next = to;
  return noconv;
}

int codecvt<char, char, mbstate_t>::do_encoding() const throw() { return 1; }

bool codecvt<char, char, mbstate_t>::do_always_noconv() const throw() {
  return true;
}

int codecvt<char, char, mbstate_t>::do_length(mbstate_t &, const char *from,
                                              const char *end,
                                              size_t most) const {
  size_t bytes = static_cast<size_t>(end - from);
  return static_cast<int>(bytes < most ? bytes : most);
}

int codecvt<char, char, mbstate_t>::do_max_length() const throw() { return 1; }

} // namespace std

#endif

// ------------------------------------------------------------------ streams --

template class std::basic_streambuf<char>;
template class std::basic_stringbuf<char>;
template class std::basic_istringstream<char>;
template class std::basic_ostringstream<char>;
template class std::basic_stringstream<char>;
template class std::basic_filebuf<char>;
template class std::basic_ifstream<char>;
template class std::basic_ofstream<char>;
template class std::basic_fstream<char>;
