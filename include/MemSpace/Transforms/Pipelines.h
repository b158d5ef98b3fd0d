//===- Pipelines.h - the way of a kernel -===//
//
// Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The pipelines: from tensors to race-free memref code, and on to AMDGPU and
/// PTX assembly with upstream's passes.
///
/// This header may change from release to release.
///
//===----------------------------------------------------------------------===//

#ifndef MEMSPACE_TRANSFORMS_PIPELINES_H
#define MEMSPACE_TRANSFORMS_PIPELINES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir {
namespace memspace {

/// Options of every pipeline.
struct KernelPipelineOptions
    : public PassPipelineOptions<KernelPipelineOptions> {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Chip name; when empty, the pipelines to assembly take "
                     "gfx942 or sm_90, whatever the IR says, and the kernel "
                     "pipeline the target in the IR, else a generic GPU from "
                     "the numbers")};
  Option<int64_t> workgroupLimit{
      *this, "workgroup-limit",
      llvm::cl::desc("Workgroup bytes a kernel may use; 0: the target's"),
      llvm::cl::init(0)};
  Option<int64_t> privateLimit{
      *this, "private-limit",
      llvm::cl::desc("Private bytes a thread may use; 0: the target's"),
      llvm::cl::init(0)};
  Option<int64_t> subgroupSize{
      *this, "subgroup-size",
      llvm::cl::desc("Threads in a subgroup; 0: the target's"),
      llvm::cl::init(0)};
  Option<std::string> memorySpaces{
      *this, "memory-spaces",
      llvm::cl::desc("Attributes of the memory spaces, as 'private=5 : "
                     "i64,workgroup=3 : i64,global=1 : i64'; when empty, "
                     "memspace.memory_spaces in the IR, else "
                     "#gpu.address_space")};
  ListOption<int64_t> blockSize{
      *this, "block-size",
      llvm::cl::desc("Threads in a block, x,y,z, of kernels that do not say")};
  ListOption<int64_t> gridSize{
      *this, "grid-size",
      llvm::cl::desc("Blocks in the grid, x,y,z, of kernels that do not say")};
  Option<int64_t> replicationBytes{
      *this, "replication-bytes",
      llvm::cl::desc(
          "Most bytes of a tensor that every thread computes for itself"),
      llvm::cl::init(4096)};
  Option<int64_t> barrierWork{
      *this, "barrier-work",
      llvm::cl::desc("Accesses to memory that cost as much as a barrier, where "
                     "repeated work is weighed against distributed work"),
      llvm::cl::init(64)};
  Option<std::string> objective{
      *this, "objective",
      llvm::cl::desc("What the layout of workgroup memory is to have: "
                     "'balanced', 'bytes' or 'barriers'"),
      llvm::cl::init("balanced")};
  Option<bool> padding{
      *this, "padding",
      llvm::cl::desc(
          "Pad the rows of workgroup buffers against bank conflicts"),
      llvm::cl::init(false)};
  Option<bool> iterationGuards{
      *this, "iteration-guards",
      llvm::cl::desc("Barriers may be skipped in the first or last iteration "
                     "of a loop"),
      llvm::cl::init(false)};
  Option<bool> workspaces{
      *this, "workspaces",
      llvm::cl::desc("Kernels get arguments for temporaries of all workgroups, "
                     "and are split where these read each other's"),
      llvm::cl::init(false)};
  Option<bool> noAlias{
      *this, "noalias",
      llvm::cl::desc("Believe 'restrict': arguments that are accessed by such "
                     "ops only do not alias each other"),
      llvm::cl::init(true)};
  Option<int64_t> argumentAlignment{
      *this, "argument-alignment",
      llvm::cl::desc("Bytes, a power of two, that divide the addresses of "
                     "memref arguments; 0: only what the elements need"),
      llvm::cl::init(0)};
  Option<bool> barePointers{
      *this, "bare-pointers",
      llvm::cl::desc("Kernels take one pointer for each memref instead of a "
                     "descriptor; all extents, strides and offsets of "
                     "arguments must be static"),
      llvm::cl::init(false)};
  Option<bool> reassociate{
      *this, "reassociate",
      llvm::cl::desc("Let the lanes of a subgroup share uniform sums and "
                     "products of floats, which changes their order"),
      llvm::cl::init(false)};
  Option<bool> contract{
      *this, "contract",
      llvm::cl::desc(
          "Let the backend fuse multiplications and additions, which "
          "may change the last bit of results"),
      llvm::cl::init(false)};
  Option<std::string> mayHazards{
      *this, "may-hazards",
      llvm::cl::desc("What a hazard is that the verifier of the finished "
                     "kernel cannot exclude: 'warn' or 'error'"),
      llvm::cl::init("warn")};
};

/// Steps after which the pipeline leaves a kernel unverified: some seconds.
constexpr int64_t kVerifierWorkLimit = 20'000'000;

/// From tensor kernels to bufferized, race-free kernels with their budget
/// (`memspace-kernel-pipeline`).
void buildKernelPipeline(OpPassManager &pm,
                         const KernelPipelineOptions &options);
/// The same without the proof at its end: for kernels that are only looked at.
void buildUnverifiedKernelPipeline(OpPassManager &pm,
                                   const KernelPipelineOptions &options);

/// The kernel pipeline, then AMDGPU assembly in `gpu.binary` ops
/// (`memspace-rocdl-pipeline`; the chip defaults to gfx942, whatever target the
/// IR has).
void buildROCDLPipeline(OpPassManager &pm,
                        const KernelPipelineOptions &options);

/// The kernel pipeline, then PTX in `gpu.binary` ops
/// (`memspace-nvvm-pipeline`; the chip defaults to sm_90, whatever target the
/// IR has).
void buildNVVMPipeline(OpPassManager &pm, const KernelPipelineOptions &options);

/// The second half of the two above, for packed kernels on memrefs that another
/// compiler made or that are already written with thread ids
/// (`memspace-rocdl-backend-pipeline`, `memspace-nvvm-backend-pipeline`; the
/// same defaults).
void buildROCDLBackendPipeline(OpPassManager &pm,
                               const KernelPipelineOptions &options);
void buildNVVMBackendPipeline(OpPassManager &pm,
                              const KernelPipelineOptions &options);

/// Registers the pipelines by their names.
void registerPipelines();

} // namespace memspace
} // namespace mlir

#endif // MEMSPACE_TRANSFORMS_PIPELINES_H
