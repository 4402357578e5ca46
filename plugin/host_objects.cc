// What the parts of an object are: structs, sizes of launches, short arrays.
//
// An object is copied from a variable, made of a list, or by a constructor that
// only gives values to members.  Initialisers that stand in a struct or in a
// constructor are computed anew for each object: what is not known there has no
// name, as in a function that is called twice.

#include "plugin/host.h"

namespace host {

unsigned Terms::count(clang::QualType type) const {
  return part_count(knowledge.context, type);
}

const HostTerm *Terms::zero(clang::QualType type, unsigned index) {
  Parts parts = parts_of(knowledge.context, type);
  return index < parts.size() && !parts[index].type.isNull()
             ? number(width(parts[index].type), 0)
             : nullptr;
}

// ----------------------------------------------------------------- lists ---

// The elements that a list does not have are its filler.
static const clang::Expr *element_of(const clang::InitListExpr *list,
                                     unsigned index) {
  return index < list->getNumInits() ? list->getInit(index)
                                     : list->getArrayFiller();
}

// Bit fields without a name are in no list.
static const clang::Expr *member_of(const clang::InitListExpr *list,
                                    const clang::FieldDecl *field) {
  unsigned index = 0;
  for (const clang::FieldDecl *before : field->getParent()->fields()) {
    if (before == field)
      return index < list->getNumInits() ? list->getInit(index) : nullptr;
    index += !before->isUnnamedBitField();
  }
  return nullptr;
}

const HostTerm *Terms::listed(const clang::InitListExpr *list, unsigned at,
                              unsigned index) {
  clang::ASTContext &context = knowledge.context;
  const clang::InitListExpr *meant =
      list->isSemanticForm() ? list : list->getSemanticForm();
  if (!meant)
    return nullptr;
  const clang::Expr *expr = nullptr;
  if (meant->isTransparent()) {
    expr = meant->getInit(0);
  } else if (const clang::ConstantArrayType *array =
                 context.getAsConstantArrayType(meant->getType())) {
    unsigned each = count(array->getElementType());
    expr = each ? element_of(meant, index / each) : nullptr;
    index = each ? index % each : 0;
  } else if (const clang::CXXRecordDecl *record =
                 plain_struct(meant->getType())) {
    const clang::FieldDecl *field = field_with(context, record, &index);
    expr = field ? member_of(meant, field) : nullptr;
  }
  return expr ? part(expr, at, index) : nullptr;
}

// ---------------------------------------------------------- constructors ---

static const clang::Expr *
initialiser_of(const clang::CXXConstructorDecl *constructor,
               const clang::FieldDecl *field) {
  const clang::FunctionDecl *definition = nullptr;
  if (!constructor->isUserProvided())
    return field->getInClassInitializer();
  if (!constructor->hasBody(definition))
    return nullptr;
  for (const clang::CXXCtorInitializer *one :
       llvm::cast<clang::CXXConstructorDecl>(definition)->inits())
    if (one->getMember() == field)
      return one->getInit();
  return nullptr;
}

static bool is_left_alone(const clang::FieldDecl *field) {
  const clang::CXXRecordDecl *record =
      field->getType()->getBaseElementTypeUnsafe()->getAsCXXRecordDecl();
  return !record || record->hasTrivialDefaultConstructor();
}

// With the constructor's parameters; nothing else is known in there.
const HostTerm *Terms::filled_by(const clang::CXXConstructExpr *made,
                                 const clang::FieldDecl *field,
                                 unsigned index) {
  const clang::Expr *expr = initialiser_of(made->getConstructor(), field);
  if (!expr)
    return made->requiresZeroInitialization() && is_left_alone(field)
               ? zero(field->getType(), index)
               : nullptr;
  return part(expr, target, index);
}

const HostTerm *Terms::filled(const clang::CXXConstructExpr *made, unsigned at,
                              unsigned index) {
  const clang::CXXRecordDecl *record = plain_struct(made->getType());
  const clang::CXXConstructorDecl *constructor = made->getConstructor();
  if (!record || !only_fills(constructor))
    return nullptr;
  const clang::FieldDecl *field = field_with(knowledge.context, record, &index);
  std::map<const clang::VarDecl *, const HostTerm *> inner;
  const clang::FunctionDecl *definition = constructor;
  constructor->hasBody(definition);
  for (unsigned i = 0; i < made->getNumArgs() && i < definition->getNumParams();
       i++) {
    const clang::ParmVarDecl *parameter = definition->getParamDecl(i);
    if (is_integer(parameter->getType()) &&
        !parameter->getType().isVolatileQualified() &&
        knowledge.survey.is_only_read(parameter))
      inner[parameter] = term(made->getArg(i), at);
  }
  bool was_inlined = is_inlined;
  std::swap(parameters, inner);
  is_inlined = true;
  const HostTerm *value = field ? filled_by(made, field, index) : nullptr;
  is_inlined = was_inlined;
  std::swap(parameters, inner);
  return value;
}

const HostTerm *Terms::constructed(const clang::CXXConstructExpr *made,
                                   unsigned at, unsigned index) {
  const clang::CXXConstructorDecl *constructor = made->getConstructor();
  if (constructor->isCopyOrMoveConstructor())
    return constructor->isTrivial() ? part(made->getArg(0), at, index)
                                    : nullptr;
  if (is_dim3(made->getType()))
    return made->getNumArgs() == 3 ? part(made->getArg(index), at, 0) : nullptr;
  return filled(made, at, index);
}

// --------------------------------------------------------------- objects ---

const HostTerm *Terms::copied(const clang::Expr *place, unsigned at,
                              const clang::Expr *reader, unsigned index) {
  std::optional<Cell> first = is_inlined ? std::nullopt : flow.object(place);
  if (!first)
    return nullptr;
  Cell cell = {first->variable, first->index + index};
  return type_of(cell).isNull() ? nullptr : read_cell(cell, at, reader);
}

const HostTerm *Terms::part_at(const clang::Expr *place,
                               const clang::CallExpr *call, unsigned index) {
  return copied(place, target, call, index);
}

const HostTerm *Terms::part(const clang::Expr *expr, unsigned at,
                            unsigned index) {
  expr = expr->IgnoreParens();
  if (depth == DEEPEST || index >= count(expr->getType()))
    return nullptr;
  if (is_integer(expr->getType()))
    return term(expr, at);
  const HostTerm *value = nullptr;
  depth++;
  if (auto *full = llvm::dyn_cast<clang::FullExpr>(expr))
    value = part(full->getSubExpr(), at, index);
  else if (auto *object = llvm::dyn_cast<clang::MaterializeTemporaryExpr>(expr))
    value = part(object->getSubExpr(), at, index);
  else if (auto *list = llvm::dyn_cast<clang::InitListExpr>(expr))
    value = listed(list, at, index);
  else if (auto *made = llvm::dyn_cast<clang::CXXConstructExpr>(expr))
    value = constructed(made, at, index);
  else if (auto *member = llvm::dyn_cast<clang::CXXDefaultInitExpr>(expr))
    value = is_inlined ? part(member->getExpr(), at, index) : nullptr;
  else if (llvm::isa<clang::ImplicitValueInitExpr,
                     clang::CXXScalarValueInitExpr>(expr))
    value = zero(expr->getType(), index);
  else if (auto *cast = llvm::dyn_cast<clang::CastExpr>(expr))
    value = cast->getCastKind() == clang::CK_NoOp ||
                    cast->getCastKind() == clang::CK_ConstructorConversion
                ? part(cast->getSubExpr(), at, index)
                : nullptr;
  else
    value = copied(expr, at, expr, index);
  depth--;
  return value;
}

} // namespace host
