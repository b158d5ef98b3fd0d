//===- TensorLayouts.h - the layout of each tensor with an encoding -------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// On which target each encoded tensor lives, and what its encoding means
/// there. Tensors that one op has, and that are passed on, live on one target;
/// memspace.encode is the only door to another one.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_LIB_TRANSFORMS_ENCODINGS_TENSORLAYOUTS_H
#define MEMSPACE_LIB_TRANSFORMS_ENCODINGS_TENSORLAYOUTS_H

#include "MemSpace/IR/Encodings.h"
#include "MemSpace/Kernel/Kernel.h"
#include "llvm/ADT/MapVector.h"
#include <map>
#include <memory>

namespace mlir {
namespace memspace {

/// The layout of a tensor.
struct TensorLayout {
  /// With the encoding.
  RankedTensorType type;
  /// Where it is so; of no meaning without an encoding.
  TargetInfo target;
  TiledLayout layout;
  SmallVector<LayoutExtent> extents;
  /// The memory.
  SmallVector<LayoutAxis, 0> axes;
  /// The row-major layout.
  bool isIdentity;
  /// What becomes of the type: without an encoding, of the memory's shape.
  RankedTensorType memoryType;

  /// Elements are at the same places, whatever their type is. `other` may know
  /// more or less of the extents.
  bool isSame(const TensorLayout &other) const;
  /// The same, but that the memory may be a tensor.cast of the other one's.
  bool isSameUpToCast(const TensorLayout &other) const;
  /// As text for a diagnostic or a reason.
  std::string describe() const;
};

/// A value, or an argument or result of a function without a value for it.
struct TensorSlot {
  Value value;
  Operation *func = nullptr;
  bool isResult = false;
  unsigned number = 0;

  static TensorSlot get(Value value) { return {value}; }
  static TensorSlot getResult(Operation *func, unsigned number) {
    return {Value(), func, true, number};
  }
  /// Of a declaration.
  static TensorSlot getArgument(Operation *func, unsigned number) {
    return {Value(), func, false, number};
  }
  using Key = std::tuple<void *, Operation *, bool, unsigned>;
  Key getKey() const {
    return {value.getAsOpaquePointer(), func, isResult, number};
  }
};

/// True when `type` is a tensor with an encoding that is ours to resolve.
bool isEncoded(Type type);

/// The function at or below `root` that `call`, a `func.call` or
/// `gpu.launch_func`, enters; null for other ops. Another thread may be
/// changing what is outside.
FunctionOpInterface getCallee(Operation *call, Operation *root);

/// Calls `visit` for each pair of a tensor or memref and a slot that it is
/// passed to by control flow, calls and returns, at or below `root`.
void forEachPassedShaped(
    Operation *root,
    llvm::function_ref<void(Value from, TensorSlot to, Operation *op)> visit);

/// Classes of slots that are one, by numbers. The first in the order in which
/// they were added stands for a class.
class SlotClasses {
public:
  /// The number of a slot that is new or was there before.
  unsigned add(const TensorSlot &slot);
  std::optional<unsigned> lookup(const TensorSlot &slot) const;
  unsigned find(unsigned number);
  void unite(std::optional<unsigned> a, std::optional<unsigned> b);
  unsigned size() const { return parents.size(); }

private:
  std::vector<unsigned> parents;
  std::map<TensorSlot::Key, unsigned> numbers;
};

/// True for an op that does nothing to tensors and memrefs but pass them on.
bool onlyPassesTensors(Operation *op);

class TensorLayouts {
public:
  /// Of all encoded tensors at or below `root`. Failure with a diagnostic.
  static FailureOr<TensorLayouts> compute(Operation *root,
                                          const TargetOverrides &overrides);

  /// Of a value of ranked tensor type; row-major without a known encoding.
  const TensorLayout &get(Value value);
  /// Null where no encoded tensor is passed.
  const TensorLayout *lookup(const TensorSlot &slot) const;

  /// Says that `value`, which is new, is as `layout`.
  void set(Value value, const TensorLayout &layout);
  void erase(Value value) { slots.erase(TensorSlot::get(value).getKey()); }

private:
  friend class TargetFinder;
  /// Failure with an error by `emitError`.
  FailureOr<const TensorLayout *>
  resolve(RankedTensorType type, const TargetInfo &target,
          llvm::function_ref<InFlightDiagnostic()> emitError);

  std::map<std::tuple<void *, Operation *, bool, unsigned>,
           const TensorLayout *>
      slots;
  /// By type and chip.
  std::map<std::pair<const void *, std::string>, std::unique_ptr<TensorLayout>>
      layouts;
};

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_LIB_TRANSFORMS_ENCODINGS_TENSORLAYOUTS_H
