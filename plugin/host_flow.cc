// Which assignments of a host function reach a place, and which branches lead
// there, by clang's graph of its control flow.
//
// A variable is private if it is local and each mention of it is a read or an
// assignment that the graph has: then these are all that can change it.  Its
// address is nowhere, no reference and no lambda has it.  An assignment whose
// result is used as a place, (n = 5) += 3, is no such.  What is assigned twice
// in one full expression may be anything behind it, for the order may be free.
//
// A function with try, setjmp, coroutines or OpenMP has no flow to rely on.

#include "plugin/host.h"

#include "clang/AST/StmtOpenMP.h"

namespace host {

enum { MOST_PLACES = 60000, MOST_BLOCKS = 4000 };

// ----------------------------------------------------------- expressions ---

// Results that are dropped, or read at once.
void Flow::discard(const clang::Expr *expr) {
  expr = expr->IgnoreParens();
  if (auto *full = llvm::dyn_cast<clang::FullExpr>(expr))
    return discard(full->getSubExpr());
  auto *binary = llvm::dyn_cast<clang::BinaryOperator>(expr);
  if (binary && binary->getOpcode() == clang::BO_Comma) {
    discard(binary->getLHS());
    discard(binary->getRHS());
  }
  used_well.insert(expr);
}

static bool returns_twice(const clang::CallExpr *call) {
  const clang::FunctionDecl *callee = call->getDirectCallee();
  return callee &&
         (callee->hasAttr<clang::ReturnsTwiceAttr>() ||
          (callee->getIdentifier() && callee->getName().contains("setjmp")));
}

// Clang's graph ends there, and control does not: an override may return.
static bool seems_to_end(const clang::CallExpr *call) {
  const clang::Decl *callee = call->getCalleeDecl();
  auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(callee);
  return callee && (callee->hasAttr<clang::AnalyzerNoReturnAttr>() ||
                    (method && method->isVirtual() && method->isNoReturn()));
}

// Another name for a number or for sizes, of which this one changes, too.
static bool makes_alias(const clang::Stmt *stmt) {
  auto *declaration = llvm::dyn_cast<clang::DeclStmt>(stmt);
  if (!declaration)
    return false;
  for (const clang::Decl *decl : declaration->decls()) {
    auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
    if (!variable)
      continue;
    clang::QualType type = variable->getType();
    clang::QualType named = type.getNonReferenceType();
    if (llvm::isa<clang::DecompositionDecl>(variable) ||
        (type->isReferenceType() && (is_integer(named) || is_dim3(named))))
      return true;
  }
  return false;
}

static bool has_statements(const clang::Stmt *stmt) {
  if (llvm::isa<clang::StmtExpr>(stmt))
    return true;
  for (const clang::Stmt *child : stmt->children())
    if (child && has_statements(child))
      return true;
  return false;
}

// Is it all the same whether it is executed?
static bool is_harmless(const clang::ASTContext &context,
                        const clang::Expr *expr) {
  return !has_statements(expr) && !expr->HasSideEffects(context);
}

// Clang's tables know some of those that evaluate nothing, not all; functions
// of the library evaluate what they are given.
static bool may_be_unevaluated(const clang::ASTContext &context,
                               unsigned builtin) {
  return builtin && !context.BuiltinInfo.isPredefinedLibFunction(builtin);
}

// What the graph takes for executed each time, and is not: what comes first to
// a static variable, what noexcept or a builtin only looks at, what finds no
// memory.
static bool is_executed_rarely(const clang::ASTContext &context,
                               const clang::Stmt *stmt) {
  if (auto *declaration = llvm::dyn_cast<clang::DeclStmt>(stmt))
    for (const clang::Decl *decl : declaration->decls()) {
      auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
      if (variable && variable->isStaticLocal() && variable->hasInit() &&
          !variable->hasConstantInitialization())
        return true;
    }
  if (auto *made = llvm::dyn_cast<clang::CXXNewExpr>(stmt))
    return made->shouldNullCheckAllocation() && made->getInitializer() &&
           made->getInitializer()->HasSideEffects(context);
  if (auto *asked = llvm::dyn_cast<clang::CXXNoexceptExpr>(stmt))
    return !is_harmless(context, asked->getOperand());
  auto *call = llvm::dyn_cast<clang::CallExpr>(stmt);
  if (!call || !may_be_unevaluated(context, call->getBuiltinCallee()))
    return false;
  for (const clang::Expr *argument : call->arguments())
    if (!is_harmless(context, argument))
      return true;
  return false;
}

static bool jumps(const clang::Stmt *stmt) {
  if (llvm::isa<clang::BreakStmt, clang::ContinueStmt>(stmt))
    return true;
  if (llvm::isa<clang::LambdaExpr>(stmt))
    return false;
  for (const clang::Stmt *child : stmt->children())
    if (child && jumps(child))
      return true;
  return false;
}

// In the head of a loop the graph has another end for such a jump than the
// program.
static bool jumps_in_expression(const clang::Stmt *stmt) {
  return llvm::isa<clang::StmtExpr>(stmt) && jumps(stmt);
}

static bool is_beyond_us(const clang::ASTContext &context,
                         const clang::Stmt *stmt) {
  if (makes_alias(stmt) || is_executed_rarely(context, stmt) ||
      jumps_in_expression(stmt))
    return true;
  auto *call = llvm::dyn_cast<clang::CallExpr>(stmt);
  return llvm::isa<clang::CXXTryStmt, clang::SEHTryStmt,
                   clang::CoroutineBodyStmt, clang::CoawaitExpr,
                   clang::CoyieldExpr, clang::IndirectGotoStmt, clang::AsmStmt,
                   clang::OMPExecutableDirective>(stmt) ||
         (call && (returns_twice(call) || seems_to_end(call)));
}

// What a declaration or a return gets may become a reference.
static bool keeps_results(const clang::Stmt *parent) {
  return !parent || llvm::isa<clang::DeclStmt, clang::ReturnStmt>(parent);
}

// False: it has what is beyond us.
bool Flow::walk(const clang::Stmt *stmt, const clang::Stmt *parent,
                const clang::Expr *root) {
  if (is_beyond_us(context, stmt))
    return false;
  if (auto *expr = llvm::dyn_cast<clang::Expr>(stmt)) {
    if (!root) {
      root = expr;
      if (!keeps_results(parent))
        discard(expr);
    }
    roots[stmt] = root;
  }
  auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(stmt);
  if (cast && cast->getCastKind() == clang::CK_LValueToRValue)
    used_well.insert(cast->getSubExpr()->IgnoreParens());
  for (const clang::Stmt *child : stmt->children())
    if (child && !walk(child, stmt, root))
      return false;
  return true;
}

// NULL: there is none, for what comes before it does not return.
static const clang::CFGBlock *
end_of(const clang::CFGBlock::AdjacentBlock &edge) {
  const clang::CFGBlock *to = edge.getReachableBlock();
  return to ? to : edge.getPossiblyUnreachableBlock();
}

// ---------------------------------------------------------------- places ---

void Flow::number_places() {
  starts.resize(graph->getNumBlockIDs());
  unsigned count = 0;
  for (const clang::CFGBlock *block : *graph) {
    starts[block->getBlockID()] = count;
    count += static_cast<unsigned>(block->size()) + 1;
  }
  next.resize(count);
  before.resize(count);
  for (const clang::CFGBlock *block : *graph) {
    unsigned at = starts[block->getBlockID()];
    for (const clang::CFGElement &element : *block) {
      if (auto stmt = element.getAs<clang::CFGStmt>()) {
        auto [known, is_new] = places.insert({stmt->getStmt(), at});
        if (!is_new)
          known->second = ~0U;
      }
      next[at].push_back(at + 1);
      at++;
    }
    for (const clang::CFGBlock::AdjacentBlock &edge : block->succs()) {
      if (const clang::CFGBlock *to = end_of(edge))
        next[at].push_back(starts[to->getBlockID()]);
    }
  }
  for (unsigned at = 0; at < count; at++)
    for (unsigned to : next[at])
      before[to].push_back(at);
}

std::optional<unsigned> Flow::place(const clang::Stmt *stmt) const {
  auto found = places.find(stmt);
  if (found == places.end() || found->second == ~0U)
    return {};
  return found->second;
}

unsigned Flow::block_of(unsigned at) const {
  unsigned best = 0, start = 0;
  for (unsigned block = 0; block < starts.size(); block++)
    if (starts[block] <= at && starts[block] >= start) {
      best = block;
      start = starts[block];
    }
  return best;
}

// ----------------------------------------------------------- definitions ---

static const clang::VarDecl *variable_of(const clang::Expr *expr) {
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(expr->IgnoreParens());
  return mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
}

namespace {

// What an lvalue names.
struct Named {
  const clang::DeclRefExpr *mention = nullptr;
  unsigned first = 0, count = 0; // parts of the variable
  bool is_vague = false;         // one of these parts, or some
};

} // namespace

static Named named(clang::ASTContext &context, const clang::Expr *lvalue);

static Named named_element(clang::ASTContext &context,
                           const clang::ArraySubscriptExpr *element) {
  auto *decayed = llvm::dyn_cast<clang::ImplicitCastExpr>(
      element->getBase()->IgnoreParens());
  if (!decayed || decayed->getCastKind() != clang::CK_ArrayToPointerDecay)
    return {};
  Named array = named(context, decayed->getSubExpr());
  const clang::ConstantArrayType *type =
      context.getAsConstantArrayType(decayed->getSubExpr()->getType());
  unsigned count = part_count(context, element->getType());
  clang::Expr::EvalResult index;
  if (!array.mention || array.is_vague)
    return array;
  if (type && count && array.count == type->getZExtSize() * count &&
      is_same_when_folded(context, element->getIdx()) &&
      element->getIdx()->EvaluateAsInt(index, context) &&
      index.Val.getInt().isNonNegative() &&
      index.Val.getInt().getZExtValue() < type->getZExtSize()) {
    array.first +=
        static_cast<unsigned>(index.Val.getInt().getZExtValue()) * count;
    array.count = count;
  } else {
    array.is_vague = true;
  }
  return array;
}

static Named named_member(clang::ASTContext &context,
                          const clang::MemberExpr *member) {
  auto *field = llvm::dyn_cast<clang::FieldDecl>(member->getMemberDecl());
  if (member->isArrow() || !field)
    return {};
  Named object = named(context, member->getBase());
  if (!object.mention || object.is_vague)
    return object;
  if (!plain_struct(member->getBase()->getType())) {
    object.is_vague = true;
    return object;
  }
  for (const clang::FieldDecl *before : field->getParent()->fields()) {
    unsigned count = field_parts(context, before);
    if (before == field)
      object.count = count;
    if (before == field)
      return object;
    object.first += count;
  }
  return {};
}

static Named named(clang::ASTContext &context, const clang::Expr *lvalue) {
  lvalue = place_of(lvalue);
  if (auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(lvalue)) {
    const clang::VarDecl *variable = variable_of(mention);
    if (!variable)
      return {};
    return {mention, 0, part_count(context, variable->getType()), false};
  }
  if (auto *element = llvm::dyn_cast<clang::ArraySubscriptExpr>(lvalue))
    return named_element(context, element);
  if (auto *member = llvm::dyn_cast<clang::MemberExpr>(lvalue))
    return named_member(context, member);
  return {};
}

void Flow::note_target(unsigned at, const clang::Expr *target, Gives gives,
                       const clang::Expr *value, const clang::Expr *whole) {
  Named place = named(context, target);
  if (!place.mention)
    return;
  auto *variable = variable_of(place.mention);
  targets.insert(place.mention);
  bool is_lvalue = whole->isLValue();
  if (is_lvalue && !used_well.count(whole))
    lost.insert(variable);
  if (place.is_vague)
    gives = Gives::ANYTHING;
  auto root = roots.find(whole);
  definitions[at].push_back({at, variable, place.first, place.count, gives,
                             value,
                             root == roots.end() ? nullptr : root->second});
}

void Flow::note(unsigned at, const clang::Stmt *stmt) {
  if (auto *declaration = llvm::dyn_cast<clang::DeclStmt>(stmt)) {
    for (const clang::Decl *decl : declaration->decls())
      if (auto *variable = llvm::dyn_cast<clang::VarDecl>(decl)) {
        variables.push_back(variable);
        const clang::Expr *value = variable->getInit();
        definitions[at].push_back({at, variable, 0, UINT_MAX,
                                   value ? Gives::INITIAL : Gives::ANYTHING,
                                   value,
                                   value ? roots.lookup(value) : nullptr});
      }
  } else if (auto *binary = llvm::dyn_cast<clang::BinaryOperator>(stmt)) {
    if (binary->isCompoundAssignmentOp())
      note_target(at, binary->getLHS(), Gives::COMPOUND, binary, binary);
    else if (binary->isAssignmentOp())
      note_target(at, binary->getLHS(), Gives::ASSIGNED, binary->getRHS(),
                  binary);
  } else if (auto *unary = llvm::dyn_cast<clang::UnaryOperator>(stmt)) {
    if (unary->isIncrementDecrementOp())
      note_target(at, unary->getSubExpr(), Gives::STEP, unary, unary);
  } else if (auto *call = llvm::dyn_cast<clang::CXXOperatorCallExpr>(stmt)) {
    if (copies_object(call))
      note_target(at, call->getArg(0), Gives::ASSIGNED, call->getArg(1), call);
  } else if (auto *made = llvm::dyn_cast<clang::CallExpr>(stmt)) {
    if (const clang::Expr *place = allocated_place(made))
      note_target(at, place, Gives::ALLOCATED, made, made);
  }
}

// Two in one full expression: which of them is last may be open.
void Flow::doubt_crowded() {
  std::map<std::pair<const clang::Expr *, const clang::VarDecl *>, unsigned>
      crowd;
  for (auto &[at, list] : definitions)
    for (const Definition &one : list)
      if (one.root)
        crowd[{one.root, one.variable}]++;
  for (auto &[at, list] : definitions)
    for (Definition &one : list)
      if (one.root && crowd[{one.root, one.variable}] > 1)
        one.gives = Gives::ANYTHING;
}

void Flow::find_definitions() {
  for (const clang::CFGBlock *block : *graph) {
    unsigned at = starts[block->getBlockID()];
    for (const clang::CFGElement &element : *block) {
      if (auto stmt = element.getAs<clang::CFGStmt>())
        note(at, stmt->getStmt());
      at++;
    }
  }
  doubt_crowded();
}

// --------------------------------------------------------------- privacy ---

// A struct that a function returns may be known to that function.
static bool is_made_here(const clang::VarDecl *variable) {
  return llvm::isa<clang::ParmVarDecl>(variable) || !variable->getInit() ||
         only_fills(variable->getInit());
}

void Flow::find_private(const clang::FunctionDecl *function) {
  variables.insert(variables.end(), function->param_begin(),
                   function->param_end());
  for (const clang::VarDecl *variable : variables) {
    clang::QualType type = variable->getType();
    bool is_mine = variable->hasLocalStorage() && !lost.count(variable) &&
                   variable->getDeclContext() == function &&
                   !type.isVolatileQualified() && !type->isReferenceType() &&
                   !variable->hasAttr<clang::CleanupAttr>() &&
                   !parts_of(context, type).empty() &&
                   (is_dim3(type) || is_made_here(variable));
    for (Mention mention : survey.mentions(variable))
      is_mine = is_mine && !mention->refersToEnclosingVariableOrCapture() &&
                (survey.is_read(mention) || targets.count(mention));
    privacy[variable] = is_mine;
  }
}

bool Flow::is_private(const clang::VarDecl *variable) const {
  auto found = privacy.find(variable);
  return found != privacy.end() && found->second;
}

std::optional<Cell> Flow::cell(const clang::Expr *lvalue) const {
  std::optional<Cell> cell =
      is_integer(lvalue->getType()) ? object(lvalue) : std::nullopt;
  if (!cell)
    return {};
  Parts parts = parts_of(context, cell->variable->getType());
  return parts[cell->index].type.isNull() ? std::nullopt : cell;
}

std::optional<Cell> Flow::pointer_cell(const clang::Expr *lvalue) const {
  return lvalue->getType()->isPointerType() &&
                 !lvalue->getType().isVolatileQualified()
             ? object(lvalue)
             : std::nullopt;
}

std::optional<Cell> Flow::object(const clang::Expr *lvalue) const {
  Named place = named(context, lvalue);
  const clang::VarDecl *variable =
      place.mention ? variable_of(place.mention) : nullptr;
  if (!variable || place.is_vague || !is_private(variable))
    return {};
  return Cell{variable, place.first};
}

std::unique_ptr<Flow> Flow::of(clang::ASTContext &context, const Survey &survey,
                               const clang::FunctionDecl *function) {
  clang::Stmt *body = function->getBody();
  if (!body || function->isInvalidDecl() || function->isDependentContext())
    return nullptr;
  std::unique_ptr<Flow> flow(new Flow(context, survey));
  if (!flow->walk(body, nullptr, nullptr))
    return nullptr;
  clang::CFG::BuildOptions options;
  options.PruneTriviallyFalseEdges = false;
  options.setAllAlwaysAdd();
  flow->graph = clang::CFG::buildCFG(function, body, &context, options);
  if (!flow->graph || flow->graph->getNumBlockIDs() > MOST_BLOCKS)
    return nullptr;
  flow->number_places();
  if (flow->next.size() > MOST_PLACES)
    return nullptr;
  flow->find_definitions();
  flow->find_private(function);
  return flow;
}

// ------------------------------------------------------------------ ways ---

static bool defines(const Definition &definition, Cell cell) {
  return definition.variable == cell.variable &&
         definition.first <= cell.index &&
         cell.index - definition.first < definition.count;
}

Flow::Reaching Flow::reaching(Cell cell, unsigned at) const {
  Reaching found = {{}, false};
  llvm::BitVector seen(static_cast<unsigned>(next.size()));
  llvm::SmallVector<unsigned> line(before[at].begin(), before[at].end());
  unsigned entry = starts[graph->getEntry().getBlockID()];
  found.from_entry = at == entry;
  while (!line.empty()) {
    unsigned place = line.pop_back_val();
    if (seen.test(place))
      continue;
    seen.set(place);
    bool is_end = false;
    if (auto here = definitions.find(place); here != definitions.end())
      for (const Definition &one : here->second)
        if (defines(one, cell)) {
          found.definitions.push_back(&one);
          is_end = true;
        }
    if (is_end)
      continue;
    found.from_entry |= place == entry;
    line.append(before[place].begin(), before[place].end());
  }
  return found;
}

// All that is come to behind `from` by some way that does not lead through
// `without`.
llvm::BitVector
Flow::reach(const std::vector<llvm::SmallVector<unsigned, 2>> &way,
            unsigned from, unsigned without) const {
  llvm::BitVector seen(static_cast<unsigned>(next.size()));
  llvm::SmallVector<unsigned> line(way[from].begin(), way[from].end());
  while (!line.empty()) {
    unsigned place = line.pop_back_val();
    if (place == without || seen.test(place))
      continue;
    seen.set(place);
    line.append(way[place].begin(), way[place].end());
  }
  return seen;
}

bool Flow::changes(Cell cell, unsigned from, unsigned to) const {
  if (from == to)
    return false;
  llvm::BitVector between = reach(next, from, from);
  between &= reach(before, to, from);
  between.set(from);
  for (auto &[at, list] : definitions)
    for (const Definition &one : list)
      if (between.test(at) && defines(one, cell))
        return true;
  return false;
}

bool Flow::comes_between(unsigned at, unsigned from, unsigned to) const {
  llvm::BitVector between = reach(next, from, from);
  between &= reach(before, to, from);
  return between.test(at);
}

bool Flow::is_defined_beside(const clang::VarDecl *variable,
                             const clang::Expr *expr,
                             const Definition *own) const {
  const clang::Expr *root = roots.lookup(expr);
  if (!root)
    return true;
  for (auto &[at, list] : definitions)
    for (const Definition &one : list)
      if (one.variable == variable && one.root == root && &one != own)
        return true;
  return false;
}

// ------------------------------------------------------------ conditions ---

bool Flow::reaches_block(unsigned from, unsigned to, unsigned without) const {
  llvm::BitVector seen(static_cast<unsigned>(next.size()));
  llvm::SmallVector<unsigned> line = {from};
  while (!line.empty()) {
    unsigned place = line.pop_back_val();
    if (place == to)
      return true;
    if (place == without || seen.test(place))
      continue;
    seen.set(place);
    line.append(next[place].begin(), next[place].end());
  }
  return false;
}

// The operands of && and ||, which the graph takes apart.
static bool is_part(const clang::Expr *part, const clang::Expr *whole) {
  whole = whole->IgnoreParens();
  if (part == whole)
    return true;
  auto *binary = llvm::dyn_cast<clang::BinaryOperator>(whole);
  return binary && binary->isLogicalOp() &&
         (is_part(part, binary->getLHS()) || is_part(part, binary->getRHS()));
}

static const clang::Expr *branch_condition(const clang::Stmt *branch) {
  if (auto *stmt = llvm::dyn_cast<clang::IfStmt>(branch))
    return stmt->getCond();
  if (auto *loop = llvm::dyn_cast<clang::ForStmt>(branch))
    return loop->getCond();
  if (auto *loop = llvm::dyn_cast<clang::WhileStmt>(branch))
    return loop->getCond();
  if (auto *loop = llvm::dyn_cast<clang::DoStmt>(branch))
    return loop->getCond();
  if (auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(branch))
    return choice->getCond();
  auto *binary = llvm::dyn_cast<clang::BinaryOperator>(branch);
  return binary && binary->isLogicalOp() ? binary->getLHS() : nullptr;
}

// Every way to `at` leads through the branch, and from its other side there is
// none but through the branch again.
void Flow::add_condition(const clang::CFGBlock *block, unsigned at,
                         std::vector<Condition> *conditions) const {
  unsigned end =
      starts[block->getBlockID()] + static_cast<unsigned>(block->size());
  const clang::Stmt *branch = block->getTerminatorStmt();
  const clang::Expr *whole = branch ? branch_condition(branch) : nullptr;
  const clang::Expr *part = whole ? block->getLastCondition() : nullptr;
  if (!part || next[end].size() != 2 || next[end][0] == next[end][1] ||
      !is_part(part->IgnoreParens(), whole))
    return;
  if (!is_passed(end, at))
    return;
  bool can_hold = reaches_block(next[end][0], at, end);
  bool can_fail = reaches_block(next[end][1], at, end);
  if (can_hold != can_fail)
    conditions->push_back({part->IgnoreParens(), can_hold, end});
}

bool Flow::is_passed(unsigned at, unsigned to) const {
  return !reaches_block(starts[graph->getEntry().getBlockID()], to, at);
}

std::vector<Condition> Flow::conditions(unsigned at) const {
  std::vector<Condition> found;
  for (const clang::CFGBlock *block : *graph)
    if (block->succ_size() == 2)
      add_condition(block, at, &found);
  return found;
}

static bool is_of(const clang::SwitchStmt *choice, const clang::Stmt *which) {
  for (const clang::SwitchCase *one = choice->getSwitchCaseList(); one;
       one = one->getNextSwitchCase())
    if (one == which)
      return true;
  return false;
}

// NULL: several ways lead on from the switch, or one that is no single number
// of it, or some way does not come by it.
const clang::CaseStmt *Flow::only_case(const clang::CFGBlock *block,
                                       unsigned at) const {
  unsigned from =
      starts[block->getBlockID()] + static_cast<unsigned>(block->size());
  const clang::Stmt *label = nullptr;
  unsigned ways = 0;
  for (const clang::CFGBlock::AdjacentBlock &way : block->succs()) {
    const clang::CFGBlock *to = end_of(way);
    if (!to || !reaches_block(starts[to->getBlockID()], at, from))
      continue;
    ways++;
    label = to->getLabel();
  }
  auto *which = llvm::dyn_cast_or_null<clang::CaseStmt>(label);
  bool is_only = ways == 1, is_come_by = is_passed(from, at);
  bool is_number = which && !which->getRHS();
  bool is_own =
      is_of(llvm::cast<clang::SwitchStmt>(block->getTerminatorStmt()), which);
  return is_only && is_come_by && is_number && is_own ? which : nullptr;
}

std::vector<ChosenCase> Flow::cases(unsigned at) const {
  std::vector<ChosenCase> found;
  for (const clang::CFGBlock *block : *graph) {
    auto *choice =
        llvm::dyn_cast_or_null<clang::SwitchStmt>(block->getTerminatorStmt());
    const clang::CaseStmt *which = choice ? only_case(block, at) : nullptr;
    unsigned end =
        starts[block->getBlockID()] + static_cast<unsigned>(block->size());
    if (which)
      found.push_back({choice->getCond(), which, end});
  }
  return found;
}

} // namespace host
