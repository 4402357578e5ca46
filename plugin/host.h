// What the host code of a file says about launches: the parts.
//
// The survey looks at the file once; values are what is certain of expressions
// without looking at the order of statements; the flow of one function says
// which assignments reach a place; terms are numbers over what is not known
// when a kernel is launched; launches.cc puts them together.

#ifndef PLUGIN_HOST_H
#define PLUGIN_HOST_H

#include "plugin/frontend.h"

namespace host {

using Number = std::optional<llvm::APSInt>;

bool is_kernel(const clang::FunctionDecl *function);
bool is_integer(clang::QualType type); // of at most 64 bits
bool is_dim3(clang::QualType type);
// bool, or an enum that is one
bool is_truth(clang::QualType type);
// Another file may define it, too, and then that counts.
bool is_replaceable(const clang::Decl *decl);
// An lvalue without parentheses and implicit additions of const.
const clang::Expr *place_of(const clang::Expr *lvalue);
// Nothing but positive numbers can be launched; the rest is left free.
Extent extent_of(const Number &number);

// ------------------------------------------------------- host_survey.cc ---

using Mention = const clang::DeclRefExpr *;

// One look at the user's part of the file: launches, and how variables are
// mentioned.  Launches, and what sets variables, are those in code that is
// executed on the side that the file was parsed for.
class Survey {
public:
  bool has_other_names = false; // aliases, or assembly that may have some
  struct Call {
    const clang::CallExpr *call;
    const clang::FunctionDecl *function; // around it; NULL: it is in a lambda
    bool is_systems;                     // code of a system's header
  };
  struct Assignment { // of a member
    const clang::VarDecl *variable;
    llvm::StringRef member;
    const clang::Expr *whole, *value;
  };

  std::vector<Call> calls;
  llvm::SetVector<const clang::FunctionDecl *> addressed; // also no kernels
  llvm::SetVector<const clang::FunctionDecl *> named;     // called, too
  // Kernels of which nobody knows who has the address, and where it is taken.
  llvm::MapVector<const clang::FunctionDecl *, const clang::Expr *> escaped;
  llvm::DenseSet<const clang::FunctionDecl *> retyped; // pointers to them
  // The code before the user's is not looked at: who has their addresses?
  std::vector<const clang::FunctionDecl *> kernels_before;
  bool has_other_stubs = false; // what launches kernels has more names
  bool has_retyped_any = false; // pointers to whatever is addressed
  std::vector<const clang::Expr *> cluster_sizes[3]; // by axis
  // The device's variables, and those that the host may set.
  llvm::SetVector<const clang::VarDecl *> devices, set;
  // Addresses of arguments, that only launches read.
  std::map<const clang::VarDecl *, const clang::InitListExpr *> argument_lists;

  // `generator` made the code of this compilation, if any is made of it.
  Survey(clang::ASTContext &context, clang::CodeGenerator &generator);

  bool is_only_read(const clang::VarDecl *variable) const;
  bool is_read(Mention mention) const { return reads.count(mention); }
  const std::vector<Mention> &mentions(const clang::VarDecl *variable) const;
  // A member is assigned, the only time in the file; or NULL.
  const Assignment *assigned(const clang::VarDecl *variable,
                             llvm::StringRef member) const;
  // No more is done with it than its members are assigned, and one launch.
  bool is_for_launch(const clang::VarDecl *variable) const;

private:
  friend class Surveyor;
  std::vector<Assignment> assignments;
  llvm::DenseMap<const clang::VarDecl *, std::vector<Mention>> mentioned;
  llvm::DenseSet<const clang::Expr *> reads;
  llvm::DenseSet<const clang::VarDecl *> written;
};

// The variable with the addresses of the arguments that a call launches with.
const clang::VarDecl *argument_list(const clang::CallExpr *call);
// What &place points to; or NULL.
const clang::Expr *place_behind(const clang::Expr *pointer);

// ----------------------------------------------------- host_handover.cc ---

// The function that an expression mentions, or NULL.
const clang::FunctionDecl *function_named(const clang::Expr *expr);

// The function has a body that is read, and no other takes its place.
bool is_read_here(clang::ASTContext &context,
                  const clang::FunctionDecl *function);

// A function of the runtime that launches what it gets, or asks about it.
std::string name_in_runtime(const clang::FunctionDecl *function);
bool is_read_as_launch(const clang::FunctionDecl *function);
bool only_reads_symbol(const clang::FunctionDecl *function);
bool only_asks(const clang::FunctionDecl *function);
// cudaMalloc(&pointer, bytes, ..) and its like: the pointer; or NULL.
const clang::Expr *allocated_place(const clang::CallExpr *call);

// ------------------------------------------------------ host_choices.cc ---

// One of two places: the first if the condition holds; without one the less or
// the greater.
struct Choice {
  const clang::Expr *condition; // or NULL
  bool is_least;
  const clang::Expr *places[2];
};

std::optional<Choice> choice_of(const clang::Expr *lvalue);

// ------------------------------------------------------ host_folding.cc ---

// What clang folds it to is what it is when it is executed.
bool is_same_when_folded(const clang::ASTContext &context,
                         const clang::Expr *expr);
// ... for what its local variables are then, which is not folded.
bool is_same_over_variables(const clang::ASTContext &context,
                            const clang::Expr *expr);

// ----------------------------------------------------- host_closures.cc ---

// What stands in it is whose file it is in.
bool is_scope(const clang::Decl *decl);

// In the order in which they were made; those of patterns are none.
std::vector<const clang::CXXRecordDecl *>
users_closures(const clang::ASTContext &context);

// What is called of a closure; of a generic lambda all instances.
std::vector<clang::FunctionDecl *>
call_operators(const clang::CXXRecordDecl *closure);

// Does any code of the user's get at the bytes of a closure?
bool opens_closures(clang::ASTContext &context);

// ------------------------------------------------------ host_extents.cc ---

// Of which axes any code of the user's may give a size that is not 1, where
// nothing has another name (Survey::has_other_names).
using Axes = std::array<bool, 3>;
Axes given_anywhere(clang::ASTContext &context);

// ----------------------------------------------------- host_negatives.cc ---

// Which negative numbers the user's code gives, wherever it does.
class Negatives {
public:
  Negatives(clang::ASTContext &context, const Survey &survey);

  // May a number below zero come to `expr`, as far as the file shows?  `caller`
  // is the call of the function around it that led there, or NULL: any.
  bool is_shown(const clang::Expr *expr, const clang::CallExpr *caller);

  // .. to an argument that the file does not show, by its address?
  bool is_shown_somewhere();

  // Of what stands for one thing, always the same declaration.
  static const clang::ValueDecl *one_for(const clang::ValueDecl *decl);
  static const clang::ValueDecl *named(const clang::Expr *place); // or NULL

  struct Given {
    const clang::Expr *value;
    int64_t more;     // is added to it
    bool is_argument; // by a call
    // A loop's bound of it that may as well be the counter, by name.
    const clang::ValueDecl *counter;
  };
  llvm::DenseMap<const clang::ValueDecl *, std::vector<Given>> given;
  // Pointers and references to it.
  llvm::DenseMap<const clang::ValueDecl *,
                 std::vector<const clang::ValueDecl *>>
      others;
  struct Loose {
    const clang::Expr *value;
    std::optional<unsigned> at; // of which parameter; none: of any
  };
  std::vector<Loose> loose;              // for whoever is called unseen
  std::vector<const clang::Expr *> made; // what new variables begin with
  llvm::DenseSet<const clang::ValueDecl *> counters;   // of loops
  llvm::DenseSet<const clang::ValueDecl *> changed;    // by their names
  llvm::SetVector<const clang::ValueDecl *> addressed; // variables

private:
  clang::ASTContext &context;
  const Survey &survey;
  const clang::CallExpr *caller = nullptr;
  std::set<std::pair<const clang::ValueDecl *, int64_t>> asked;

  bool is_below(const clang::Expr *expr, int64_t bound);
  bool is_computed_below(const clang::Expr *expr, int64_t bound);
  bool has_part_below(const clang::Expr *expr, int64_t bound);
  bool is_one_below(const clang::ValueDecl *decl, int64_t bound);
  bool is_called_unseen(const clang::ValueDecl *decl) const;
  bool is_end(const clang::ValueDecl *decl, const Given &bound) const;
  const clang::Expr *passed_by_caller(const clang::ValueDecl *decl) const;
};

// ------------------------------------------------------- host_values.cc ---

// What expressions are certain to be, wherever they are.
class Certain {
public:
  Certain(clang::ASTContext &context_, const Survey &survey_)
      : context(context_), survey(survey_) {}

  Number number(const clang::Expr *expr);
  // The conversion that the language makes.
  Number number_of_type(Number value, clang::QualType type);
  // A dim3, by axis.
  void sizes(const clang::Expr *expr, Extent extents[3]);
  // Of which axes it says a size, known or not; where it is not understood, or
  // NULL, those of which any code of the file does.
  void note_given(const clang::Expr *expr, bool given[3]);

private:
  enum { DEEPEST = 64, MOST = 5000 };

  clang::ASTContext &context;
  const Survey &survey;
  llvm::DenseMap<const clang::VarDecl *, llvm::APSInt> parameters;
  unsigned depth = 0, spent = 0; // on the outermost expression
  std::optional<Axes> anywhere;  // are sizes given

  std::optional<bool> closures_are_opened;

  bool is_opened(const clang::DeclRefExpr *mention);
  const clang::Expr *initial_value(const clang::DeclRefExpr *mention);
  bool reads_given(const clang::Expr *expr, bool given[3]);
  Number computed(const clang::Expr *expr);
  Number variable(const clang::Expr *place);
  Number member(const clang::MemberExpr *member);
  Number cast(const clang::CastExpr *cast);
  Number unary(const clang::UnaryOperator *expr);
  Number binary(const clang::BinaryOperator *expr);
  Number conditional(const clang::ConditionalOperator *expr);
  Number call(const clang::CallExpr *call);
};

// -------------------------------------------------------- host_parts.cc ---

// A number in an object.
struct Part {
  clang::QualType type; // none: nothing is known of it
  uint64_t offset;      // bytes
  std::string name;     // ".size.x", behind that of the object
};
using Parts = std::vector<Part>;

// Its definition, if it can be taken apart; else NULL.
const clang::CXXRecordDecl *plain_struct(clang::QualType type);
// Does making an object give its members values, and its address to nobody?
bool only_fills(const clang::CXXConstructorDecl *constructor);
bool only_fills(const clang::Expr *initial);
// one = other, byte by byte
bool copies_object(const clang::CXXOperatorCallExpr *call);
// Of a struct, an array or a number, in the order of members and elements;
// none: they are too many.
Parts parts_of(clang::ASTContext &context, clang::QualType type);
unsigned part_count(clang::ASTContext &context, clang::QualType type);
unsigned field_parts(clang::ASTContext &context, const clang::FieldDecl *field);
// The member that a part lies in, of which it is part `index` then; or NULL.
const clang::FieldDecl *field_with(clang::ASTContext &context,
                                   const clang::CXXRecordDecl *record,
                                   unsigned *index);

// --------------------------------------------------------- host_flow.cc ---

// A number that a function keeps to itself: a part of a local variable.
struct Cell {
  const clang::VarDecl *variable;
  unsigned index; // which part

  bool operator<(const Cell &other) const {
    return variable != other.variable ? variable < other.variable
                                      : index < other.index;
  }
};

enum class Gives { ANYTHING, INITIAL, ASSIGNED, COMPOUND, STEP, ALLOCATED };

// A statement that gives a variable a value.
struct Definition {
  unsigned at;
  const clang::VarDecl *variable;
  unsigned first, count; // parts
  Gives gives;
  const clang::Expr *expr; // the value; COMPOUND, STEP: the operator;
                           // ALLOCATED: the call
  const clang::Expr *root; // the full expression around it
};

// A branch that was taken in one way when a place was last come to.
struct Condition {
  const clang::Expr *expr;
  bool holds;
  unsigned at;
};

// ... or is this number: of a switch, one of whose cases leads on.
struct ChosenCase {
  const clang::Expr *expr;
  const clang::CaseStmt *which;
  unsigned at;
};

// The flow of control in one function.  Places are numbered: one for each
// element of clang's graph, and one for the end of each block.
class Flow {
public:
  struct Reaching {
    std::vector<const Definition *> definitions;
    bool from_entry; // a parameter's own value, or none
  };

  // NULL: there is none to rely on.
  static std::unique_ptr<Flow> of(clang::ASTContext &context,
                                  const Survey &survey,
                                  const clang::FunctionDecl *function);

  std::optional<unsigned> place(const clang::Stmt *stmt) const;
  // The cell that an lvalue is, if nobody else can change it.
  std::optional<Cell> cell(const clang::Expr *lvalue) const;
  // ... that holds a pointer.
  std::optional<Cell> pointer_cell(const clang::Expr *lvalue) const;
  // The first part of the object that an lvalue is, if so.
  std::optional<Cell> object(const clang::Expr *lvalue) const;
  bool is_private(const clang::VarDecl *variable) const;
  Reaching reaching(Cell cell, unsigned at) const;
  // Between the last time at `from` before `to`, and `to`?
  bool changes(Cell cell, unsigned from, unsigned to) const;
  bool comes_between(unsigned at, unsigned from, unsigned to) const;
  // Does the full expression around `expr` define it, but for `own`?
  bool is_defined_beside(const clang::VarDecl *variable,
                         const clang::Expr *expr, const Definition *own) const;
  std::vector<Condition> conditions(unsigned at) const;
  // The same of switches.
  std::vector<ChosenCase> cases(unsigned at) const;
  // Every way to `to` leads through `at`.
  bool is_passed(unsigned at, unsigned to) const;
  const Definition *definition_at(unsigned at) const;

private:
  Flow(clang::ASTContext &context_, const Survey &survey_)
      : context(context_), survey(survey_) {}

  clang::ASTContext &context;
  const Survey &survey;
  std::unique_ptr<clang::CFG> graph;
  std::vector<unsigned> starts; // of blocks, by their number
  std::vector<llvm::SmallVector<unsigned, 2>> next, before;
  llvm::DenseMap<const clang::Stmt *, unsigned> places; // ~0: several
  llvm::DenseMap<const clang::Stmt *, const clang::Expr *> roots;
  llvm::DenseSet<const clang::Stmt *> used_well; // results of assignments
  std::map<unsigned, std::vector<Definition>> definitions;
  llvm::DenseMap<const clang::VarDecl *, bool> privacy;

  bool walk(const clang::Stmt *stmt, const clang::Stmt *parent,
            const clang::Expr *root);
  void discard(const clang::Expr *expr);
  void number_places();
  void find_definitions();
  void note(unsigned at, const clang::Stmt *stmt);
  void note_target(unsigned at, const clang::Expr *target, Gives gives,
                   const clang::Expr *value, const clang::Expr *whole);
  void doubt_crowded();
  void find_private(const clang::FunctionDecl *function);
  llvm::DenseSet<const clang::VarDecl *> lost;
  llvm::DenseSet<const clang::Expr *> targets; // mentions
  std::vector<const clang::VarDecl *> variables;
  llvm::BitVector reach(const std::vector<llvm::SmallVector<unsigned, 2>> &way,
                        unsigned from, unsigned without) const;
  bool reaches_block(unsigned from, unsigned to, unsigned without) const;
  const clang::CaseStmt *only_case(const clang::CFGBlock *block,
                                   unsigned at) const;
  void add_condition(const clang::CFGBlock *block, unsigned at,
                     std::vector<Condition> *conditions) const;
  unsigned block_of(unsigned at) const;
};

// ------------------------------------- host_callers.cc, host_terms.cc ---

// What all launches of a file share.
struct Knowledge {
  clang::ASTContext &context;
  Survey survey;
  Certain certain;
  Negatives negatives;
  Task *task;
  std::map<const clang::FunctionDecl *, std::unique_ptr<Flow>> flows;
  llvm::DenseSet<const clang::ParmVarDecl *> asked; // for their one value
  bool is_whole = false; // the file is taken to be the whole program ..
  llvm::SetVector<const clang::FunctionDecl *> believed; // .. in that of these

  Knowledge(clang::ASTContext &context_, clang::CodeGenerator &generator,
            Task *task_)
      : context(context_), survey(context_, generator),
        certain(context_, survey), negatives(context_, survey), task(task_) {}

  Flow *flow(const clang::FunctionDecl *function); // or NULL
  // All calls of a function; none: there may be others.
  std::vector<Survey::Call> calls_of(const clang::FunctionDecl *function);
  // What a parameter is in every call of its function, or in this one.
  Number parameter(const clang::ParmVarDecl *parameter,
                   const clang::CallExpr *caller);

private:
  bool is_ours(const clang::FunctionDecl *function);
  Number given(const clang::ParmVarDecl *parameter, const Survey::Call &one);
};

// Numbers over what the host has when control is at `target`.
class Terms {
public:
  // `caller` is the call of the function that led there, or NULL: any of them.
  Terms(Knowledge &knowledge_, const Flow &flow_, unsigned target_,
        const clang::CallExpr *caller_ = nullptr)
      : knowledge(knowledge_), flow(flow_), target(target_), caller(caller_) {}

  // What an expression was when control was last at `at` before the target.
  // Only if all of `defined` was true is it so.
  const HostTerm *term(const clang::Expr *expr, unsigned at);
  // A part of an object, in the order of parts_of; NULL: it is not known.
  const HostTerm *part(const clang::Expr *expr, unsigned at, unsigned index);
  // What lies at a place when the call at the target begins.
  const HostTerm *part_at(const clang::Expr *place, const clang::CallExpr *call,
                          unsigned index);
  Number constant(const clang::Expr *expr, unsigned at);
  // A counter never was less.
  std::optional<int64_t> least(Cell cell);

  std::vector<const HostTerm *> defined;
  std::map<Cell, const HostTerm *> variables; // unknowns among them

  const HostTerm *number(unsigned width, uint64_t value);
  const HostTerm *leaf(HostOp op, unsigned width, uint64_t value,
                       const char *name);
  const HostTerm *make(HostOp op, unsigned width, const HostTerm *a,
                       const HostTerm *b = nullptr,
                       const HostTerm *c = nullptr);

private:
  enum { DEEPEST = 40, MOST = 2000 };

  Knowledge &knowledge;
  const Flow &flow;
  unsigned target;
  const clang::CallExpr *caller;
  unsigned depth = 0, spent = 0, unknowns = 0;
  bool only_constants = false;
  const Definition *own = nullptr; // whose value is looked for
  std::map<const clang::Expr *, const HostTerm *> opaque_terms;
  std::map<const clang::VarDecl *, const HostTerm *> parameters;
  bool is_inlined = false;
  std::map<std::pair<const Definition *, unsigned>, Number> constants;
  std::set<std::pair<const Definition *, unsigned>> asked;

  unsigned width(clang::QualType type) const;
  const HostTerm *opaque(const clang::Expr *expr);
  const HostTerm *unknown(Cell cell, clang::QualType type);
  const HostTerm *structure(const clang::Expr *expr, unsigned at);
  const HostTerm *choice(const clang::ConditionalOperator *expr, unsigned at);
  const HostTerm *converted(const HostTerm *term, clang::QualType from,
                            clang::QualType to);
  const HostTerm *cast(const clang::CastExpr *cast, unsigned at);
  const HostTerm *unary(const clang::UnaryOperator *expr, unsigned at);
  const HostTerm *logical(const clang::BinaryOperator *expr, unsigned at);
  const HostTerm *binary(const clang::BinaryOperator *expr, unsigned at);
  const HostTerm *computed(clang::BinaryOperatorKind op, bool is_signed,
                           const HostTerm *a, const HostTerm *b);
  const HostTerm *compared(clang::BinaryOperatorKind op, bool is_signed,
                           const HostTerm *a, const HostTerm *b);
  const HostTerm *shifted(bool is_left, bool is_signed, const HostTerm *a,
                          const HostTerm *b);
  const HostTerm *call(const clang::CallExpr *call, unsigned at);
  const HostTerm *read(const clang::Expr *place, unsigned at,
                       const clang::Expr *node);
  const HostTerm *read_cell(Cell cell, unsigned at, const clang::Expr *node);
  const HostTerm *chosen(const Choice &choice, unsigned at,
                         const clang::Expr *node);
  const HostTerm *value_at(const clang::Expr *place, unsigned at,
                           const clang::Expr *node);
  const HostTerm *less(bool is_signed, const HostTerm *a, const HostTerm *b) {
    return make(is_signed ? HOST_SLT : HOST_ULT, 1, a, b);
  }
  const HostTerm *value_of(const Definition *definition, Cell cell);
  const HostTerm *given(const Definition *definition, Cell cell);
  Number constant_of(const Definition *definition, Cell cell);
  Number constant_cell(Cell cell, unsigned at);
  bool is_guarded_step(const Definition *definition, Cell cell);
  bool wraps() const; // a signed number that overflows
  void need(const HostTerm *condition);
  void need_only_if(const HostTerm *condition, size_t since);
  clang::QualType type_of(Cell cell) const;
  std::string name_of(Cell cell) const;
  unsigned count(clang::QualType type) const;
  const HostTerm *zero(clang::QualType type, unsigned index);
  const HostTerm *listed(const clang::InitListExpr *list, unsigned at,
                         unsigned index);
  const HostTerm *constructed(const clang::CXXConstructExpr *made, unsigned at,
                              unsigned index);
  const HostTerm *filled(const clang::CXXConstructExpr *made, unsigned at,
                         unsigned index);
  const HostTerm *filled_by(const clang::CXXConstructExpr *made,
                            const clang::FieldDecl *field, unsigned index);
  const HostTerm *copied(const clang::Expr *place, unsigned at,
                         const clang::Expr *reader, unsigned index);
};

// -------------------------------------------------- host_allocations.cc ---

// What a pointer is the beginning of.
struct Allocation {
  std::set<const clang::CallExpr *> calls; // one of them made it
  const clang::Expr *bytes = nullptr;      // given to the only one; or NULL
  unsigned at = 0;                         // .. when control was last there
  Number number;                           // or so many bytes
};

// Of the pointers that the host has when control is at `target`.
class Allocations {
public:
  // `caller` as in Terms.
  Allocations(Knowledge &knowledge_, const Flow &flow_, unsigned target_,
              const clang::CallExpr *caller_ = nullptr);

  std::optional<Allocation> of(const clang::Expr *pointer);
  // Of what lies at a place when `reader` begins.
  std::optional<Allocation> at(const clang::Expr *place,
                               const clang::CallExpr *reader);

private:
  enum { DEEPEST = 8, MOST = 100 };

  Knowledge &knowledge;
  const Flow &flow;
  unsigned target;
  const clang::CallExpr *caller;
  unsigned depth = 0, spent = 0;

  std::optional<Allocation> read(const clang::Expr *place,
                                 const clang::Expr *reader, unsigned when,
                                 const Definition *own);
  std::optional<Allocation> made_by(const Definition &definition);
  std::optional<Allocation> given(Cell cell);
  std::optional<Allocation> passed(const clang::ParmVarDecl &parameter,
                                   const Survey::Call &one);
  static bool add(Allocation *all, const std::optional<Allocation> &one,
                  bool is_only);
};

// ---------------------------------------------------- host_relations.cc ---

bool is_linear(const HostTerm *term);
bool is_polynomial(const HostTerm *term);
// Of a condition that is true and a quotient.
bool is_exact(const HostTerm *condition, const HostTerm *quotient);

// -------------------------------------------------------- host_facts.cc ---

// What a launch consists of.
struct Site {
  const clang::Expr *place;
  const clang::CallExpr *call;                   // NULL: nothing is known of it
  const clang::FunctionDecl *kernel;             // NULL: it is a pointer
  const clang::Expr *grid, *block, *shared;      // or NULL
  bool has_arguments;                            // of the kernel, in `call`
  unsigned first = 0;                            // ... from this one on
  bool has_attributes = false;                   // sizes are given elsewhere
  const clang::VarDecl *config = nullptr;        // ... in its members, or NULL
  const clang::FunctionDecl *function = nullptr; // around it, or NULL
  const clang::CallExpr *caller = nullptr;       // of that; NULL: any
  bool is_joined = false;                        // ... of many that are known
  bool is_of_library = false; // by CUB or Thrust, of a kernel of theirs
};

// ------------------------------------------------------- host_program.cc ---

// Does the program begin in this file?
bool has_main(const clang::ASTContext &context);
// Nobody but this file calls it, if that is the whole program.
bool is_of_program(const clang::FunctionDecl *function);
// Adds what is so if the launch is one of these, as facts under that name.
void add_program(Knowledge &knowledge, const Site &site,
                 const std::vector<Launch> &launches, Launch *launch);

// ------------------------------------------------------- host_library.cc ---

// Launches that the SDK's library makes of kernels of its own.
class Library {
public:
  Library(clang::ASTContext &context, const Survey &survey);

  // All of the kernel's; none: it is not known which there are.
  std::vector<Site> launches_of(const clang::FunctionDecl *kernel) const;

private:
  clang::ASTContext &context;
  llvm::DenseMap<const clang::Type *, std::vector<Site>> launches; // by kernel

  const clang::Type *kernel_type(const clang::CallExpr *call) const;
  void add(const clang::CXXMemberCallExpr *call,
           const clang::FunctionDecl *function,
           llvm::DenseSet<const clang::Type *> *unread);
};

// --------------------------------------------------------- launches.cc ---

Loc location(clang::ASTContext &context, Task *task,
             clang::SourceLocation where);
// As it is called in facts.
std::string name_of(const clang::ParmVarDecl *parameter);
// Adds what follows from the flow of control to what is certain anyway.
void add_facts(Knowledge &knowledge, const Site &site, Launch *launch);

} // namespace host

#endif
