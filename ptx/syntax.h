// A PTX file as data: what the parser makes and the emulator runs.
//
// Names are gone: registers are numbered densely within their function, only
// those that the text uses; labels are positions of instructions; variables
// and functions are pointers.

#ifndef PTX_SYNTAX_H
#define PTX_SYNTAX_H

#include "ptx/constant.h"
#include "ptx/operand.h"
#include "ptx/ptx.h"

enum {
  PTX_NEWEST_MAJOR = 9, // of a .version: what a minor one adds has a name
};

// ----------------------------------------------------------------- lexer ---

typedef enum TokenKind {
  TOKEN_END,
  TOKEN_WORD,   // a name or an opcode, with its dots, colons and percent sign
  TOKEN_DOTTED, // a directive
  TOKEN_NUMBER,
  TOKEN_STRING,
  TOKEN_SIGN, // one character
  TOKEN_BAD,  // no token of PTX
} TokenKind;

typedef struct Token {
  TokenKind kind;
  const char *begin;
  unsigned length;
  unsigned line, column;
  uint64_t number;    // 0f and 0d: the bits
  uint8_t float_bits; // of 0f and 0d: 32 and 64; else 0
} Token;

typedef struct Lexer {
  const char *at, *line_start;
  unsigned line;
} Lexer;

// The next token; *problem says what is wrong with a TOKEN_BAD.
Token lexer_next(Lexer *lexer, const char **problem);
// Behind a number of a list: the next one, if there is nothing but a comma and
// some decimal digits; else it takes nothing.
bool lexer_next_in_list(Lexer *lexer, Token *number);

// ----------------------------------------------------------------- names ---

typedef enum NameKind {
  NAME_REGISTER,
  NAME_RANGE, // %r<n>
  NAME_VARIABLE,
  NAME_FUNCTION,
  NAME_LABEL,
  NAME_TARGETS, // of brx.idx
  NAME_PROTOTYPE,
} NameKind;

typedef struct PtxVariable PtxVariable;
typedef Vec(PtxVariable *) PtxVariables;
typedef struct PtxFunction PtxFunction;

typedef struct Name {
  NameKind kind;
  unsigned depth; // of the scope
  const char *text;
  uint64_t number;          // register, label, or the registers of a range
  unsigned bits;            // of registers
  PtxVariable *variable;    // NAME_VARIABLE
  PtxFunction *function;    // NAME_FUNCTION
  Vec(uint32_t) targets;    // NAME_TARGETS: positions
  struct Name *next, *peer; // in the bucket, in the scope
} Name;

enum { MOST_SCOPES = 64 };

// Scopes within scopes; a name means the innermost thing of that name.
typedef struct Names {
  Arena *arena; // of the table, and of names that only the parser needs
  Name **buckets;
  size_t bucket_count, count;
  Name *scopes[MOST_SCOPES + 1];
  unsigned depth;
} Names;

Name *names_find(const Names *names, const char *text);
Name *names_add(Arena *arena, Names *names, NameKind kind, unsigned depth,
                const char *text);
void names_close_scope(Names *names);

// ---------------------------------------------------------- instructions ---

// There are many instructions, so what they have is of one byte.
typedef enum __attribute__((packed)) PtxSpace {
  SPACE_GENERIC,
  SPACE_SHARED,
  SPACE_GLOBAL,
  SPACE_LOCAL,
  SPACE_CONST,
  SPACE_PARAM,
} PtxSpace;

// A parameter is not memory but a pseudo-register for each offset and width
// at which the text accesses it.
typedef struct PtxCell {
  uint64_t offset;
  unsigned bytes;
  uint32_t reg;
  const PtxVariable *of; // this parameter
  struct PtxCell *next;  // of it, too
} PtxCell;

struct PtxVariable {
  PtxSpace space;
  unsigned number; // in Ptx.variables
  const char *name;
  Loc loc;
  uint64_t align, bytes; // bytes 0: an array of unknown size
  bool is_extern;
  unsigned element;    // bytes of an element
  bool is_plain;       // initialised, by nothing but numbers
  bool is_exposed;     // its address is in an initialiser
  bool is_float;       // of floating-point numbers
  bool is_shown;       // of SPACE_PARAM: its address is taken
  bool is_table;       // see tables.c
  Vec(uint8_t) values; // its bytes, as far as the initialiser says them
  unsigned parameter;  // its position among the parameters
  PtxCell *cells;      // of SPACE_PARAM
};

typedef struct PtxType {
  char class; // s u b f p, x for what is none of these, or 0 for no type
  uint8_t bits;
} PtxType;

typedef enum OpcodeKind {
#define KIND(name, ...) OPCODE_##name,
#include "ptx/kinds.def"
} OpcodeKind;

typedef enum PtxFamily {
  FAMILY_PLAIN,   // computes
  FAMILY_FLOW,    // says what comes next
  FAMILY_ACCESS,  // of each lane to memory
  FAMILY_BARRIER, // of the block or the cluster, or setmaxnreg
  FAMILY_LANES,   // the lanes of a warp, with each other
  FAMILY_MATRIX,  // ldmatrix, stmatrix
  FAMILY_WMMA,
  FAMILY_WGMMA,
  FAMILY_UPDATE, // of an mbarrier
  FAMILY_WAIT,   // at one
  FAMILY_GROUP,  // of asynchronous copies
  FAMILY_BULK,   // copies by the async proxy, and what orders them
} PtxFamily;

// Whether an instruction is executed whatever the others do.
typedef enum OpcodeSeed {
  SEED_NEVER,
  SEED_ALWAYS,
  SEED_SHARED,     // if it may access shared memory
  SEED_NOT_GLOBAL, // unless it says that it accesses global memory
  SEED_SYNC,       // with .sync
  SEED_CALLED,     // in a function that is no kernel
  SEED_UNKNOWN,    // if nothing is known of what is called
} OpcodeSeed;

// Whether it writes to memory that is neither shared nor a thread's own.
typedef enum OpcodeGlobal {
  GLOBAL_NEVER,
  GLOBAL_ALWAYS,
  GLOBAL_BY_SPACE,
  GLOBAL_BY_NAME,   // surfaces and tensor maps do
  GLOBAL_BY_CALLEE, // what is called may
} OpcodeGlobal;

// Who may go both ways of a branch whose condition is not known, and execute
// it.
typedef enum OpcodeBoth {
  BOTH_NOBODY,
  BOTH_ANY_LANES,
  BOTH_WHOLE_WARP,
  BOTH_CALLED,    // any lanes, in a function that was called
  BOTH_BY_CALLEE, // who may execute what is called
} OpcodeBoth;

// Executed by each lane for itself, or by the warp as a whole.
typedef enum OpcodeLanes { LANES_EACH, LANES_WARP } OpcodeLanes;

// It does nothing but write registers.
typedef enum OpcodeSilent {
  SILENT_NO,
  SILENT_YES,
  SILENT_PARAMETERS, // if it accesses parameters
} OpcodeSilent;

// Its results come from its operands and from nowhere else.
typedef enum OpcodePure {
  PURE_NO,
  PURE_YES,
  PURE_NOT_SHARED, // or from memory that is not shared
} OpcodePure;

// What its result is made of, where more may be known of it than that there is
// one.
typedef enum OpcodeResult {
  RESULT_NOTHING,
  RESULT_OPERANDS,
  RESULT_INTEGER, // operands, if its type is that of an integer
  RESULT_SYMBOL,  // operands, but no number comes of them
  RESULT_LOADED,  // what lies in memory
} OpcodeResult;

// The operands that it needs to have its effect, of those that it reads.
typedef enum OpcodeNeeds {
  NEEDS_NOTHING,
  NEEDS_ALL,
  NEEDS_NOT_LAST, // all but the predicate of a reduction
  NEEDS_ADDRESS,  // the first one
  NEEDS_STORED,   // and what is stored there, if that matters
  NEEDS_SECOND,
  NEEDS_MIDDLE, // the second and the third one
  NEEDS_THREE,  // and of a multicast whatever follows
  NEEDS_FOUR,   // likewise
  NEEDS_MASK,   // with .sync
  NEEDS_MATRICES,
} OpcodeNeeds;

// The columns of kinds.def.
typedef struct OpcodeFacts {
  PtxFamily family;
  OpcodeSeed seed;
  OpcodeGlobal global;
  OpcodeBoth both;
  OpcodeLanes lanes;
  OpcodeSilent silent;
  OpcodePure pure;
  OpcodeResult result;
  OpcodeNeeds needs;
} OpcodeFacts;

const OpcodeFacts *opcode_facts(OpcodeKind kind);

typedef enum __attribute__((packed)) Modifier {
  CHOICE_NONE,
#define CHOICE(text, member, name) CHOICE_##name,
#include "ptx/vocabulary.def"
} Modifier;

// A function on the integers of one lane.  False: the result is unspecified.
typedef struct PtxInstruction PtxInstruction;
typedef bool IntegerFunction(const PtxInstruction *, const uint64_t *in,
                             uint64_t *out);

typedef struct PtxOpcode {
  const char *name;
  OpcodeKind kind;
  // One letter an operand: r the results of a call; d a register that is
  // written, D or a list of up to eight of them, M or of any number, v a value,
  // V or a list of them, a an address, l a label, * anything; what follows a ?
  // may be left out.  Behind d, | says that q of p|q may be written, too.
  const char *shape;
  IntegerFunction *function;
} PtxOpcode;

// Its first operand is what it writes.  Whatever else it writes is among
// `writes`, too.
bool has_destination(const PtxInstruction *instruction);
// False for an opcode that is in no table, too.
bool is_of_family(const PtxInstruction *instruction, PtxFamily family);
// May it write to memory that is neither shared nor a thread's own?  Of a call
// it is not asked what is called.
bool ptx_writes_global(const PtxInstruction *instruction);
const PtxOpcode *ptx_opcode_find(const char *text, size_t length);

// See Place.
typedef struct SourceLocs {
  Loc source, caller;
} SourceLocs;

struct PtxInstruction {
  const PtxOpcode *opcode; // NULL: in no table
  const char *text;        // without the guard and the semicolon
  unsigned text_length;
  uint32_t number; // in the file
  Loc ptx;
  const SourceLocs *source; // NULL: not known
  uint32_t guard;           // NO_REGISTER: none
  bool guard_negated;
  bool is_wide, is_saturating, is_to, is_aligned, is_sync;
  bool is_volatile;
  bool is_floating_only; // it has a modifier that integers do not have
  bool never_completes, is_transposed, is_multicast, has_policy;
  bool is_of_cluster;                       // .shared::cluster
  bool is_of_block_scope, is_of_wide_scope; // .cta; more than that
  PtxSpace space;
  Modifier part, compare, combine, mode;
  Modifier order;       // NONE: a plain access
  PtxType type, second; // second: of cvt's source, of set's and slct's
  const char *strange;  // a modifier that we do not know, or a bad operand
  Operand *operands;
  unsigned count;
  const Operand *other; // q of p|q, or of the kind NONE
  uint32_t *cells;      // ld.param and st.param of a known place: the registers
  // The registers that may be others behind it, cells among them; of an
  // instruction that is strange or in no table it is not known.
  const uint32_t *writes;
  unsigned write_count;
};

typedef enum PtxSpecial {
#define SPECIAL(name, member) PTX_##member,
#include "ptx/vocabulary.def"
} PtxSpecial;

// s u b f and a number of bits.
bool ptx_plain_type(const char *text, PtxType *type);
bool ptx_special_find(const char *text, uint32_t *special);

// ------------------------------------------------------------- functions ---

// There are many, so they are small.
typedef struct PtxRegister {
  union {
    const char *name;    // of a predicate, else NULL
    const PtxCell *cell; // if is_cell
  };
  uint16_t bits; // 1: a predicate
  bool is_cell;
} PtxRegister;

struct PtxFunction {
  const char *name;
  unsigned number;   // in Ptx.functions
  Loc loc, source;   // in this text; in what that was made of, or no line
  size_t first_line; // of the body, among Parser.lines
  bool is_entry, has_body, returns_never;
  PtxVariables params, results;
  Vec(PtxRegister) registers;
  Vec(PtxInstruction *) code;
  uint32_t required[3], most[3]; // .reqntid and .maxntid, 0: none
  uint32_t cluster[3];           // .reqnctapercluster, 0: none
  uint32_t registers_most;       // .maxnreg, 0: none
  uint32_t *table_of;            // by register: see tables.c, or NULL
  Ptx *ptx;
};

struct PtxKernel {
  PtxFunction *function;
};

struct Ptx {
  const char *file;
  unsigned major, minor, address_bits;
  Vec(PtxFunction *) functions;
  Vec(PtxVariable *) variables;
  Vec(PtxKernel) kernels;
  uint32_t instruction_count;
};

// ----------------------------------------------------------------- calls ---

typedef struct CallParts {
  const Operand *results, *arguments; // lists, or NULL
  const PtxFunction *function;        // NULL: not known
} CallParts;

CallParts call_parts(const PtxInstruction *call);
// TRAP, IGNORED, UNKNOWN: what the library has; CALL: nothing is known.
OpcodeKind library_function(const PtxFunction *function);

// ------------------------------------------------------------- integers ---

static inline uint64_t bits_mask(unsigned bits) {
  return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

uint64_t sign_extend(uint64_t number, unsigned bits);

// As a number of that type, signed ones with their sign.
uint64_t integer_typed(PtxType type, uint64_t number);
bool ptx_is_signed(PtxType type);
// Its sum or product is cut to what the type holds.
bool integer_saturates(const PtxInstruction *instruction);

bool integer_compare(const PtxInstruction *instruction, PtxType type,
                     uint64_t a, uint64_t b);
#define INTEGER(name, function, shape) IntegerFunction integer_##function;
#include "ptx/instructions.def"

// The statements of inline assembly, as a function's.
typedef struct PtxBody {
  const PtxFunction *function;
  const char *failed_at; // a character that is no PTX, or NULL
  const char *statement; // which it is in
} PtxBody;

// The first registers are `operands` ones named $0, $1, ..
PtxBody ptx_parse_body(Task *task, const char *text, unsigned operands);

// ---------------------------------------------------------------- parser ---

typedef struct SourceLine {
  unsigned file, line, column;
  size_t parent; // its place among the lines plus 1; 0: not inlined
  Loc caller;    // from clang's comment, the outermost
} SourceLine;

typedef struct Reference Reference;
typedef struct Spelling Spelling;

enum { SPELLINGS = 256 };

// One file being parsed.  After the first error only the end is seen.
typedef struct Parser {
  Task *task;
  Ptx *ptx;
  Lexer lexer;
  Token token;
  const char *previous_end; // of the token before
  Names names;
  PtxFunction *function; // the one whose body we are in
  bool is_assembly;      // a body without a file
  bool has_lists;        // in parentheses: of a call
  const char *reason;    // NULL: no error yet
  const char *failed_at, *statement;
  Loc where;
  Vec(SourceLine) lines;
  Vec(const char *) files;
  Vec(size_t) line_of; // by instruction: of lines, plus 1
  Vec(Reference) references;
  Spelling *spellings[SPELLINGS]; // by a hash
  char *text_room;                // for the texts of instructions
  size_t text_left;
} Parser;

// tokens.c
bool token_is(const Token *token, const char *text);
void parser_fail(Parser *parser, const char *fmt, ...) PRINTF(2, 3);
// Says what is here instead of what is wanted.
void parser_missing(Parser *parser, const char *wanted);
Loc parser_loc(const Parser *parser);
void parser_next(Parser *parser);
bool parser_is(const Parser *parser, char sign);
bool parser_is_word(const Parser *parser, const char *text);
bool parser_accept(Parser *parser, char sign);
void parser_expect(Parser *parser, char sign);
const char *parser_name(Parser *parser); // takes a word; NULL after an error
uint64_t parser_number(Parser *parser);  // may be negative
// Could a constant expression begin here?
bool parser_is_constant(const Parser *parser);
void parser_constant(Parser *parser, PtxConstant *constant);
const char *parser_copy(Parser *parser, const Token *token);

// An opcode with its modifiers, and what it makes of an instruction.
struct Spelling {
  const char *text;
  PtxInstruction like;
  Spelling *next; // with the same hash
};

// A label or function that is used before it is known.
struct Reference {
  Operand *operand;
  Name *targets; // or an element of these
  size_t element;
  const char *name;
  Loc loc;
};

// spelling.c
// What an instruction with this opcode is but for its operands.
const Spelling *spelling_of(Parser *parser, const Token *word);

// instruction.c
void parse_instruction(Parser *parser);
void parse_targets(Parser *parser, const char *label);
void resolve_labels(Parser *parser, size_t first); // of the innermost scope
void resolve_functions(Parser *parser);            // at the end of the file
void check_branches(Parser *parser);               // behind that

// writes.c
void find_writes(Task *task, Ptx *ptx);

// literals.c
// 0f and 0d as the type of the instruction reads them.
void convert_literals(PtxInstruction *instruction);

// tables.c
void find_tables(Task *task, Ptx *ptx);
// Perhaps from a table that nothing writes.
bool ptx_reads_table(const PtxFunction *function, const PtxInstruction *load);

// lines.c
void parse_file_directive(Parser *parser);
void parse_loc_directive(Parser *parser);
void resolve_lines(Parser *parser);

#endif
