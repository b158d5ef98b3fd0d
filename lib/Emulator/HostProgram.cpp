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

static bool launches(func::FuncOp func) {
  return func
      ->walk([](Operation *op) {
        return getLaunchedKernel(op) ? WalkResult::interrupt()
                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

func::FuncOp HostProgram::find(Operation *module, StringRef name) {
  func::FuncOp found;
  bool isOnly = true;
  int64_t numKernels = 0;
  module->walk([&](FunctionOpInterface function) {
    numKernels += isGPUKernel(function);
    auto func = dyn_cast<func::FuncOp>(*function);
    if (!func)
      return;
    if (func.isExternal() || isGPUKernel(func) ||
        (!name.empty() && func.getName() != name) || !launches(func))
      return;
    isOnly = !found;
    found = func;
  });
  return isOnly && (numKernels > 1 || !name.empty()) ? found : func::FuncOp();
}

/// True for what the host may do.
static LogicalResult checkHostOp(Operation *op) {
  if (isa<func::ReturnOp, memref::AllocOp, memref::DeallocOp, memref::DimOp,
          cf::AssertOp>(op) ||
      getLaunchedKernel(op) ||
      (op->getNumRegions() == 0 && isPure(op) &&
       llvm::none_of(op->getResultTypes(), llvm::IsaPred<BaseMemRefType>)))
    return success();
  return op->emitError() << "the emulator does not run '" << op->getName()
                         << "' of the host; it allocates and launches in a "
                            "straight line";
}

FailureOr<HostProgram> HostProgram::compile(func::FuncOp host,
                                            const CompileOptions &options) {
  auto impl = std::make_unique<Impl>();
  impl->host = host;
  if (!llvm::hasSingleElement(host.getBody()) || host.getNumResults() != 0)
    return host.emitError() << "the emulator runs functions of the host of one "
                               "block and without results";
  DenseMap<Operation *, std::shared_ptr<Kernel>> compiled;
  for (Operation &op : host.front()) {
    if (failed(checkHostOp(&op)))
      return failure();
    FunctionOpInterface function = getLaunchedKernel(&op);
    if (!function)
      continue;
    std::shared_ptr<Kernel> &kernel = compiled[function];
    if (!kernel) {
      CompileOptions ofKernel = options;
      ofKernel.kernel = function.getName().str();
      FailureOr<Kernel> made = Kernel::compile(
          SymbolTable::getNearestSymbolTable(function->getParentOp()),
          ofKernel);
      if (failed(made))
        return failure();
      kernel = std::make_shared<Kernel>(std::move(*made));
    }
    impl->kernels[&op] = kernel;
  }
  return HostProgram(std::move(impl));
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

namespace {
/// One execution of the host's function.
class HostRun {
public:
  HostRun(const DenseMap<Operation *, std::shared_ptr<Kernel>> &kernels,
          const LaunchOptions &options, Result &result)
      : kernels(kernels), options(options), result(result) {}

  void set(Value value, const HostBuffer &buffer) { buffers[value] = buffer; }
  const HostBuffer &get(Value value) const {
    return buffers.find(value)->second;
  }
  /// False after a launch that is not clean.
  FailureOr<bool> execute(Operation *op);

private:
  FailureOr<int64_t> getNumber(Value value);
  LogicalResult allocate(memref::AllocOp alloc);
  LogicalResult compute(Operation *op);
  LogicalResult setSizes(const gpu::KernelDim3 &operands, Dim3 &sizes);
  FailureOr<bool> launch(Operation *op);

  const DenseMap<Operation *, std::shared_ptr<Kernel>> &kernels;
  const LaunchOptions &options;
  Result &result;
  /// The contents of memrefs, and scalars as buffers of rank 0.
  DenseMap<Value, HostBuffer> buffers;
};
} // namespace

FailureOr<int64_t> HostRun::getNumber(Value value) {
  auto it = buffers.find(value);
  if (it == buffers.end() || !value.getType().isIntOrIndex())
    return emitError(value.getLoc())
           << "the emulator does not know this number of the host";
  return it->second.getInteger(0);
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
  buffers[alloc] = HostBuffer::uninitialized(type.getElementType(), shape);
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
    buffers[dim] = number;
    return success();
  }
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    Attribute attr;
    auto it = buffers.find(operand);
    if (it != buffers.end() && operand.getType().isIntOrIndex())
      attr = IntegerAttr::get(operand.getType(), it->second.getInteger(0));
    else if (it != buffers.end() && isa<FloatType>(operand.getType()))
      attr = FloatAttr::get(operand.getType(), it->second.getFloat(0));
    operands.push_back(attr);
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) ||
      results.size() != op->getNumResults())
    return op->emitError() << "the emulator does not know what '"
                           << op->getName() << "' of the host gives";
  for (auto [value, folded] : llvm::zip_equal(op->getResults(), results)) {
    if (auto same = dyn_cast<Value>(folded)) {
      buffers[value] = get(same);
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
    buffers[value] = number;
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
  // One memory under two names is one memory in the kernel, too.
  SmallVector<HostBuffer> arguments;
  for (auto [number, operand] : llvm::enumerate(operands)) {
    arguments.push_back(get(operand));
    for (unsigned other = 0; other < number; ++other)
      if (operands[other] == operand &&
          isa<BaseMemRefType>(operand.getType())) {
        ofLaunch.aliases.push_back({other, unsigned(number), 0});
        break;
      }
  }
  FailureOr<Result> ran = kernels.find(op)->second->run(arguments, ofLaunch);
  if (failed(ran))
    return failure();
  for (auto [operand, contents] : llvm::zip_equal(operands, ran->arguments)) {
    contents.isInitialized = true;
    buffers[operand] = contents;
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

FailureOr<bool> HostRun::execute(Operation *op) {
  if (kernels.contains(op))
    return launch(op);
  if (isa<func::ReturnOp, memref::DeallocOp>(op))
    return true;
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

FailureOr<Result> HostProgram::run(ArrayRef<HostBuffer> arguments,
                                   const LaunchOptions &options) const {
  func::FuncOp host = impl->host;
  if (!options.aliases.empty() || options.onAccess)
    return host.emitError() << "aliases and traces are of a kernel; run one of "
                               "those that '"
                            << host.getName() << "' launches";
  if (arguments.size() != host.getNumArguments())
    return host.emitError() << "the function has " << host.getNumArguments()
                            << " arguments, given are " << arguments.size();
  Result result;
  HostRun run(impl->kernels, options, result);
  for (auto [value, buffer] : llvm::zip_equal(host.getArguments(), arguments)) {
    unsigned number = value.getArgNumber();
    if (failed(checkPromise(host.getLoc(), number, buffer,
                            host.getArgAttr(number, kBoundsAttr))))
      return failure();
    run.set(value, buffer);
  }
  for (Operation &op : host.front()) {
    FailureOr<bool> goesOn = run.execute(&op);
    if (failed(goesOn))
      return failure();
    if (!*goesOn)
      break;
  }
  for (Value argument : host.getArguments())
    result.arguments.push_back(run.get(argument));
  return result;
}
