//===- MatrixOps.cpp - matrix ops of emulated subgroups -------------------===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The lanes of a subgroup meet at a matrix op as at a shuffle: it orders no
// memory. Then each lane goes on by itself and does its own accesses.
//
//===----------------------------------------------------------------------===//

#include "Worker.h"
#include <cstring>

using namespace mlir;
using namespace mlir::memspace;
using namespace mlir::memspace::emulator;

/// Brought by a lane whose address is of no use.
static constexpr uint64_t kNoAddress = ~uint64_t(0);
static constexpr uint64_t kPoisonWord = ~uint64_t(0);

/// Products of two numbers that take about as long as an access.
static constexpr uint64_t kProductsPerStep = 32;

/// All lanes of a subgroup take part in a matrix op; there is no mask.
Snapshot &Worker::meetForMatrix(uint32_t site, uint64_t value) {
  waitAt(FiberState::AtSubgroupOp, site, kCollects, /*lanes=*/~uint64_t(0),
         value);
  Snapshot &snapshot = *fiber->snapshot;
  auto missing = llvm::find(snapshot.isPresent, false);
  if (missing != snapshot.isPresent.end())
    fail(site, "a matrix op needs all " + Twine(getSubgroupSize()) +
                   " threads of its subgroup, and lane " +
                   Twine(missing - snapshot.isPresent.begin()) +
                   " does not exist; use a workgroup of a multiple of " +
                   Twine(getSubgroupSize()) + " threads");
  return snapshot;
}

/// Lanes by which the layouts that are the target's own are rotated: those of
/// the first order and of all others have no element in the same lane, so that
/// no kernel gets by on one of them.
unsigned Worker::getLayoutShift() const {
  return order == Order::Forward ? 0 : 1;
}

void Worker::multiply(uint32_t site, const MatrixOp &op) {
  Snapshot &snapshot = meetForMatrix(site, 0);
  if (!snapshot.product) {
    const MatrixShape &shape = op.layout.shape;
    step(uint64_t(shape.m) * shape.n * shape.k * shape.blocks /
         kProductsPerStep);
    snapshot.product = multiplyMatrices(op, snapshot.words,
                                        op.isOpaque ? getLayoutShift() : 0);
  }
  if (!snapshot.product->error.empty())
    fail(site, "the op " + snapshot.product->error);
  unsigned numValues = op.layout.c.numValues;
  const uint64_t *begin =
      snapshot.product->words.data() + getLane(*fiber) * numValues;
  fiber->matrixValues.assign(begin, begin + numValues);
}

uint64_t Worker::readBytes(uint64_t address, int64_t size, uint32_t site) {
  uint64_t word = 0;
  std::memcpy(&word, access(address, size, site, AccessKind::Read, false),
              size);
  return word;
}

/// The accesses of one lane to its elements of the tile, in the order of its
/// values.
void Worker::touchTile(uint32_t site, const MatrixTile &tile, uint64_t address,
                       AccessKind kind) {
  Snapshot &snapshot = meetForMatrix(site, address);
  auto other = llvm::find_if(snapshot.values, [&](uint64_t value) {
    return value != snapshot.values.front();
  });
  if (other != snapshot.values.end())
    fail(site, "lanes 0 and " + Twine(other - snapshot.values.begin()) +
                   " of a subgroup give different addresses of one matrix; "
                   "compute them from values that are the same in all lanes");
  unsigned numLanes = getSubgroupSize();
  unsigned lane = (getLane(*fiber) + getLayoutShift()) % numLanes;
  unsigned numValues = tile.rows * tile.columns / numLanes;
  // The index was reported; the element in its place would mean nothing.
  bool isBad = address == kNoAddress;
  fiber->matrixValues.assign(numValues, kPoisonWord);
  for (unsigned v = 0; v < numValues && !isBad; ++v) {
    unsigned number = v * numLanes + lane;
    int64_t row = number / tile.columns, column = number % tile.columns;
    if (tile.isTransposed)
      std::swap(row, column);
    uint64_t at = address + row * tile.leadBytes + column * tile.elementBytes;
    if (kind == AccessKind::Read)
      fiber->matrixValues[v] = readBytes(at, tile.elementBytes, site);
    else
      std::memcpy(access(at, tile.elementBytes, site, kind, false),
                  &snapshot.words[getLane(*fiber)][v], tile.elementBytes);
  }
}

/// An index of the running thread that was reported makes its address useless.
static uint64_t takeAddress(Fiber &fiber, uint32_t site, uint64_t address) {
  if (fiber.badIndexSite != site)
    return address;
  fiber.badIndexSite = 0;
  return kNoAddress;
}

void Worker::loadMatrix(uint32_t site, const MatrixTile &tile,
                        uint64_t address) {
  touchTile(site, tile, takeAddress(*fiber, site, address), AccessKind::Read);
}

void Worker::storeMatrix(uint32_t site, const MatrixTile &tile,
                         uint64_t address) {
  touchTile(site, tile, takeAddress(*fiber, site, address), AccessKind::Write);
}

/// Each row begins at a multiple of its size.
void Worker::checkRowAlignment(uint64_t address, uint32_t site) {
  constexpr int64_t rowBytes = 16;
  auto [buffer, offset] = resolve(address);
  if (buffer && (buffer->begin + offset) % rowBytes)
    result.reports.add(
        makeMisalignedReport(*buffer, buffer->begin + offset, rowBytes, site));
}

/// PTX ISA 8.5, 9.7.14.5.15 "ldmatrix": lane 8 t + r addresses row r of tile t,
/// 16 bytes. Lane l receives the bytes 4 (l mod 4) to 4 (l mod 4) + 3 of row
/// l / 4 of each tile and loads them ("four consecutive threads load 16
/// bytes"); of a transposed tile it is elements of 16 bits in column l / 4.
void Worker::loadTiles(uint32_t site, unsigned numTiles, bool isTransposed,
                       uint64_t address) {
  uint64_t own = takeAddress(*fiber, site, address);
  Snapshot &snapshot = meetForMatrix(site, own);
  unsigned lane = getLane(*fiber);
  if (lane < 8 * numTiles && own != kNoAddress)
    checkRowAlignment(own, site);
  auto read = [&](unsigned row, int64_t offset, int64_t size) -> uint64_t {
    uint64_t begin = snapshot.values[row];
    return begin == kNoAddress ? kPoisonWord
                               : readBytes(begin + offset, size, site);
  };
  fiber->matrixValues.assign(numTiles, 0);
  for (unsigned tile = 0; tile < numTiles; ++tile) {
    unsigned first = 8 * tile, major = lane / 4, minor = lane % 4;
    uint64_t &word = fiber->matrixValues[tile];
    if (!isTransposed) {
      word = read(first + major, 4 * minor, 4);
      continue;
    }
    uint64_t low = read(first + 2 * minor, 2 * major, 2);
    uint64_t high = read(first + 2 * minor + 1, 2 * major, 2);
    word = (low & 0xffff) | (high & 0xffff) << 16;
  }
}
