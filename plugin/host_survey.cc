// One look at the user's part of the file, and at what headers of the system
// make behind its beginning: that can name what is in it.

#include "plugin/host.h"

#include "clang/AST/DeclFriend.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/GlobalDecl.h"

namespace host {

bool is_kernel(const clang::FunctionDecl *function) {
  return function && function->hasAttr<clang::CUDAGlobalAttr>();
}

const clang::VarDecl *argument_list(const clang::CallExpr *call) {
  const clang::FunctionDecl *callee = call->getDirectCallee();
  if (!is_read_as_launch(callee))
    return nullptr;
  std::string name = name_in_runtime(callee);
  unsigned index = name == "cudaLaunchKernelExC" ? 2 : 3;
  if ((index == 3 && name != "cudaLaunchKernel" &&
       name != "cudaLaunchCooperativeKernel") ||
      call->getNumArgs() <= index)
    return nullptr;
  auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(
      call->getArg(index)->IgnoreParenCasts());
  return mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
}

const clang::Expr *place_behind(const clang::Expr *pointer) {
  auto *address =
      llvm::dyn_cast<clang::UnaryOperator>(pointer->IgnoreParenCasts());
  return address && address->getOpcode() == clang::UO_AddrOf
             ? address->getSubExpr()
             : nullptr;
}

static bool is_devices_variable(const clang::VarDecl *variable) {
  return variable->hasAttr<clang::CUDADeviceAttr>() ||
         variable->hasAttr<clang::CUDAConstantAttr>();
}

class Surveyor : public clang::DynamicRecursiveASTVisitor {
public:
  bool is_systems = false;

  Surveyor(Survey &survey_, const clang::ASTContext &context_,
           clang::CodeGenerator &generator_)
      : survey(survey_), context(context_), generator(generator_) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  // The patterns of templates are not code; their instances are.
  bool TraverseDecl(clang::Decl *decl) override {
    bool outside = is_pattern;
    const clang::FunctionDecl *around = function, *outer = code;
    if (auto *scope = llvm::dyn_cast_or_null<clang::DeclContext>(decl))
      is_pattern = scope->isDependentContext();
    if (auto *inner = llvm::dyn_cast_or_null<clang::FunctionDecl>(decl))
      function = code = inner;
    bool goes_on = clang::DynamicRecursiveASTVisitor::TraverseDecl(decl);
    is_pattern = outside;
    function = around;
    code = outer;
    return goes_on;
  }

  // Its body is code of another function.
  bool TraverseLambdaExpr(clang::LambdaExpr *lambda) override {
    const clang::FunctionDecl *around = function, *outer = code;
    function = nullptr;
    code = lambda->getCallOperator();
    lambdas.insert(lambda->getLambdaClass());
    bool goes_on =
        clang::DynamicRecursiveASTVisitor::TraverseLambdaExpr(lambda);
    function = around;
    code = outer;
    return goes_on;
  }

  // One whose lambda is in a type, where no visitor of the tree comes.
  void traverse_closure(const clang::CXXRecordDecl *closure) {
    if (lambdas.count(closure))
      return;
    for (clang::FunctionDecl *called : call_operators(closure)) {
      code = called;
      for (clang::ParmVarDecl *parameter : called->parameters())
        TraverseDecl(parameter);
      TraverseStmt(called->getBody());
    }
    code = nullptr;
  }

  bool VisitCallExpr(clang::CallExpr *call) override {
    const clang::Expr *callee = call->getCallee()->IgnoreParenImpCasts();
    bool is_launch = llvm::isa<clang::CUDAKernelCallExpr>(call);
    callees.insert(callee);
    note_symbol_reads(call);
    call_visits[callee] += !is_pattern;
    launch_visits[callee] += !is_pattern && is_launch;
    note_kept_by(call);
    if (!is_pattern && runs_here())
      survey.calls.push_back({call, function, is_systems});
    return true;
  }

  // In a section whose beginning has a name.
  static bool is_placed(const clang::Decl *decl) {
    return decl->hasAttr<clang::SectionAttr>() ||
           decl->hasAttr<clang::PragmaClangBSSSectionAttr>() ||
           decl->hasAttr<clang::PragmaClangDataSectionAttr>() ||
           decl->hasAttr<clang::PragmaClangRodataSectionAttr>() ||
           decl->hasAttr<clang::PragmaClangRelroSectionAttr>() ||
           decl->hasAttr<clang::PragmaClangTextSectionAttr>();
  }

  // Who calls it by another name is not seen.
  bool VisitDecl(clang::Decl *decl) override {
    if (is_systems)
      return true;
    survey.has_other_names |= decl->hasAttr<clang::AliasAttr>() ||
                              decl->hasAttr<clang::IFuncAttr>() ||
                              decl->hasAttr<clang::AsmLabelAttr>() ||
                              is_placed(decl) ||
                              llvm::isa<clang::FileScopeAsmDecl>(decl);
    if (auto *label = decl->getAttr<clang::AsmLabelAttr>())
      note_symbol(label->getLabel());
    if (auto *alias = decl->getAttr<clang::AliasAttr>())
      note_symbol(alias->getAliasee());
    if (auto *text = llvm::dyn_cast<clang::FileScopeAsmDecl>(decl))
      note_symbol(text->getAsmString());
    if (auto *named = llvm::dyn_cast<clang::NamedDecl>(decl))
      note_text(named->getIdentifier() ? named->getName() : "");
    return true;
  }

  // The host's can name whatever the file has.
  bool VisitAsmStmt(clang::AsmStmt *statement) override {
    survey.has_other_names |= !is_systems && runs_here();
    if (!is_pattern)
      note_text(statement->generateAsmString(context));
    return true;
  }

  bool VisitDeclRefExpr(clang::DeclRefExpr *mention) override {
    visits[mention] += !is_pattern;
    for (const clang::TemplateArgumentLoc &one : mention->template_arguments())
      if (one.getArgument().getKind() == clang::TemplateArgument::Expression &&
          is_read(mention->getDecl()) && has_plain_types(mention->getDecl()))
        keep(one.getSourceExpression(), nullptr);
    if (auto *variable = llvm::dyn_cast<clang::VarDecl>(mention->getDecl()))
      survey.mentioned[variable->getCanonicalDecl()].push_back(mention);
    note_variable(mention, mention->getDecl());
    note_function(mention, mention->getDecl());
    return true;
  }

  // object.member, of a member that all objects share
  bool VisitMemberExpr(clang::MemberExpr *mention) override {
    visits[mention] += !is_pattern;
    const clang::ValueDecl *member = mention->getMemberDecl();
    if (auto *variable = llvm::dyn_cast<clang::VarDecl>(member))
      survey.written.insert(variable->getCanonicalDecl());
    note_variable(mention, member);
    note_function(mention, member);
    return true;
  }

  // What is a statement is no place for others.
  bool VisitCompoundStmt(clang::CompoundStmt *block) override {
    for (const clang::Stmt *one : block->body())
      note_statement(one);
    return true;
  }
  // ({ pointer = kernel; }) has the last one's value.
  bool VisitStmtExpr(clang::StmtExpr *block) override {
    const clang::CompoundStmt *body = block->getSubStmt();
    auto *last = body->body_empty()
                     ? nullptr
                     : llvm::dyn_cast<clang::ValueStmt>(body->body_back());
    if (last && last->getExprStmt())
      results.insert(last->getExprStmt()->IgnoreParens()->IgnoreImplicit());
    return true;
  }
  bool VisitSwitchCase(clang::SwitchCase *label) override {
    note_statement(label->getSubStmt());
    return true;
  }
  bool VisitIfStmt(clang::IfStmt *branch) override {
    note_statement(branch->getThen());
    note_statement(branch->getElse());
    return true;
  }

  // config.gridDim = dim3(..)
  bool VisitCXXOperatorCallExpr(clang::CXXOperatorCallExpr *call) override {
    if (call->getOperator() == clang::OO_Equal && call->getNumArgs() == 2)
      note_assignment(call, call->getArg(0), call->getArg(1));
    if (copies_object(call))
      mark_read(call->getArg(1));
    return true;
  }

  // attribute[0].val.clusterDim.x = 2
  bool VisitBinaryOperator(clang::BinaryOperator *expr) override {
    if (expr->getOpcode() == clang::BO_Assign) {
      note_assignment(expr, expr->getLHS(), expr->getRHS());
      note_pointer(expr);
    }
    if (expr->isEqualityOp() && is_code(expr->getLHS()->getType())) {
      keep(expr->getLHS(), nullptr);
      keep(expr->getRHS(), nullptr);
    }
    return true;
  }

  // (void (*)(void *))kernel; of another expression it may be any of them.
  bool VisitExplicitCastExpr(clang::ExplicitCastExpr *cast) override {
    const clang::FunctionDecl *named = function_named(cast);
    if (!is_code(cast->getType()) || !retypes(cast))
      return true;
    if (named)
      survey.retyped.insert(named);
    else
      survey.has_retyped_any = true;
    return true;
  }

  bool VisitVarDecl(clang::VarDecl *variable) override {
    if (auto *cleanup = variable->getAttr<clang::CleanupAttr>())
      survey.addressed.insert(cleanup->getFunctionDecl());
    if (variable->hasGlobalStorage() && is_devices_variable(variable))
      survey.devices.insert(variable->getCanonicalDecl());
    bool is_kept = variable->hasLocalStorage() && variable->getInit() &&
                   is_code(variable->getType());
    if (is_kept && !llvm::isa<clang::ParmVarDecl>(variable))
      keep(variable->getInit(), variable);
    return true;
  }

  bool VisitImplicitCastExpr(clang::ImplicitCastExpr *cast) override {
    if (cast->getCastKind() == clang::CK_LValueToRValue)
      mark_read(cast->getSubExpr());
    return true;
  }

  bool VisitCXXConstructExpr(clang::CXXConstructExpr *object) override {
    if (object->getConstructor()->isCopyOrMoveConstructor() &&
        object->getConstructor()->isTrivial() && object->getNumArgs() == 1)
      mark_read(object->getArg(0));
    return true;
  }

  // After the visit.
  void conclude() {
    find_argument_lists();
    for (auto &[variable, mentions] : survey.mentioned)
      for (Mention mention : mentions)
        if (!survey.reads.count(mention) ||
            read_visits[mention] < visits[mention])
          survey.written.insert(variable);
    for (auto &[mention, named] : function_mentions)
      if (!callees.count(mention) || call_visits[mention] < visits[mention])
        survey.addressed.insert(named);
    find_escaped();
  }

private:
  Survey &survey;
  const clang::ASTContext &context;
  clang::CodeGenerator &generator;
  bool is_pattern = false;
  const clang::FunctionDecl *function = nullptr;        // or NULL: in a lambda
  const clang::FunctionDecl *code = nullptr;            // .. which then is this
  llvm::DenseSet<const clang::CXXRecordDecl *> lambdas; // that were visited
  std::vector<std::pair<const clang::Expr *, const clang::FunctionDecl *>>
      function_mentions;
  llvm::DenseSet<const clang::Expr *> callees, symbol_reads;
  // Instances of a template share what does not depend on it, which may be read
  // in one and bound to a reference in another.
  llvm::DenseMap<const clang::Expr *, unsigned> visits, read_visits,
      call_visits, launch_visits;
  llvm::DenseSet<const clang::Expr *> executed; // mentions, on this side

  // Mentions of functions of which it is known who has them: for each visit a
  // local variable, or NULL.
  std::map<const clang::Expr *, std::vector<const clang::VarDecl *>> kept;
  llvm::DenseSet<const clang::Expr *> statements, results;          // of blocks
  llvm::DenseMap<const clang::Expr *, const clang::Expr *> targets; // of which

  void note_statement(const clang::Stmt *one) {
    if (auto *expr = llvm::dyn_cast_or_null<clang::Expr>(one))
      statements.insert(expr->IgnoreParens()->IgnoreImplicit());
  }

  // Nobody has its value.
  bool is_statement(const clang::Expr *expr) const {
    return statements.count(expr) && !results.count(expr);
  }

  // A variable that may be of several kernels: pointer = &kernel.
  void note_pointer(const clang::BinaryOperator *whole) {
    auto *to =
        llvm::dyn_cast<clang::DeclRefExpr>(whole->getLHS()->IgnoreParens());
    auto *variable =
        to ? llvm::dyn_cast<clang::VarDecl>(to->getDecl()) : nullptr;
    if (!variable || !variable->hasLocalStorage() ||
        variable->getType()->isReferenceType() || !is_code(variable->getType()))
      return;
    keep(whole->getRHS(), variable);
    targets[to] = whole;
  }

  bool is_assigned(const clang::Expr *mention) const {
    return is_statement(targets.lookup(mention));
  }

  static clang::QualType code_of(clang::QualType type) {
    type = type.getNonReferenceType();
    return type->isPointerType() ? type->getPointeeType() : type;
  }

  static bool is_code(clang::QualType type) {
    return code_of(type)->isFunctionType();
  }

  static bool retypes(const clang::ExplicitCastExpr *cast) {
    clang::QualType from = cast->getSubExpr()->IgnoreParenImpCasts()->getType();
    return code_of(from).getCanonicalType() !=
           code_of(cast->getType()).getCanonicalType();
  }

  bool is_read(const clang::Decl *decl) const {
    auto *named = llvm::dyn_cast<clang::FunctionDecl>(decl);
    return named && is_read_here(named->getASTContext(), named);
  }

  // No type among the arguments of the template has a name for more.
  static bool has_plain_types(const clang::ValueDecl *decl) {
    auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl);
    const clang::TemplateArgumentList *all =
        function ? function->getTemplateSpecializationArgs() : nullptr;
    if (!all)
      return false;
    for (const clang::TemplateArgument &one : all->asArray()) {
      if (one.getKind() == clang::TemplateArgument::Type) {
        clang::QualType type = one.getAsType();
        while (type->isPointerType())
          type = type->getPointeeType();
        if (!type->isBuiltinType())
          return false;
      } else if (one.getKind() == clang::TemplateArgument::Pack ||
                 one.getKind() == clang::TemplateArgument::Template) {
        return false;
      }
    }
    return true;
  }

  void keep(const clang::Expr *expr, const clang::VarDecl *variable) {
    expr = expr->IgnoreParenCasts();
    if (auto *choice = llvm::dyn_cast<clang::ConditionalOperator>(expr)) {
      keep(choice->getTrueExpr(), variable);
      keep(choice->getFalseExpr(), variable);
      return;
    }
    auto *address = llvm::dyn_cast<clang::UnaryOperator>(expr);
    if (address && address->getOpcode() == clang::UO_AddrOf)
      expr = address->getSubExpr()->IgnoreParenCasts();
    if (!is_pattern)
      kept[expr].push_back(variable);
  }

  void note_kept_by(const clang::CallExpr *call) {
    const clang::FunctionDecl *callee = call->getDirectCallee();
    if (!callee)
      return;
    bool is_runtimes = is_read_as_launch(callee) || only_asks(callee);
    unsigned first = is_objects(call);
    for (unsigned i = first; i < call->getNumArgs(); i++) {
      const clang::Expr *argument = call->getArg(i);
      const clang::ParmVarDecl *parameter =
          i - first < callee->getNumParams() ? callee->getParamDecl(i - first)
                                             : nullptr;
      if (is_runtimes)
        keep(argument, nullptr);
      else if (parameter && is_code(parameter->getType()) && is_read(callee))
        keep(argument, defined_parameter(callee, i - first));
    }
  }

  // Is the first argument the object, of which there is no parameter?
  static bool is_objects(const clang::CallExpr *call) {
    auto *method =
        llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
    return llvm::isa<clang::CXXOperatorCallExpr>(call) && method &&
           !method->isExplicitObjectMemberFunction();
  }

  static const clang::ParmVarDecl *
  defined_parameter(const clang::FunctionDecl *callee, unsigned i) {
    const clang::FunctionDecl *definition = nullptr;
    return callee->hasBody(definition) ? definition->getParamDecl(i) : nullptr;
  }

  // Whatever else is done with the variable may take its address.
  bool is_kept(const clang::VarDecl *variable, unsigned depth) {
    enum { DEEPEST = 8 };
    if (depth == DEEPEST || variable->hasAttr<clang::CleanupAttr>())
      return false;
    for (const clang::Expr *mention : survey.mentions(variable))
      if (!is_assigned(mention) && !is_known(mention, depth + 1))
        return false;
    return true;
  }

  // It is launched, or it is known who has it.  Who calls it launches it with
  // sizes that are given elsewhere.
  bool is_known(const clang::Expr *mention, unsigned depth) {
    unsigned known = launch_visits.lookup(mention);
    auto found = kept.find(mention);
    if (found != kept.end())
      for (const clang::VarDecl *by : found->second)
        known += !by || is_kept(by, depth);
    return known >= visits[mention];
  }

  void find_escaped() {
    for (auto &[mention, named] : function_mentions)
      if (is_kernel(named) && executed.count(mention) && !is_known(mention, 0))
        survey.escaped.insert({named, mention});
  }

  // The function that a lambda is made in, in however many others.
  static const clang::FunctionDecl *maker(const clang::FunctionDecl *code) {
    for (;;) {
      auto *method = llvm::dyn_cast_or_null<clang::CXXMethodDecl>(code);
      if (!method || !method->getParent()->isLambda())
        return code;
      code = llvm::dyn_cast<clang::FunctionDecl>(
          method->getParent()->getDeclContext());
    }
  }

  // clang makes code of lambdas only where they are called.
  bool has_code(const clang::FunctionDecl *lambda) const {
    const llvm::Function *made = generator.GetModule()->getFunction(
        generator.GetMangledName(clang::GlobalDecl(lambda)));
    return made && !made->isDeclaration();
  }

  // Is it code of the side that this compilation is for?  A variable's value
  // and a member's may be of both.  So are lambdas, but a kernel's do not leave
  // it.
  bool runs_here() const {
    if (!code)
      return true;
    const clang::FunctionDecl *around = maker(code);
    bool is_kernels = is_kernel(around);
    bool is_devices = is_kernels || code->hasAttr<clang::CUDADeviceAttr>();
    bool is_hosts =
        !is_kernels && (!is_devices || code->hasAttr<clang::CUDAHostAttr>());
    if (!context.getLangOpts().CUDAIsDevice)
      return is_hosts;
    return is_devices && (code == around || has_code(code));
  }

  // What HIP launches a kernel by has the name of the kernel itself.
  void note_symbol(llvm::StringRef text) {
    survey.has_other_stubs |= context.getLangOpts().HIP;
    note_text(text);
  }

  // What clang launches a kernel by may have a name of the user's.
  void note_text(llvm::StringRef text) {
    survey.has_other_stubs |= text.contains("__device_stub__");
  }

  // void *arguments[] = {&n, &m}, with which nothing is done but to launch: who
  // launches reads n and m through it.
  void find_argument_lists() {
    std::map<const clang::VarDecl *, size_t> launches;
    for (const Survey::Call &one : survey.calls)
      if (const clang::VarDecl *list = argument_list(one.call))
        launches[list]++;
    for (auto &[list, count] : launches) {
      auto *init = llvm::dyn_cast_or_null<clang::InitListExpr>(list->getInit());
      if (!init || !list->hasLocalStorage() ||
          !list->getType()->isConstantArrayType() ||
          survey.mentions(list).size() != count)
        continue;
      survey.argument_lists[list] = init;
      for (const clang::Expr *one : init->inits())
        if (const clang::Expr *place = place_behind(one))
          mark_read(place);
    }
  }

  // cudaMemcpyFromSymbol(to, variable, ..)
  void note_symbol_reads(const clang::CallExpr *call) {
    if (call->getNumArgs() < 2 || !only_reads_symbol(call->getDirectCallee()))
      return;
    const clang::Expr *symbol = call->getArg(1)->IgnoreParenCasts();
    auto *address = llvm::dyn_cast<clang::UnaryOperator>(symbol);
    if (address && address->getOpcode() == clang::UO_AddrOf)
      symbol = address->getSubExpr()->IgnoreParenCasts();
    symbol_reads.insert(symbol);
  }

  // Whatever else the host does with it, it may set it.  Each visit of a call
  // that reads it is followed by one of the mention.
  void note_variable(const clang::Expr *mention, const clang::Decl *decl) {
    auto *variable = llvm::dyn_cast<clang::VarDecl>(decl);
    auto *named = llvm::dyn_cast<clang::DeclRefExpr>(mention);
    bool is_evaluated =
        !named || named->isNonOdrUse() != clang::NOUR_Unevaluated;
    bool is_symbol_read = symbol_reads.erase(mention);
    if (variable && variable->hasGlobalStorage() && is_evaluated &&
        !is_pattern && runs_here() && !is_symbol_read)
      survey.set.insert(variable->getCanonicalDecl());
  }

  void note_function(const clang::Expr *mention, const clang::Decl *decl) {
    auto *named = llvm::dyn_cast<clang::FunctionDecl>(decl);
    if (!named || is_pattern)
      return;
    function_mentions.push_back({mention, named});
    if (!runs_here())
      return;
    executed.insert(mention);
    survey.named.insert(named);
  }

  void note_assignment(const clang::Expr *whole, const clang::Expr *to,
                       const clang::Expr *value) {
    auto *member = llvm::dyn_cast<clang::MemberExpr>(to->IgnoreParenImpCasts());
    if (!member || !member->getMemberDecl()->getIdentifier() || is_pattern)
      return;
    llvm::StringRef name = member->getMemberDecl()->getName();
    const clang::Expr *base = member->getBase()->IgnoreParenImpCasts();
    auto *outer = llvm::dyn_cast<clang::MemberExpr>(base);
    bool is_axis = name == "x" || name == "y" || name == "z";
    if (outer && is_axis && outer->getMemberDecl()->getIdentifier() &&
        outer->getMemberDecl()->getName() == "clusterDim")
      survey.cluster_sizes[name[0] - 'x'].push_back(value);
    auto *mention = llvm::dyn_cast<clang::DeclRefExpr>(base);
    auto *variable =
        mention ? llvm::dyn_cast<clang::VarDecl>(mention->getDecl()) : nullptr;
    if (variable && !member->isArrow() && is_statement(whole))
      survey.assignments.push_back(
          {variable->getCanonicalDecl(), name, whole, value});
  }

  // `place` is read as a whole or, for a struct or an array, in part.
  void mark_read(const clang::Expr *place) {
    for (;;) {
      place = place->IgnoreParens();
      if (auto *member = llvm::dyn_cast<clang::MemberExpr>(place)) {
        if (member->isArrow())
          return;
        place = member->getBase();
      } else if (auto *element =
                     llvm::dyn_cast<clang::ArraySubscriptExpr>(place)) {
        auto *decayed = llvm::dyn_cast<clang::ImplicitCastExpr>(
            element->getBase()->IgnoreParens());
        if (!decayed || decayed->getCastKind() != clang::CK_ArrayToPointerDecay)
          return;
        place = decayed->getSubExpr();
      } else if (auto *cast = llvm::dyn_cast<clang::ImplicitCastExpr>(place)) {
        if (cast->getCastKind() != clang::CK_NoOp)
          return;
        place = cast->getSubExpr();
      } else if (std::optional<Choice> choice = choice_of(place)) {
        mark_read(choice->places[0]);
        place = choice->places[1];
      } else {
        survey.reads.insert(place);
        read_visits[place] += !is_pattern;
        return;
      }
    }
  }
};

// Of what a system's header has before the user's code: kernels, and what was
// made of its templates, which may name what is the user's.
class HeaderVisitor {
public:
  llvm::SetVector<clang::FunctionDecl *> instances;

  HeaderVisitor(Survey &survey_, const clang::SourceManager &sources_)
      : survey(survey_), sources(sources_) {}

  void visit(clang::Decl *decl) {
    if (auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl))
      note_function(function);
    else if (auto *scope = llvm::dyn_cast<clang::DeclContext>(decl))
      visit_all_in(scope);
    else if (auto *classes = llvm::dyn_cast<clang::ClassTemplateDecl>(decl))
      visit_made(classes->specializations());
    else if (auto *code = llvm::dyn_cast<clang::FunctionTemplateDecl>(decl))
      visit_made(code->specializations());
    else if (auto *other = llvm::dyn_cast<clang::FriendDecl>(decl))
      visit_friend(other->getFriendDecl());
  }

private:
  Survey &survey;
  const clang::SourceManager &sources;
  bool is_in_made = false;

  void visit_friend(clang::NamedDecl *other) {
    if (llvm::isa_and_nonnull<clang::FunctionDecl, clang::FunctionTemplateDecl>(
            other))
      visit(other);
  }

  void visit_all_in(clang::DeclContext *scope) {
    for (clang::Decl *decl : scope->decls())
      visit(decl);
  }

  template <typename Made> void visit_made(Made all) {
    bool outer = is_in_made;
    is_in_made = true;
    for (auto *made : all)
      visit(made);
    is_in_made = outer;
  }

  void note_function(clang::FunctionDecl *function) {
    if (function->isDependentContext())
      return;
    if (is_kernel(function))
      survey.kernels_before.push_back(function);
    // What the user specialises himself is code of the user's.
    if (is_in_made && function->doesThisDeclarationHaveABody() &&
        sources.isInSystemHeader(function->getLocation()))
      instances.insert(function);
  }
};

// The user's declarations: what the SDK's headers launch is not looked at.
class Walk {
public:
  Walk(const clang::SourceManager &sources_, Surveyor &surveyor_,
       HeaderVisitor &header_)
      : sources(sources_), surveyor(surveyor_), header(header_) {}

  void all_in(clang::DeclContext *scope) {
    for (clang::Decl *decl : scope->decls())
      if (is_scope(decl))
        all_in(llvm::cast<clang::DeclContext>(decl));
      else
        one(decl);
  }

private:
  const clang::SourceManager &sources;
  Surveyor &surveyor;
  HeaderVisitor &header;
  bool is_behind = false; // the user's first

  void one(clang::Decl *decl) {
    surveyor.is_systems = sources.isInSystemHeader(decl->getLocation());
    is_behind |= decl->getLocation().isValid() && !surveyor.is_systems;
    if (is_behind)
      surveyor.TraverseDecl(decl);
    else
      header.visit(decl);
  }
};

Survey::Survey(clang::ASTContext &context, clang::CodeGenerator &generator) {
  const clang::SourceManager &sources = context.getSourceManager();
  Surveyor surveyor(*this, context, generator);
  HeaderVisitor header(*this, sources);
  Walk(sources, surveyor, header).all_in(context.getTranslationUnitDecl());
  surveyor.is_systems = true;
  for (clang::FunctionDecl *made : header.instances)
    surveyor.TraverseDecl(made);
  surveyor.is_systems = false;
  for (const clang::CXXRecordDecl *closure : users_closures(context))
    surveyor.traverse_closure(closure);
  surveyor.conclude();
}

bool Survey::is_only_read(const clang::VarDecl *variable) const {
  return !written.count(variable->getCanonicalDecl());
}

const std::vector<Mention> &
Survey::mentions(const clang::VarDecl *variable) const {
  static const std::vector<Mention> none;
  auto found = mentioned.find(variable->getCanonicalDecl());
  return found == mentioned.end() ? none : found->second;
}

const Survey::Assignment *Survey::assigned(const clang::VarDecl *variable,
                                           llvm::StringRef member) const {
  const Assignment *only = nullptr;
  for (const Assignment &one : assignments)
    if (one.variable == variable->getCanonicalDecl() && one.member == member) {
      if (only)
        return nullptr;
      only = &one;
    }
  return only;
}

bool Survey::is_for_launch(const clang::VarDecl *variable) const {
  size_t known = 1;
  for (const Assignment &one : assignments)
    known += one.variable == variable->getCanonicalDecl();
  return mentions(variable).size() == known;
}

} // namespace host
