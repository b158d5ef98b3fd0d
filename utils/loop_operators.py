# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random functions with loops and branches around parts of them, which give what the
parts give: each iteration computes the same, or what is carried goes round."""
import random
import re


def statements(body):
    """The ops of a straight line, with their regions."""
    ops = []
    for line in body.split("\n"):
        if re.match(r"  \S", line) and not line.startswith(("  }", "  ^", "  )")):
            ops.append(line)
        elif ops:
            ops[-1] += "\n" + line
    return ops


def results(op):
    """Names and types of the results of `op`; the types are None where the text does not say."""
    match = re.match(r"  (%\w+)(?::(\d+))? = ", op)
    if not match:
        return []
    name, count = match[1], int(match[2] or 1)
    lines = op.rstrip().split("\n")
    last = re.search(r"-> \((.*)\) \{$", lines[0])[1] if " = scf." in lines[0] else re.split(r"->|\bto\b|\binto\b|:", lines[-1])[-1]
    types = re.findall(r"(tensor<[^<>]*>|index|[if]\d+|bf16)", last)
    if len(types) != count:
        return [(name, None)]
    return [(f"{name}#{i}" if count > 1 else name, type) for i, type in enumerate(types)]


def uses(text, name):
    return re.search(re.escape(name) + r"(?![\w#])", text) is not None


def find_part(rng, ops):
    """A part of `ops`: where it begins and ends, and the static tensors that are needed behind it."""
    # What nobody has written is not carried: the emulator reports its copy.
    known = {name: None if " = tensor.empty" in op else type for op in ops for name, type in results(op)}
    for _ in range(20):
        begin = rng.randrange(len(ops) - 1)
        end = rng.randrange(begin, len(ops) - 1) + 1
        behind = "\n".join(ops[end:])
        made = [name for op in ops[begin:end] for name, _ in results(op)]
        left = [name for name in made if uses(behind, name) or uses(behind, name + "#0")]
        if left and all(re.fullmatch(r"tensor<(\d+x)*\w+>", known[name] or "") for name in left):
            return begin, end, [(name, known[name]) for name in left]
    return None


def branch(rng, part, given, n):
    """An scf.if that takes `part`, of two sides, and what its results are called."""
    types = ", ".join(type for _, type in given)
    lines = [f"    %other{n}_{i} = tensor.empty() : {type}" for i, (_, type) in enumerate(given)]
    lines.append(f"    scf.yield {', '.join(f'%other{n}_{i}' for i in range(len(given)))} : {types}")
    sides = ["\n".join(lines), f"{part}\n    scf.yield {', '.join(name for name, _ in given)} : {types}"]
    taken = rng.random() < .5
    first, second = sides if not taken else reversed(sides)
    count = f":{len(given)}" if len(given) > 1 else ""
    names = {name: f"%out{n}#{i}" if len(given) > 1 else f"%out{n}" for i, (name, _) in enumerate(given)}
    return [f"  %taken{n} = arith.constant {str(taken).lower()}",
            f"  %out{n}{count} = scf.if %taken{n} -> ({types}) {{\n{first}\n  }} else {{\n{second}\n  }}"], names, []


def loop(rng, part, given, arguments, n):
    """An scf.for around `part`: what its results are called, and ops that these need."""
    trips = rng.randint(1, 3)
    lines = [f"  %lo{n} = arith.constant 0 : index", f"  %hi{n} = arith.constant {trips} : index",
             f"  %st{n} = arith.constant 1 : index"]
    carried, behind, names = [], [], {}
    for i, (name, type) in enumerate(given):
        value = name
        shape, element = re.fullmatch(r"tensor<((?:\d+x)*)(\w+)>", type).groups()
        extents = shape.split("x")[:-1]
        place = f"%out{n}#{i}"
        if extents and rng.random() < .3:
            # All iterations' results, of which the last one is taken.
            rows = f"tensor<{trips}x{shape}{element}>"
            rest = ", ".join("0" for _ in extents), ", ".join(extents), ", ".join("1" for _ in extents)
            part += (f"\n    %row{n}_{i} = tensor.insert_slice {name} into %carried{n}_{i}[%iv{n}, {rest[0]}] [1, {rest[1]}] "
                     f"[1, {rest[2]}] : {type} into {rows}")
            behind.append(f"  %last{n}_{i} = tensor.extract_slice {place}[{trips - 1}, {rest[0]}] [1, {rest[1]}] [1, {rest[2]}] : "
                          f"{rows} to {type}")
            value, type, names[name] = f"%row{n}_{i}", rows, f"%last{n}_{i}"
        else:
            names[name] = place
        lines.append(f"  %init{n}_{i} = tensor.empty() : {type}")
        carried.append((f"%carried{n}_{i}", f"%init{n}_{i}", value, type))
    # An argument that is carried: as it is, or in turn with another name of it.
    read = [(name, type) for name, type in arguments if uses(part, name)]
    if read:
        name, type = rng.choice(read)
        part = re.sub(re.escape(name) + r"(?!\w)", f"%round{n}", part)
        if rng.random() < .5:
            carried.append((f"%round{n}", name, f"%round{n}", type))
        else:
            carried += [(f"%round{n}", name, f"%turn{n}", type), (f"%turn{n}", name, f"%round{n}", type)]
    if len(carried) == 1:
        names = {name: new.replace(f"%out{n}#0", f"%out{n}") for name, new in names.items()}
        behind = [op.replace(f"%out{n}#0", f"%out{n}") for op in behind]
    count = f":{len(carried)}" if len(carried) > 1 else ""
    types = ", ".join(type for *_, type in carried)
    lines.append(f"  %out{n}{count} = scf.for %iv{n} = %lo{n} to %hi{n} step %st{n} iter_args("
                 + ", ".join(f"{name} = {init}" for name, init, _, _ in carried) + f") -> ({types}) {{\n{part}\n    scf.yield "
                 + ", ".join(value for _, _, value, _ in carried) + f" : {types}\n  }}")
    return lines, names, behind


def wrap(text, seed):
    """`text` with one to three loops or branches; None where there is no part to put into one."""
    rng = random.Random(seed)
    number = 0
    for n in range(rng.choice([1, 1, 2, 3])):
        head, body = re.match(r"((?:.*\n)*?func\.func .*\{\n)((?:.*\n)*)\}\n*$", text).groups()
        ops = statements(body.rstrip("\n"))
        found = find_part(rng, ops)
        if not found:
            continue
        begin, end, given = found
        part = "\n".join("  " + line for op in ops[begin:end] for line in op.split("\n"))
        if rng.random() < .3:
            lines, names, more = branch(rng, part, given, n)
        else:
            lines, names, more = loop(rng, part, given, re.findall(r"(%arg\d+): (tensor<[^<>?]*>)", head), n)
        behind = "\n".join(ops[end:])
        for name, new in names.items():
            behind = re.sub(re.escape(name) + r"(?![\w#])", new, behind)
        text = head + "\n".join(ops[:begin] + lines + more + [behind]) + "\n}\n"
        number += 1
    return text if number else None
