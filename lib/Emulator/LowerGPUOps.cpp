//===- LowerGPUOps.cpp - ids, barriers and subgroup ops -------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IR/MLIRVersion.h"
#include "KernelRewriter.h"
#include "LowerMatrixOps.h"
#include "Lowering.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/GPU/Utils/GPUUtils.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

/// Which memories a barrier orders, as bits.
enum Orders {
  kNothing = 0,
  kWorkgroupMemory = 1,
  kGlobalMemory = 2,
  kAllMemory = kWorkgroupMemory | kGlobalMemory
};

namespace {
class GPUOpsLowering : KernelRewriter {
public:
  using KernelRewriter::KernelRewriter;

  LogicalResult run();

private:
  bool lower(Operation *op);
  bool lowerId(Operation *op);
  bool lowerBarrier(Operation *op);
  bool lowerExchange(Operation *op);
  bool lowerShuffle(Operation *op, Value value, ShuffleKind kind, Value offset,
                    Value width);
  bool lowerBroadcast(Operation *op, Value value, Value lane);
  bool lowerShuffle(NVVM::ShflOp op);
  bool lowerVote(NVVM::VoteSyncOp op);
  bool lowerCountBelow(Operation *op, bool isHigh);
  bool lowerROCDLExchange(Operation *op);
  bool lowerReduction(Operation *op);
  bool lowerReduction(gpu::SubgroupReduceOp op);
  bool lowerReduction(gpu::AllReduceOp op);
  bool lowerReduction(NVVM::ReduxOp op);
  Value lowerReduction(Value value, Value lanes, bool isWorkgroup, Value base,
                       Value count, Value stride,
                       llvm::function_ref<Value(Value, Value)> combine);
  Value getIndexId(IdKind kind, unsigned dim);
};
} // namespace

//===----------------------------------------------------------------------===//
// Ids
//===----------------------------------------------------------------------===//

static int32_t encode(IdKind kind, unsigned dimension) {
  return static_cast<int32_t>(kind) + dimension;
}

/// What an op reads, or none.
static std::optional<int32_t> getIdKind(Operation *op) {
  using Kind = std::optional<int32_t>;
  auto dim = [](auto gpuOp) {
    return static_cast<unsigned>(gpuOp.getDimension());
  };
  return llvm::TypeSwitch<Operation *, Kind>(op)
      .Case([&](gpu::ThreadIdOp o) { return encode(IdKind::Thread, dim(o)); })
      .Case([&](gpu::BlockIdOp o) { return encode(IdKind::Block, dim(o)); })
      .Case([&](gpu::BlockDimOp o) { return encode(IdKind::BlockDim, dim(o)); })
      .Case([&](gpu::GridDimOp o) { return encode(IdKind::GridDim, dim(o)); })
      .Case([&](gpu::GlobalIdOp o) { return encode(IdKind::Global, dim(o)); })
      .Case<gpu::LaneIdOp, NVVM::LaneIdOp>(
          [](auto) { return encode(IdKind::Subgroup, 0); })
      .Case<gpu::SubgroupIdOp, NVVM::WarpIdOp>(
          [](auto) { return encode(IdKind::Subgroup, 1); })
      .Case([](gpu::NumSubgroupsOp) { return encode(IdKind::Subgroup, 2); })
      .Case<NVVM::ThreadIdXOp, ROCDL::ThreadIdXOp>(
          [](auto) { return encode(IdKind::Thread, 0); })
      .Case<NVVM::ThreadIdYOp, ROCDL::ThreadIdYOp>(
          [](auto) { return encode(IdKind::Thread, 1); })
      .Case<NVVM::ThreadIdZOp, ROCDL::ThreadIdZOp>(
          [](auto) { return encode(IdKind::Thread, 2); })
      .Case<NVVM::BlockIdXOp, ROCDL::BlockIdXOp>(
          [](auto) { return encode(IdKind::Block, 0); })
      .Case<NVVM::BlockIdYOp, ROCDL::BlockIdYOp>(
          [](auto) { return encode(IdKind::Block, 1); })
      .Case<NVVM::BlockIdZOp, ROCDL::BlockIdZOp>(
          [](auto) { return encode(IdKind::Block, 2); })
      .Case<NVVM::BlockDimXOp, ROCDL::BlockDimXOp>(
          [](auto) { return encode(IdKind::BlockDim, 0); })
      .Case<NVVM::BlockDimYOp, ROCDL::BlockDimYOp>(
          [](auto) { return encode(IdKind::BlockDim, 1); })
      .Case<NVVM::BlockDimZOp, ROCDL::BlockDimZOp>(
          [](auto) { return encode(IdKind::BlockDim, 2); })
      .Case<NVVM::GridDimXOp, ROCDL::GridDimXOp>(
          [](auto) { return encode(IdKind::GridDim, 0); })
      .Case<NVVM::GridDimYOp, ROCDL::GridDimYOp>(
          [](auto) { return encode(IdKind::GridDim, 1); })
      .Case<NVVM::GridDimZOp, ROCDL::GridDimZOp>(
          [](auto) { return encode(IdKind::GridDim, 2); })
      .Default(Kind());
}

/// True for what only a launch with a known grid can say.
static bool isOfGrid(int32_t encoded) {
  return llvm::any_of(
      ArrayRef<IdKind>{IdKind::Block, IdKind::GridDim, IdKind::Global},
      [&](IdKind kind) {
        int32_t first = static_cast<int32_t>(kind);
        return first <= encoded && encoded < first + 3;
      });
}

bool GPUOpsLowering::lowerId(Operation *op) {
  Value value;
  if (std::optional<int32_t> kind = getIdKind(op)) {
    program.readsGrid |= isOfGrid(*kind);
    value = call(rt::kId, i32(*kind), builder.getI64Type());
  } else if (isa<gpu::SubgroupSizeOp, NVVM::WarpSizeOp, ROCDL::WavefrontSizeOp>(
                 op)) {
    value = call(rt::kSubgroupSize, {}, builder.getI64Type());
  } else {
    return false;
  }
  replace(op, fromWord(value, op->getResult(0).getType()));
  return true;
}

//===----------------------------------------------------------------------===//
// Barriers
//===----------------------------------------------------------------------===//

bool GPUOpsLowering::lowerBarrier(Operation *op) {
  auto barrier = [&](int orders) {
    recordLoops(op);
    call(rt::kBarrier, {i32(site), i32(orders)}, Type());
    op->erase();
    return true;
  };
  auto subgroupBarrier = [&](Value lanes) {
    recordLoops(op);
    call(rt::kSubgroupBarrier, {i32(site), lanes}, Type());
    op->erase();
    return true;
  };
  if (auto gpuBarrier = dyn_cast<gpu::BarrierOp>(op)) {
    BarrierClauses clauses = getBarrierClauses(gpuBarrier);
    if (clauses.scope == ExecutionScope::Subgroup)
      return subgroupBarrier(i64(-1));
    return barrier(
        (clauses.ordersWorkgroupMemory ? kWorkgroupMemory : kNothing) |
        (clauses.ordersGlobalMemory ? kGlobalMemory : kNothing));
  }
  if (isa<NVVM::Barrier0Op, NVVM::BarrierOp, ROCDL::BarrierOp>(op))
    return barrier(kAllMemory);
  if (isa<amdgpu::LDSBarrierOp>(op))
    return barrier(kWorkgroupMemory);
  if (isa<ROCDL::SBarrierOp>(op))
    return barrier(kNothing);
  if (isa<SubgroupBarrierOp>(op))
    return subgroupBarrier(i64(-1));
  if (auto sync = dyn_cast<NVVM::SyncWarpOp>(op)) {
    APInt mask;
    program.hasPartialBarriers |=
        !matchPattern(sync.getMask(), m_ConstantInt(&mask)) ||
        !mask.isAllOnes();
    return subgroupBarrier(toI64(sync.getMask()));
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Exchanges between lanes
//===----------------------------------------------------------------------===//

static ShuffleKind getShuffleKind(gpu::ShuffleMode mode) {
  switch (mode) {
  case gpu::ShuffleMode::XOR:
    return ShuffleKind::Xor;
  case gpu::ShuffleMode::UP:
    return ShuffleKind::Up;
  case gpu::ShuffleMode::DOWN:
    return ShuffleKind::Down;
  case gpu::ShuffleMode::IDX:
    return ShuffleKind::Index;
  }
  llvm_unreachable("unknown shuffle mode");
}

static ShuffleKind getShuffleKind(NVVM::ShflKind kind) {
  switch (kind) {
  case NVVM::ShflKind::bfly:
    return ShuffleKind::Xor;
  case NVVM::ShflKind::up:
    return ShuffleKind::Up;
  case NVVM::ShflKind::down:
    return ShuffleKind::Down;
  case NVVM::ShflKind::idx:
    return ShuffleKind::Index;
  }
  llvm_unreachable("unknown shuffle kind");
}

/// A value of another lane of the subgroup, and whether there was one.
bool GPUOpsLowering::lowerShuffle(Operation *op, Value value, ShuffleKind kind,
                                  Value offset, Value width) {
  if (!hasWords(value.getType()))
    return false;
  recordLoops(op);
  Value result = mapWords(value, [&](Value word) {
    return call(
        rt::kShuffle,
        {i32(site), i32(static_cast<int32_t>(kind)), word, offset, width},
        builder.getI64Type());
  });
  replace(op, {result, call(rt::kShuffleValid, {}, builder.getI1Type())});
  return true;
}

/// The value of `lane`, or of the first one if that is null.
bool GPUOpsLowering::lowerBroadcast(Operation *op, Value value, Value lane) {
  if (!hasWords(value.getType()))
    return false;
  recordLoops(op);
  Type i64Type = builder.getI64Type();
  Value result = mapWords(value, [&](Value word) {
    // Whoever comes takes part; the lane must be among them.
    call(rt::kCollect, {i32(site), i32(0), i64(0), word}, Type());
    Value from = lane ? toI64(lane) : call(rt::kFirstCollected, {}, i64Type);
    return call(rt::kCollected, from, i64Type);
  });
  replace(op, result);
  return true;
}

bool GPUOpsLowering::lowerShuffle(NVVM::ShflOp op) {
  recordLoops(op);
  Value word =
      call(rt::kShuffleNVVM,
           {i32(site), i32(static_cast<int32_t>(getShuffleKind(op.getKind()))),
            op.getThreadMask(), toWord(op.getVal()), op.getOffset(),
            op.getMaskAndClamp()},
           builder.getI64Type());
  Value result = fromWord(word, op.getVal().getType());
  if (op.getReturnValueAndIsValid()) {
    Value pair = LLVM::UndefOp::create(builder, loc, op.getRes().getType());
    pair = LLVM::InsertValueOp::create(builder, loc, pair, result,
                                       ArrayRef<int64_t>{0});
    result = LLVM::InsertValueOp::create(
        builder, loc, pair, call(rt::kShuffleValid, {}, builder.getI1Type()),
        ArrayRef<int64_t>{1});
  }
  replace(op, result);
  return true;
}

bool GPUOpsLowering::lowerVote(NVVM::VoteSyncOp op) {
  recordLoops(op);
  Value lanes = toI64(op.getMask());
  Value bits = call(rt::kBallot, {i32(site), lanes, toWord(op.getPred())},
                    builder.getI64Type());
  Value result;
  auto compare = [&](Value value) {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, bits,
                                 value);
  };
  switch (op.getKind()) {
  case NVVM::VoteSyncKind::ballot:
    result = fromWord(bits, op.getRes().getType());
    break;
  case NVVM::VoteSyncKind::any:
    result = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne, bits,
                                   i64(0));
    break;
  case NVVM::VoteSyncKind::all:
    result = compare(lanes);
    break;
  case NVVM::VoteSyncKind::uni:
    result =
        arith::OrIOp::create(builder, loc, compare(lanes), compare(i64(0)));
    break;
  }
  replace(op, result);
  return true;
}

/// Lanes below one's own among the bits of a mask, plus a number. `isHigh`: the
/// mask is of the lanes from 32 on.
bool GPUOpsLowering::lowerCountBelow(Operation *op, bool isHigh) {
  Value lane =
      call(rt::kId, i32(encode(IdKind::Subgroup, 0)), builder.getI64Type());
  Value below = arith::SubIOp::create(
      builder, loc, arith::ShLIOp::create(builder, loc, i64(1), lane), i64(1));
  if (isHigh)
    below = arith::ShRUIOp::create(builder, loc, below, i64(32));
  Value bits = arith::AndIOp::create(
      builder, loc, fromWord(below, builder.getI32Type()), op->getOperand(0));
  Value count = LLVM::CtPopOp::create(builder, loc, builder.getI32Type(), bits);
  replace(op, arith::AddIOp::create(builder, loc, count, op->getOperand(1))
                  .getResult());
  return true;
}

bool GPUOpsLowering::lowerROCDLExchange(Operation *op) {
  Type i64Type = builder.getI64Type();
  if (auto o = dyn_cast<ROCDL::DsBpermuteOp>(op)) {
    recordLoops(op);
    // The index counts bytes.
    Value lane = arith::ShRUIOp::create(builder, loc, o.getIndex(), i32(2));
    replace(op, fromWord(call(rt::kPermute,
                              {i32(site), toWord(o.getSrc()), lane}, i64Type),
                         op->getResult(0).getType()));
    return true;
  }
  if (auto o = dyn_cast<ROCDL::ReadlaneOp>(op)) {
    if (!hasWords(o.getSrc0().getType()))
      return false;
    recordLoops(op);
    replace(
        op, mapWords(o.getSrc0(), [&](Value word) {
          return call(rt::kPermute, {i32(site), word, o.getSrc1()}, i64Type);
        }));
    return true;
  }
  if (auto o = dyn_cast<ROCDL::ReadfirstlaneOp>(op))
    return lowerBroadcast(op, o.getSrc(), Value());
  if (auto o = dyn_cast<ROCDL::BallotOp>(op)) {
    recordLoops(op);
    Value bits =
        call(rt::kBallot, {i32(site), i64(0), toWord(o.getPred())}, i64Type);
    replace(op, fromWord(bits, op->getResult(0).getType()));
    return true;
  }
  if (isa<ROCDL::MbcntLoOp, ROCDL::MbcntHiOp>(op))
    return lowerCountBelow(op, isa<ROCDL::MbcntHiOp>(op));
  return false;
}

bool GPUOpsLowering::lowerExchange(Operation *op) {
  if (auto o = dyn_cast<gpu::ShuffleOp>(op))
    return lowerShuffle(op, o.getValue(), getShuffleKind(o.getMode()),
                        o.getOffset(), o.getWidth());
  if (auto o = dyn_cast<gpu::RotateOp>(op))
    return lowerShuffle(op, o.getValue(), ShuffleKind::Rotate,
                        i32(o.getOffset()), i32(o.getWidth()));
  if (auto o = dyn_cast<gpu::SubgroupBroadcastOp>(op))
    return lowerBroadcast(op, o.getSrc(), o.getLane());
  if (auto o = dyn_cast<NVVM::ShflOp>(op))
    return lowerShuffle(o);
  if (auto o = dyn_cast<NVVM::VoteSyncOp>(op))
    return lowerVote(o);
  return lowerROCDLExchange(op);
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

/// Combines what the lanes (or threads) base, base + stride, … brought, in this
/// order.
Value GPUOpsLowering::lowerReduction(
    Value value, Value lanes, bool isWorkgroup, Value base, Value count,
    Value stride, llvm::function_ref<Value(Value, Value)> combine) {
  Type i64Type = builder.getI64Type(), type = value.getType();
  call(rt::kCollect, {i32(site), i32(isWorkgroup), lanes, toWord(value)},
       Type());
  auto get = [&](Value position) {
    return fromWord(call(rt::kCollected, toI64(position), i64Type), type);
  };
  Value first = get(base);
  auto loop =
      scf::ForOp::create(builder, loc, index(1), count, index(1), first);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value position = arith::AddIOp::create(
      builder, loc, base,
      arith::MulIOp::create(builder, loc, loop.getInductionVar(), stride));
  Value isThere = call(rt::kIsCollected, toI64(position), builder.getI1Type());
  auto branch =
      scf::IfOp::create(builder, loc, type, isThere, /*withElse=*/true);
  builder.setInsertionPointToStart(branch.thenBlock());
  Value combined = combine(loop.getRegionIterArg(0), get(position));
  scf::YieldOp::create(builder, loc, combined);
  builder.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(builder, loc, loop.getRegionIterArg(0));
  builder.setInsertionPointAfter(branch);
  scf::YieldOp::create(builder, loc, branch.getResult(0));
  return loop.getResult(0);
}

static std::optional<vector::CombiningKind> getCombiningKind(NVVM::ReduxOp op) {
  switch (op.getKind()) {
  case NVVM::ReduxKind::ADD:
    return vector::CombiningKind::ADD;
  case NVVM::ReduxKind::AND:
    return vector::CombiningKind::AND;
  case NVVM::ReduxKind::OR:
    return vector::CombiningKind::OR;
  case NVVM::ReduxKind::XOR:
    return vector::CombiningKind::XOR;
  case NVVM::ReduxKind::MAX:
    return vector::CombiningKind::MAXSI;
  case NVVM::ReduxKind::MIN:
    return vector::CombiningKind::MINSI;
  case NVVM::ReduxKind::UMAX:
    return vector::CombiningKind::MAXUI;
  case NVVM::ReduxKind::UMIN:
    return vector::CombiningKind::MINUI;
  default:
    return std::nullopt;
  }
}

/// An id or a size of the launch, as an index.
Value GPUOpsLowering::getIndexId(IdKind kind, unsigned dim) {
  return fromWord(call(rt::kId, i32(encode(kind, dim)), builder.getI64Type()),
                  builder.getIndexType());
}

bool GPUOpsLowering::lowerReduction(gpu::SubgroupReduceOp op) {
  if (!hasWords(op.getValue().getType()))
    return false;
  recordLoops(op);
  vector::CombiningKind kind = gpu::convertReductionKind(op.getOp());
  int64_t stride = op.getClusterStride();
  Value base = index(0);
  Value count = fromWord(call(rt::kSubgroupSize, {}, builder.getI64Type()),
                         builder.getIndexType());
  if (std::optional<uint32_t> size = op.getClusterSize()) {
    // base = lane / (size * stride) * (size * stride) + lane mod stride
    count = index(*size);
    Value lane = getIndexId(IdKind::Subgroup, 0), span = index(*size * stride);
    Value inSpan = arith::RemUIOp::create(builder, loc, lane, span);
    base = arith::AddIOp::create(
        builder, loc, arith::SubIOp::create(builder, loc, lane, inSpan),
        arith::RemUIOp::create(builder, loc, inSpan, index(stride)));
  }
  replace(op, mapScalars(op.getValue(), [&](Value scalar) {
            return lowerReduction(scalar, i64(-1), /*isWorkgroup=*/false, base,
                                  count, index(stride), [&](Value a, Value b) {
                                    return vector::makeArithReduction(
                                        builder, loc, kind, a, b);
                                  });
          }));
  return true;
}

bool GPUOpsLowering::lowerReduction(gpu::AllReduceOp op) {
  if (!hasWords(op.getValue().getType()) ||
      isa<VectorType>(op.getValue().getType()))
    return false;
  recordLoops(op);
  Value count = index(1);
  for (unsigned d = 0; d < 3; ++d)
    count = arith::MulIOp::create(builder, loc, count,
                                  getIndexId(IdKind::BlockDim, d));
  auto combine = [&](Value a, Value b) {
    if (op.getOp())
      return vector::makeArithReduction(
          builder, loc, gpu::convertReductionKind(*op.getOp()), a, b);
    // The body yields the combination of its two arguments.
    Block &body = op.getBody().front();
    IRMapping mapping;
    mapping.map(body.getArgument(0), a);
    mapping.map(body.getArgument(1), b);
    for (Operation &inner : body.without_terminator())
      builder.clone(inner, mapping);
    return mapping.lookupOrDefault(body.getTerminator()->getOperand(0));
  };
  replace(op, lowerReduction(op.getValue(), i64(0), /*isWorkgroup=*/true,
                             index(0), count, index(1), combine));
  return true;
}

bool GPUOpsLowering::lowerReduction(NVVM::ReduxOp op) {
  std::optional<vector::CombiningKind> kind = getCombiningKind(op);
  if (!kind || !op.getVal().getType().isInteger(32))
    return false;
  recordLoops(op);
  Value mask = toI64(op.getMaskAndClamp());
  Value first = arith::IndexCastOp::create(
      builder, loc, builder.getIndexType(),
      LLVM::CountTrailingZerosOp::create(builder, loc, builder.getI64Type(),
                                         mask, false));
  replace(op, lowerReduction(op.getVal(), mask, /*isWorkgroup=*/false, first,
                             index(32), index(1), [&](Value a, Value b) {
                               return vector::makeArithReduction(builder, loc,
                                                                 *kind, a, b);
                             }));
  return true;
}

bool GPUOpsLowering::lowerReduction(Operation *op) {
  if (auto o = dyn_cast<gpu::SubgroupReduceOp>(op))
    return lowerReduction(o);
  if (auto o = dyn_cast<gpu::AllReduceOp>(op))
    return lowerReduction(o);
  if (auto o = dyn_cast<NVVM::ReduxOp>(op))
    return lowerReduction(o);
  return false;
}

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

bool GPUOpsLowering::lower(Operation *op) {
  if (isa<gpu::PrintfOp, ROCDL::SWaitcntOp, ROCDL::SchedBarrier,
          amdgpu::SchedBarrierOp>(op)) {
    // No effect on memory that the emulator watches.
    op->erase();
    return true;
  }
  return lowerId(op) || lowerBarrier(op) || lowerExchange(op) ||
         lowerReduction(op);
}

LogicalResult GPUOpsLowering::run() {
  SmallVector<Operation *> ops;
  module.walk([&](Operation *op) {
    if (isa<nvgpu::LdMatrixOp, nvgpu::MmaSyncOp>(op) ||
        (isa_and_nonnull<gpu::GPUDialect, NVVM::NVVMDialect,
                         ROCDL::ROCDLDialect, amdgpu::AMDGPUDialect,
                         MemSpaceDialect>(op->getDialect()) &&
         !op->hasTrait<OpTrait::IsTerminator>()))
      ops.push_back(op);
  });
  MatrixOpsLowering matrixOps(*this);
  for (Operation *op : ops) {
    startAt(op);
    FailureOr<bool> isLowered = matrixOps.lower(op);
    if (failed(isLowered))
      return failure();
    if (!*isLowered && !lower(op))
      return emitError(program.sites[site])
             << "'" << op->getName() << "' " << kNotEmulated;
  }
  matrixOps.convertTypes();
  return success();
}

LogicalResult emulator::lowerGPUOps(ModuleOp module, Program &program) {
  program.loopsOfSite.assign(program.sites.size(), {});
  return GPUOpsLowering(module, program).run();
}
