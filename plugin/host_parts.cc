// Objects as the numbers that they consist of, one part after the other.
//
// A struct is its members and a short array its elements, also within one
// another: P { int n; dim3 d; } has the parts .n, .d.x, .d.y and .d.z.  What is
// no number of the language (a pointer, a float, a union, a bit field, what is
// volatile) is one part of which nothing is known.
//
// A struct is taken apart only if nobody gets its address when it is copied,
// assigned or destroyed, for that is trivial.  Whether somebody gets it when
// the struct is made, its initialiser says: what only gives values to members
// keeps no address, and a function that returns the struct may.

#include "plugin/host.h"

#include "clang/AST/RecordLayout.h"

namespace host {

enum { MOST_ELEMENTS = 16, MOST_PARTS = 64 };

// --------------------------------------------------------------- structs ---

static bool mentions_this(const clang::Stmt *stmt) {
  if (llvm::isa<clang::CXXThisExpr>(stmt))
    return true;
  for (const clang::Stmt *child : stmt->children())
    if (child && mentions_this(child))
      return true;
  return false;
}

static bool keeps_no_address(const clang::Expr *initial) {
  return initial && !mentions_this(initial) && only_fills(initial);
}

static bool is_empty(const clang::Stmt *body) {
  auto *statements = llvm::dyn_cast_or_null<clang::CompoundStmt>(body);
  return statements && statements->body_empty();
}

bool only_fills(const clang::CXXConstructorDecl *constructor) {
  if (!constructor->isUserProvided())
    return true; // plain_struct has seen the initialisers of members
  const clang::FunctionDecl *definition = nullptr;
  if (!constructor->hasBody(definition) || is_replaceable(constructor) ||
      !is_empty(definition->getBody()))
    return false;
  for (const clang::CXXCtorInitializer *one :
       llvm::cast<clang::CXXConstructorDecl>(definition)->inits())
    if (!one->isMemberInitializer() || !keeps_no_address(one->getInit()))
      return false;
  return true;
}

static bool only_fills(const clang::CXXConstructExpr *made) {
  const clang::CXXConstructorDecl *constructor = made->getConstructor();
  if (!constructor->isCopyOrMoveConstructor() || !constructor->isTrivial())
    return only_fills(constructor);
  auto *object = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(
      made->getArg(0)->IgnoreParenImpCasts());
  return object ? only_fills(object->getSubExpr())
                : made->getArg(0)->isGLValue();
}

bool only_fills(const clang::Expr *initial) {
  initial = initial->IgnoreParens();
  if (!initial->getType()->getBaseElementTypeUnsafe()->isRecordType())
    return true;
  if (auto *full = llvm::dyn_cast<clang::FullExpr>(initial))
    return only_fills(full->getSubExpr());
  if (auto *cast = llvm::dyn_cast<clang::CastExpr>(initial))
    return only_fills(cast->getSubExpr());
  if (auto *member = llvm::dyn_cast<clang::CXXDefaultInitExpr>(initial))
    return only_fills(member->getExpr());
  if (auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(initial))
    return only_fills(made);
  if (auto *list = llvm::dyn_cast<clang::InitListExpr>(initial)) {
    for (const clang::Expr *one : list->inits())
      if (!only_fills(one))
        return false;
    return !list->hasArrayFiller() || only_fills(list->getArrayFiller());
  }
  return llvm::isa<clang::ImplicitValueInitExpr, clang::CXXScalarValueInitExpr>(
      initial);
}

// Of a member that is an object, nobody gets the address either.
static bool is_plain(const clang::FieldDecl *field) {
  if (field->hasInClassInitializer() &&
      !keeps_no_address(field->getInClassInitializer()))
    return false;
  clang::QualType type = field->getType()
                             ->getBaseElementTypeUnsafe()
                             ->getCanonicalTypeUnqualified();
  const clang::CXXRecordDecl *record = type->getAsCXXRecordDecl();
  return !record || plain_struct(type) ||
         (record->isTrivial() && record->isAggregate());
}

const clang::CXXRecordDecl *plain_struct(clang::QualType type) {
  const clang::CXXRecordDecl *record =
      type.isVolatileQualified() ? nullptr : type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition() || record->isInvalidDecl())
    return nullptr;
  record = record->getDefinition();
  if (record->isUnion() || record->isLambda() || record->isDependentType() ||
      record->getNumBases() || !record->isTriviallyCopyable())
    return nullptr;
  for (const clang::FieldDecl *field : record->fields())
    if (!is_plain(field))
      return nullptr;
  return record;
}

bool copies_object(const clang::CXXOperatorCallExpr *call) {
  auto *method =
      llvm::dyn_cast_or_null<clang::CXXMethodDecl>(call->getDirectCallee());
  return call->getOperator() == clang::OO_Equal && call->getNumArgs() == 2 &&
         method && method->isTrivial() &&
         plain_struct(call->getArg(0)->getType());
}

// ----------------------------------------------------------------- parts ---

static void take_apart(clang::ASTContext &context, clang::QualType type,
                       const Part &whole, Parts *parts);

static void take_field(clang::ASTContext &context,
                       const clang::FieldDecl *field, const Part &whole,
                       Parts *parts) {
  const clang::ASTRecordLayout &layout =
      context.getASTRecordLayout(field->getParent());
  Part part = {{},
               whole.offset + layout.getFieldOffset(field->getFieldIndex()) /
                                  context.getCharWidth(),
               whole.name + "." + field->getNameAsString()};
  if (field->isBitField())
    parts->push_back(part);
  else
    take_apart(context, field->getType(), part, parts);
}

static void take_apart(clang::ASTContext &context, clang::QualType type,
                       const Part &whole, Parts *parts) {
  const clang::ConstantArrayType *array = context.getAsConstantArrayType(type);
  if (parts->size() > MOST_PARTS)
    return;
  if (array && array->getZExtSize() <= MOST_ELEMENTS) {
    clang::QualType element = array->getElementType();
    auto bytes = static_cast<uint64_t>(
        context.getTypeSizeInChars(element).getQuantity());
    for (unsigned i = 0; i < array->getZExtSize(); i++)
      take_apart(context, element,
                 {{},
                  whole.offset + i * bytes,
                  whole.name + "[" + std::to_string(i) + "]"},
                 parts);
  } else if (const clang::CXXRecordDecl *record = plain_struct(type)) {
    for (const clang::FieldDecl *field : record->fields())
      take_field(context, field, whole, parts);
  } else {
    bool is_number = is_integer(type) && !type.isVolatileQualified();
    parts->push_back(
        {is_number ? type : clang::QualType(), whole.offset, whole.name});
  }
}

Parts parts_of(clang::ASTContext &context, clang::QualType type) {
  Parts parts;
  take_apart(context, type, {}, &parts);
  return parts.size() > MOST_PARTS ? Parts() : parts;
}

unsigned part_count(clang::ASTContext &context, clang::QualType type) {
  Parts parts;
  take_apart(context, type, {}, &parts);
  return static_cast<unsigned>(parts.size());
}

unsigned field_parts(clang::ASTContext &context,
                     const clang::FieldDecl *field) {
  return field->isBitField() ? 1 : part_count(context, field->getType());
}

const clang::FieldDecl *field_with(clang::ASTContext &context,
                                   const clang::CXXRecordDecl *record,
                                   unsigned *index) {
  for (const clang::FieldDecl *field : record->fields()) {
    unsigned count = field_parts(context, field);
    if (*index < count)
      return field;
    *index -= count;
  }
  return nullptr;
}

} // namespace host
