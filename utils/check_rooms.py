#!/usr/bin/env python3
# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the rooms of the library are as docs/architecture.md says.

    check_rooms.py ROOT [--update]

A room is a folder of lib/ with a library; lib/CMakeLists.txt lists them from the
ground up. Its files are those of lib/ROOM and include/MemSpace/ROOM. Checked:

- an #include leads to the same room or to one that stands earlier in the list;
- the headers that only forward to a room name one that is there;
- no files of a room include each other in a circle, a header and the sources of
  its name being one;
- the table of docs/architecture.md has every room, what it includes, and its
  lines, give or take a tenth. --update writes the two into the table.

Exit status: 0, or 1 with what is not so.
"""
import collections
import os
import re
import sys

# Headers that are not in the folder of their room.
ROOM_OF_HEADER = {
    "Transforms/AllocationHook": "Transforms/Bufferize",
    "Transforms/Bufferize": "Transforms/Bufferize",
    "Transforms/DistributeStructuredOps": "Transforms/Normalize",
    "Transforms/FinishBufferization": "Transforms/Bufferize",
    "Transforms/Passes": "Transforms/Support",
    "Transforms/Pipelines": "Pipelines",
    "Transforms/PruneKernelResults": "Transforms/Normalize",
    "Transforms/TileKernel": "Transforms/Tile",
    "Transforms/VerifyDistribution": "Transforms/Bufferize",
}
# Written for all, and headers that are there for their old names: in no room.
OUTSIDE = re.compile(r"(InitAll|Version)$|Analysis/")


class House:
    def __init__(self, root):
        text = open(os.path.join(root, "lib", "CMakeLists.txt")).read()
        self.rooms = re.search(r"set\(_rooms\s+([^)]*)\)", text).group(1).split()
        self.files = collections.defaultdict(list)
        for top in ("lib", "include/MemSpace"):
            for folder, _, names in os.walk(os.path.join(root, top)):
                for name in names:
                    if not name.endswith((".h", ".cpp", ".td")):
                        continue
                    path = os.path.relpath(os.path.join(folder, name), os.path.join(root, top))
                    room = self.get_room(path)
                    if room:
                        self.files[room].append((path, open(os.path.join(folder, name)).read()))

    def get_room(self, path):
        """The room of a path below lib/ or include/MemSpace/."""
        stem = re.sub(r"\..*$", "", path)
        room = ROOM_OF_HEADER.get(stem, os.path.dirname(stem))
        if OUTSIDE.match(stem):
            return None
        if room not in self.rooms:
            raise SystemExit(f"{path} is in no room of lib/CMakeLists.txt")
        return room

    def get_includes(self, room):
        """(file, room of the included, its path) of each own #include."""
        for path, text in self.files[room]:
            for name in re.findall(r'#include "([^"]+)"', text):
                if name.startswith("MemSpace/"):
                    name = name[len("MemSpace/"):]
                elif name.startswith(("mlir/", "llvm/", "gtest/")):
                    continue
                elif "/" not in name:
                    name = f"{room}/{name}"
                yield path, self.get_room(name) or "outside", name

    def get_uses(self, room):
        uses = {other for _, other, _ in self.get_includes(room)} - {room}
        return [other for other in self.rooms if other in uses]

    def get_lines(self, room):
        return sum(text.count("\n") for _, text in self.files[room])


def check_includes(house):
    for room in house.rooms:
        units = collections.defaultdict(set)
        stem = lambda path: re.sub(r"\..*$", "", os.path.basename(path))
        for path, other, name in house.get_includes(room):
            if other not in house.rooms:
                yield f"{path} includes {name}, which is for users only"
            elif house.rooms.index(other) > house.rooms.index(room):
                yield f"{path} includes {name}, of the room {other} above it"
            if other == room and stem(path) != stem(name):
                units[stem(path)].add(stem(name))
        done = set()

        def visit(unit, way):
            if unit in way:
                return [" -> ".join(way[way.index(unit):] + [unit])]
            if unit in done:
                return []
            found = [c for other in sorted(units.get(unit, ())) for c in visit(other, way + [unit])]
            done.add(unit)
            return found

        for unit in sorted(units):
            for circle in visit(unit, []):
                yield f"{room}: a circle of includes, {circle}"


def check_forwards(root):
    folder = os.path.join(root, "include", "MemSpace", "Analysis")
    for name in sorted(os.listdir(folder)):
        target = re.search(r'#include "([^"]+)"', open(os.path.join(folder, name)).read()).group(1)
        if not os.path.exists(os.path.join(root, "include", target)):
            yield f"{name} forwards to {target}, which is not there"


ROW = re.compile(r"^\| `([\w/]+)` \|([^|]*)\|([^|]*)\| *(\d+) \|$", re.M)


def check_table(house, path, update):
    text = open(path).read()
    rows = {m.group(1): m for m in ROW.finditer(text)}
    wanted = {}
    for room in house.rooms:
        uses = ", ".join(house.get_uses(room)) or "–"
        lines = house.get_lines(room)
        wanted[room] = (uses, lines)
        if update:
            continue
        if room not in rows:
            yield f"{path} has no row for {room}"
            continue
        if rows[room].group(3).strip() != uses:
            yield f"{path}: {room} uses {uses}"
        if abs(int(rows[room].group(4)) - lines) > lines / 10:
            yield f"{path}: {room} has {lines} lines"
    for room in rows:
        if room not in wanted:
            yield f"{path}: there is no room {room}"
    if update:
        def rewrite(match):
            uses, lines = wanted.get(match.group(1), (match.group(3).strip(), 0))
            return f"| `{match.group(1)}` |{match.group(2)}| {uses} | {round(lines, -1)} |"
        open(path, "w").write(ROW.sub(rewrite, text))


def main():
    root = sys.argv[1]
    house = House(root)
    faults = list(check_includes(house)) + list(check_forwards(root))
    faults += check_table(house, os.path.join(root, "docs", "architecture.md"), "--update" in sys.argv)
    print("\n".join(faults) if faults else f"{len(house.rooms)} rooms are as written")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
