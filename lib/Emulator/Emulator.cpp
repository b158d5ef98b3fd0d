//===- Emulator.cpp - run a GPU kernel on the CPU and judge it ------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Emulator/Emulator.h"
#include "Instrumentation.h"
#include "Lowering.h"
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
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/ThreadSafeModule.h"
#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/TargetSelect.h"
#include <cstring>
#include <mutex>
#include <thread>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

struct Kernel::Impl {
  std::string name;
  Location loc;
  Dim3 knownBlock = {0, 0, 0}, knownGrid = {0, 0, 0};
  Program program;
  std::unique_ptr<llvm::orc::LLJIT> jit;
  void (*entry)(void *) = nullptr;
  /// Initial contents by index of Program::globals; null for none.
  std::vector<const uint8_t *> globalContents;

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
// Conversions that CPUs lack
//===----------------------------------------------------------------------===//

// LLVM calls these for f16 and bf16 where the CPU has no instruction, and not
// every C runtime has them. Small floats travel in the low bits of a vector
// register, as float does.

static float toSmallFloat(const llvm::APFloat &value,
                          const llvm::fltSemantics &semantics) {
  llvm::APFloat result = value;
  bool losesInfo;
  result.convert(semantics, llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return llvm::bit_cast<float>(
      uint32_t(result.bitcastToAPInt().getZExtValue()));
}

static float truncFloatToBF16(float value) {
  return toSmallFloat(llvm::APFloat(value), llvm::APFloat::BFloat());
}
static float truncDoubleToBF16(double value) {
  return toSmallFloat(llvm::APFloat(value), llvm::APFloat::BFloat());
}
static float truncFloatToHalf(float value) {
  return toSmallFloat(llvm::APFloat(value), llvm::APFloat::IEEEhalf());
}
static float truncDoubleToHalf(double value) {
  return toSmallFloat(llvm::APFloat(value), llvm::APFloat::IEEEhalf());
}
static float extendHalf(float value) {
  llvm::APFloat half(llvm::APFloat::IEEEhalf(),
                     llvm::APInt(16, llvm::bit_cast<uint32_t>(value) & 0xFFFF));
  bool losesInfo;
  half.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven,
               &losesInfo);
  return half.convertToFloat();
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

static llvm::orc::SymbolMap getRuntimeSymbols(llvm::orc::LLJIT &jit) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](StringRef name, void *address) {
    symbols[jit.mangleAndIntern(name)] = {
        llvm::orc::ExecutorAddr::fromPtr(address),
        llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  };
  for (const RuntimeFunction &function : getRuntimeFunctions())
    add(function.name, function.address);
  add("__truncsfbf2", reinterpret_cast<void *>(truncFloatToBF16));
  add("__truncdfbf2", reinterpret_cast<void *>(truncDoubleToBF16));
  add("__truncsfhf2", reinterpret_cast<void *>(truncFloatToHalf));
  add("__truncdfhf2", reinterpret_cast<void *>(truncDoubleToHalf));
  add("__extendhfsf2", reinterpret_cast<void *>(extendHalf));
  return symbols;
}

static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>> makeJIT() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
  auto target = llvm::orc::JITTargetMachineBuilder::detectHost();
  if (!target)
    return target.takeError();
  // Kernels run once or a few times: compiling must be fast.
  target->setCodeGenOptLevel(llvm::CodeGenOptLevel::None);
  auto jit = llvm::orc::LLJITBuilder()
                 .setJITTargetMachineBuilder(std::move(*target))
                 .create();
  if (!jit)
    return jit.takeError();
  auto process = llvm::orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!process)
    return process.takeError();
  (*jit)->getMainJITDylib().addGenerator(std::move(*process));
  if (llvm::Error error = (*jit)->getMainJITDylib().define(
          llvm::orc::absoluteSymbols(getRuntimeSymbols(**jit))))
    return std::move(error);
  return std::move(*jit);
}

/// Translates, instruments and compiles the lowered module.
static llvm::Error compileModule(ModuleOp module, Kernel::Impl &impl) {
  auto jit = makeJIT();
  if (!jit)
    return jit.takeError();
  impl.jit = std::move(*jit);
  auto context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> code =
      translateModuleToLLVMIR(module, *context);
  if (!code)
    return llvm::createStringError("translation to LLVM IR failed");
  code->setDataLayout(impl.jit->getDataLayout());
  code->setTargetTriple(impl.jit->getTargetTriple());
  instrument(*code);
  addEntry(*code, kKernelSymbol);
  if (llvm::Error error = impl.jit->addIRModule(
          llvm::orc::ThreadSafeModule(std::move(code), std::move(context))))
    return error;
  auto entry = impl.jit->lookup(kEntrySymbol);
  if (!entry)
    return entry.takeError();
  impl.entry = entry->toPtr<void (*)(void *)>();
  for (const GlobalInfo &global : impl.program.globals) {
    impl.globalContents.push_back(nullptr);
    if (!global.isInitialized)
      continue;
    auto address = impl.jit->lookup(global.symbol);
    if (!address)
      return address.takeError();
    impl.globalContents.back() = address->toPtr<const uint8_t *>();
  }
  return llvm::Error::success();
}

/// x, y, z of an attribute of three integers; zeros when it is absent.
static Dim3 getKnownShape(FunctionOpInterface kernel, StringRef discardable,
                          StringRef inherent) {
  Dim3 shape = {0, 0, 0};
  auto attr = kernel->getAttrOfType<DenseI32ArrayAttr>(discardable);
  if (!attr)
    attr = kernel->getAttrOfType<DenseI32ArrayAttr>(inherent);
  if (attr && attr.size() == 3)
    llvm::copy(attr.asArrayRef(), shape.begin());
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
  impl->knownBlock =
      getKnownShape(*kernel, "gpu.known_block_size", "known_block_size");
  impl->knownGrid =
      getKnownShape(*kernel, "gpu.known_grid_size", "known_grid_size");
  FailureOr<OwningOpRef<ModuleOp>> lowered =
      lowerKernel(*kernel, options, impl->program);
  if (failed(lowered))
    return failure();
  if (llvm::Error error = compileModule(**lowered, *impl)) {
    emitError(impl->loc) << "the emulator cannot compile the kernel: "
                         << llvm::toString(std::move(error));
    return failure();
  }
  return Kernel(std::move(impl));
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

namespace {
/// The memory of one run and what the kernel's entry reads.
class Memory {
public:
  Memory(const Kernel::Impl &impl, ArrayRef<HostBuffer> arguments);

  /// The arguments as the kernel left them.
  SmallVector<HostBuffer> getArguments() const;

  std::vector<Buffer> buffers;
  std::vector<int64_t> globalIds;
  std::vector<uint8_t> slots;

private:
  void addSlot(const void *value, size_t size);
  void addSlot(int64_t value) { addSlot(&value, sizeof(value)); }
  void addArgument(const HostBuffer &argument, MemRefType type);
  /// Calls `function` with the byte position of each element in memory, in
  /// row-major order.
  template <typename Fn>
  static void forEachElement(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                             int64_t offset, Fn function);

  struct Placed {
    Allocation *allocation;
    SmallVector<int64_t> strides;
    int64_t offset;
  };
  ArrayRef<HostBuffer> arguments;
  std::vector<std::unique_ptr<Allocation>> allocations;
  std::vector<Placed> placed;
};
} // namespace

void Memory::addSlot(const void *value, size_t size) {
  slots.resize(slots.size() + kSlotBytes);
  std::memcpy(&slots[slots.size() - kSlotBytes], value, size);
}

template <typename Fn>
void Memory::forEachElement(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides,
                            int64_t offset, Fn function) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  SmallVector<int64_t> position(shape.size());
  for (int64_t i = 0; i < count; ++i) {
    int64_t at = offset;
    for (auto [index, stride] : llvm::zip(position, strides))
      at += index * stride;
    function(i, at);
    for (int64_t d = int64_t(shape.size()) - 1; d >= 0; --d) {
      if (++position[d] < shape[d])
        break;
      position[d] = 0;
    }
  }
}

void Memory::addArgument(const HostBuffer &argument, MemRefType type) {
  // Dynamic strides are those of a dense array.
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t dense = 1, last = ShapedType::isDynamic(offset) ? 0 : offset;
  int64_t start = last;
  for (int64_t d = type.getRank() - 1; d >= 0; --d) {
    if (ShapedType::isDynamic(strides[d]))
      strides[d] = dense;
    dense *= std::max<int64_t>(argument.shape[d], 1);
    last += std::max<int64_t>(argument.shape[d] - 1, 0) * strides[d];
  }
  int64_t size = getElementBytes(argument.elementType);
  int64_t bytes = argument.getNumElements() == 0 ? 0 : (last + 1) * size;
  allocations.push_back(std::make_unique<Allocation>(Space::Global, bytes,
                                                     argument.isInitialized));
  Allocation &allocation = *allocations.back();
  forEachElement(argument.shape, strides, start, [&](int64_t i, int64_t at) {
    std::memcpy(allocation.data + at * size, &argument.bytes[i * size], size);
  });
  uint64_t address = makeAddress(buffers.size());
  buffers.push_back({&allocation, 0, bytes, 0, 0});
  placed.push_back({&allocation, strides, start});
  addSlot(address);
  addSlot(address);
  addSlot(start);
  for (int64_t extent : argument.shape)
    addSlot(extent);
  for (int64_t stride : strides)
    addSlot(stride);
}

Memory::Memory(const Kernel::Impl &impl, ArrayRef<HostBuffer> arguments)
    : arguments(arguments) {
  for (auto [argument, type] :
       llvm::zip_equal(arguments, impl.program.argumentTypes)) {
    if (auto memref = dyn_cast<MemRefType>(type)) {
      addArgument(argument, memref);
      continue;
    }
    addSlot(argument.bytes.data(), argument.bytes.size());
    placed.push_back({nullptr, {}, 0});
  }
  for (auto [i, global] : llvm::enumerate(impl.program.globals)) {
    globalIds.push_back(-1);
    if (global.space == Space::Workgroup)
      continue;
    allocations.push_back(std::make_unique<Allocation>(
        Space::Global, global.bytes, global.isInitialized));
    Allocation &allocation = *allocations.back();
    if (impl.globalContents[i])
      std::memcpy(allocation.data, impl.globalContents[i], global.bytes);
    allocation.isConstant = global.isConstant;
    globalIds.back() = buffers.size();
    buffers.push_back({&allocation, 0, global.bytes, global.site, 0});
  }
}

SmallVector<HostBuffer> Memory::getArguments() const {
  SmallVector<HostBuffer> results(arguments.begin(), arguments.end());
  for (auto [result, place] : llvm::zip_equal(results, placed)) {
    if (!place.allocation)
      continue;
    int64_t size = getElementBytes(result.elementType);
    const uint8_t *data = place.allocation->data;
    forEachElement(result.shape, place.strides, place.offset,
                   [&, &result = result](int64_t i, int64_t at) {
                     std::memcpy(&result.bytes[i * size], data + at * size,
                                 size);
                   });
    result.isInitialized = true;
  }
  return results;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

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
    if (int64_t(argument.bytes.size()) !=
        argument.getNumElements() * getElementBytes(element))
      return fail("another number of bytes than its shape has");
  }
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

static constexpr int64_t kMaxThreads = 1024;

FailureOr<Result> Kernel::run(ArrayRef<HostBuffer> arguments,
                              const LaunchOptions &options) const {
  if (failed(checkArguments(*impl, arguments)))
    return failure();
  FailureOr<Dim3> block =
      chooseShape(*impl, "workgroup", options.block, impl->knownBlock);
  FailureOr<Dim3> grid =
      chooseShape(*impl, "grid", options.grid, impl->knownGrid);
  if (failed(block) || failed(grid))
    return failure();
  int64_t threads = 1, workgroups = 1;
  for (int d = 0; d < 3; ++d) {
    if ((*block)[d] > kMaxThreads || (threads *= (*block)[d]) > kMaxThreads)
      return emitError(impl->loc)
             << "a workgroup has at most " << kMaxThreads << " threads";
    if ((*grid)[d] > UINT32_MAX ||
        (workgroups *= (*grid)[d]) > UINT32_MAX / threads)
      return emitError(impl->loc)
             << "the grid has more threads than the emulator "
                "can number";
  }

  if (options.onAccess && options.threads > 1)
    return emitError(impl->loc)
           << "accesses are traced on one OS thread only; leave 'threads' at 1";

  Result result;
  ReportSet reports;
  for (unsigned i = 0; i < std::max(options.orders, 1u); ++i) {
    Memory memory(*impl, arguments);
    Launch launch{impl->program,
                  impl->entry,
                  memory.slots.data(),
                  *grid,
                  *block,
                  options.maxSteps,
                  i == 0 && options.onAccess ? &options.onAccess : nullptr,
                  memory.buffers,
                  memory.globalIds};
    Order order = i == 0   ? Order::Forward
                  : i == 1 ? Order::Reverse
                           : Order::Shuffled;
    int64_t numWorkers = std::clamp<int64_t>(options.threads, 1, workgroups);
    std::vector<WorkerResult> workers(numWorkers);
    std::vector<std::thread> others;
    auto work = [&](int64_t number) {
      workers[number] =
          runWorkgroups(launch, order, options.seed + i * 1000003 + number,
                        number, numWorkers);
    };
    for (int64_t number = 1; number < numWorkers; ++number)
      others.emplace_back(work, number);
    work(0);
    for (std::thread &other : others)
      other.join();

    bool isStuck = false;
    for (const WorkerResult &worker : workers) {
      reports.merge(worker.reports);
      isStuck |= worker.isStuck;
      result.shadowBytes = std::max(result.shadowBytes, worker.shadowBytes);
      if (i > 0)
        continue;
      result.accesses += worker.accesses;
      result.executedBarriers =
          std::max(result.executedBarriers, worker.executedBarriers);
      result.executedSubgroupBarriers = std::max(
          result.executedSubgroupBarriers, worker.executedSubgroupBarriers);
    }
    SmallVector<HostBuffer> outputs = memory.getArguments();
    if (i == 0)
      result.arguments = std::move(outputs);
    else
      for (auto [number, output] : llvm::enumerate(outputs))
        if (!output.equals(result.arguments[number]) &&
            !llvm::is_contained(result.orderDependentArguments, number))
          result.orderDependentArguments.push_back(number);
    // The other orders would not end either.
    if (isStuck)
      break;
  }
  for (const auto &[key, raw] : reports.get())
    result.reports.push_back(makeReport(raw, impl->program));
  if (!result.reports.empty())
    result.orderDependentArguments.clear();
  return result;
}
