// throwaway test main
#include "Interpreter.h"
#include "MemSpace/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include <chrono>
using namespace mlir;
using namespace mlir::memspace;
int main(int argc, char **argv) {
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  memspace::registerAllDialects(registry);
  MLIRContext ctx(registry, MLIRContext::Threading::DISABLED);
  auto m = parseSourceFile<ModuleOp>(argv[1], &ctx);
  if (!m)
    return 2;
  auto fn = *m->getOps<func::FuncOp>().begin();
  SmallVector<emulator::HostBuffer> args;
  int n = 2;
  for (Type t : fn.getArgumentTypes()) {
    Type et = getElementTypeOrSelf(t);
    if (StringRef(argv[n]) == "-") {
      llvm::errs() << "?";
      return 2;
    }
    // arg: file[:out]
    StringRef spec(argv[n++]);
    auto parts = spec.split(',');
    auto b = emulator::readNpy(parts.first, et);
    if (!b) {
      llvm::errs() << toString(b.takeError()) << "\n";
      return 2;
    }
    if (parts.second == "uninit")
      b->isInitialized = false;
    args.push_back(*b);
  }
  auto t0 = std::chrono::steady_clock::now();
  auto r = fuzz::interpret(fn, args);
  if (failed(r))
    return 1;
  double s =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - t0)
          .count();
  for (size_t i = 0; i < args.size(); ++i) {
    std::string p =
        std::string(argv[argc - 1]) + "/" + std::to_string(i) + ".npy";
    if (auto e = emulator::writeNpy(p, r->arguments[i])) {
      llvm::errs() << toString(std::move(e));
      return 2;
    }
    int64_t u = 0;
    for (bool b : r->undefinedElements[i])
      u += b;
    if (u)
      llvm::outs() << "arg " << i << " undefined " << u << "\n";
  }
  llvm::outs() << "steps " << r->steps << " sec " << s << " undefuses "
               << r->undefinedUses << "\n";
}
