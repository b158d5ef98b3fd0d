//===- MarkAccesses.cpp - which memory an access is in -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessMark.h"
#include "KernelArguments.h"
#include "MemSpace/Memory/BufferSize.h"
#include "MemSpace/Memory/BufferUses.h"
#include "MemSpace/Memory/MemoryAccess.h"
#include "MemSpace/Transforms/Passes.h"
#include "Transforms/Support/PassKernels.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir {
namespace memspace {
#define GEN_PASS_DEF_MARKACCESSESPASS
#include "MemSpace/Transforms/Passes.h.inc"
} // namespace memspace
} // namespace mlir

using namespace mlir;
using namespace mlir::memspace;

namespace {
/// Bytes of the arena, [first, second).
using Place = std::pair<int64_t, int64_t>;

/// Where the accesses of an op are; empty where that is not known.
struct AccessedMemory {
  SmallVector<Place> places;
  SmallVector<int64_t> arguments;
  bool writes = false;
};

class Marker {
public:
  Marker(const KernelContext &context, bool usesNoAlias)
      : context(context), kernelArguments(context, usesNoAlias) {}
  void run();

private:
  std::optional<Place> getPlace(const MemoryBase &base) const;
  std::optional<int64_t> getArgument(const MemoryBase &base) const;
  AccessedMemory getMemory(Operation *op) const;
  void number(Operation *op);
  void mark(Operation *op, const AccessedMemory &memory) const;

  const KernelContext &context;
  KernelArguments kernelArguments;
  llvm::MapVector<Place, int64_t> numbers;
  SmallVector<std::pair<Operation *, AccessedMemory>> found;
};

struct MarkAccessesPass
    : public memspace::impl::MarkAccessesPassBase<MarkAccessesPass> {
  using Base::Base;
  void runOnOperation() override {
    KernelSelection selection;
    selection.pass = getArgument();
    selection.targetIsOptional = selection.quiet = true;
    auto mark = [&](const KernelContext &context) {
      Marker(context, noAlias).run();
      return success();
    };
    if (failed(forEachKernel(getOperation(), selection, mark)))
      signalPassFailure();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Where an op's accesses are
//===----------------------------------------------------------------------===//

/// Where a view of the arena is; none when that is not known.
std::optional<Place> Marker::getPlace(const MemoryBase &base) const {
  auto view = base.buffer ? base.buffer.getDefiningOp<memref::ViewOp>()
                          : memref::ViewOp();
  if (!view || !isArena(view.getSource()))
    return std::nullopt;
  std::optional<int64_t> shift = getConstantIntValue(view.getByteShift());
  std::optional<int64_t> bytes =
      getBufferBytes(view.getType(), context.getTarget());
  int64_t end;
  if (!shift || !bytes || llvm::AddOverflow(*shift, *bytes, end))
    return std::nullopt;
  return Place{*shift, end};
}

/// The argument that the memory is that of, if it does not alias others.
std::optional<int64_t> Marker::getArgument(const MemoryBase &base) const {
  std::optional<int64_t> number = kernelArguments.getNumber(base);
  return number && kernelArguments.isRecorded(*number) ? number : std::nullopt;
}

/// Both kinds of memory are told apart by the address spaces of what `op` is
/// lowered to, but private memory and memory of arguments are not.
AccessedMemory Marker::getMemory(Operation *op) const {
  std::vector<MemoryAccess> accesses;
  collectAccesses(op, context, accesses);
  AccessedMemory memory;
  bool knowsPlaces = true, knowsArguments = true;
  for (Value operand : op->getOperands())
    knowsArguments &= !isa<BaseMemRefType>(operand.getType()) ||
                      llvm::any_of(accesses, [&](const MemoryAccess &access) {
                        return access.memref == operand;
                      });
  for (const MemoryAccess &access : accesses) {
    if (access.isUnknown())
      return {};
    memory.writes |= access.writes;
    bool isWorkgroup =
        isWorkgroupMemory(access.memref.getType(), context.getSpaces());
    for (const MemoryBase &base : access.bases) {
      if (isWorkgroup) {
        std::optional<Place> place = getPlace(base);
        knowsPlaces &= place.has_value();
        if (place)
          memory.places.push_back(*place);
        continue;
      }
      std::optional<int64_t> argument = getArgument(base);
      knowsArguments &= argument.has_value();
      if (argument)
        memory.arguments.push_back(*argument);
    }
  }
  if (!knowsPlaces)
    memory.places.clear();
  if (!knowsArguments)
    memory.arguments.clear();
  return memory;
}

//===----------------------------------------------------------------------===//
// Marks
//===----------------------------------------------------------------------===//

void Marker::number(Operation *op) {
  if (isControlFlow(op) || op->getNumRegions() != 0)
    return;
  AccessedMemory memory = getMemory(op);
  if (memory.places.empty() && memory.arguments.empty())
    return;
  for (const Place &place : memory.places)
    numbers.try_emplace(place, numbers.size());
  found.push_back({op, std::move(memory)});
}

static void sortUnique(SmallVector<int64_t> &numbers) {
  llvm::sort(numbers);
  numbers.erase(llvm::unique(numbers), numbers.end());
}

void Marker::mark(Operation *op, const AccessedMemory &memory) const {
  AccessMark mark;
  for (const Place &place : memory.places)
    mark.buffers.in.push_back(numbers.lookup(place));
  sortUnique(mark.buffers.in);
  for (auto &[other, number] : numbers)
    if (llvm::none_of(memory.places, [&, &other = other](const Place &place) {
          return place.first < other.second && other.first < place.second;
        }))
      mark.buffers.apart.push_back(number);
  mark.arguments.in = memory.arguments;
  sortUnique(mark.arguments.in);
  for (int64_t argument : kernelArguments.getRecorded())
    if (!llvm::is_contained(mark.arguments.in, argument))
      mark.arguments.apart.push_back(argument);
  mark.isInvariant = !memory.writes && !memory.arguments.empty() &&
                     llvm::all_of(memory.arguments, [&](int64_t argument) {
                       return kernelArguments.isInvariant(argument);
                     });
  markAccess(op, mark);
}

void Marker::run() {
  context.getKernel().getFunctionBody().walk(
      [&](Operation *op) { number(op); });
  for (auto &[op, memory] : found)
    mark(op, memory);
}
