// Places of a source where a repair may change it, from clang's syntax tree.
//
// A statement may stand before each statement of a compound statement and at
// its end, and, with braces, before and behind one that is a body alone.
// Barriers may be left out, and plain updates of whole numbers may become
// atomics.  Nothing is found in what a macro makes: its text would change
// wherever it is used.  Functions of system headers are there for who calls
// what from where, and are marked.

#include "plugin/frontend.h"
#include "repair/repair.h"

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"

#include <map>

namespace {

constexpr size_t NOWHERE = SIZE_MAX;

class Finder : public clang::DynamicRecursiveASTVisitor {
public:
  Finder(clang::ASTContext &context_, Places *places_)
      : context(context_), sources(context_.getSourceManager()),
        places(places_) {}

  void kernel(llvm::StringRef name, const clang::FunctionDecl *function);
  void finish();

  // Of expressions alone; what a lambda does it does where it is called.
  bool VisitCallExpr(clang::CallExpr *call) override;
  bool VisitCXXConstructExpr(clang::CXXConstructExpr *made) override;
  bool VisitVarDecl(clang::VarDecl *variable) override;
  bool TraverseLambdaExpr(clang::LambdaExpr *) override { return true; }

private:
  struct Waiting {
    const clang::CompoundStmt *body;
    size_t nest;
    bool keeps_updates; // other instances have other types, the host no atomics
  };

  clang::ASTContext &context;
  const clang::SourceManager &sources;
  Places *places;
  std::map<clang::FileID, size_t> files;
  std::map<std::pair<size_t, size_t>, size_t> bodies; // file and byte
  std::vector<Waiting> waiting;
  size_t here = 0; // the nest
  bool keeps_updates = false;

  size_t file_of(clang::FileID id);
  size_t place_of(clang::SourceLocation location, size_t *file);
  size_t byte_at(clang::SourceLocation location);
  size_t start_of(const clang::Stmt *statement);
  size_t end_of(const clang::Stmt *statement);
  bool ends_with_semicolon(const clang::Stmt *statement);
  llvm::StringRef text_of(clang::SourceRange range);
  bool is_of(size_t nest, clang::SourceLocation location);
  bool find_range(const clang::Stmt *statement, size_t nest, size_t *begin,
                  size_t *end);
  size_t body_of(const clang::FunctionDecl *function);
  void call(const clang::FunctionDecl *function,
            clang::SourceLocation location);
  void note_wait();
  const char *groups_at(clang::SourceLocation location);
  size_t add_nest(NestKind kind, size_t outer, const clang::Stmt *statement,
                  const clang::Stmt *whole);
  void add_gap(const clang::Stmt *next, const clang::Stmt *before, size_t nest);
  void add_last_gap(const clang::CompoundStmt *compound, size_t nest);
  void add_body_gaps(const clang::Stmt *statement, size_t nest);
  void compound(const clang::CompoundStmt *statements, size_t nest);
  void body(const clang::Stmt *statement, size_t nest);
  void branch(const clang::IfStmt *statement, size_t nest);
  void inner(NestKind kind, const clang::Stmt *whole,
             const clang::Stmt *statement, size_t nest);
  void statement(const clang::Stmt *one, size_t nest, bool is_body);
  void plain(const clang::Stmt *one, size_t nest, bool is_body);
  void expressions(const clang::Stmt *one, size_t nest);
  bool is_plain_text(size_t begin, size_t end, size_t nest);
  const char *barrier_name(const clang::Expr *expression);
  std::string address_of(const clang::Expr *place);
  std::string atomic_for(const clang::Expr *expression);
};

// ---------------------------------------------------------------- places ---

size_t Finder::file_of(clang::FileID id) {
  auto known = files.find(id);
  if (known != files.end())
    return known->second;
  auto entry = sources.getFileEntryRefForID(id);
  bool is_bad = false;
  llvm::StringRef text = sources.getBufferData(id, &is_bad);
  if (!entry || is_bad || text.contains('\0'))
    return files[id] = NOWHERE;
  // Included twice, it is one text that may be changed.
  for (size_t i = 0; i < places->texts.count; i++)
    if (entry->getName() == places->texts.at[i].path)
      return files[id] = i;
  SourceText source = {
      arena_copy(places->arena, entry->getName().str().c_str()),
      arena_copy(places->arena, text.str().c_str()), text.size()};
  append(places->arena, &places->texts, source);
  return files[id] = places->texts.count - 1;
}

// Where it stands, of a macro where that is used.
size_t Finder::place_of(clang::SourceLocation location, size_t *file) {
  auto [id, byte] = sources.getDecomposedLoc(sources.getExpansionLoc(location));
  *file = file_of(id);
  return byte;
}

size_t Finder::byte_at(clang::SourceLocation location) {
  size_t file;
  return place_of(location, &file);
}

size_t Finder::start_of(const clang::Stmt *statement) {
  return byte_at(statement->getBeginLoc());
}

// Behind its semicolon, if it has one.
size_t Finder::end_of(const clang::Stmt *statement) {
  clang::SourceLocation last =
      sources.getExpansionRange(statement->getEndLoc()).getEnd();
  const clang::LangOptions &language = context.getLangOpts();
  auto next = clang::Lexer::findNextToken(last, sources, language);
  if (next && next->is(clang::tok::semi) &&
      !llvm::isa<clang::CompoundStmt>(statement))
    last = next->getLocation();
  return byte_at(clang::Lexer::getLocForEndOfToken(last, 0, sources, language));
}

// At once: what a directive leaves out may stand before it.
bool Finder::ends_with_semicolon(const clang::Stmt *statement) {
  auto next = clang::Lexer::findNextToken(statement->getEndLoc(), sources,
                                          context.getLangOpts());
  return next && next->is(clang::tok::semi);
}

// Empty if it is not the whole of what macros make.
llvm::StringRef Finder::text_of(clang::SourceRange range) {
  return clang::Lexer::getSourceText(
      clang::CharSourceRange::getTokenRange(range), sources,
      context.getLangOpts());
}

// A body may include another file.
bool Finder::is_of(size_t nest, clang::SourceLocation location) {
  size_t file;
  place_of(location, &file);
  return file != NOWHERE && file == places->nests.at[nest].file;
}

// Of a statement with its semicolon; false: a macro makes a part of it, or it
// is of another file than what is around it.
bool Finder::find_range(const clang::Stmt *statement, size_t nest,
                        size_t *begin, size_t *end) {
  if (statement->getBeginLoc().isMacroID() ||
      statement->getEndLoc().isMacroID() ||
      (llvm::isa<clang::Expr>(statement) && !ends_with_semicolon(statement)) ||
      !is_of(nest, statement->getBeginLoc()) ||
      !is_of(nest, statement->getEndLoc()))
    return false;
  *begin = start_of(statement);
  *end = end_of(statement);
  return true;
}

// ---------------------------------------------------- cooperative groups ---

bool is_groups(const clang::DeclContext *around) {
  const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(around);
  return space && space->getName() == "cooperative_groups" &&
         space->getParent()->isTranslationUnit();
}

bool is_of_groups(const clang::Decl *declared) {
  for (const clang::DeclContext *around = declared->getDeclContext(); around;
       around = around->getParent())
    if (is_groups(around))
      return true;
  return false;
}

bool is_grid(clang::QualType type) {
  const clang::RecordDecl *record =
      type.getNonReferenceType()->getAsRecordDecl();
  return record && record->getIdentifier() &&
         record->getName() == "grid_group" && is_of_groups(record);
}

// grid.sync(), or sync(grid) as it was once written.
bool waits_for_grid(const clang::CallExpr *call) {
  const clang::FunctionDecl *function = call->getDirectCallee();
  if (!function || !function->getDeclName().isIdentifier() ||
      !is_of_groups(function))
    return false;
  if (const auto *method = llvm::dyn_cast<clang::CXXMethodDecl>(function))
    return method->getName() == "sync" &&
           method->getParent()->getName() == "grid_group";
  return (function->getName() == "sync" ||
          function->getName() == "synchronize") &&
         call->getNumArgs() == 1 && is_grid(call->getArg(0)->getType());
}

// The SDK has it in a namespace inside.
bool declares_this_grid(const clang::DeclContext *space) {
  for (const clang::Decl *one : space->decls()) {
    const auto *inner = llvm::dyn_cast<clang::NamespaceDecl>(one);
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(one);
    if ((inner && declares_this_grid(inner)) ||
        (function && function->getIdentifier() &&
         function->getName() == "this_grid"))
      return true;
  }
  return false;
}

bool has_this_grid(const clang::ASTContext &context) {
  for (const clang::Decl *one : context.getTranslationUnitDecl()->decls()) {
    const auto *space = llvm::dyn_cast<clang::NamespaceDecl>(one);
    if (space && is_groups(space) && declares_this_grid(space))
      return true;
  }
  return false;
}

// As names that the file declares before make it short.
const char *Finder::groups_at(clang::SourceLocation location) {
  std::string name = "cooperative_groups::";
  for (const clang::Decl *one : context.getTranslationUnitDecl()->decls()) {
    const auto *alias = llvm::dyn_cast<clang::NamespaceAliasDecl>(one);
    const auto *used = llvm::dyn_cast<clang::UsingDirectiveDecl>(one);
    if ((!alias && !used) ||
        !sources.isBeforeInTranslationUnit(one->getLocation(), location))
      continue;
    if (alias && is_groups(alias->getNamespace()))
      name = alias->getName().str() + "::";
    if (used && is_groups(used->getNominatedNamespace()))
      return "";
  }
  return arena_copy(places->arena, name.c_str());
}

// Of the function that is looked at.
void Finder::note_wait() {
  size_t function = places_function(places, here);
  for (size_t i = 0; i < places->bodies.count; i++)
    if (places->bodies.at[i].nest == function && places->bodies.at[i].is_users)
      places->bodies.at[i].waits_for_grid = true;
}

bool Finder::VisitVarDecl(clang::VarDecl *variable) {
  if (is_grid(variable->getType()) && variable->getIdentifier() &&
      !variable->getLocation().isMacroID())
    append(places->arena, &places->grids,
           GridVariable{
               here, byte_at(variable->getLocation()),
               arena_copy(places->arena, variable->getName().str().c_str())});
  return true;
}

// ---------------------------------------------------------------- bodies ---

// The host compiles it, too, and has no barriers.
bool is_of_both_sides(const clang::FunctionDecl *function) {
  return function->hasAttr<clang::CUDAHostAttr>() &&
         function->hasAttr<clang::CUDADeviceAttr>();
}

size_t Finder::body_of(const clang::FunctionDecl *function) {
  const clang::FunctionDecl *definition = nullptr;
  if (!function || !function->hasBody(definition))
    return NOWHERE;
  const auto *braces =
      llvm::dyn_cast_or_null<clang::CompoundStmt>(definition->getBody());
  if (!braces || braces->getLBracLoc().isInvalid())
    return NOWHERE;
  size_t file, begin = place_of(braces->getLBracLoc(), &file);
  if (file == NOWHERE)
    return NOWHERE;
  auto known = bodies.find({file, begin});
  if (known != bodies.end())
    return known->second;
  size_t nest = add_nest(NEST_FUNCTION, NOWHERE, braces, braces);
  bool is_users = !braces->getLBracLoc().isMacroID() &&
                  !sources.isInSystemHeader(braces->getLBracLoc()) &&
                  !is_of_both_sides(definition);
  append(places->arena, &places->bodies,
         Body{nest, is_users, false, groups_at(braces->getLBracLoc())});
  waiting.push_back(
      {braces, nest,
       definition->isTemplateInstantiation() || is_of_both_sides(definition)});
  return bodies[{file, begin}] = places->bodies.count - 1;
}

void Finder::call(const clang::FunctionDecl *function,
                  clang::SourceLocation location) {
  size_t callee = body_of(function);
  if (callee != NOWHERE)
    append(places->arena, &places->calls,
           PlacedCall{here, byte_at(location), callee});
}

bool Finder::VisitCallExpr(clang::CallExpr *expression) {
  call(expression->getDirectCallee(), expression->getBeginLoc());
  if (waits_for_grid(expression))
    note_wait();
  return true;
}

bool Finder::VisitCXXConstructExpr(clang::CXXConstructExpr *made) {
  call(made->getConstructor(), made->getBeginLoc());
  return true;
}

void Finder::kernel(llvm::StringRef name, const clang::FunctionDecl *function) {
  size_t body = body_of(function);
  if (body != NOWHERE)
    append(places->arena, &places->kernels,
           PlacedKernel{arena_copy(places->arena, name.str().c_str()), body,
                        false});
}

void Finder::finish() {
  while (!waiting.empty()) {
    Waiting next = waiting.back();
    waiting.pop_back();
    keeps_updates = next.keeps_updates;
    compound(next.body, next.nest);
  }
}

// ------------------------------------------------------------------ gaps ---

size_t Finder::add_nest(NestKind kind, size_t outer,
                        const clang::Stmt *statement,
                        const clang::Stmt *whole) {
  size_t file;
  place_of(statement->getBeginLoc(), &file);
  Nest nest = {kind,
               outer == NOWHERE ? places->nests.count : outer,
               file,
               start_of(statement),
               end_of(statement),
               start_of(whole),
               end_of(whole)};
  append(places->arena, &places->nests, nest);
  return places->nests.count - 1;
}

// Control does not get behind it.
bool is_jump(const clang::Stmt *statement) {
  return statement &&
         llvm::isa<clang::ReturnStmt, clang::BreakStmt, clang::ContinueStmt,
                   clang::GotoStmt>(statement);
}

void Finder::add_gap(const clang::Stmt *next, const clang::Stmt *before,
                     size_t nest) {
  clang::SourceLocation begin = next->getBeginLoc();
  bool is_start =
      !begin.isMacroID() || clang::Lexer::isAtStartOfMacroExpansion(
                                begin, sources, context.getLangOpts(), &begin);
  if (!is_start || !is_of(nest, begin) || is_jump(before) ||
      llvm::isa<clang::SwitchCase, clang::NullStmt>(next))
    return;
  size_t at = byte_at(begin), like = at, line;
  if (const auto *marked = llvm::dyn_cast<clang::AttributedStmt>(next)) {
    like = start_of(marked->getSubStmt());
    text_begins_line(&places->texts.at[places->nests.at[nest].file], at, &line);
    const char *text =
        places->texts.at[places->nests.at[nest].file].text + line;
    if (text[strspn(text, " \t")] != '#')
      return;
    at = line;
  }
  append(places->arena, &places->gaps,
         Gap{nest, at, false, at, at, false, like});
}

void Finder::add_last_gap(const clang::CompoundStmt *statements, size_t nest) {
  const clang::Stmt *last =
      statements->body_empty() ? nullptr : statements->body_back();
  size_t at = byte_at(statements->getRBracLoc());
  bool is_like = last && is_of(nest, last->getBeginLoc());
  if (!is_jump(last) && is_of(nest, statements->getRBracLoc()))
    append(places->arena, &places->gaps,
           Gap{nest, at, false, at, at, false, is_like ? start_of(last) : at});
}

// With braces around it.
void Finder::add_body_gaps(const clang::Stmt *statement, size_t nest) {
  size_t begin, end;
  bool is_chain = llvm::isa<clang::IfStmt>(statement); // else if
  if (is_chain || llvm::isa<clang::NullStmt>(statement) ||
      !find_range(statement, nest, &begin, &end))
    return;
  append(places->arena, &places->gaps,
         Gap{nest, begin, true, begin, end, false, begin});
  if (!is_jump(statement))
    append(places->arena, &places->gaps,
           Gap{nest, begin, true, begin, end, true, begin});
}

// ------------------------------------------------------------ statements ---

void Finder::compound(const clang::CompoundStmt *statements, size_t nest) {
  bool is_text = !statements->getLBracLoc().isMacroID() &&
                 !statements->getRBracLoc().isMacroID();
  const clang::Stmt *before = nullptr;
  for (const clang::Stmt *one : statements->body()) {
    if (is_text)
      add_gap(one, before, nest);
    statement(one, nest, false);
    before = one;
  }
  if (is_text)
    add_last_gap(statements, nest);
}

void Finder::body(const clang::Stmt *one, size_t nest) {
  if (const auto *braces = llvm::dyn_cast<clang::CompoundStmt>(one))
    return compound(braces, nest);
  add_body_gaps(one, nest);
  statement(one, nest, true);
}

void Finder::inner(NestKind kind, const clang::Stmt *whole,
                   const clang::Stmt *one, size_t nest) {
  const clang::Stmt *around = kind == NEST_LOOP ? whole : one;
  if (one)
    body(one, add_nest(kind, nest, around, whole));
}

void Finder::branch(const clang::IfStmt *one, size_t nest) {
  expressions(one->getInit(), nest);
  expressions(one->getCond(), nest);
  inner(NEST_BRANCH, one, one->getThen(), nest);
  inner(NEST_BRANCH, one, one->getElse(), nest);
}

// The body of a loop or of a switch; else NULL.
const clang::Stmt *inside_of(const clang::Stmt *one, NestKind *kind) {
  if (const auto *chosen = llvm::dyn_cast<clang::SwitchStmt>(one)) {
    *kind = NEST_BRANCH;
    return chosen->getBody();
  }
  if (const auto *counting = llvm::dyn_cast<clang::ForStmt>(one))
    return counting->getBody();
  if (const auto *loop = llvm::dyn_cast<clang::WhileStmt>(one))
    return loop->getBody();
  if (const auto *until = llvm::dyn_cast<clang::DoStmt>(one))
    return until->getBody();
  if (const auto *each = llvm::dyn_cast<clang::CXXForRangeStmt>(one))
    return each->getBody();
  return nullptr;
}

void Finder::statement(const clang::Stmt *one, size_t nest, bool is_body) {
  if (const auto *braces = llvm::dyn_cast<clang::CompoundStmt>(one))
    return compound(braces, add_nest(NEST_BLOCK, nest, one, one));
  if (const auto *chosen = llvm::dyn_cast<clang::IfStmt>(one))
    return branch(chosen, nest);
  if (const auto *marked = llvm::dyn_cast<clang::SwitchCase>(one))
    return statement(marked->getSubStmt(), nest, true);
  if (const auto *named = llvm::dyn_cast<clang::LabelStmt>(one))
    return statement(named->getSubStmt(), nest, true);
  if (const auto *marked = llvm::dyn_cast<clang::AttributedStmt>(one))
    return statement(marked->getSubStmt(), nest, true);
  NestKind kind = NEST_LOOP;
  const clang::Stmt *inside = inside_of(one, &kind);
  if (!inside)
    return plain(one, nest, is_body);
  for (const clang::Stmt *part : one->children())
    if (part && part != inside)
      expressions(part, nest);
  inner(kind, one, inside, nest);
}

void Finder::expressions(const clang::Stmt *one, size_t nest) {
  here = nest;
  if (one)
    TraverseStmt(const_cast<clang::Stmt *>(one));
}

// --------------------------------------------------------------- actions ---

// No comment and no directive would be lost.
bool Finder::is_plain_text(size_t begin, size_t end, size_t nest) {
  const SourceText &text = places->texts.at[places->nests.at[nest].file];
  llvm::StringRef part(text.text + begin, end - begin);
  return !part.contains("//") && !part.contains("/*") && !part.contains('#');
}

void Finder::plain(const clang::Stmt *one, size_t nest, bool is_body) {
  size_t begin, end;
  expressions(one, nest);
  const auto *expression = llvm::dyn_cast<clang::Expr>(one);
  if (!expression || !find_range(one, nest, &begin, &end))
    return;
  Action action = {ACTION_BARRIER, nest, begin, end, is_body, nullptr, nullptr};
  expression = expression->IgnoreParenImpCasts();
  if (const auto *whole = llvm::dyn_cast<clang::ExprWithCleanups>(expression))
    expression = whole->getSubExpr()->IgnoreParenImpCasts();
  action.name = barrier_name(expression);
  bool may_update =
      !action.name && !keeps_updates && is_plain_text(begin, end, nest);
  std::string atomic = may_update ? atomic_for(expression) : "";
  if (!atomic.empty()) {
    action.kind = ACTION_UPDATE;
    action.instead = arena_copy(places->arena, atomic.c_str());
  }
  if (action.name || action.instead)
    append(places->arena, &places->actions, action);
}

// Of a call that is a barrier or a fence, and whose arguments only compute.
const char *Finder::barrier_name(const clang::Expr *expression) {
  const auto *called = llvm::dyn_cast<clang::CallExpr>(expression);
  const clang::FunctionDecl *function =
      called ? called->getDirectCallee() : nullptr;
  if (!function || !function->getDeclName().isIdentifier())
    return nullptr;
  for (const clang::Expr *argument : called->arguments())
    if (argument->HasSideEffects(context))
      return nullptr;
  llvm::StringRef name = function->getName();
  if (name == "sync" && is_of_groups(function))
    return "sync";
  bool is_users =
      function->hasBody() && !sources.isInSystemHeader(function->getLocation());
  static const char *const names[] = {
      "__syncthreads",       "__syncwarp",        "barrier",
      "work_group_barrier",  "sub_group_barrier", "mem_fence",
      "read_mem_fence",      "write_mem_fence",   "atomic_work_item_fence",
      "__threadfence_block", "__threadfence",     "__threadfence_system"};
  for (const char *known : names)
    if (name == known && !is_users)
      return known;
  return nullptr;
}

enum class Update { NONE, ADD, SUBTRACT, AND, OR, XOR };

Update update_of(clang::BinaryOperatorKind kind) {
  switch (kind) {
  case clang::BO_AddAssign:
    return Update::ADD;
  case clang::BO_SubAssign:
    return Update::SUBTRACT;
  case clang::BO_AndAssign:
    return Update::AND;
  case clang::BO_OrAssign:
    return Update::OR;
  case clang::BO_XorAssign:
    return Update::XOR;
  default:
    return Update::NONE;
  }
}

const char *atomic_name(Update update, bool is_opencl) {
  switch (update) {
  case Update::ADD:
    return is_opencl ? "atomic_add" : "atomicAdd";
  case Update::SUBTRACT:
    return is_opencl ? "atomic_sub" : "atomicSub";
  case Update::AND:
    return is_opencl ? "atomic_and" : "atomicAnd";
  case Update::OR:
    return is_opencl ? "atomic_or" : "atomicOr";
  case Update::XOR:
    return is_opencl ? "atomic_xor" : "atomicXor";
  case Update::NONE:
    break;
  }
  return nullptr;
}

// Those that both languages have; a difference of 64 bits CUDA has not.
bool has_atomic(clang::ASTContext &context, const clang::Expr *left,
                Update update) {
  clang::QualType type = left->getType();
  if (type.isVolatileQualified() || left->refersToBitField())
    return false;
  clang::QualType plain = type.getCanonicalType().getUnqualifiedType();
  bool is_long = plain == context.UnsignedLongLongTy &&
                 !context.getLangOpts().OpenCL && update != Update::SUBTRACT;
  return is_long || plain == context.IntTy || plain == context.UnsignedIntTy;
}

// What points to it, as a person would write it: `p` for `*p`.
std::string Finder::address_of(const clang::Expr *place) {
  const auto *pointed =
      llvm::dyn_cast<clang::UnaryOperator>(place->IgnoreParens());
  bool is_pointed = pointed && pointed->getOpcode() == clang::UO_Deref;
  const clang::Expr *shown = is_pointed ? pointed->getSubExpr() : place;
  std::string text = text_of(shown->getSourceRange()).str();
  return text.empty() || is_pointed ? text : "&" + text;
}

// Of an update of a whole number, whose old value nobody wants; else empty.
std::string Finder::atomic_for(const clang::Expr *expression) {
  Update update = Update::NONE;
  const clang::Expr *left = nullptr;
  std::string by = "1";
  if (const auto *step = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    if (!step->isIncrementDecrementOp())
      return "";
    left = step->getSubExpr();
    update = step->isIncrementOp() ? Update::ADD : Update::SUBTRACT;
  } else if (const auto *assigned =
                 llvm::dyn_cast<clang::CompoundAssignOperator>(expression)) {
    if (!assigned->getComputationResultType()->isIntegerType())
      return "";
    left = assigned->getLHS();
    update = update_of(assigned->getOpcode());
    by = text_of(assigned->getRHS()->getSourceRange()).str();
  }
  if (update == Update::NONE || !has_atomic(context, left, update))
    return "";
  std::string where = address_of(left);
  if (where.empty() || by.empty())
    return "";
  return std::string(atomic_name(update, context.getLangOpts().OpenCL)) + "(" +
         where + ", " + by + ")";
}

bool is_kernel(const clang::FunctionDecl *function) {
  return function && (function->hasAttr<clang::CUDAGlobalAttr>() ||
                      function->hasAttr<clang::DeviceKernelAttr>());
}

} // namespace

void repair_find_places(clang::ASTContext &context,
                        clang::CodeGenerator &generator, Places *places) {
  Finder finder(context, places);
  places->is_opencl = context.getLangOpts().OpenCL;
  places->is_hip = context.getLangOpts().HIP;
  places->has_groups = has_this_grid(context);
  for (const llvm::Function &function : *generator.GetModule()) {
    const auto *declared = llvm::dyn_cast_or_null<clang::FunctionDecl>(
        generator.GetDeclForMangledName(function.getName()));
    if (is_kernel(declared) && !function.isDeclaration())
      finder.kernel(function.getName(), declared);
  }
  finder.finish();
}
