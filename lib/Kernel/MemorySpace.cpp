//===- MemorySpace.cpp - private, workgroup, global -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Kernel/MemorySpace.h"
#include "MemSpace/IR/AttributeNames.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Threading.h"

using namespace mlir;
using namespace mlir::memspace;

StringRef mlir::memspace::stringifyMemorySpace(MemorySpace space) {
  switch (space) {
  case MemorySpace::Private:
    return "private";
  case MemorySpace::Workgroup:
    return "workgroup";
  case MemorySpace::Global:
    return "global";
  }
  llvm_unreachable("unknown memory space");
}

//===----------------------------------------------------------------------===//
// Mapping
//===----------------------------------------------------------------------===//

static constexpr MemorySpace kAllSpaces[] = {
    MemorySpace::Private, MemorySpace::Workgroup, MemorySpace::Global};

static unsigned getIndex(MemorySpace space) {
  return static_cast<unsigned>(space);
}

/// True for one name of a memory space, which is one number in any type.
static bool isSameName(Attribute a, Attribute b) {
  auto left = dyn_cast_or_null<IntegerAttr>(a);
  auto right = dyn_cast_or_null<IntegerAttr>(b);
  if (left && right)
    return llvm::APSInt::compareValues(llvm::APSInt(left.getValue(), false),
                                       llvm::APSInt(right.getValue(), false)) ==
           0;
  return a == b;
}

MemorySpaceMapping::MemorySpaceMapping(Attribute privateSpace,
                                       Attribute workgroupSpace,
                                       Attribute globalSpace) {
  assert(privateSpace && workgroupSpace && "only global memory has no name");
  names[getIndex(MemorySpace::Private)] = {privateSpace};
  names[getIndex(MemorySpace::Workgroup)] = {workgroupSpace};
  if (globalSpace)
    names[getIndex(MemorySpace::Global)] = {globalSpace};
}

void MemorySpaceMapping::addAlias(MemorySpace space, Attribute attribute) {
  if (isDefault())
    for (MemorySpace each : kAllSpaces)
      names[getIndex(each)] = {toAttribute(attribute.getContext(), each)};
  names[getIndex(space)].push_back(attribute);
}

static gpu::AddressSpace toGPU(MemorySpace space) {
  switch (space) {
  case MemorySpace::Private:
    return gpu::AddressSpace::Private;
  case MemorySpace::Workgroup:
    return gpu::AddressSpace::Workgroup;
  case MemorySpace::Global:
    return gpu::AddressSpace::Global;
  }
  llvm_unreachable("unknown memory space");
}

Attribute MemorySpaceMapping::toAttribute(MLIRContext *context,
                                          MemorySpace space) const {
  if (isDefault())
    return gpu::AddressSpaceAttr::get(context, toGPU(space));
  const auto &written = names[getIndex(space)];
  return written.empty() ? Attribute() : written.front();
}

std::optional<MemorySpace>
MemorySpaceMapping::fromAttribute(Attribute attribute) const {
  if (!attribute)
    return MemorySpace::Global;
  for (MemorySpace space : kAllSpaces)
    if (llvm::any_of(names[getIndex(space)], [&](Attribute name) {
          return isSameName(name, attribute);
        }))
      return space;
  if (auto gpuSpace = dyn_cast<gpu::AddressSpaceAttr>(attribute))
    for (MemorySpace space : kAllSpaces)
      if (gpuSpace.getValue() == toGPU(space))
        return space;
  return std::nullopt;
}

std::optional<MemorySpace> MemorySpaceMapping::getNamedSpace(Type type) const {
  auto memref = dyn_cast<BaseMemRefType>(type);
  if (!memref || !memref.getMemorySpace())
    return std::nullopt;
  return fromAttribute(memref.getMemorySpace());
}

//===----------------------------------------------------------------------===//
// By name
//===----------------------------------------------------------------------===//

FailureOr<MemorySpaceMapping>
MemorySpaceMapping::get(DictionaryAttr entries,
                        function_ref<InFlightDiagnostic()> emitError) {
  MemorySpaceMapping mapping;
  for (NamedAttribute entry : entries) {
    const MemorySpace *space = llvm::find_if(kAllSpaces, [&](MemorySpace each) {
      return entry.getName() == stringifyMemorySpace(each);
    });
    if (space == std::end(kAllSpaces))
      return emitError() << "memory spaces have no '" << entry.getName().str()
                         << "'; use 'private', 'workgroup' and 'global'";
    SmallVector<Attribute> list{entry.getValue()};
    if (auto several = dyn_cast<ArrayAttr>(entry.getValue()))
      list.assign(several.begin(), several.end());
    for (Attribute name : list) {
      for (MemorySpace other : kAllSpaces)
        if (other != *space &&
            llvm::any_of(mapping.names[getIndex(other)], [&](Attribute used) {
              return isSameName(used, name);
            }))
          return emitError()
                 << "memory spaces '" << stringifyMemorySpace(other)
                 << "' and '" << stringifyMemorySpace(*space) << "' are both "
                 << name << "; name each by an attribute of its own";
      mapping.names[getIndex(*space)].push_back(name);
    }
  }
  for (MemorySpace space : {MemorySpace::Private, MemorySpace::Workgroup})
    if (mapping.names[getIndex(space)].empty())
      return emitError() << "memory spaces lack '"
                         << stringifyMemorySpace(space)
                         << "'; say by which attribute it is written";
  return mapping;
}

FailureOr<MemorySpaceMapping> MemorySpaceMapping::resolve(Operation *kernel,
                                                          StringRef text) {
  if (!text.empty()) {
    auto emitError = [&]() {
      return kernel->emitError()
             << "memory spaces '" << text << "' of the option: ";
    };
    std::string dictionary = ("{" + text + "}").str();
    DictionaryAttr entries;
    {
      // The parser speaks of a text that the user has not written. Other
      // threads may have something to say.
      uint64_t self = llvm::get_threadid();
      ScopedDiagnosticHandler silence(
          kernel->getContext(), [self](Diagnostic &) {
            return success(llvm::get_threadid() == self);
          });
      entries = dyn_cast_or_null<DictionaryAttr>(
          parseAttribute(dictionary, kernel->getContext()));
    }
    if (!entries)
      return emitError() << "is not of the form "
                            "'private=5 : i64,workgroup=3 : i64'";
    return get(entries, emitError);
  }
  for (Operation *op = kernel; op; op = op->getParentOp())
    if (auto entries = op->getAttrOfType<DictionaryAttr>(kMemorySpacesAttr))
      return get(entries, [&]() {
        return op->emitError() << "attribute '" << kMemorySpacesAttr << "': ";
      });
  return MemorySpaceMapping();
}

void MemorySpaceMapping::setInIR(Operation *op) const {
  if (isDefault()) {
    op->removeAttr(kMemorySpacesAttr);
    return;
  }
  Builder builder(op->getContext());
  NamedAttrList entries;
  for (MemorySpace space : kAllSpaces) {
    ArrayRef<Attribute> list = names[getIndex(space)];
    if (!list.empty())
      entries.append(stringifyMemorySpace(space),
                     list.size() == 1 ? list.front()
                                      : builder.getArrayAttr(list));
  }
  op->setAttr(kMemorySpacesAttr, entries.getDictionary(op->getContext()));
}
