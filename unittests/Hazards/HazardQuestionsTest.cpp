//===- HazardQuestionsTest.cpp - what is asked once -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HazardsFixture.h"

using namespace mlir;
using namespace mlir::memspace;

//===----------------------------------------------------------------------===//
// Cost
//===----------------------------------------------------------------------===//

TEST_F(Hazards, BucketsAndBounds) {
  parse(R"(
    %m = memref.alloc() : memref<256xf32, #wg>
    %n = memref.alloc() : memref<1024xf32, #wg>
    %c = arith.cmpi slt, %x, %c4 : index
    %s = arith.select %c, %m, %n2 : memref<256xf32, #wg>
    memref.store %v, %m[%t] {test.name = "m"} : memref<256xf32, #wg>
    scf.for %i = %c0 to %c16 step %c4 {
      %j = arith.addi %i, %t : index
      memref.store %v, %n[%j] {test.name = "n"} : memref<1024xf32, #wg>
      memref.store %v, %n[%x] {test.name = "any"} : memref<1024xf32, #wg>
    }
    memref.store %v, %s[%t] {test.name = "select"} : memref<256xf32, #wg>
    "test.unknown"() {test.name = "unknown"} : () -> ()
  )",
        "%x: index, %n2: memref<256xf32, #wg>");
  EXPECT_NE(analysis->getBucket(find("m")), analysis->getBucket(find("n")));
  EXPECT_EQ(analysis->getBucket(find("any")), analysis->getBucket(find("n")));
  EXPECT_EQ(analysis->getBucket(find("select")), HazardAnalysis::kAnyBucket);
  EXPECT_EQ(analysis->getBucket(find("unknown")), HazardAnalysis::kAnyBucket);
  EXPECT_EQ(analysis->getBounds(find("m")), std::make_pair(0l, 1024l));
  EXPECT_EQ(analysis->getBounds(find("n")), std::make_pair(0l, 4 * 268l));
  EXPECT_FALSE(analysis->getBounds(find("any")));
  EXPECT_FALSE(analysis->getBounds(find("unknown")));
}

// Unrolled code asks few questions, and each has its own answer.
TEST_F(Hazards, EqualPairsAreAskedOnce) {
  std::string body = "%m = memref.alloc() : memref<2048xf32, #wg>\n";
  for (int i = 0; i < 40; ++i) {
    std::string n = std::to_string(i), k = std::to_string(i * 8);
    body += "%k" + n + " = arith.constant " + k + " : index\n%i" + n +
            " = arith.addi %t, %k" + n + " : index\nmemref.store %v, %m[%i" +
            n + "] {test.name = \"" + n + "\"} : memref<2048xf32, #wg>\n";
  }
  parse(body);
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 40; ++j) {
      int distance = std::abs(i - j) * 8;
      std::string expected = distance == 0     ? "none"
                             : distance >= 256 ? "none"
                                               : "workgroup";
      EXPECT_EQ(level(std::to_string(i), std::to_string(j)), expected)
          << i << " " << j;
      EXPECT_EQ(get(std::to_string(i), std::to_string(j)).insideSubgroup,
                distance > 0 && distance < 32)
          << i << " " << j;
    }
  EXPECT_LE(analysis->getNumQuestions(), 32u);
}

// Where all places are data there is nothing to be found out, so that few
// questions are asked; what can be told apart still is.
TEST_F(Hazards, VainQuestionsEnd) {
  std::string body = "%m = memref.alloc() : memref<2048xf32, #wg>\n"
                     "%s = memref.alloc() : memref<64xindex, #wg>\n";
  for (int i = 0; i < 40; ++i) {
    std::string n = std::to_string(i);
    body += "%k" + n + " = arith.constant " + n + " : index\n%l" + n +
            " = memref.load %s[%k" + n + "] : memref<64xindex, #wg>\n%i" + n +
            " = arith.addi %t, %l" + n + " : index\nmemref.store %v, %m[%i" +
            n + "] {test.name = \"" + n + "\"} : memref<2048xf32, #wg>\n";
  }
  parse(body + "memref.store %v, %m[%t] {test.name = \"own\"} : "
               "memref<2048xf32, #wg>\n"
               "%0 = memref.load %m[%t] {test.name = \"too\"} : "
               "memref<2048xf32, #wg>\n");
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 40; ++j)
      EXPECT_EQ(level(std::to_string(i), std::to_string(j)),
                i == j ? "none" : "workgroup");
  EXPECT_LE(analysis->getNumQuestions(),
            40 * (HazardAnalysis::kMaxFruitlessQuestions + 1));
  EXPECT_EQ(level("own", "too"), "none");
  EXPECT_TRUE(get("1", "39").workgroupMemory);
  EXPECT_FALSE(get("1", "39").globalMemory);
}

// What tells the places apart in one block does so in all blocks; what does not
// is asked for with what is known of the two executions.
TEST_F(Hazards, BlocksShareQuestions) {
  std::string body = "%m = memref.alloc() : memref<256xf32, #wg>\n";
  for (int i = 0; i < 40; ++i) {
    std::string n = std::to_string(i);
    body += "%k" + n + " = arith.constant " + n + " : index\n%q" + n +
            " = arith.cmpi eq, %x, %k" + n + " : index\nscf.if %q" + n +
            " {\nmemref.store %v, %m[%t] {test.name = \"" + n +
            "\"} : memref<256xf32, #wg>\n}\n";
  }
  parse(body + "memref.store %v, %m[%x] {test.name = \"any\"} : "
               "memref<256xf32, #wg>\nscf.if %q5 {\nmemref.store %v, %m[%k6] "
               "{test.name = \"other\"} : memref<256xf32, #wg>\n}\n",
        "%x: index");
  for (int i = 0; i < 40; ++i)
    for (int j = 0; j < 40; ++j)
      EXPECT_EQ(level(std::to_string(i), std::to_string(j)), "none");
  EXPECT_EQ(analysis->getNumQuestions(), 1u);
  EXPECT_FALSE(analysis->getMeeting(find("3"), find("4")));
  EXPECT_TRUE(analysis->getMeeting(find("3"), find("any")));
  // Only in both places at once: thread 7, where 5 is 7.
  EXPECT_TRUE(analysis->getMeeting(find("7"), find("other")));
  EXPECT_EQ(level("7", "other"), "none");
  EXPECT_EQ(level("5", "other"), "workgroup");
}

// All that an access may meet at all, unless there are too many to ask for.
TEST_F(Hazards, MeetingWithAny) {
  auto getBody = [](unsigned kinds) {
    std::string body = "%m = memref.alloc() : memref<16384xf32, #wg>\n"
                       "%n = memref.alloc() : memref<256xf32, #wg>\n";
    auto add = [&](const std::string &name, const std::string &index) {
      body += "memref.store %v, %m[" + index + "] {test.name = \"" + name +
              "\"} : memref<16384xf32, #wg>\n";
    };
    for (unsigned i = 0; i < kinds; ++i) {
      std::string n = std::to_string(i);
      body += "%k" + n + " = arith.constant " + std::to_string(512 * i) +
              " : index\n%i" + n + " = arith.addi %t, %k" + n + " : index\n";
      add("own" + n, "%i" + n);
    }
    body += "memref.store %v, %n[%t] {test.name = \"apart\"} : "
            "memref<256xf32, #wg>\n";
    return body;
  };
  parse(getBody(4));
  EXPECT_FALSE(analysis->getMeetingWithAny(find("own0")));
  EXPECT_FALSE(analysis->getMeetingWithAny(find("apart")));
  parse(getBody(4) + "%u = arith.constant 5 : index\nmemref.store %v, %m[%u] "
                     "{test.name = \"five\"} : memref<16384xf32, #wg>\n");
  EXPECT_TRUE(analysis->getMeetingWithAny(find("own0")).acrossSubgroups);
  EXPECT_FALSE(analysis->getMeetingWithAny(find("own1")));
  EXPECT_TRUE(analysis->getMeetingWithAny(find("five")).workgroupMemory);
  EXPECT_FALSE(analysis->getMeetingWithAny(find("apart")));
  // Reads need no order among themselves.
  parse("%a = memref.load %x[%t] {test.name = \"one\"} : memref<256xf32>\n"
        "%b = memref.load %x[%c0] {test.name = \"all\"} : memref<256xf32>\n",
        "%x: memref<256xf32>");
  EXPECT_FALSE(analysis->getMeetingWithAny(find("one")));
  EXPECT_FALSE(analysis->getMeetingWithAny(find("all")));
  // Too many kinds of places, and memory that may be any.
  parse(getBody(HazardAnalysis::kMaxKindsOfBucket));
  EXPECT_FALSE(analysis->getMeetingWithAny(find("own0")));
  parse(getBody(HazardAnalysis::kMaxKindsOfBucket + 1));
  EXPECT_TRUE(analysis->getMeetingWithAny(find("own0")));
  EXPECT_FALSE(analysis->getMeetingWithAny(find("apart")));
  parse(getBody(4) + "\"test.unknown\"() : () -> ()\n");
  EXPECT_TRUE(analysis->getMeetingWithAny(find("apart")).acrossSubgroups);
}

// Equal indices into several buffers, each computed by ops of its own, are one
// question; so is an equal shift.
TEST_F(Hazards, BuffersShareQuestions) {
  std::string body;
  for (int i = 0; i < 20; ++i) {
    std::string n = std::to_string(i);
    body += "%m" + n + " = memref.alloc() : memref<512xf32, #wg>\n%k" + n +
            " = arith.constant 256 : index\n%i" + n + " = arith.addi %t, %k" +
            n + " : index\nmemref.store %v, %m" + n +
            "[%t] {test.name = \"own" + n +
            "\"} : memref<512xf32, #wg>\nmemref.store %v, %m" + n + "[%i" + n +
            "] {test.name = \"far" + n + "\"} : memref<512xf32, #wg>\n";
  }
  parse(body);
  for (int i = 0; i < 20; ++i) {
    std::string n = std::to_string(i);
    unsigned own = find("own" + n), far = find("far" + n);
    EXPECT_EQ(analysis->getIndices(own), analysis->getIndices(find("own0")));
    EXPECT_EQ(analysis->getIndices(own), analysis->getIndices(far));
    EXPECT_EQ(analysis->getPlaces(own) == analysis->getPlaces(find("own0")),
              i == 0);
    EXPECT_EQ(level("own" + n, "own" + n), "none");
    EXPECT_EQ(level("own" + n, "far" + n), "none");
    EXPECT_EQ(level("own" + n, "far0"), "none");
    // Other buffers are no question of places.
    EXPECT_TRUE(analysis->getMeeting(own, own).workgroupMemory);
  }
  EXPECT_LE(analysis->getNumQuestions(), 2u);
}

// Two executions are in whatever iterations: which of two loops with the same
// constant bounds an index is counted by does not matter, as long as each of
// its induction variables is one number.
TEST_F(Hazards, LoopsShareQuestions) {
  std::string body = "%m = memref.alloc() : memref<2048xf32, #wg>\n"
                     "%c5 = arith.constant 5 : index\n"
                     "%t4 = arith.muli %t, %c4 : index\n";
  auto addLoop = [&](StringRef name, StringRef bounds, StringRef index) {
    body += ("scf.for %i = " + bounds + " {\nscf.for %j = " + bounds + " {\n" +
             index + "\n%at = arith.addi %t4, %k : index\n" +
             "memref.store %v, %m[%at] {test.name = \"" + name +
             "\"} : memref<2048xf32, #wg>\n}\n}\n")
                .str();
  };
  StringRef first = "%c0 to %c4 step %c1";
  StringRef once = "%k = arith.addi %i, %c0 : index";
  StringRef both = "%k = arith.addi %i, %j : index";
  StringRef twice = "%k = arith.addi %i, %i : index";
  StringRef halves = "%h = arith.floordivsi %i, %c2 : index\n"
                     "%k = arith.addi %i, %h : index";
  addLoop("a", first, once);
  addLoop("b", first, once);
  addLoop("far", "%c0 to %c5 step %c1", once);
  addLoop("late", "%c1 to %c4 step %c1", once);
  addLoop("even", "%c0 to %c4 step %c2", once);
  addLoop("both", first, both);
  addLoop("too", first, both);
  addLoop("twice", first, twice);
  addLoop("halves", first, halves);
  addLoop("others", first, halves);
  // The same loop, another one of its induction variables.
  body += "scf.for %i = %c0 to %c4 step %c1 {\nscf.for %j = %c0 to %c4 step "
          "%c1 {\n%ai = arith.addi %t4, %i : index\n%aj = arith.addi %t4, %j "
          ": index\nmemref.store %v, %m[%ai] {test.name = \"x\"} : "
          "memref<2048xf32, #wg>\nmemref.store %v, %m[%aj] {test.name = "
          "\"y\"} : memref<2048xf32, #wg>\n}\n}\n";
  parse(body);
  auto haveOneIndex = [&](StringRef a, StringRef b) {
    return analysis->getIndices(find(a)) == analysis->getIndices(find(b));
  };
  EXPECT_TRUE(haveOneIndex("a", "b"));
  EXPECT_TRUE(haveOneIndex("a", "x"));
  EXPECT_TRUE(haveOneIndex("x", "y"));
  EXPECT_TRUE(haveOneIndex("both", "too"));
  for (StringRef other : {"far", "late", "even", "both", "twice", "halves"})
    EXPECT_FALSE(haveOneIndex("a", other)) << other.str();
  EXPECT_FALSE(haveOneIndex("both", "twice"));
  EXPECT_FALSE(haveOneIndex("halves", "others"));
  // One question is not that of the other all the same.
  EXPECT_NE(analysis->getClass(find("a")), analysis->getClass(find("b")));
  EXPECT_NE(analysis->getClass(find("x")), analysis->getClass(find("y")));
  for (StringRef a : {"a", "b", "late", "even", "x", "y"})
    for (StringRef b : {"a", "b", "late", "even", "x", "y"}) {
      EXPECT_FALSE(analysis->getMeeting(find(a), find(b)));
      EXPECT_EQ(level(a, b), "none") << a.str() << " " << b.str();
    }
  // Element 4 of one thread is the first of the next.
  for (StringRef a : {"a", "b", "x", "y"})
    for (StringRef b : {"far", "both", "too", "twice", "halves", "others"}) {
      EXPECT_TRUE(analysis->getMeeting(find(a), find(b)));
      EXPECT_EQ(level(a, b), "workgroup") << a.str() << " " << b.str();
    }
}

// Nests of ops that do the same have values of their own. What differs in one
// condition, bound or constant is another question.
TEST_F(Hazards, NestsShareQuestions) {
  std::string body = "%m = memref.alloc() : memref<512xf32, #wg>\n";
  unsigned number = 0;
  auto addNest = [&](StringRef name, int limit, int first, int shift) {
    std::string n = std::to_string(number++);
    auto constant = [&](StringRef prefix, int value) {
      body += "%" + prefix.str() + n + " = arith.constant " +
              std::to_string(value) + " : index\n";
    };
    constant("limit", limit);
    constant("first", first);
    constant("two", 2);
    constant("shift", shift);
    body += "%p" + n + " = arith.cmpi slt, %t, %limit" + n +
            " : index\nscf.if %p" + n + " {\nscf.for %i = %first" + n +
            " to %two" + n + " step %c1 {\n%d = arith.muli %t, %two" + n +
            " : index\n%e = arith.addi %d, %i : index\n%f = arith.addi %e, "
            "%shift" +
            n + " : index\nmemref.store %v, %m[%f] {test.name = \"" +
            name.str() + n + "\"} : memref<512xf32, #wg>\n}\n}\n";
  };
  for (int i = 0; i < 3; ++i) {
    addNest("all", 64, 0, 0);
    addNest("few", 32, 0, 0);
    addNest("odd", 64, 1, 0);
    addNest("far", 64, 0, 1);
  }
  parse(body);
  for (unsigned i = 0; i < number; i += 4) {
    std::string all = "all" + std::to_string(i),
                few = "few" + std::to_string(i + 1),
                odd = "odd" + std::to_string(i + 2),
                far = "far" + std::to_string(i + 3);
    for (unsigned j = 0; j < number; j += 4) {
      std::string other = std::to_string(j), fewOther = std::to_string(j + 1),
                  oddOther = std::to_string(j + 2),
                  farOther = std::to_string(j + 3);
      EXPECT_EQ(level(all, "all" + other), "none");
      EXPECT_EQ(level(few, "all" + other), "none");
      EXPECT_EQ(level(odd, "all" + other), "none");
      // The second of one thread is the first of the next.
      EXPECT_EQ(level(all, "far" + farOther), "workgroup");
      EXPECT_EQ(level(far, "odd" + oddOther), "none");
      EXPECT_EQ(level(far, "far" + farOther), "none");
      // Thread 31 is in, and meets the first of the second subgroup.
      EXPECT_EQ(level(few, "far" + farOther), "subgroup");
      EXPECT_EQ(level(far, "few" + fewOther), "subgroup");
    }
  }
}
