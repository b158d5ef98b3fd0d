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
/// with loops that carry numbers, thread by thread, notes between which places
/// two threads meet at an element, and tries all sets of places.
///
//===----------------------------------------------------------------------===//

#include "MemSpace/Barriers/BarrierPlacement.h"
#include "MemSpace/Barriers/BarrierVerifier.h"
#include "TestContext.h"
#include "TestModule.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

using namespace mlir;
using namespace mlir::memspace;

namespace {
constexpr unsigned kThreads = 8, kMaxSlots = 11;

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
  unsigned trips = 0;
  std::vector<Carried> carried;
  std::vector<Statement> body;
};
using Body = std::vector<Statement>;

class Random {
public:
  explicit Random(unsigned seed) : engine(seed) {}
  unsigned below(unsigned end) { return engine() % end; }

  Body makeBody(unsigned depth, unsigned numNumbers) {
    Body body;
    for (unsigned count = 1 + below(3); count > 0; --count) {
      // A slot before it, and one at the end of a loop.
      unsigned slotsNeeded =
          depth < 3 && below(depth == 0 ? 2 : 3) == 0 ? 3 : 1;
      if (numSlots + slotsNeeded > kMaxSlots)
        break;
      Statement statement;
      if (slotsNeeded == 1) {
        ++numSlots;
        statement.kind = below(2) ? Statement::Store : Statement::Load;
        statement.index.kind = static_cast<Index::Kind>(below(
            statement.kind == Statement::Store ? Index::kNumOwn : Index::kEnd));
        statement.index.number = below(numNumbers);
      } else {
        numSlots += 2;
        statement.kind = Statement::Loop;
        statement.trips = 1 + below(4);
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
  std::string print(const Body &body) {
    text = "func.func @k(%v: f32) attributes "
           "{gpu.known_block_size = array<i32: 8, 1, 1>} {\n"
           "%t = gpu.thread_id x\n"
           "%a = memref.alloc() : memref<16xf32, "
           "#gpu.address_space<workgroup>>\n";
    for (unsigned i = 0; i < 17; ++i)
      text += "%c" + std::to_string(i) + " = arith.constant " +
              std::to_string(i) + " : index\n";
    std::vector<std::string> numbers = {"%c3"};
    printBody(body, numbers);
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
    return op("arith." + std::string(name) + " " + a + ", " + b + " : index");
  }
  static std::string constant(unsigned value) {
    return "%c" + std::to_string(value);
  }

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

  std::string getNext(const Carried &carried, unsigned i,
                      const std::vector<std::string> &s) {
    switch (carried.update) {
    case Carried::Halve:
      return binary("shrui", s[i], "%c1");
    case Carried::Double:
      return binary("andi", binary("muli", s[i], "%c2"), "%c15");
    case Carried::Add:
      return binary("addi", s[i], constant(carried.by));
    case Carried::Wrap:
      return binary("remui", binary("addi", s[i], "%c1"),
                    constant(carried.by + 1));
    case Carried::Flip:
      return binary("xori", s[i], constant(carried.by));
    case Carried::WrapBySelect: {
      std::string sum = binary("addi", s[i], "%c1");
      std::string isEnd = op("arith.cmpi eq, " + sum + ", " +
                             constant(carried.by) + " : index");
      return op("arith.select " + isEnd + ", %c0, " + sum + " : index");
    }
    default:
      return s[(i + 1) % s.size()];
    }
  }

  void printBody(const Body &body, std::vector<std::string> numbers) {
    for (const Statement &statement : body) {
      if (statement.kind != Statement::Loop) {
        std::string index =
            getIndex(statement.index, numbers[statement.index.number]);
        std::string type = " : memref<16xf32, #gpu.address_space<workgroup>>";
        if (statement.kind == Statement::Store)
          text += "memref.store %v, %a[" + index + "]" + type + "\n";
        else
          op("memref.load %a[" + index + "]" + type);
        continue;
      }
      std::string id = std::to_string(count++), inits, types, results;
      std::vector<std::string> inside = numbers, s;
      for (auto [i, carried] : llvm::enumerate(statement.carried)) {
        s.push_back("%s" + id + "_" + std::to_string(i));
        std::string comma = i == 0 ? "" : ", ";
        inits += comma + s.back() + " = " + constant(carried.init);
        types += comma + "index";
      }
      text += "%r" + id + ":" + std::to_string(s.size()) + " = scf.for %i" +
              id + " = %c0 to " + constant(statement.trips) +
              " step %c1 iter_args(" + inits + ") -> (" + types + ") {\n";
      inside.insert(inside.end(), s.begin(), s.end());
      inside.push_back("%i" + id);
      printBody(statement.body, inside);
      for (unsigned i = 0; i < s.size(); ++i)
        results += (i == 0 ? "" : ", ") + getNext(statement.carried[i], i, s);
      text += "scf.yield " + results + " : " + types + "\n}\n";
    }
  }

  std::string text;
  unsigned count = 0;
};

//===----------------------------------------------------------------------===//
// The oracle
//===----------------------------------------------------------------------===//

/// Executes a program, and then tries all sets of slots.
class Oracle {
public:
  explicit Oracle(const Body &body) {
    number(body);
    ++numSlots;
    execute(body, {3});
    reach(numSlots - 1);
  }

  /// The fewest executed barriers without a race.
  unsigned getFewest() const {
    unsigned fewest = ~0u;
    for (uint32_t slots = 0; slots < 1u << numSlots; ++slots) {
      unsigned cost = 0;
      for (unsigned slot = 0; slot < numSlots; ++slot)
        if (slots >> slot & 1)
          cost += executions.at(slot);
      if (cost < fewest &&
          llvm::all_of(needs, [&](uint32_t need) { return slots & need; }))
        fewest = cost;
    }
    return fewest;
  }

private:
  /// Slots have their numbers in the order of the text.
  void number(const Body &body) {
    for (const Statement &statement : body) {
      before[&statement] = numSlots++;
      if (statement.kind == Statement::Loop) {
        number(statement.body);
        atEnd[&statement] = numSlots++;
      }
    }
  }

  void reach(unsigned slot) {
    ++executions[slot];
    for (Touch &touch : touches)
      touch.since |= 1u << slot;
  }

  void touch(const Statement &statement, unsigned s) {
    bool writes = statement.kind == Statement::Store;
    std::vector<Touch> fresh;
    for (unsigned thread = 0; thread < kThreads; ++thread)
      fresh.push_back({thread, statement.index.get(thread, s), writes, 0});
    for (const Touch &a : touches)
      for (const Touch &b : fresh)
        if (a.thread != b.thread && a.element == b.element &&
            (a.writes || b.writes))
          needs.insert(a.since);
    // Behind a later one with the same slots since, nothing is added.
    touches.insert(touches.end(), fresh.begin(), fresh.end());
  }

  void execute(const Body &body, std::vector<unsigned> numbers) {
    for (const Statement &statement : body) {
      reach(before.at(&statement));
      if (statement.kind != Statement::Loop) {
        touch(statement, numbers[statement.index.number]);
        continue;
      }
      std::vector<unsigned> s;
      for (const Carried &carried : statement.carried)
        s.push_back(carried.init);
      for (unsigned i = 0; i < statement.trips; ++i) {
        std::vector<unsigned> inside = numbers;
        inside.insert(inside.end(), s.begin(), s.end());
        inside.push_back(i);
        execute(statement.body, inside);
        reach(atEnd.at(&statement));
        s = update(statement.carried, s);
      }
    }
  }

  struct Touch {
    unsigned thread, element;
    bool writes;
    /// The slots that were reached since.
    uint32_t since;
  };
  std::map<const Statement *, unsigned> before, atEnd;
  std::map<unsigned, unsigned> executions;
  unsigned numSlots = 0;
  std::vector<Touch> touches;
  std::set<uint32_t> needs;
};

/// How often an op in loops of constant bounds is executed.
unsigned countExecutions(Operation *op) {
  unsigned count = 1;
  for (auto loop = op->getParentOfType<scf::ForOp>(); loop;
       loop = loop->getParentOfType<scf::ForOp>())
    count *= loop.getStaticTripCount()->getZExtValue();
  return count;
}
} // namespace

TEST(CarriedScalars, FewestExecutedBarriers) {
  unsigned withBarriers = 0, withLoops = 0;
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    Random random(seed);
    Body body = random.makeBody(0, 1);
    std::string text = Printer().print(body);
    TestModule module(text);
    ASSERT_TRUE(module) << text;
    FunctionOpInterface kernel = getKernels(*module).front();
    // Each thread is a subgroup of its own: all barriers are the workgroup's.
    KernelContext context = getTestContext(kernel, 1);
    unsigned executed = 0;
    {
      BarrierPlacement placement(context, BarrierPlacement::Mode::Insert);
      EXPECT_TRUE(placement.isOptimal()) << seed << "\n" << text;
      EXPECT_TRUE(placement.getUnsynchronizable().empty()) << seed;
      for (const NeededBarrier &barrier : placement.getBarriers()) {
        executed += countExecutions(barrier.op);
        OpBuilder builder(barrier.op);
        gpu::BarrierOp::create(builder, barrier.op->getLoc());
      }
    }
    EXPECT_EQ(executed, Oracle(body).getFewest()) << seed << "\n" << text;
    EXPECT_TRUE(BarrierVerifier(context).isRaceFree()) << seed << "\n" << text;
    withBarriers += executed > 0;
    withLoops += llvm::any_of(body, [](const Statement &statement) {
      return statement.kind == Statement::Loop;
    });
  }
  EXPECT_GT(withBarriers, 1500u);
  EXPECT_GT(withLoops, 1500u);
}
