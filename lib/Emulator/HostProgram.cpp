//===- HostProgram.cpp - run kernels one after the other -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Emulator/HostProgram.h"
#include "Lowering.h"
#include "MemSpace/IR/ArgumentBounds.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

struct HostProgram::Impl {
  func::FuncOp host;
  /// The kernel of each launch.
  DenseMap<Operation *, std::shared_ptr<Kernel>> kernels;
};

HostProgram::HostProgram(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
HostProgram::HostProgram(HostProgram &&) = default;
HostProgram &HostProgram::operator=(HostProgram &&) = default;
HostProgram::~HostProgram() = default;

SmallVector<Type> HostProgram::getArgumentTypes() const {
  return llvm::to_vector(impl->host.getArgumentTypes());
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

/// The kernel that `op` launches; null if it launches none.
static FunctionOpInterface getLaunchedKernel(Operation *op) {
  FunctionOpInterface kernel;
  if (auto call = dyn_cast<func::CallOp>(op))
    kernel = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
        op, call.getCalleeAttr());
  else if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    kernel = SymbolTable::lookupNearestSymbolFrom<FunctionOpInterface>(
        op, launch.getKernelAttr());
  return kernel && isGPUKernel(kernel) ? kernel : FunctionOpInterface();
}

/// The function of the host that `op` calls, with a body; null for others.
static func::FuncOp getCalledHost(Operation *op) {
  auto call = dyn_cast<func::CallOp>(op);
  if (!call || getLaunchedKernel(op))
    return {};
  auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      op, call.getCalleeAttr());
  return callee && !callee.isExternal() ? callee : func::FuncOp();
}

/// Whether `func` launches a kernel, itself or by what it calls.
static bool launches(func::FuncOp func, DenseSet<Operation *> &seen) {
  return seen.insert(func).second &&
         func->walk([&](Operation *op) {
               func::FuncOp callee = getCalledHost(op);
               return getLaunchedKernel(op) ||
                              (callee && launches(callee, seen))
                          ? WalkResult::interrupt()
                          : WalkResult::advance();
             })
             .wasInterrupted();
}

func::FuncOp HostProgram::find(Operation *module, StringRef name) {
  func::FuncOp found;
  bool isOnly = true;
  int64_t numKernels = 0;
  DenseSet<Operation *> called;
  module->walk([&](func::CallOp call) { called.insert(getCalledHost(call)); });
  module->walk([&](FunctionOpInterface function) {
    numKernels += isGPUKernel(function);
    auto func = dyn_cast<func::FuncOp>(*function);
    if (!func)
      return;
    if (func.isExternal() || isGPUKernel(func) ||
        (name.empty() ? called.contains(func) : func.getName() != name))
      return;
    DenseSet<Operation *> seen;
    if (!launches(func, seen))
      return;
    isOnly = !found;
    found = func;
  });
  return isOnly && (numKernels > 1 || !name.empty()) ? found : func::FuncOp();
}

/// True for what the host may do.
static LogicalResult checkHostOp(Operation *op) {
  if (auto loop = dyn_cast<scf::ForOp>(op); loop && loop.getUnsignedCmp())
    return op->emitError()
           << "the emulator runs no loop of the host with unsigned bounds";
  if (isa<func::ReturnOp, memref::AllocOp, memref::DeallocOp, memref::DimOp,
          cf::AssertOp, scf::ForOp, scf::IfOp, scf::WhileOp, scf::ConditionOp,
          scf::YieldOp>(op) ||
      getLaunchedKernel(op) || getCalledHost(op) ||
      (op->getNumRegions() == 0 && isPure(op) &&
       llvm::none_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>)))
    return success();
  return op->emitError() << "the emulator does not run '" << op->getName()
                         << "' of the host; it allocates, launches, calls "
                            "functions, and knows 'scf.for', 'scf.if' and "
                            "'scf.while'";
}

FailureOr<HostProgram> HostProgram::compile(func::FuncOp host,
                                            const CompileOptions &options) {
  auto impl = std::make_unique<Impl>();
  impl->host = host;
  DenseMap<Operation *, std::shared_ptr<Kernel>> compiled;
  // What calls lead to `host`, so that none leads back.
  SetVector<Operation *> callers;
  auto compileFunction = [&](auto &&compileFunction,
                             func::FuncOp function) -> LogicalResult {
    if (!llvm::hasSingleElement(function.getBody()) ||
        function.getNumResults() != 0)
      return function.emitError()
             << "the emulator runs functions of the host of one block and "
                "without results";
    if (!callers.insert(function))
      return function.emitError()
             << "calls itself; the emulator runs no recursion of the host";
    WalkResult compiledAll = function.getBody().walk([&](Operation *op) {
      if (failed(checkHostOp(op)))
        return WalkResult::interrupt();
      if (func::FuncOp callee = getCalledHost(op))
        return WalkResult(compileFunction(compileFunction, callee));
      FunctionOpInterface launched = getLaunchedKernel(op);
      if (!launched)
        return WalkResult::advance();
      std::shared_ptr<Kernel> &kernel = compiled[launched];
      if (!kernel) {
        CompileOptions ofKernel = options;
        ofKernel.kernel = launched.getName().str();
        FailureOr<Kernel> made = Kernel::compile(
            SymbolTable::getNearestSymbolTable(launched->getParentOp()),
            ofKernel);
        if (failed(made))
          return WalkResult::interrupt();
        kernel = std::make_shared<Kernel>(std::move(*made));
      }
      impl->kernels[op] = kernel;
      return WalkResult::advance();
    });
    callers.pop_back();
    return failure(compiledAll.wasInterrupted());
  };
  if (failed(compileFunction(compileFunction, host)))
    return failure();
  return HostProgram(std::move(impl));
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {
/// The contents of a memref, or a scalar as a buffer of rank 0.
struct HostMemory {
  HostBuffer contents;
  /// Of HostLaunch::Operand.
  unsigned number;
};

/// One execution of the host's function. With `onLaunch`, no kernel runs.
class HostRun {
public:
  HostRun(const DenseMap<Operation *, std::shared_ptr<Kernel>> &kernels,
          const LaunchOptions &options, Result &result,
          function_ref<void(const HostLaunch &)> onLaunch)
      : kernels(kernels), options(options), result(result), onLaunch(onLaunch) {
  }

  void setArgument(BlockArgument value, const HostBuffer &buffer) {
    buffers[value] =
        std::make_shared<HostMemory>(HostMemory{buffer, value.getArgNumber()});
    numMemories = value.getArgNumber() + 1;
  }
  const HostBuffer &get(Value value) const {
    return buffers.find(value)->second->contents;
  }
  /// False after a launch that is not clean.
  FailureOr<bool> execute(Block &block);

private:
  FailureOr<bool> execute(Operation *op);
  FailureOr<bool> execute(scf::ForOp loop);
  FailureOr<bool> execute(scf::WhileOp loop);
  /// Gives `to` what `from` has, all at once.
  void assign(ValueRange to, ValueRange from);
  LogicalResult count(Operation *loop);
  FailureOr<int64_t> getNumber(Value value);
  LogicalResult allocate(memref::AllocOp alloc);
  LogicalResult compute(Operation *op);
  LogicalResult setSizes(const gpu::KernelDim3 &operands, Dim3 &sizes);
  FailureOr<bool> launch(Operation *op);
  LogicalResult tell(Operation *op, ValueRange operands,
                     const LaunchOptions &ofLaunch);
  void set(Value value, const HostBuffer &buffer, unsigned number = 0) {
    buffers[value] = std::make_shared<HostMemory>(HostMemory{buffer, number});
  }

  const DenseMap<Operation *, std::shared_ptr<Kernel>> &kernels;
  const LaunchOptions &options;
  Result &result;
  function_ref<void(const HostLaunch &)> onLaunch;
  /// A memory may have several names.
  DenseMap<Value, std::shared_ptr<HostMemory>> buffers;
  unsigned numMemories = 0;
  uint64_t iterations = 0;
};
} // namespace

FailureOr<int64_t> HostRun::getNumber(Value value) {
  auto it = buffers.find(value);
  if (it == buffers.end() || !value.getType().isIntOrIndex())
    return emitError(value.getLoc())
           << "the emulator does not know this number of the host";
  return it->second->contents.getInteger(0);
}

LogicalResult HostRun::allocate(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  if (!type.getLayout().isIdentity() || !isHostElement(type.getElementType()))
    return alloc.emitError() << "the emulator has no memory of type " << type;
  SmallVector<int64_t> shape(type.getShape());
  auto sizes = alloc.getDynamicSizes().begin();
  int64_t bytes = getElementBytes(type.getElementType());
  for (int64_t &extent : shape) {
    if (ShapedType::isDynamic(extent)) {
      FailureOr<int64_t> size = getNumber(*sizes++);
      if (failed(size))
        return failure();
      extent = *size;
    }
    if (extent < 0 || llvm::MulOverflow(bytes, extent, bytes) ||
        bytes > options.maxMemoryBytes)
      return alloc.emitError() << "the host allocates more bytes than "
                                  "'max-memory' allows";
  }
  set(alloc, HostBuffer::uninitialized(type.getElementType(), shape),
      numMemories++);
  return success();
}

/// What has constant operands folds.
LogicalResult HostRun::compute(Operation *op) {
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    FailureOr<int64_t> index = getNumber(dim.getIndex());
    if (failed(index))
      return failure();
    ArrayRef<int64_t> shape = get(dim.getSource()).shape;
    if (*index < 0 || *index >= int64_t(shape.size()))
      return dim.emitError()
             << "asks for dimension " << *index << " of " << shape.size();
    HostBuffer number = HostBuffer::zeros(dim.getType(), {});
    number.setInteger(0, shape[*index]);
    set(dim, number);
    return success();
  }
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    Attribute attr;
    auto it = buffers.find(operand);
    if (it != buffers.end() && operand.getType().isIntOrIndex())
      attr = IntegerAttr::get(operand.getType(),
                              it->second->contents.getInteger(0));
    else if (it != buffers.end() && isa<FloatType>(operand.getType()))
      attr =
          FloatAttr::get(operand.getType(), it->second->contents.getFloat(0));
    operands.push_back(attr);
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) ||
      results.size() != op->getNumResults())
    return op->emitError() << "the emulator does not know what '"
                           << op->getName() << "' of the host gives";
  for (auto [value, folded] : llvm::zip_equal(op->getResults(), results)) {
    if (auto same = dyn_cast<Value>(folded)) {
      set(value, get(same));
      continue;
    }
    auto attr = cast<Attribute>(folded);
    HostBuffer number = HostBuffer::zeros(value.getType(), {});
    if (auto integer = dyn_cast<IntegerAttr>(attr))
      number.setInteger(0, integer.getValue().getSExtValue());
    else if (auto real = dyn_cast<FloatAttr>(attr))
      number.setDouble(0, real.getValueAsDouble());
    else
      return op->emitError()
             << "the emulator has no scalars of type " << value.getType();
    set(value, number);
  }
  return success();
}

LogicalResult HostRun::setSizes(const gpu::KernelDim3 &operands, Dim3 &sizes) {
  for (auto [value, size] : llvm::zip(
           SmallVector<Value>{operands.x, operands.y, operands.z}, sizes)) {
    FailureOr<int64_t> number = getNumber(value);
    if (failed(number))
      return failure();
    size = *number;
  }
  return success();
}

LogicalResult HostRun::tell(Operation *op, ValueRange operands,
                            const LaunchOptions &ofLaunch) {
  SmallVector<HostBuffer> arguments;
  for (Value operand : operands)
    arguments.push_back(get(operand));
  FailureOr<LaunchShape> shape =
      kernels.find(op)->second->getLaunchShape(arguments, ofLaunch);
  if (failed(shape))
    return failure();
  HostLaunch launch{op, getLaunchedKernel(op), *shape, {}};
  for (Value operand : operands) {
    const HostMemory &memory = *buffers.lookup(operand);
    HostLaunch::Operand told{std::nullopt, &memory.contents};
    if (isa<BaseMemRefType>(operand.getType()))
      told.memory = memory.number;
    launch.operands.push_back(told);
  }
  onLaunch(launch);
  return success();
}

FailureOr<bool> HostRun::launch(Operation *op) {
  LaunchOptions ofLaunch = options;
  ofLaunch.grid = ofLaunch.block = {0, 0, 0};
  ValueRange operands = op->getOperands();
  if (auto launchOp = dyn_cast<gpu::LaunchFuncOp>(op)) {
    operands = launchOp.getKernelOperands();
    gpu::KernelDim3 grid = launchOp.getGridSizeOperandValues(),
                    block = launchOp.getBlockSizeOperandValues();
    if (failed(setSizes(grid, ofLaunch.grid)) ||
        failed(setSizes(block, ofLaunch.block)))
      return failure();
  }
  if (onLaunch)
    return failed(tell(op, operands, ofLaunch)) ? FailureOr<bool>(failure())
                                                : true;
  // One memory under two names is one memory in the kernel, too.
  SmallVector<HostBuffer> arguments;
  for (auto [number, operand] : llvm::enumerate(operands)) {
    arguments.push_back(get(operand));
    for (unsigned other = 0; other < number; ++other)
      if (isa<BaseMemRefType>(operand.getType()) &&
          buffers.lookup(operands[other]) == buffers.lookup(operand)) {
        ofLaunch.aliases.push_back({other, unsigned(number), 0});
        break;
      }
  }
  FailureOr<Result> ran = kernels.find(op)->second->run(arguments, ofLaunch);
  if (failed(ran))
    return failure();
  for (auto [operand, contents] : llvm::zip_equal(operands, ran->arguments)) {
    contents.isInitialized = true;
    buffers[operand]->contents = contents;
  }
  llvm::append_range(result.reports, ran->reports);
  result.hasMoreReports |= ran->hasMoreReports;
  result.executedBarriers += ran->executedBarriers;
  result.executedSubgroupBarriers += ran->executedSubgroupBarriers;
  result.accesses += ran->accesses;
  result.global += ran->global;
  result.workgroup += ran->workgroup;
  result.privateMemory += ran->privateMemory;
  result.shadowBytes = std::max(result.shadowBytes, ran->shadowBytes);
  return ran->isClean();
}

void HostRun::assign(ValueRange to, ValueRange from) {
  SmallVector<std::shared_ptr<HostMemory>> all;
  for (Value value : from)
    all.push_back(buffers.lookup(value));
  for (auto [value, buffer] : llvm::zip_equal(to, all))
    buffers[value] = buffer;
}

/// Of all loops of the host.
LogicalResult HostRun::count(Operation *loop) {
  if (++iterations <= options.maxSteps)
    return success();
  return loop->emitError() << "the loops of the host take more than "
                           << options.maxSteps << " iterations ('max-steps')";
}

FailureOr<bool> HostRun::execute(scf::ForOp loop) {
  FailureOr<int64_t> begin = getNumber(loop.getLowerBound()),
                     end = getNumber(loop.getUpperBound()),
                     step = getNumber(loop.getStep());
  if (failed(begin) || failed(end) || failed(step))
    return failure();
  if (*step <= 0)
    return loop.emitError() << "has step " << *step;
  assign(loop.getRegionIterArgs(), loop.getInitArgs());
  for (int64_t i = *begin; i < *end;) {
    if (failed(count(loop)))
      return failure();
    HostBuffer number = HostBuffer::zeros(loop.getInductionVar().getType(), {});
    number.setInteger(0, i);
    set(loop.getInductionVar(), number);
    FailureOr<bool> goesOn = execute(*loop.getBody());
    if (failed(goesOn) || !*goesOn)
      return goesOn;
    assign(loop.getRegionIterArgs(), loop.getYieldedValues());
    if (llvm::AddOverflow(i, *step, i))
      break;
  }
  assign(loop.getResults(), loop.getRegionIterArgs());
  return true;
}

FailureOr<bool> HostRun::execute(scf::WhileOp loop) {
  assign(loop.getBeforeArguments(), loop.getInits());
  while (true) {
    if (failed(count(loop)))
      return failure();
    FailureOr<bool> goesOn = execute(*loop.getBeforeBody());
    if (failed(goesOn) || !*goesOn)
      return goesOn;
    scf::ConditionOp condition = loop.getConditionOp();
    FailureOr<int64_t> holds = getNumber(condition.getCondition());
    if (failed(holds))
      return failure();
    if (*holds == 0) {
      assign(loop.getResults(), condition.getArgs());
      return true;
    }
    assign(loop.getAfterArguments(), condition.getArgs());
    goesOn = execute(*loop.getAfterBody());
    if (failed(goesOn) || !*goesOn)
      return goesOn;
    assign(loop.getBeforeArguments(), loop.getYieldOp().getResults());
  }
}

FailureOr<bool> HostRun::execute(Block &block) {
  for (Operation &op : block) {
    FailureOr<bool> goesOn = execute(&op);
    if (failed(goesOn) || !*goesOn)
      return goesOn;
  }
  return true;
}

FailureOr<bool> HostRun::execute(Operation *op) {
  if (kernels.contains(op))
    return launch(op);
  if (isa<func::ReturnOp, memref::DeallocOp, scf::YieldOp, scf::ConditionOp>(
          op))
    return true;
  if (func::FuncOp callee = getCalledHost(op)) {
    assign(callee.getArguments(), op->getOperands());
    return execute(callee.front());
  }
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return execute(loop);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return execute(loop);
  if (auto branch = dyn_cast<scf::IfOp>(op)) {
    FailureOr<int64_t> holds = getNumber(branch.getCondition());
    if (failed(holds))
      return failure();
    Block *taken = *holds != 0 ? branch.thenBlock() : branch.elseBlock();
    if (!taken)
      return true;
    FailureOr<bool> goesOn = execute(*taken);
    if (succeeded(goesOn) && *goesOn)
      assign(branch.getResults(), taken->getTerminator()->getOperands());
    return goesOn;
  }
  if (auto assertion = dyn_cast<cf::AssertOp>(op)) {
    FailureOr<int64_t> holds = getNumber(assertion.getArg());
    if (succeeded(holds) && *holds == 0)
      return assertion.emitError()
             << "the host's assertion fails: " << assertion.getMsg();
    return failed(holds) ? FailureOr<bool>(failure()) : true;
  }
  auto alloc = dyn_cast<memref::AllocOp>(op);
  if (failed(alloc ? allocate(alloc) : compute(op)))
    return failure();
  return true;
}

FailureOr<Result>
HostProgram::execute(ArrayRef<HostBuffer> arguments,
                     const LaunchOptions &options,
                     function_ref<void(const HostLaunch &)> onLaunch) const {
  func::FuncOp host = impl->host;
  if (!options.aliases.empty() || options.onAccess)
    return host.emitError() << "aliases and traces are of a kernel; run one of "
                               "those that '"
                            << host.getName() << "' launches";
  if (arguments.size() != host.getNumArguments())
    return host.emitError() << "the function has " << host.getNumArguments()
                            << " arguments, given are " << arguments.size();
  Result result;
  HostRun run(impl->kernels, options, result, onLaunch);
  for (auto [value, buffer] : llvm::zip_equal(host.getArguments(), arguments)) {
    unsigned number = value.getArgNumber();
    if (failed(checkPromise(host.getLoc(), number, buffer,
                            host.getArgAttr(number, kBoundsAttr))))
      return failure();
    run.setArgument(value, buffer);
  }
  if (failed(run.execute(host.front())))
    return failure();
  for (Value argument : host.getArguments())
    result.arguments.push_back(run.get(argument));
  return result;
}

FailureOr<Result> HostProgram::run(ArrayRef<HostBuffer> arguments,
                                   const LaunchOptions &options) const {
  return execute(arguments, options, nullptr);
}

LogicalResult
HostProgram::trace(ArrayRef<HostBuffer> arguments,
                   function_ref<void(const HostLaunch &)> onLaunch,
                   const LaunchOptions &options) const {
  return execute(arguments, options, onLaunch);
}
