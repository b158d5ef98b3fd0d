//===- Kernel.cpp - run a GPU kernel on the CPU and judge it ------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compilation.h"
#include "LaunchMemory.h"
#include "Lowering.h"
#include "MemSpace/Emulator/Emulator.h"
#include "MemSpace/IR/ArgumentBounds.h"
#include "MemSpace/IR/GridSize.h"
#include "MemSpace/IR/MemSpaceDialect.h"
#include "Reports.h"
#include "Runtime.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/MathExtras.h"
#include <thread>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

struct Kernel::Impl {
  std::string name;
  Location loc;
  Dim3 knownBlock = {0, 0, 0}, knownGrid = {0, 0, 0};
  /// The grid that it needs for its arguments, where it says so.
  std::optional<GridSize> gridSize;
  Program program;
  CompiledCode code;

  explicit Impl(Location loc) : loc(loc) {}
};

Kernel::Kernel(std::unique_ptr<Impl> impl) : impl(std::move(impl)) {}
Kernel::Kernel(Kernel &&) = default;
Kernel &Kernel::operator=(Kernel &&) = default;
Kernel::~Kernel() = default;

StringRef Kernel::getName() const { return impl->name; }
ArrayRef<Type> Kernel::getArgumentTypes() const {
  return impl->program.argumentTypes;
}
Dim3 Kernel::getKnownBlock() const { return impl->knownBlock; }
Dim3 Kernel::getKnownGrid() const { return impl->knownGrid; }
unsigned Kernel::getSubgroupSize() const { return impl->program.subgroupSize; }

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

/// The launch shape that the IR knows; zeros when it does not say.
static FailureOr<Dim3> getKnownShape(FunctionOpInterface kernel,
                                     StringRef discardable,
                                     StringRef inherent) {
  Attribute attr = kernel->getAttr(discardable);
  if (!attr)
    attr = kernel->getAttr(inherent);
  Dim3 shape = {0, 0, 0};
  if (!attr)
    return shape;
  auto sizes = dyn_cast<DenseI32ArrayAttr>(attr);
  if (!sizes || sizes.size() != 3 ||
      llvm::any_of(sizes.asArrayRef(), [](int32_t size) { return size <= 0; }))
    return emitError(kernel.getLoc())
           << "'" << discardable << "' is " << attr
           << "; wanted are three positive numbers, array<i32: x, y, z>";
  llvm::copy(sizes.asArrayRef(), shape.begin());
  return shape;
}

FailureOr<Kernel> Kernel::compile(Operation *module,
                                  const CompileOptions &options) {
  MLIRContext *context = module->getContext();
  DialectRegistry registry;
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  context->appendDialectRegistry(registry);
  context->loadDialect<
      affine::AffineDialect, arith::ArithDialect, cf::ControlFlowDialect,
      func::FuncDialect, gpu::GPUDialect, linalg::LinalgDialect,
      LLVM::LLVMDialect, memref::MemRefDialect, scf::SCFDialect,
      vector::VectorDialect, MemSpaceDialect>();

  FailureOr<FunctionOpInterface> kernel = findKernel(module, options);
  if (failed(kernel))
    return failure();
  auto impl = std::make_unique<Impl>(kernel->getLoc());
  impl->name = kernel->getName().str();
  FailureOr<Dim3> knownBlock =
      getKnownShape(*kernel, "gpu.known_block_size", "known_block_size");
  FailureOr<Dim3> knownGrid =
      getKnownShape(*kernel, "gpu.known_grid_size", "known_grid_size");
  if (failed(knownBlock) || failed(knownGrid))
    return failure();
  impl->knownBlock = *knownBlock;
  impl->knownGrid = *knownGrid;
  impl->gridSize = GridSize::get(*kernel);
  FailureOr<OwningOpRef<ModuleOp>> lowered =
      lowerKernel(*kernel, options, impl->program);
  if (failed(lowered))
    return failure();
  if (llvm::Error error = compileCode(**lowered, impl->program, impl->code))
    return emitError(impl->loc) << "the emulator cannot compile the kernel: "
                                << llvm::toString(std::move(error));
  return Kernel(std::move(impl));
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

LogicalResult emulator::checkPromise(Location loc, unsigned number,
                                     const HostBuffer &argument,
                                     Attribute promise) {
  if (!promise)
    return success();
  auto check = [&](int64_t given, const NumberBounds &bounds,
                   const Twine &what) -> LogicalResult {
    if (bounds.holds(given))
      return success();
    return emitError(loc) << what << " of argument " << number << " is "
                          << given << ", but '" << kBoundsAttr
                          << "' promises that it is " << bounds.str();
  };
  if (!isa<ArrayAttr>(promise))
    return check(argument.getInteger(0), parseBounds(promise), "the value");
  for (auto [dim, extent] : llvm::enumerate(argument.shape))
    if (failed(check(extent, getPromisedBounds(promise, dim),
                     "extent " + Twine(dim))))
      return failure();
  return success();
}

static LogicalResult checkArguments(const Kernel::Impl &impl,
                                    ArrayRef<HostBuffer> arguments) {
  ArrayRef<Type> types = impl.program.argumentTypes;
  if (arguments.size() != types.size())
    return emitError(impl.loc) << "the kernel has " << types.size()
                               << " arguments, given are " << arguments.size();
  for (auto [i, argument, type] : llvm::enumerate(arguments, types)) {
    auto memref = dyn_cast<MemRefType>(type);
    Type element = memref ? memref.getElementType() : type;
    auto fail = [&, i = i, type = type](const Twine &what) {
      return emitError(impl.loc)
             << "argument " << i << " of type " << type << " is given " << what;
    };
    if (argument.elementType != element)
      return fail("other elements");
    ArrayRef<int64_t> shape = memref ? memref.getShape() : ArrayRef<int64_t>();
    bool fits = argument.shape.size() == shape.size();
    for (auto [given, wanted] : llvm::zip(argument.shape, shape))
      fits &= given >= 0 && (ShapedType::isDynamic(wanted) || given == wanted);
    if (!fits) {
      std::string text;
      llvm::raw_string_ostream(text)
          << "the shape [" << llvm::interleaved(argument.shape) << "]";
      return fail(text);
    }
    int64_t bytes = getElementBytes(element);
    for (int64_t extent : argument.shape)
      if (llvm::MulOverflow(bytes, extent, bytes))
        return fail("more bytes than there are");
    if (int64_t(argument.bytes.size()) != bytes)
      return fail("another number of bytes than its shape has");
    if (failed(checkPromise(impl.loc, i, argument, impl.program.bounds[i])))
      return failure();
  }
  return success();
}

/// Each argument lies in memory of its own or in that of one that does.
static LogicalResult checkAliases(const Kernel::Impl &impl,
                                  ArrayRef<ArgumentAlias> aliases) {
  ArrayRef<Type> types = impl.program.argumentTypes;
  llvm::DenseSet<unsigned> inOthers;
  for (const ArgumentAlias &alias : aliases) {
    for (unsigned number : {alias.in, alias.argument})
      if (number >= types.size() || !isa<MemRefType>(types[number]))
        return emitError(impl.loc) << "argument " << number
                                   << " cannot share memory with another: it "
                                      "is no memref of the kernel";
    if (alias.byte < 0)
      return emitError(impl.loc)
             << "argument " << alias.argument << " cannot begin at byte "
             << alias.byte << " of argument " << alias.in;
    if (!inOthers.insert(alias.argument).second)
      return emitError(impl.loc)
             << "argument " << alias.argument << " is put into others twice";
  }
  for (const ArgumentAlias &alias : aliases)
    if (inOthers.contains(alias.in))
      return emitError(impl.loc)
             << "argument " << alias.argument << " cannot be put into argument "
             << alias.in
             << ", which has no memory of its own; put it where that lies";
  return success();
}

static FailureOr<Dim3> chooseShape(const Kernel::Impl &impl, StringRef what,
                                   const Dim3 &asked, const Dim3 &known) {
  Dim3 shape;
  for (int d = 0; d < 3; ++d) {
    if (asked[d] < 0)
      return emitError(impl.loc)
             << what << " size " << asked[d] << " is negative";
    shape[d] = asked[d] ? asked[d] : known[d] ? known[d] : 1;
    if (known[d] && shape[d] != known[d])
      return emitError(impl.loc)
             << what << " size " << shape[d] << " in dimension " << d
             << " contradicts the known size " << known[d];
  }
  return shape;
}

namespace {
struct CheckedShape : LaunchShape {
  int64_t threads = 1, workgroups = 1;
};
} // namespace

static constexpr int64_t kMaxThreads = 1024;
/// Numbers of threads fill 32 bits in the shadow state.
static constexpr int64_t kMaxGridThreads = int64_t(1) << 31;
/// More stacks than the operating system has mappings for would fail late.
static constexpr unsigned kMaxWorkers = 256;

/// The grid that the kernel says it needs for these arguments.
static std::optional<Dim3> getNeededGrid(const Kernel::Impl &impl,
                                         ArrayRef<HostBuffer> arguments) {
  if (!impl.gridSize)
    return std::nullopt;
  SmallVector<int64_t> values;
  for (const GridSize::Symbol &symbol : impl.gridSize->symbols) {
    if (symbol.argument >= arguments.size())
      return std::nullopt;
    const HostBuffer &argument = arguments[symbol.argument];
    if (symbol.dimension >= int64_t(argument.shape.size()))
      return std::nullopt;
    values.push_back(symbol.dimension == GridSize::Symbol::kValue
                         ? argument.getInteger(0)
                         : argument.shape[symbol.dimension]);
  }
  return impl.gridSize->evaluate(values);
}

/// Failure when `grid` lacks workgroups that block foralls are made for.
static LogicalResult checkNeededGrid(const Kernel::Impl &impl, const Dim3 &grid,
                                     const Dim3 &needed) {
  if (!impl.gridSize->isArranged()) {
    int64_t all = 1;
    for (int64_t extent : grid)
      if (llvm::MulOverflow(all, extent, all))
        return success(); // Too many is said elsewhere.
    return all >= needed[0] ? success()
                            : emitError(impl.loc)
                                  << "the grid has " << all
                                  << " workgroups, but the kernel's block "
                                     "foralls need "
                                  << needed[0] << "; give a larger '--grid'";
  }
  for (int d = 0; d < 3; ++d)
    if (grid[d] < needed[d])
      return emitError(impl.loc)
             << "grid size " << grid[d] << " in dimension " << d
             << " is less than the " << needed[d]
             << " that the kernel's block foralls need; give a larger '--grid'";
  return success();
}

/// The grid that is asked for, else the one that the kernel knows or says it
/// needs, else one workgroup if that is all the same to it.
static FailureOr<Dim3> chooseGrid(const Kernel::Impl &impl,
                                  ArrayRef<HostBuffer> arguments,
                                  const Dim3 &asked) {
  bool isAsked = llvm::any_of(asked, [](int64_t size) { return size != 0; });
  bool isKnown = impl.knownGrid[0] != 0;
  std::optional<Dim3> needed =
      isKnown ? std::nullopt : getNeededGrid(impl, arguments);
  if (!isAsked && needed)
    return *needed;
  if (!isAsked && !isKnown && impl.program.readsGrid)
    return emitError(impl.loc)
           << "the grid of kernel '" << impl.name
           << "' is not known, and it reads block ids; give it with '--grid', "
              "or the kernel 'gpu.known_grid_size'";
  FailureOr<Dim3> grid = chooseShape(impl, "grid", asked, impl.knownGrid);
  if (failed(grid) || (needed && failed(checkNeededGrid(impl, *grid, *needed))))
    return failure();
  return grid;
}

static FailureOr<CheckedShape> checkLaunchShape(const Kernel::Impl &impl,
                                                ArrayRef<HostBuffer> arguments,
                                                const LaunchOptions &options) {
  FailureOr<Dim3> block =
      chooseShape(impl, "workgroup", options.block, impl.knownBlock);
  FailureOr<Dim3> grid = chooseGrid(impl, arguments, options.grid);
  if (failed(block) || failed(grid))
    return failure();
  CheckedShape shape;
  shape.grid = *grid;
  shape.block = *block;
  for (int d = 0; d < 3; ++d)
    if (llvm::MulOverflow(shape.threads, shape.block[d], shape.threads) ||
        shape.threads > kMaxThreads)
      return emitError(impl.loc)
             << "a workgroup has at most " << kMaxThreads << " threads";
  for (int d = 0; d < 3; ++d)
    if (llvm::MulOverflow(shape.workgroups, shape.grid[d], shape.workgroups) ||
        shape.workgroups > kMaxGridThreads / shape.threads)
      return emitError(impl.loc)
             << "the grid has more threads than the emulator "
                "can number";
  uint64_t allThreads = shape.workgroups * shape.threads;
  if (allThreads > options.maxSteps / kStepsPerThread)
    return emitError(impl.loc)
           << "the launch has " << allThreads << " threads, each of which is "
           << kStepsPerThread << " steps of the " << options.maxSteps
           << " that 'max-steps' allows; run fewer, or allow more";
  return shape;
}

/// The copies of the arguments besides those in the kernel's memory: what the
/// caller has, and the results of two orders that are compared.
static constexpr int64_t kHostCopies = 3;

static LogicalResult takeHostMemory(const Kernel::Impl &impl,
                                    ArrayRef<HostBuffer> arguments,
                                    MemoryBudget &budget) {
  for (const HostBuffer &argument : arguments)
    if (!budget.take(kHostCopies * int64_t(argument.bytes.size())))
      return emitError(impl.loc) << kOutOfMemory;
  return success();
}

/// For the runtime, which works on the stack of the thread that calls it.
static constexpr int64_t kRuntimeStackBytes = int64_t(1) << 20;

/// Runs all workgroups with the threads in one order.
static std::vector<WorkerResult> runOrder(const Launch &launch,
                                          const CheckedShape &shape,
                                          const LaunchOptions &options,
                                          unsigned number) {
  Order order = number == 0   ? Order::Forward
                : number == 1 ? Order::Reverse
                              : Order::Shuffled;
  int64_t numWorkers =
      std::clamp<int64_t>(options.threads, 1, shape.workgroups);
  std::vector<WorkerResult> workers(numWorkers);
  std::vector<std::thread> others;
  auto work = [&](int64_t worker) {
    workers[worker] =
        runWorkgroups(launch, order, options.seed + number * 1000003 + worker,
                      worker, numWorkers);
  };
  for (int64_t worker = 1; worker < numWorkers; ++worker)
    others.emplace_back(work, worker);
  work(0);
  for (std::thread &other : others)
    other.join();
  return workers;
}

/// Adds what the workers of one order found. False when they were stuck.
static bool addResults(ArrayRef<WorkerResult> workers, bool isFirst,
                       Result &result, ReportSet &reports) {
  bool isStuck = false;
  for (const WorkerResult &worker : workers) {
    reports.merge(worker.reports);
    isStuck |= worker.isStuck;
    result.shadowBytes = std::max(result.shadowBytes, worker.shadowBytes);
    if (!isFirst)
      continue;
    result.accesses += worker.outOfBounds;
    for (const AccessCounts &counts : worker.counts)
      result.accesses += counts.getTotal();
    result.global += worker.counts[unsigned(Space::Global)];
    result.workgroup += worker.counts[unsigned(Space::Workgroup)];
    result.privateMemory += worker.counts[unsigned(Space::Private)];
    result.executedBarriers =
        std::max(result.executedBarriers, worker.executedBarriers);
    result.executedSubgroupBarriers = std::max(result.executedSubgroupBarriers,
                                               worker.executedSubgroupBarriers);
  }
  return !isStuck;
}

FailureOr<LaunchShape>
Kernel::getLaunchShape(ArrayRef<HostBuffer> arguments,
                       const LaunchOptions &options) const {
  if (failed(checkArguments(*impl, arguments)))
    return failure();
  FailureOr<CheckedShape> shape = checkLaunchShape(*impl, arguments, options);
  if (failed(shape))
    return failure();
  return LaunchShape(*shape);
}

FailureOr<Result> Kernel::run(ArrayRef<HostBuffer> arguments,
                              const LaunchOptions &options) const {
  if (failed(checkArguments(*impl, arguments)) ||
      failed(checkAliases(*impl, options.aliases)))
    return failure();
  FailureOr<CheckedShape> shape = checkLaunchShape(*impl, arguments, options);
  if (failed(shape))
    return failure();
  if (options.threads > kMaxWorkers)
    return emitError(impl->loc) << "workgroups can be spread over at most "
                                << kMaxWorkers << " OS threads";
  if (options.onAccess && options.threads > 1)
    return emitError(impl->loc)
           << "accesses are traced on one OS thread only; leave 'threads' at 1";
  MemoryBudget budget(options.maxMemoryBytes);
  int64_t frames = impl->code.frameBytes * shape->threads *
                   std::clamp<int64_t>(options.threads, 1, shape->workgroups);
  if (failed(takeHostMemory(*impl, arguments, budget)))
    return failure();
  if (!budget.take(frames))
    return emitError(impl->loc)
           << "memory limit: the values of all threads take " << frames
           << " bytes, more than 'max-memory' allows; use smaller vectors, or "
              "allow more";

  Result result;
  ReportSet reports;
  for (unsigned i = 0; i < std::max(options.orders, 1u); ++i) {
    LaunchMemory memory(impl->program, impl->code, impl->loc, arguments,
                        options.aliases, budget);
    if (failed(memory.make()))
      return failure();
    std::atomic<uint64_t> steps{0};
    Launch launch{impl->program,
                  impl->code.entry,
                  memory.slots.data(),
                  shape->grid,
                  shape->block,
                  options.maxSteps,
                  steps,
                  budget,
                  kRuntimeStackBytes + impl->code.frameBytes,
                  i == 0 && options.onAccess ? &options.onAccess : nullptr,
                  memory.buffers,
                  memory.globalIds};
    std::vector<WorkerResult> workers = runOrder(launch, *shape, options, i);
    for (const WorkerResult &worker : workers)
      if (worker.failure)
        return emitError(worker.failure->site
                             ? impl->program.sites[worker.failure->site]
                             : impl->loc)
               << worker.failure->message;
    bool isDone = addResults(workers, i == 0, result, reports);
    SmallVector<HostBuffer> outputs = memory.getArguments();
    if (i == 0)
      result.arguments = std::move(outputs);
    else
      for (auto [number, output] : llvm::enumerate(outputs))
        if (!output.equals(result.arguments[number]) &&
            !llvm::is_contained(result.orderDependentArguments, number))
          result.orderDependentArguments.push_back(number);
    // The other orders would not end either.
    if (!isDone)
      break;
  }
  for (const auto &[key, raw] : reports.get())
    result.reports.push_back(makeReport(raw, impl->program));
  result.hasMoreReports = reports.hasMore();
  if (!result.reports.empty())
    result.orderDependentArguments.clear();
  return result;
}
