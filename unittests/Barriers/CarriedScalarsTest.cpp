//===- CarriedScalarsTest.cpp - placement where loops carry numbers -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The oracle shares nothing with the library: it executes a random program
/// with loops that carry numbers and exchange buffers, thread by thread, notes
/// between which places two threads meet at an element, and tries all sets of
/// places. The kernels are counted loops, `while` loops, or blocks. What is
/// placed, and what is left of it when barriers are erased and the verifier
/// still agrees, is executed by LockstepKernel: also where nobody knows how
/// often loops run, and from where they count.
///
//===----------------------------------------------------------------------===//

#include "LockstepKernel.h"
#include "MemSpace/Barriers/BarrierPlacement.h"
#include "MemSpace/Barriers/BarrierVerifier.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace mlir;
using namespace mlir::memspace;

namespace {
constexpr unsigned kThreads = 8;

/// A number that a loop carries, and what becomes of it.
struct Carried {
  enum Update { Halve, Double, Add, Wrap, Flip, WrapBySelect, Swap, kEnd };
  Update update;
  unsigned init, by;
};

/// Where each thread is, given a number s. The first kinds give each thread an
/// element of its own.
struct Index {
  enum Kind { Xor, Turn, Slot, Mirror, Whole, Even, kEnd };
  static constexpr unsigned kNumOwn = Whole;
  Kind kind;
  /// Which number; the innermost loop's are the last.
  unsigned number;

  unsigned get(unsigned thread, unsigned s) const {
    switch (kind) {
    case Xor:
      return thread ^ (s & 7);
    case Turn:
      return (thread + (s & 7)) % 8;
    case Slot:
      return thread + 8 * (s & 1);
    case Mirror:
      return 15 - thread;
    case Whole:
      return s & 15;
    default:
      return (2 * thread + (s & 1)) & 15;
    }
  }
};

struct Statement {
  enum Kind { Load, Store, Loop } kind;
  Index index{Index::Xor, 0};
  /// Which of the two buffers.
  unsigned buffer = 0;
  unsigned trips = 0;
  bool isWhile = false, isNarrow = false, exchanges = false;
  std::vector<Carried> carried;
  std::vector<Statement> body;
};
using Body = std::vector<Statement>;

/// What programs may have.
struct Features {
  /// Loops of other kinds: `while`, i32, exchanged buffers.
  bool isMixed = false;
  /// All loops are blocks.
  bool isOfBlocks = false;
  /// Trip counts and first numbers are arguments.
  bool isUnknown = false;
  /// Barriers may be skipped in the first or last iteration.
  bool hasGuards = false;
  unsigned maxSlots = 11;
};

class Random {
public:
  Random(unsigned seed, const Features &features)
      : features(features), engine(seed) {}
  unsigned below(unsigned end) { return engine() % end; }

  Body makeBody(unsigned depth, unsigned numNumbers) {
    Body body;
    for (unsigned count = 1 + below(3); count > 0; --count) {
      // A slot before it, and one at the end of a loop.
      unsigned ofLoop = features.isOfBlocks || features.isMixed ? 4 : 3;
      unsigned slotsNeeded =
          depth < 3 && below(depth == 0 ? 2 : 3) == 0 ? ofLoop : 1;
      if (numSlots + slotsNeeded > features.maxSlots)
        break;
      Statement statement;
      if (slotsNeeded == 1) {
        ++numSlots;
        statement.kind = below(2) ? Statement::Store : Statement::Load;
        statement.index.kind = static_cast<Index::Kind>(below(
            statement.kind == Statement::Store ? Index::kNumOwn : Index::kEnd));
        statement.index.number = below(numNumbers);
        if (features.isMixed)
          statement.buffer = below(2);
      } else {
        numSlots += slotsNeeded - 1;
        statement.kind = Statement::Loop;
        statement.trips = 1 + below(4);
        if (features.isMixed) {
          statement.isWhile = below(2) || features.isOfBlocks;
          statement.isNarrow = below(2);
          statement.exchanges = below(2);
        }
        for (unsigned n = 1 + below(2); n > 0; --n)
          statement.carried.push_back(
              {static_cast<Carried::Update>(below(Carried::kEnd)), below(9),
               1 + below(4)});
        // Its numbers, and the one that counts.
        statement.body =
            makeBody(depth + 1, numNumbers + statement.carried.size() + 1);
      }
      body.push_back(std::move(statement));
    }
    return body;
  }

  unsigned numSlots = 1;

private:
  Features features;
  std::mt19937 engine;
};

/// The numbers of the next iteration.
std::vector<unsigned> update(const std::vector<Carried> &carried,
                             std::vector<unsigned> s) {
  std::vector<unsigned> next = s;
  for (unsigned i = 0; i < s.size(); ++i) {
    unsigned by = carried[i].by;
    switch (carried[i].update) {
    case Carried::Halve:
      next[i] = s[i] >> 1;
      break;
    case Carried::Double:
      next[i] = (s[i] * 2) & 15;
      break;
    case Carried::Add:
      next[i] = s[i] + by;
      break;
    case Carried::Wrap:
      next[i] = (s[i] + 1) % (by + 1);
      break;
    case Carried::Flip:
      next[i] = s[i] ^ by;
      break;
    case Carried::WrapBySelect:
      next[i] = s[i] + 1 == by ? 0 : s[i] + 1;
      break;
    default:
      next[i] = s[(i + 1) % s.size()];
      break;
    }
  }
  return next;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

/// Prints a program as a kernel.
class Printer {
public:
  explicit Printer(const Features &features) : features(features) {}

  std::string print(const Body &body) {
    text = "func.func @k(%v: f32, %n: index, %m: index) attributes "
           "{gpu.known_block_size = array<i32: 8, 1, 1>} {\n"
           "%t = gpu.thread_id x\n";
    for (const char *buffer : {"%a", "%b"})
      text += std::string(buffer) + " = memref.alloc() : " + kBuffer + "\n";
    for (unsigned i = 0; i < 17; ++i)
      for (const char *type : {"index", "i32"})
        text += constant(i, type) + " = arith.constant " + std::to_string(i) +
                " : " + type + "\n";
    text += "%m_i32 = arith.index_cast %m : index to i32\n";
    printBody(body, {"%c3"}, {"%a", "%b"});
    return text + "return\n}";
  }

private:
  std::string op(const std::string &what) {
    std::string name = "%x" + std::to_string(count++);
    text += name + " = " + what + "\n";
    return name;
  }
  std::string binary(const char *name, const std::string &a,
                     const std::string &b) {
    return op("arith." + std::string(name) + " " + a + ", " + b + " : " + type);
  }
  static std::string constant(unsigned value, const std::string &type) {
    return "%c" + std::to_string(value) + (type == "index" ? "" : "_i32");
  }
  std::string constant(unsigned value) { return constant(value, type); }

  std::string getIndex(Index index, const std::string &s) {
    switch (index.kind) {
    case Index::Xor:
      return binary("xori", "%t", binary("andi", s, "%c7"));
    case Index::Turn:
      return binary("remui", binary("addi", "%t", binary("andi", s, "%c7")),
                    "%c8");
    case Index::Slot:
      return binary("addi", "%t",
                    binary("muli", "%c8", binary("andi", s, "%c1")));
    case Index::Mirror:
      return binary("subi", "%c15", "%t");
    case Index::Whole:
      return binary("andi", s, "%c15");
    default:
      return binary(
          "andi",
          binary("addi", binary("muli", "%t", "%c2"), binary("andi", s, "%c1")),
          "%c15");
    }
  }

  /// In the type of the loop.
  std::string getNext(const Carried &carried, unsigned i,
                      const std::vector<std::string> &s) {
    std::string one = constant(1);
    switch (carried.update) {
    case Carried::Halve:
      return binary("shrui", s[i], one);
    case Carried::Double:
      return binary("andi", binary("muli", s[i], constant(2)), constant(15));
    case Carried::Add:
      return binary("addi", s[i], constant(carried.by));
    case Carried::Wrap:
      return binary("remui", binary("addi", s[i], one),
                    constant(carried.by + 1));
    case Carried::Flip:
      return binary("xori", s[i], constant(carried.by));
    case Carried::WrapBySelect: {
      std::string sum = binary("addi", s[i], one);
      std::string isEnd = op("arith.cmpi eq, " + sum + ", " +
                             constant(carried.by) + " : " + type);
      return op("arith.select " + isEnd + ", " + constant(0) + ", " + sum +
                " : " + type);
    }
    default:
      return s[(i + 1) % s.size()];
    }
  }

  static std::string join(const std::vector<std::string> &parts,
                          const char *prefix = "") {
    std::string all;
    for (const std::string &part : parts)
      all += (all.empty() ? "" : ", ") + (prefix + part);
    return all;
  }

  using Names = std::vector<std::string>;

  /// Returns the names of the buffers behind it.
  Names printLoop(const Statement &loop, Names numbers, Names buffers) {
    std::string id = std::to_string(count++), prefix = "%l" + id + "_";
    bool isWhile = loop.isWhile || features.isOfBlocks;
    Names names, inits, types;
    auto carry = [&](const std::string &init, const std::string &type) {
      names.push_back(prefix + std::to_string(names.size()));
      inits.push_back(init);
      types.push_back(type);
    };
    std::string width = loop.isNarrow ? "i32" : "index";
    for (auto [i, carried] : llvm::enumerate(loop.carried)) {
      bool isGiven = features.isUnknown && carried.init % 3 == 0;
      carry(!isGiven        ? constant(carried.init, width)
            : loop.isNarrow ? "%m_i32"
                            : "%m",
            width);
    }
    if (loop.exchanges)
      for (const std::string &buffer : buffers)
        carry(buffer, kBuffer);
    std::string counter = "%i" + id, zero = "%c0";
    std::string trips = constant(loop.trips, "index");
    if (features.isUnknown && loop.trips > 2)
      trips = "%n";
    if (isWhile) {
      names.push_back(counter);
      inits.push_back(zero);
      types.push_back("index");
    }
    Names inside = names;
    auto typed = [&](const Names &list) {
      return join(list) + " : " + join(types);
    };
    auto assign = [&](const Names &left) {
      Names all;
      for (unsigned i = 0; i < left.size(); ++i)
        all.push_back(left[i] + " = " + inits[i]);
      return join(all);
    };
    auto declare = [&](const Names &list) {
      Names all;
      for (unsigned i = 0; i < list.size(); ++i)
        all.push_back(list[i] + ": " + types[i]);
      return join(all);
    };
    std::string results = "%r" + id;
    std::string results2 = results + ":" + std::to_string(names.size()) + " = ";
    auto goesOn = [&](const std::string &number) {
      return op("arith.cmpi slt, " + number + ", " + trips + " : index");
    };
    if (features.isOfBlocks) {
      text += "cf.br ^h" + id + "(" + typed(inits) + ")\n^h" + id + "(" +
              declare(names) + "):\n";
      std::string go = goesOn(counter);
      text +=
          "cf.cond_br " + go + ", ^b" + id + ", ^e" + id + "\n^b" + id + ":\n";
    } else if (isWhile) {
      Names before;
      for (const std::string &name : names)
        before.push_back(name + "b");
      text += results2 + "scf.while (" + assign(before) + ") : (" +
              join(types) + ") -> (" + join(types) + ") {\n";
      std::string go = goesOn(before.back());
      text += "scf.condition(" + go + ") " + typed(before) + "\n} do {\n^bb0(" +
              declare(names) + "):\n";
    } else {
      text += results2 + "scf.for " + counter + " = %c0 to " + trips +
              " step %c1 iter_args(" + assign(names) + ") -> (" + join(types) +
              ") {\n";
    }
    size_t numCarried = loop.carried.size();
    Names carried(names.begin(), names.begin() + numCarried);
    Names in = buffers;
    if (loop.exchanges)
      in = {names[numCarried], names[numCarried + 1]};
    numbers.insert(numbers.end(), carried.begin(), carried.end());
    numbers.push_back(counter);
    std::vector<bool> outer = isNarrow;
    isNarrow.insert(isNarrow.end(), numCarried, loop.isNarrow);
    isNarrow.push_back(false);
    in = printBody(loop.body, numbers, in);
    isNarrow = outer;
    Names next;
    type = width;
    for (unsigned i = 0; i < numCarried; ++i)
      next.push_back(getNext(loop.carried[i], i, carried));
    type = "index";
    if (loop.exchanges)
      next.insert(next.end(), {in[1], in[0]});
    if (isWhile)
      next.push_back(binary("addi", counter, "%c1"));
    if (features.isOfBlocks)
      text += "cf.br ^h" + id + "(" + typed(next) + ")\n^e" + id + ":\n";
    else
      text += "scf.yield " + typed(next) + "\n}\n";
    if (!loop.exchanges)
      return buffers;
    if (features.isOfBlocks)
      return {names[numCarried], names[numCarried + 1]};
    return {results + "#" + std::to_string(numCarried),
            results + "#" + std::to_string(numCarried + 1)};
  }

  Names printBody(const Body &body, const Names &numbers, Names buffers) {
    for (const Statement &statement : body) {
      if (statement.kind == Statement::Loop) {
        Names behind = printLoop(statement, numbers, buffers);
        buffers = behind;
        continue;
      }
      std::string number = numbers[statement.index.number];
      if (isNarrow[statement.index.number])
        number = op("arith.index_cast " + number + " : i32 to index");
      std::string index = getIndex(statement.index, number);
      std::string place =
          buffers[statement.buffer] + "[" + index + "] : " + kBuffer;
      if (statement.kind == Statement::Store)
        text += "memref.store %v, " + place + "\n";
      else
        op("memref.load " + place);
    }
    return buffers;
  }

  static constexpr const char *kBuffer =
      "memref<16xf32, #gpu.address_space<workgroup>>";
  Features features;
  std::string text;
  /// Of each number in scope; and of what is computed now.
  std::vector<bool> isNarrow{false};
  std::string type = "index";
  unsigned count = 0;
};

//===----------------------------------------------------------------------===//
// The oracle
//===----------------------------------------------------------------------===//

/// Executes a program, and then tries all sets of slots.
class Oracle {
public:
  Oracle(const Body &body, const Features &features) : features(features) {
    number(body);
    ++numSlots;
    execute(body, {3}, {0, 1});
    reach(numSlots - 1);
  }

  /// The fewest executed barriers without a race.
  unsigned getFewest() const {
    unsigned fewest = ~0u;
    choose(0, 0, 0, fewest);
    return fewest;
  }

private:
  /// Kinds of iterations of the innermost loop.
  enum Kind : unsigned { First = 1, Inner = 2, Last = 4, Only = 8, All = 15 };

  /// Tries all choices for the slots from `slot` on.
  void choose(unsigned slot, uint64_t chosen, unsigned cost,
              unsigned &fewest) const {
    if (cost >= fewest)
      return;
    if (slot == numSlots) {
      if (llvm::all_of(needs, [&](uint64_t need) { return chosen & need; }))
        fewest = cost;
      return;
    }
    SmallVector<unsigned> kinds = {0, All};
    if (features.hasGuards && isGuardable.count(slot))
      kinds.append(
          {First | Only, Last | Only, Inner, Inner | Last, First | Inner});
    for (unsigned those : kinds) {
      unsigned more = 0;
      for (unsigned kind : {First, Inner, Last, Only})
        if (auto it = executions.find({slot, kind});
            (those & kind) && it != executions.end())
          more += it->second;
      choose(slot + 1, chosen | getBits(slot, those), cost + more, fewest);
    }
  }

  static uint64_t getBits(unsigned slot, unsigned kinds) {
    return uint64_t(kinds) << (4 * slot);
  }

  /// Slots have their numbers in the order of the text.
  void number(const Body &body, bool isOfFor = false) {
    for (const Statement &statement : body) {
      if (isOfFor)
        isGuardable.insert(numSlots);
      before[&statement] = numSlots++;
      if (statement.kind == Statement::Loop) {
        if (hasHead(statement))
          atHead[&statement] = numSlots++;
        number(statement.body, !hasHead(statement));
        if (!hasHead(statement))
          isGuardable.insert(numSlots);
        atEnd[&statement] = numSlots++;
      }
    }
  }

  /// A place between the condition of a loop and what it decides.
  bool hasHead(const Statement &loop) const {
    return loop.isWhile || features.isOfBlocks;
  }

  void reach(unsigned slot, unsigned kind = Only) {
    ++executions[{slot, kind}];
    for (Touch &touch : touches)
      touch.since |= getBits(slot, kind);
  }

  void touch(const Statement &statement, unsigned s, unsigned buffer) {
    bool writes = statement.kind == Statement::Store;
    std::vector<Touch> fresh;
    for (unsigned thread = 0; thread < kThreads; ++thread)
      fresh.push_back(
          {thread, statement.index.get(thread, s) + 16 * buffer, writes, 0});
    for (const Touch &a : touches)
      for (const Touch &b : fresh)
        if (a.thread != b.thread && a.element == b.element &&
            (a.writes || b.writes))
          needs.insert(a.since);
    // Behind a later one with the same slots since, nothing is added.
    touches.insert(touches.end(), fresh.begin(), fresh.end());
  }

  using Numbers = std::vector<unsigned>;

  /// Returns which buffers the names mean behind it.
  Numbers execute(const Body &body, const Numbers &numbers, Numbers buffers,
                  unsigned kind = Only) {
    for (const Statement &statement : body) {
      reach(before.at(&statement), kind);
      if (statement.kind != Statement::Loop) {
        touch(statement, numbers[statement.index.number],
              buffers[statement.buffer]);
        continue;
      }
      Numbers s, carried = buffers;
      for (const Carried &number : statement.carried)
        s.push_back(number.init);
      for (unsigned i = 0; i < statement.trips; ++i) {
        if (hasHead(statement))
          reach(atHead.at(&statement));
        Numbers inside = numbers;
        inside.insert(inside.end(), s.begin(), s.end());
        inside.push_back(i);
        unsigned ofLoop = statement.trips == 1       ? Only
                          : i == 0                   ? First
                          : i + 1 == statement.trips ? Last
                                                     : Inner;
        Numbers after = execute(statement.body, inside, carried, ofLoop);
        if (statement.exchanges)
          carried = {after[1], after[0]};
        reach(atEnd.at(&statement), ofLoop);
        s = update(statement.carried, s);
      }
      if (hasHead(statement))
        reach(atHead.at(&statement));
      if (statement.exchanges)
        buffers = carried;
    }
    return buffers;
  }

  struct Touch {
    unsigned thread, element;
    bool writes;
    /// The slots that were reached since, with kinds.
    uint64_t since;
  };
  Features features;
  std::map<const Statement *, unsigned> before, atEnd, atHead;
  /// Slots whose innermost loop is an `scf.for`.
  std::set<unsigned> isGuardable;
  /// By slot and kind.
  std::map<std::pair<unsigned, unsigned>, unsigned> executions;
  unsigned numSlots = 0;
  std::vector<Touch> touches;
  std::set<uint64_t> needs;
};

void insertBarriers(BarrierPlacement &placement) {
  for (const NeededBarrier &barrier : placement.getBarriers()) {
    OpBuilder builder = barrier.getBuilder();
    gpu::BarrierOp::create(builder, barrier.op->getLoc());
  }
}

/// Places barriers in random programs and compares with the oracle.
void compareWithOracle(const Features &features, unsigned numSeeds) {
  unsigned withBarriers = 0, withLoops = 0;
  for (unsigned seed = 1; seed <= numSeeds; ++seed) {
    Random random(seed, features);
    Body body = random.makeBody(0, 1);
    std::string text = Printer(features).print(body);
    TestModule module(text);
    ASSERT_TRUE(module) << text;
    FunctionOpInterface kernel = getKernels(*module).front();
    // Each thread is a subgroup of its own: all barriers are the workgroup's.
    KernelContext context = getTestContext(kernel, 1);
    {
      BarrierPlacement placement(context, BarrierPlacement::Mode::Insert,
                                 features.hasGuards);
      EXPECT_TRUE(placement.isOptimal()) << seed << "\n" << text;
      EXPECT_TRUE(placement.getUnsynchronizable().empty()) << seed;
      insertBarriers(placement);
    }
    LockstepKernel executed(kernel, kThreads, {});
    EXPECT_TRUE(executed.isRaceFree()) << seed << "\n" << text;
    EXPECT_EQ(executed.getBarriers(), Oracle(body, features).getFewest())
        << seed << "\n"
        << text;
    EXPECT_TRUE(BarrierVerifier(context).isRaceFree()) << seed << "\n" << text;
    withBarriers += executed.getBarriers() > 0;
    withLoops += llvm::any_of(body, [](const Statement &statement) {
      return statement.kind == Statement::Loop;
    });
  }
  EXPECT_GT(withBarriers, numSeeds / (features.hasGuards ? 6 : 3));
  EXPECT_GT(withLoops, numSeeds / 3);
}

/// Where loops run as often as an argument says, and count from another.
void checkUnknown(const Features &features, unsigned numSeeds) {
  unsigned withBarriers = 0, numRefuted = 0;
  for (unsigned seed = 1; seed <= numSeeds; ++seed) {
    Random random(seed, features);
    std::string text = Printer(features).print(random.makeBody(0, 1));
    TestModule module(text);
    ASSERT_TRUE(module) << text;
    FunctionOpInterface kernel = getKernels(*module).front();
    KernelContext context = getTestContext(kernel, 1);
    auto races = [&] {
      for (int64_t trips : {0, 1, 2, 3, 5})
        for (int64_t first : {0, 1, 3, 6})
          if (!LockstepKernel(kernel, kThreads, {0, trips, first}).isRaceFree())
            return true;
      return false;
    };
    {
      BarrierPlacement placement(context, BarrierPlacement::Mode::Insert,
                                 features.hasGuards);
      EXPECT_TRUE(placement.getUnsynchronizable().empty()) << seed;
      insertBarriers(placement);
    }
    EXPECT_FALSE(races()) << seed << "\n" << text;
    EXPECT_TRUE(BarrierVerifier(context).isRaceFree()) << seed << "\n" << text;
    // With one barrier less the verifier has to see what there is to see.
    SmallVector<gpu::BarrierOp> barriers;
    kernel.walk([&](gpu::BarrierOp barrier) { barriers.push_back(barrier); });
    withBarriers += !barriers.empty();
    for (gpu::BarrierOp barrier : barriers) {
      OpBuilder builder(barrier->getNextNode());
      barrier.erase();
      if (races()) {
        ++numRefuted;
        EXPECT_FALSE(BarrierVerifier(context).isRaceFree()) << seed << "\n"
                                                            << text;
      }
      gpu::BarrierOp::create(builder, kernel.getLoc());
    }
  }
  EXPECT_GT(withBarriers, numSeeds / 3);
  EXPECT_GT(numRefuted, numSeeds / 10);
}
} // namespace

TEST(CarriedScalars, FewestExecutedBarriers) { compareWithOracle({}, 3000); }

TEST(CarriedScalars, FewestExecutedBarriersInMixedLoops) {
  compareWithOracle({/*isMixed=*/true}, 1000);
}

TEST(CarriedScalars, FewestExecutedBarriersInBlocks) {
  compareWithOracle({/*isMixed=*/true, /*isOfBlocks=*/true}, 1000);
}

TEST(CarriedScalars, FewestExecutedBarriersWithGuards) {
  for (bool isMixed : {false, true})
    compareWithOracle({isMixed, /*isOfBlocks=*/false, /*isUnknown=*/false,
                       /*hasGuards=*/true, /*maxSlots=*/7},
                      1000);
}

TEST(CarriedScalars, UnknownTrips) {
  for (bool isOfBlocks : {false, true})
    checkUnknown({/*isMixed=*/true, isOfBlocks, /*isUnknown=*/true}, 50);
}

TEST(CarriedScalars, UnknownTripsWithGuards) {
  checkUnknown({/*isMixed=*/true, /*isOfBlocks=*/false, /*isUnknown=*/true,
                /*hasGuards=*/true},
               100);
}
