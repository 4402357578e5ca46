// Streams of C++'s library: what is printed and read by << and >>.
//
// The templates of the headers, in bitcode that is linked with a program that
// wants them (program_library.c).  Below them the locale is C's alone: of its
// facets there is one of each, made before the program begins.  What this file
// does is no access of the program's: a call of it is one step, as printf is,
// and std::cout is locked by nobody, as the standard has it.

#include <bits/c++config.h>

// Nothing is compiled elsewhere.
#undef _GLIBCXX_EXTERN_TEMPLATE
#define _GLIBCXX_EXTERN_TEMPLATE 0

#include <complex>
#include <iomanip>
#include <istream>
#include <ostream>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>

// But strings, whose accesses are the program's.
extern template class std::__cxx11::basic_string<char>;

// ----------------------------------------------------------------- classes ---

namespace {

struct Masks {
  unsigned short of[256];
};

constexpr bool is_between(int value, int first, int last) {
  return value >= first && value <= last;
}

constexpr unsigned mask_of(int c) {
  using base = std::ctype_base;
  bool is_lower = is_between(c, 'a', 'z'), is_upper = is_between(c, 'A', 'Z');
  bool is_digit = is_between(c, '0', '9'), is_seen = is_between(c, '!', '~');
  bool is_letter = is_lower || is_upper;
  bool is_hex = is_digit || is_between(c, 'a', 'f') || is_between(c, 'A', 'F');
  bool is_space = c == ' ' || is_between(c, '\t', '\r');
  return (is_lower ? base::lower | base::alpha : 0u) |
         (is_upper ? base::upper | base::alpha : 0u) |
         (is_digit ? base::digit : 0u) | (is_hex ? base::xdigit : 0u) |
         (is_space ? base::space : 0u) |
         (c == ' ' || c == '\t' ? base::blank : 0u) |
         (is_between(c, ' ', '~') ? base::print : 0u) |
         (is_seen && !is_letter && !is_digit ? base::punct : 0u) |
         (is_between(c, 0, 31) || c == 127 ? base::cntrl : 0u);
}

constexpr Masks all_masks() {
  Masks masks = {};
  for (int c = 0; c < 256; c++)
    masks.of[c] = static_cast<unsigned short>(mask_of(c));
  return masks;
}

constexpr Masks masks = all_masks();

} // namespace

namespace std {

locale::facet::~facet() {}

const ctype<char>::mask *ctype<char>::classic_table() throw() {
  return masks.of;
}

ctype<char>::ctype(const mask *table, bool deletes, size_t references)
    : facet(references), _M_c_locale_ctype(nullptr), _M_del(table && deletes),
      _M_toupper(nullptr), _M_tolower(nullptr),
      _M_table(table ? table : masks.of), _M_widen_ok(0), _M_widen(),
      _M_narrow(), _M_narrow_ok(0) {}

ctype<char>::~ctype() {
  if (_M_del)
    delete[] _M_table;
}

char ctype<char>::do_toupper(char c) const {
  return static_cast<char>(is_between(c, 'a', 'z') ? c - 'a' + 'A' : c);
}

char ctype<char>::do_tolower(char c) const {
  return static_cast<char>(is_between(c, 'A', 'Z') ? c - 'A' + 'a' : c);
}

const char *ctype<char>::do_toupper(char *at, const char *end) const {
  for (; at < end; at++)
    *at = do_toupper(*at);
  return end;
}

const char *ctype<char>::do_tolower(char *at, const char *end) const {
  for (; at < end; at++)
    *at = do_tolower(*at);
  return end;
}

void ctype<char>::_M_widen_init() const {}

void ctype<char>::_M_narrow_init() const {}

} // namespace std

// ------------------------------------------------------------------ facets ---

// What begins with a table of functions, as the compiler lays it out, without
// code that has to make it.
extern "C" const void *const _ZTVSt5ctypeIcE[];
extern "C" const void *const _ZTVSt7codecvtIcc11__mbstate_tE[];
extern "C" const void *const
    _ZTVSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE[];
extern "C" const void *const
    _ZTVSt7num_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE[];
extern "C" const void *const _ZTVNSt7__cxx118numpunctIcEE[];
extern "C" const void *const
    _ZTVSt8time_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE[];

namespace {

enum { FUNCTIONS = 2 }; // of a table, behind what it says of the class

struct PlainFacet {
  const void *const *functions;
  int references;
};

struct CodeFacet {
  PlainFacet facet;
  void *c_locale;
};

struct ClassFacet {
  PlainFacet facet;
  void *c_locale;
  bool deletes;
  const int *upper, *lower;
  const unsigned short *table;
  char is_widened, widened[256], narrowed[256], is_narrowed;
};

struct Punctuation {
  PlainFacet facet;
  const char *grouping;
  size_t grouping_bytes;
  bool groups;
  const char *true_name;
  size_t true_bytes;
  const char *false_name;
  size_t false_bytes;
  char point, separator;
  char printed[std::__num_base::_S_oend], read[std::__num_base::_S_iend];
  bool is_allocated;
};

struct PunctuationFacet {
  PlainFacet facet;
  const Punctuation *data;
};

static_assert(sizeof(ClassFacet) == sizeof(std::ctype<char>), "");
static_assert(sizeof(CodeFacet) ==
                  sizeof(std::codecvt<char, char, std::mbstate_t>),
              "");
static_assert(sizeof(PlainFacet) == sizeof(std::num_put<char>), "");
static_assert(sizeof(Punctuation) == sizeof(std::__numpunct_cache<char>), "");
static_assert(sizeof(PunctuationFacet) == sizeof(std::numpunct<char>), "");

ClassFacet classes = {{_ZTVSt5ctypeIcE + FUNCTIONS, 1},
                      nullptr,
                      false,
                      nullptr,
                      nullptr,
                      masks.of,
                      0,
                      {},
                      {},
                      0};
CodeFacet codes = {{_ZTVSt7codecvtIcc11__mbstate_tE + FUNCTIONS, 1}, nullptr};
PlainFacet number_puts = {
    _ZTVSt7num_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE + FUNCTIONS,
    1};
PlainFacet number_gets = {
    _ZTVSt7num_getIcSt19istreambuf_iteratorIcSt11char_traitsIcEEE + FUNCTIONS,
    1};
PlainFacet time_puts = {
    _ZTVSt8time_putIcSt19ostreambuf_iteratorIcSt11char_traitsIcEEE + FUNCTIONS,
    1};
// The letters as std::__num_base has them.
Punctuation points = {
    {nullptr, 1},
    "",
    0,
    false,
    "true",
    4,
    "false",
    5,
    '.',
    ',',
    {'-', '+', 'x', 'X', '0', '1', '2', '3', '4', '5', '6', '7',
     '8', '9', 'a', 'b', 'c', 'd', 'e', 'f', '0', '1', '2', '3',
     '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'},
    {'-', '+', 'x', 'X', '0', '1', '2', '3', '4', '5', '6', '7', '8',
     '9', 'a', 'b', 'c', 'd', 'e', 'f', 'A', 'B', 'C', 'D', 'E', 'F'},
    false};
PunctuationFacet numbers = {{_ZTVNSt7__cxx118numpunctIcEE + FUNCTIONS, 1},
                            &points};

template <typename Facet, typename Made> const Facet &as(const Made &made) {
  return *static_cast<const Facet *>(static_cast<const void *>(&made));
}

} // namespace

namespace std {

#define FACET(type, made)                                                      \
  template <> const type &use_facet<type>(const locale &) {                    \
    return as<type>(made);                                                     \
  }                                                                            \
  template <> bool has_facet<type>(const locale &) throw() { return true; }
using Codes = codecvt<char, char, mbstate_t>;
FACET(ctype<char>, classes)
FACET(Codes, codes)
FACET(num_put<char>, number_puts)
FACET(num_get<char>, number_gets)
FACET(numpunct<char>, numbers)
FACET(time_put<char>, time_puts)
#undef FACET

template <>
const __numpunct_cache<char> *
__use_cache<__numpunct_cache<char>>::operator()(const locale &) const {
  return &as<__numpunct_cache<char>>(points);
}

template <> numpunct<char>::~numpunct() {}

template <> void numpunct<char>::_M_initialize_numpunct(__c_locale) {}

// A letter of a format.
template <>
ostreambuf_iterator<char>
time_put<char>::do_put(ostreambuf_iterator<char> to, ios_base &, char,
                       const tm *time, char letter, char modifier) const {
  char format[] = {'%', modifier ? modifier : letter, modifier ? letter : '\0',
                   '\0'};
  char text[128];
  size_t bytes = strftime(text, sizeof text, format, time);
  for (size_t i = 0; i < bytes; i++)
    *to++ = text[i];
  return to;
}

const char *__num_base::_S_atoms_out = "-+xX0123456789abcdef0123456789ABCDEF";
const char *__num_base::_S_atoms_in = "-+xX0123456789abcdefABCDEF";

// As the flags say it to printf.
void __num_base::_S_format_float(const ios_base &io, char *to,
                                 char letter) throw() {
  ios_base::fmtflags flags = io.flags(), kind = flags & ios_base::floatfield;
  bool is_hex = kind == (ios_base::fixed | ios_base::scientific);
  bool is_upper = (flags & ios_base::uppercase) != 0;
  *to++ = '%';
  if (flags & ios_base::showpos)
    *to++ = '+';
  if (flags & ios_base::showpoint)
    *to++ = '#';
  if (!is_hex) {
    *to++ = '.';
    *to++ = '*';
  }
  if (letter)
    *to++ = letter;
  char lower = kind == ios_base::fixed        ? 'f'
               : kind == ios_base::scientific ? 'e'
               : is_hex                       ? 'a'
                                              : 'g';
  *to++ = static_cast<char>(is_upper ? lower - 'a' + 'A' : lower);
  *to = 0;
}

// What num_get has collected.
template <typename Real>
static void keep(Real found, const char *text, const char *end, Real &value,
                 ios_base::iostate &error) {
  Real most = numeric_limits<Real>::max();
  bool is_number = end != text && !*end;
  bool fits = found <= most && found >= -most;
  value = !is_number ? 0 : fits ? found : found > 0 ? most : -most;
  if (!is_number || !fits)
    error = ios_base::failbit;
}

#define CONVERT(type, read)                                                    \
  template <>                                                                  \
  void __convert_to_v(const char *text, type &value, ios_base::iostate &error, \
                      const __c_locale &) throw() {                            \
    char *end = nullptr;                                                       \
    type found = read(text, &end);                                             \
    keep(found, text, end, value, error);                                      \
  }
CONVERT(float, strtof)
CONVERT(double, strtod)
CONVERT(long double, strtold)
#undef CONVERT

bool __verify_grouping(const char *, size_t, const string &) throw() {
  return true;
}

__c_locale locale::facet::_S_get_c_locale() { return nullptr; }

// ------------------------------------------------------------------ locale ---

locale::locale() throw() : _M_impl(nullptr) {}
locale::locale(const locale &) throw() : _M_impl(nullptr) {}
locale::~locale() throw() {}
const locale &locale::operator=(const locale &) throw() { return *this; }
bool locale::operator==(const locale &) const throw() { return true; }

const locale &locale::classic() {
  static const void *const one = nullptr;
  return as<locale>(one);
}

// ---------------------------------------------------------------- ios_base ---

ios_base::ios_base() throw()
    : _M_precision(), _M_width(), _M_flags(), _M_exception(),
      _M_streambuf_state(), _M_callbacks(nullptr), _M_word_zero(),
      _M_word_size(_S_local_word_size), _M_word(_M_local_word),
      _M_ios_locale() {}

ios_base::~ios_base() {
  if (_M_word != _M_local_word)
    delete[] _M_word;
}

void ios_base::_M_init() throw() {
  enum { DIGITS = 6 };
  _M_precision = DIGITS;
  _M_width = 0;
  _M_flags = skipws | dec;
}

void ios_base::_M_call_callbacks(event) throw() {}
void ios_base::_M_dispose_callbacks() throw() {}

void ios_base::_M_move(ios_base &from) noexcept {
  _M_precision = from._M_precision;
  _M_width = from._M_width;
  _M_flags = from._M_flags;
  _M_exception = from._M_exception;
  _M_streambuf_state = from._M_streambuf_state;
}

void ios_base::_M_swap(ios_base &other) noexcept {
  swap(_M_precision, other._M_precision);
  swap(_M_width, other._M_width);
  swap(_M_flags, other._M_flags);
  swap(_M_exception, other._M_exception);
  swap(_M_streambuf_state, other._M_streambuf_state);
}

bool ios_base::sync_with_stdio(bool) { return true; }

locale ios_base::imbue(const locale &locale) throw() { return locale; }

ios_base::Init::Init() {}
ios_base::Init::~Init() {}

} // namespace std

// --------------------------------------------------------- standard streams --

namespace gpuverify {

// To stdout or stderr, from which the C library prints as well.
class Printer : public std::streambuf {
  bool is_error;

protected:
  std::streamsize xsputn(const char *text, std::streamsize bytes) override;
  int overflow(int c) override;
};

// What a person types.
class Reader : public std::streambuf {
protected:
  int underflow() override;
};

std::streamsize Printer::xsputn(const char *text, std::streamsize bytes) {
  FILE *stream = is_error ? stderr : stdout;
  return static_cast<std::streamsize>(
      fwrite(text, 1, static_cast<size_t>(bytes), stream));
}

int Printer::overflow(int c) {
  char byte = static_cast<char>(c);
  return c == EOF ? 0 : xsputn(&byte, 1) == 1 ? c : EOF;
}

int Reader::underflow() { return fgetc(stdin); }

} // namespace gpuverify

extern "C" const void *const _ZTVN9gpuverify7PrinterE[];
extern "C" const void *const _ZTVN9gpuverify6ReaderE[];
extern "C" const void *const _ZTVSo[];
extern "C" const void *const _ZTVSi[];

namespace {

enum { OF_BASE = 8 }; // a table's second part, of the virtual base

struct Buffer {
  const void *const *functions;
  char *pointers[6];
  void *locale;
  bool is_error;
};

struct Word {
  void *pointer;
  long number;
};

struct State {
  const void *const *functions;
  std::streamsize precision, width;
  std::ios_base::fmtflags flags;
  std::ios_base::iostate exceptions, state;
  void *callbacks;
  Word zero, local[8];
  int word_count;
  Word *words;
  void *locale;
  void *tie;
  char fill;
  bool is_filled;
  Buffer *buffer;
  ClassFacet *classes;
  PlainFacet *puts, *gets;
};

struct Output {
  const void *const *functions;
  State state;
};

struct Input {
  const void *const *functions;
  std::streamsize count;
  State state;
};

static_assert(sizeof(State) == sizeof(std::ios), "");
static_assert(sizeof(Output) == sizeof(std::ostream), "");
static_assert(sizeof(Input) == sizeof(std::istream), "");
static_assert(sizeof(Buffer) == sizeof(gpuverify::Printer), "");

Buffer printed = {_ZTVN9gpuverify7PrinterE + FUNCTIONS, {}, nullptr, false};
Buffer complained = {_ZTVN9gpuverify7PrinterE + FUNCTIONS, {}, nullptr, true};
Buffer typed = {_ZTVN9gpuverify6ReaderE + FUNCTIONS, {}, nullptr, false};

} // namespace

extern "C" Output _ZSt4cout, _ZSt4cerr, _ZSt4clog;
extern "C" Input _ZSt3cin;

#define STATE(stream, table, more, tied, from, gets)                           \
  {table + OF_BASE,                                                            \
   6,                                                                          \
   0,                                                                          \
   std::ios_base::skipws | std::ios_base::dec | more,                          \
   std::ios_base::goodbit,                                                     \
   std::ios_base::goodbit,                                                     \
   nullptr,                                                                    \
   {},                                                                         \
   {},                                                                         \
   8,                                                                          \
   stream.state.local,                                                         \
   nullptr,                                                                    \
   tied,                                                                       \
   ' ',                                                                        \
   true,                                                                       \
   &from,                                                                      \
   &classes,                                                                   \
   &number_puts,                                                               \
   gets}

enum { OF_STREAM = 3 }; // behind where the base is
constexpr std::ios_base::fmtflags none = {};

Output _ZSt4cout = {_ZTVSo + OF_STREAM,
                    STATE(_ZSt4cout, _ZTVSo, none, nullptr, printed, nullptr)};
Output _ZSt4cerr = {_ZTVSo + OF_STREAM,
                    STATE(_ZSt4cerr, _ZTVSo, std::ios_base::unitbuf, &_ZSt4cout,
                          complained, nullptr)};
Output _ZSt4clog = {_ZTVSo + OF_STREAM, STATE(_ZSt4clog, _ZTVSo, none, nullptr,
                                              complained, nullptr)};
Input _ZSt3cin = {
    _ZTVSi + OF_STREAM, 0,
    STATE(_ZSt3cin, _ZTVSi, none, &_ZSt4cout, typed, &number_gets)};

// ------------------------------------------------------------------- input ---

namespace std {

static bool is_end(int c) { return c == char_traits<char>::eof(); }

template <>
streamsize __copy_streambufs_eof(streambuf *from, streambuf *to,
                                 bool &has_ended) {
  streamsize copied = 0;
  int c = from->sgetc();
  for (; !is_end(c); c = from->snextc(), copied++)
    if (is_end(to->sputc(static_cast<char>(c))))
      break;
  has_ended = is_end(c);
  return copied;
}

template <> istream &istream::ignore(streamsize most) {
  return ignore(most, traits_type::eof());
}

// Up to `last`, which goes as well.
template <> istream &istream::ignore(streamsize most, int last) {
  bool has_limit = most != numeric_limits<streamsize>::max();
  _M_gcount = 0;
  sentry guard(*this, true);
  if (!guard)
    return *this;
  while (!has_limit || _M_gcount < most) {
    int c = rdbuf()->sbumpc();
    if (is_end(c)) {
      setstate(ios_base::eofbit);
      break;
    }
    _M_gcount++;
    if (c == last)
      break;
  }
  return *this;
}

template <> istream &istream::getline(char *to, streamsize room, char last) {
  ios_base::iostate error = ios_base::goodbit;
  _M_gcount = 0;
  sentry guard(*this, true);
  streamsize put = 0;
  int end = traits_type::to_int_type(last), c = 0;
  if (guard) {
    for (c = rdbuf()->sgetc(); put + 1 < room && !is_end(c) && c != end;
         c = rdbuf()->snextc())
      to[put++] = traits_type::to_char_type(c);
    _M_gcount = put;
    if (is_end(c)) {
      error |= ios_base::eofbit;
    } else if (c == end) {
      _M_gcount++;
      rdbuf()->sbumpc();
    } else {
      error |= ios_base::failbit;
    }
  }
  if (room > 0)
    to[put] = 0;
  if (!_M_gcount)
    error |= ios_base::failbit;
  if (error)
    setstate(error);
  return *this;
}

// A word, with its zero.
void __istream_extract(istream &in, char *to, streamsize room) {
  __istream_extract<char, char_traits<char>>(in, to, room);
}

template <> istream &getline(istream &in, string &to, char last) {
  ios_base::iostate error = ios_base::goodbit;
  istream::sentry guard(in, true);
  if (!guard)
    return in;
  size_t taken = 0;
  int end = char_traits<char>::to_int_type(last), c = in.rdbuf()->sgetc();
  to.clear();
  for (; taken < to.max_size() && !is_end(c) && c != end; taken++) {
    to.push_back(char_traits<char>::to_char_type(c));
    c = in.rdbuf()->snextc();
  }
  if (is_end(c)) {
    error |= ios_base::eofbit;
  } else if (c == end) {
    taken++;
    in.rdbuf()->sbumpc();
  } else {
    error |= ios_base::failbit;
  }
  if (!taken)
    error |= ios_base::failbit;
  if (error)
    in.setstate(error);
  return in;
}

template <> istream &operator>>(istream &in, string &to) {
  ios_base::iostate error = ios_base::goodbit;
  istream::sentry guard(in, false);
  if (!guard)
    return in;
  size_t most =
      in.width() > 0 ? static_cast<size_t>(in.width()) : to.max_size();
  size_t taken = 0;
  int c = in.rdbuf()->sgetc();
  to.clear();
  for (; taken < most && !is_end(c); taken++) {
    char letter = char_traits<char>::to_char_type(c);
    if (masks.of[static_cast<unsigned char>(letter)] & ctype_base::space)
      break;
    to.push_back(letter);
    c = in.rdbuf()->snextc();
  }
  if (taken < most && is_end(c))
    error |= ios_base::eofbit;
  in.width(0);
  if (!taken)
    error |= ios_base::failbit;
  if (error)
    in.setstate(error);
  return in;
}

} // namespace std

// --------------------------------------------------------------- templates ---

namespace std {

template class basic_ios<char>;
template class basic_ostream<char>;
template class basic_istream<char>;
template class basic_iostream<char>;
template class numpunct<char>;
template class num_put<char>;
template class time_put<char>;
template class num_get<char>;

template ostream &endl(ostream &);
template ostream &ends(ostream &);
template ostream &flush(ostream &);
template istream &ws(istream &);
template ostream &operator<<(ostream &, char);
template ostream &operator<<(ostream &, unsigned char);
template ostream &operator<<(ostream &, signed char);
template ostream &operator<<(ostream &, const char *);
template ostream &operator<<(ostream &, const unsigned char *);
template ostream &operator<<(ostream &, const signed char *);
template ostream &operator<<(ostream &, const string &);
template ostream &__ostream_insert(ostream &, const char *, streamsize);
template istream &operator>>(istream &, char &);
template istream &operator>>(istream &, unsigned char &);
template istream &operator>>(istream &, signed char &);
template istream &getline(istream &, string &);

#define INSERT(type) template ostream &ostream::_M_insert(type);
#define EXTRACT(type) template istream &istream::_M_extract(type &);
INSERT(long)
INSERT(unsigned long)
INSERT(bool)
INSERT(long long)
INSERT(unsigned long long)
INSERT(double)
INSERT(long double)
INSERT(const void *)
EXTRACT(unsigned short)
EXTRACT(unsigned int)
EXTRACT(long)
EXTRACT(unsigned long)
EXTRACT(bool)
EXTRACT(long long)
EXTRACT(unsigned long long)
EXTRACT(float)
EXTRACT(double)
EXTRACT(long double)
EXTRACT(void *)
#undef INSERT
#undef EXTRACT

#define COMPLEX(type)                                                          \
  template ostream &operator<<(ostream &, const complex<type> &);              \
  template istream &operator>>(istream &, complex<type> &);
COMPLEX(float)
COMPLEX(double)
COMPLEX(long double)
#undef COMPLEX

// Manipulators with a number.
template ostream &operator<<(ostream &, _Setw);
template ostream &operator<<(ostream &, _Setprecision);
template ostream &operator<<(ostream &, _Setfill<char>);
template ostream &operator<<(ostream &, _Setbase);
template ostream &operator<<(ostream &, _Setiosflags);
template ostream &operator<<(ostream &, _Resetiosflags);
template istream &operator>>(istream &, _Setw);

} // namespace std
