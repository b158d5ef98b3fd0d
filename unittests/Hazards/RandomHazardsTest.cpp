//===- RandomHazardsTest.cpp - hazards against an enumeration -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random index arithmetic, loops and conditions for two accesses of a small
// workgroup. Every pair of threads and iterations is executed op by op, by the
// folders of the ops: where two of them meet, the analysis must say so, and
// where it gives a certain witness, that one must be among them.
//
//===----------------------------------------------------------------------===//

#include "MemSpace/Hazards/HazardAnalysis.h"
#include "TestContext.h"
#include "TestModule.h"
#include "Threads/OneThreadEvaluator.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::memspace;

namespace {
constexpr int64_t kThreads = 12, kSubgroup = 4, kTrips = 3;

class Generator {
public:
  explicit Generator(unsigned seed) : random(seed) {}

  std::string getKernel() {
    begin();
    indices = {"%t"};
    addArithmetic(pick(4));
    int loop = pick(3);
    if (loop == 2)
      beginLoop("outer");
    addAccess("a", loop == 1);
    addAccess("b", loop == 1);
    if (loop == 2)
      os << "} {test.name = \"loop\"}\n";
    os << "return\n}";
    return os.str();
  }

  /// Accesses by the same ops on indices a constant apart, and all again.
  std::string getUnrolledKernel() {
    begin();
    std::mt19937 first = random;
    for (int copy = 0; copy < 6; ++copy) {
      random = first;
      indices = {makeName()};
      os << indices[0] << " = arith.addi %t, " << constants[copy % 5]
         << " : index\n";
      addAccess("a", /*inLoop=*/false);
    }
    os << "return\n}";
    return os.str();
  }

private:
  void begin() {
    os << "#wg = #gpu.address_space<workgroup>\n"
          "func.func @k() attributes {gpu.known_block_size = array<i32: "
       << kThreads
       << ", 1, 1>} {\n"
          "%t = gpu.thread_id x\n"
          "%m = memref.alloc() : memref<64x8xi8, #wg>\n"
          "%v = arith.constant 1 : i8\n";
    for (int64_t number : {0, 1, 2, 3, 4, 5, 8, 12, 15, -4})
      addConstant(number);
  }

  int pick(int count) {
    return std::uniform_int_distribution<int>(0, count - 1)(random);
  }
  const std::string &pickIndex() {
    // Rather something new than a constant.
    int last = indices.size();
    return indices[std::max(pick(last), pick(last))];
  }
  std::string pickConstant() {
    return constants[1 + pick(constants.size() - 1)];
  }
  std::string makeName() { return "%x" + std::to_string(next++); }

  void addConstant(int64_t number) {
    std::string name = makeName();
    os << name << " = arith.constant " << number << " : index\n";
    constants.push_back(name);
  }

  void addArithmetic(int count) {
    for (int i = 0; i < count; ++i)
      addOp();
  }

  void addOp() {
    static const char *free[] = {"addi",  "subi", "minsi", "maxsi", "minui",
                                 "maxui", "ori",  "xori",  "andi"};
    static const char *byConstant[] = {
        "muli",      "divui",     "remui", "divsi", "remsi", "floordivsi",
        "ceildivsi", "ceildivui", "shli",  "shrui", "shrsi", "andi",
        "ori",       "xori",      "addi",  "subi"};
    static const char *dialect[] = {"add",  "sub",       "mul",      "divu",
                                    "remu", "floordivs", "ceildivs", "shl",
                                    "shru", "and",       "or",       "xor"};
    std::string a = pickIndex(), b = pickIndex(), c = pickConstant();
    std::string name = makeName();
    switch (pick(7)) {
    case 0:
      os << name << " = arith." << free[pick(9)] << " " << a << ", " << b
         << " : index\n";
      break;
    case 1:
    case 2:
      os << name << " = arith." << byConstant[pick(16)] << " " << a << ", " << c
         << " : index\n";
      break;
    case 3:
      os << name << " = index." << dialect[pick(12)] << " " << a << ", " << c
         << "\n";
      break;
    case 4: {
      static const char *maps[] = {"d0 mod 5",     "d0 floordiv 3",
                                   "d0 ceildiv 4", "d0 * 3 + 1",
                                   "7 - d0",       "(d0 + 2) mod 3"};
      os << name << " = affine.apply affine_map<(d0) -> (" << maps[pick(6)]
         << ")>(" << a << ")\n";
      break;
    }
    case 5: {
      std::string compare = makeName();
      addComparison(compare);
      os << name << " = arith.select " << compare << ", " << a << ", " << b
         << " : index\n";
      break;
    }
    case 6: {
      std::string narrow = makeName(), sum = makeName();
      bool isUnsigned = pick(2);
      std::string cast = isUnsigned ? "index_castui" : "index_cast";
      os << narrow << " = arith." << cast << " " << a << " : index to i8\n"
         << sum << " = arith.addi " << narrow << ", " << narrow << " : i8\n"
         << name << " = arith." << cast << " " << sum << " : i8 to index\n";
      break;
    }
    }
    indices.push_back(name);
  }

  void addComparison(const std::string &name) {
    static const char *predicates[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                       "sge", "ult", "ule", "ugt", "uge"};
    const char *predicate = predicates[pick(10)];
    if (pick(2))
      os << name << " = arith.cmpi " << predicate << ", " << pickIndex() << ", "
         << pickConstant() << " : index\n";
    else
      os << name << " = index.cmp " << predicate << "(" << pickIndex() << ", "
         << pickConstant() << ")\n";
  }

  void beginLoop(const std::string &name) {
    os << "scf.for %" << name << " = " << constants[pick(2)] << " to "
       << constants[3] << " step " << constants[1 + pick(2)] << " {\n";
    indices.push_back("%" + name);
  }

  void addAccess(const std::string &name, bool inLoop) {
    size_t outside = indices.size();
    if (inLoop)
      beginLoop(name);
    addArithmetic(1 + pick(3));
    bool guarded = pick(3) == 0;
    if (guarded) {
      std::string condition = makeName();
      addComparison(condition);
      os << "scf.if " << condition << " {\n";
    }
    // Inside the buffer, whatever the index is.
    std::string row = makeName(), column = makeName();
    os << row << " = arith.addi " << pickIndex() << ", " << constants[6]
       << " : index\n"
       << column << " = arith.addi " << (pick(2) ? constants[0] : pickIndex())
       << ", " << constants[0] << " : index\n"
       << "memref.store %v, %m[" << row << ", " << column << "] {test.name = \""
       << name << "\"} : memref<64x8xi8, #wg>\n";
    if (guarded)
      os << "}\n";
    if (inLoop)
      os << "}\n";
    if (inLoop || guarded)
      indices.resize(
          std::min(indices.size(), inLoop ? outside : indices.size()));
  }

  std::mt19937 random;
  std::ostringstream os;
  std::vector<std::string> indices, constants;
  unsigned next = 0;
};

/// An execution of an access: thread, iteration of its loop, element.
struct Execution {
  int64_t thread, iteration;
  std::pair<int64_t, int64_t> element;
};

std::vector<Execution> execute(const KernelContext &context, Operation *op) {
  std::vector<Execution> result;
  auto loop = op->getParentOfType<scf::ForOp>();
  for (int64_t thread = 0; thread < kThreads; ++thread)
    for (int64_t iteration = 0; iteration < (loop ? kTrips + 1 : 1);
         ++iteration) {
      OverlapWitness::Side side;
      side.thread = {thread, 0, 0};
      if (loop)
        side.values.emplace_back(loop.getInductionVar(), iteration);
      OneThreadEvaluator evaluator(context, side,
                                   OneThreadEvaluator::Facts::Execution);
      if (!evaluator.executes(op))
        continue;
      auto store = cast<memref::StoreOp>(op);
      std::optional<int64_t> row = evaluator.evaluate(store.getIndices()[0]);
      std::optional<int64_t> column = evaluator.evaluate(store.getIndices()[1]);
      // Division by zero and the like are undefined, and so is what is out of
      // bounds.
      if (row && column && *row >= 0 && *row < 64 && *column >= 0 &&
          *column < 8)
        result.push_back({thread, iteration, {*row, *column}});
    }
  return result;
}
} // namespace

TEST(RandomHazards, AgreeWithEnumeration) {
  unsigned hazards = 0, claimed = 0, certain = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    std::string source = Generator(seed).getKernel();
    TestModule module(source);
    ASSERT_TRUE(module) << source;
    KernelContext context =
        getTestContext(getKernels(*module).front(), kSubgroup);
    ThreadRelations relations(context);
    HazardAnalysis analysis(context, relations);
    ASSERT_EQ(analysis.getAccesses().size(), 2u);
    std::vector<Execution> executions[2];
    for (unsigned side : {0, 1})
      executions[side] = execute(context, analysis.getAccesses()[side].op);

    Operation *loop = module.get("loop");
    for (auto [first, second] :
         {std::make_pair(0, 0), std::make_pair(0, 1), std::make_pair(1, 1)})
      for (Operation *carryingLoop :
           {static_cast<Operation *>(nullptr), loop}) {
        bool across = false, inside = false;
        std::set<std::tuple<int64_t, int64_t, int64_t>> meetings;
        for (const Execution &a : executions[first])
          for (const Execution &b : executions[second]) {
            // One iteration of the loops around both; one op is in one
            // iteration of its own loop, too.
            bool sameIteration = (loop && !carryingLoop) || first == second;
            if (a.element != b.element || a.thread == b.thread ||
                (sameIteration && !carryingLoop && a.iteration != b.iteration))
              continue;
            bool sameSubgroup = a.thread / kSubgroup == b.thread / kSubgroup;
            (sameSubgroup ? inside : across) = true;
            meetings.insert(
                {a.thread, b.thread, a.element.first * 8 + a.element.second});
          }
        Hazard hazard = analysis.getHazard(first, second, carryingLoop);
        EXPECT_TRUE(hazard.acrossSubgroups || !across)
            << "seed " << seed << "\n"
            << source;
        EXPECT_TRUE(hazard.insideSubgroup || !inside) << "seed " << seed << "\n"
                                                      << source;
        hazards += across + inside;
        claimed += hazard.acrossSubgroups + hazard.insideSubgroup;
        std::optional<HazardWitness> witness =
            analysis.getWitness(first, second, carryingLoop);
        if (!witness || !witness->certain)
          continue;
        ++certain;
        EXPECT_TRUE(meetings.count({witness->overlap.sides[0].thread[0],
                                    witness->overlap.sides[1].thread[0],
                                    witness->byte.value_or(-1)}))
            << "seed " << seed << "\n"
            << source << witness->str();
      }
    if (HasFailure())
      return;
  }
  // Most of what is claimed is true, and much of it has a certain witness.
  EXPECT_LT(claimed, 2 * hazards);
  EXPECT_GT(4 * certain, hazards);
}

// What is known of iterations: so many apart in one loop; or behind one loop,
// with so many iterations left, and in some iteration of another.
TEST(RandomHazards, TimedAgreesWithEnumeration) {
  unsigned hazards = 0, claimed = 0;
  for (unsigned seed = 0; seed < 900; ++seed) {
    std::string source = Generator(seed).getKernel();
    TestModule module(source);
    ASSERT_TRUE(module) << source;
    KernelContext context =
        getTestContext(getKernels(*module).front(), kSubgroup);
    ThreadRelations relations(context);
    HazardAnalysis analysis(context, relations);
    scf::ForOp loops[2];
    std::vector<Execution> executions[2];
    for (unsigned side : {0, 1}) {
      Operation *op = analysis.getAccesses()[side].op;
      loops[side] = op->getParentOfType<scf::ForOp>();
      executions[side] = execute(context, op);
    }
    if (!loops[0] || !loops[1])
      continue;
    auto getNumber = [&](unsigned side, int64_t iteration) {
      return (iteration - *getConstantIntValue(loops[side].getLowerBound())) /
             *getConstantIntValue(loops[side].getStep());
    };
    auto check = [&](Operation *carryingLoop, const IterationTiming &timing,
                     llvm::function_ref<bool(int64_t, int64_t)> isSo) {
      bool across = false, inside = false;
      for (const Execution &a : executions[0])
        for (const Execution &b : executions[1])
          if (a.element == b.element && a.thread != b.thread &&
              isSo(getNumber(0, a.iteration), getNumber(1, b.iteration)))
            (a.thread / kSubgroup == b.thread / kSubgroup ? inside : across) =
                true;
      Hazard hazard = analysis.getHazard(0, 1, carryingLoop, timing);
      EXPECT_TRUE(hazard.acrossSubgroups || !across) << source;
      EXPECT_TRUE(hazard.insideSubgroup || !inside) << source;
      hazards += across + inside;
      claimed += hazard.acrossSubgroups + hazard.insideSubgroup;
    };
    IterationTiming timing;
    if (loops[0] == loops[1]) {
      for (timing.distance = 1; timing.distance < kTrips; ++timing.distance)
        check(loops[0], timing, [&](int64_t a, int64_t b) {
          return b - a == int64_t(timing.distance);
        });
    } else {
      int64_t trips = loops[0].getStaticTripCount()->getSExtValue();
      timing.isKnown = true;
      timing.left = loops[0];
      for (timing.remaining = 0; timing.remaining < trips; ++timing.remaining)
        for (timing.iteration = 0; timing.iteration < kTrips;
             ++timing.iteration) {
          timing.later =
              timing.iteration == 0 ? nullptr : loops[1].getOperation();
          check(nullptr, timing, [&](int64_t a, int64_t b) {
            return a == trips - 1 - int64_t(timing.remaining) &&
                   b == int64_t(timing.iteration);
          });
        }
    }
    if (HasFailure())
      return;
  }
  // It is of use: most of what is claimed is true.
  EXPECT_GT(hazards, 500u);
  EXPECT_LT(claimed, 2 * hazards);
}

TEST(RandomHazards, UnrolledAgreesWithEnumeration) {
  unsigned questions = 0, pairs = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    std::string source = Generator(seed).getUnrolledKernel();
    TestModule module(source);
    ASSERT_TRUE(module) << source;
    KernelContext context =
        getTestContext(getKernels(*module).front(), kSubgroup);
    ThreadRelations relations(context);
    HazardAnalysis analysis(context, relations);
    std::vector<std::vector<Execution>> executions;
    for (const MemoryAccess &access : analysis.getAccesses())
      executions.push_back(execute(context, access.op));
    for (unsigned i = 0; i < executions.size(); ++i)
      for (unsigned j = 0; j < executions.size(); ++j) {
        bool across = false, inside = false;
        for (const Execution &a : executions[i])
          for (const Execution &b : executions[j])
            if (a.element == b.element && a.thread != b.thread)
              (a.thread / kSubgroup == b.thread / kSubgroup ? inside : across) =
                  true;
        Hazard hazard = analysis.getHazard(i, j, nullptr);
        EXPECT_TRUE(hazard.acrossSubgroups || !across)
            << "seed " << seed << " " << i << " " << j << "\n"
            << source;
        EXPECT_TRUE(hazard.insideSubgroup || !inside)
            << "seed " << seed << " " << i << " " << j << "\n"
            << source;
        ++pairs;
      }
    questions += analysis.getNumQuestions();
    if (HasFailure())
      return;
  }
  EXPECT_LT(2 * questions, pairs);
}

// What one answer says of all pairs that are alike, each by itself says, too.
TEST(RandomHazards, SharedAnswersAreThoseOfEachPair) {
  unsigned numShared = 0;
  for (unsigned seed = 0; seed < 150; ++seed) {
    std::string source = Generator(seed).getUnrolledKernel();
    TestModule module(source);
    ASSERT_TRUE(module) << source;
    KernelContext context =
        getTestContext(getKernels(*module).front(), kSubgroup);
    ThreadRelations relations(context);
    HazardAnalysis shared(context, relations);
    HazardAnalysis alone(context, relations, AtomicOrder::None,
                         AnswerSharing::None);
    unsigned numAccesses = shared.getAccesses().size();
    ASSERT_EQ(numAccesses, alone.getAccesses().size());
    for (unsigned i = 0; i < numAccesses; ++i) {
      numShared += shared.getClass(i) != i;
      EXPECT_EQ(alone.getClass(i), i);
      for (unsigned j = 0; j < numAccesses; ++j) {
        Hazard one = shared.getHazard(i, j, nullptr);
        Hazard other = alone.getHazard(i, j, nullptr);
        EXPECT_EQ(one.acrossSubgroups, other.acrossSubgroups)
            << "seed " << seed << " " << i << " " << j << "\n"
            << source;
        EXPECT_EQ(one.insideSubgroup, other.insideSubgroup)
            << "seed " << seed << " " << i << " " << j << "\n"
            << source;
      }
    }
    if (HasFailure())
      return;
  }
  EXPECT_GT(numShared, 100u);
}
