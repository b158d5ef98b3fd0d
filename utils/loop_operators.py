# Part of MemSpace, under the Apache License v2.0 with LLVM Exceptions.
# See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random functions with a loop or a branch around a part of them, which gives what the
part gives: each iteration computes the same, or what is carried goes round."""
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
    """Names and types of the results of `op`; none where the text does not say."""
    match = re.match(r"  (%\w+)(?::(\d+))? = ", op)
    if not match:
        return []
    name, count = match[1], int(match[2] or 1)
    last = op.rstrip().split("\n")[-1]
    types = re.findall(r"(tensor<[^<>]*>|index|[if]\d+|bf16)", re.split(r"->|\bto\b|\binto\b|:", last)[-1])
    if len(types) != count:
        return [(name, None)]
    return [(f"{name}#{i}" if count > 1 else name, type) for i, type in enumerate(types)]


def uses(text, name):
    return re.search(re.escape(name) + r"(?![\w#])", text) is not None


def wrap(text, seed):
    """`text` with a loop or a branch; None where there is no part to put into one."""
    rng = random.Random(seed)
    head, body = re.match(r"((?:.*\n)*?func\.func .*\{\n)((?:.*\n)*)\}\n*$", text).groups()
    ops = statements(body.rstrip("\n"))
    known = {name: type for op in ops for name, type in results(op)}
    arguments = re.findall(r"(%arg\d+): (tensor<[^<>?]*>)", head)
    for _ in range(20):
        begin = rng.randrange(len(ops) - 1)
        end = rng.randrange(begin, len(ops) - 1) + 1
        inside, behind = ops[begin:end], "\n".join(ops[end:])
        made = [name for op in inside for name, _ in results(op)]
        left = [name for name in made if uses(behind, name) or uses(behind, name + "#0")]
        given = [name for name in left if known[name] is not None]
        if given and given == left and all(re.fullmatch(r"tensor<(\d+x)*\w+>", known[name]) for name in given):
            break
    else:
        return None
    types = [known[name] for name in given]
    before = "\n".join(ops[:begin])
    rename = {name: f"%out#{i}" if len(given) + 0 > 1 else "%out" for i, name in enumerate(given)}
    part = "\n".join("  " + line for op in inside for line in op.split("\n"))
    lines = []
    if rng.random() < .3:
        lines.append("  %taken = arith.constant true")
        other = "\n".join(f"    %e{i} = tensor.empty() : {type}" for i, type in enumerate(types))
        rename = {name: f"%out#{i}" if len(given) > 1 else "%out" for i, name in enumerate(given)}
        count = f":{len(given)}" if len(given) > 1 else ""
        lines.append(f"  %out{count} = scf.if %taken -> ({', '.join(types)}) {{\n{part}\n"
                     f"    scf.yield {', '.join(given)} : {', '.join(types)}\n  }} else {{\n{other}\n"
                     f"    scf.yield {', '.join(f'%e{i}' for i in range(len(given)))} : {', '.join(types)}\n  }}")
    else:
        lines += ["  %lo = arith.constant 0 : index", f"  %hi = arith.constant {rng.randint(1, 3)} : index",
                  "  %st = arith.constant 1 : index"]
        lines += [f"  %e{i} = tensor.empty() : {type}" for i, type in enumerate(types)]
        carried = [(f"%carried{i}", f"%e{i}", name, type) for i, (name, type) in enumerate(zip(given, types))]
        # An argument that is carried: as it is, or in turn with another name of it.
        read = [(name, type) for name, type in arguments if uses(part, name)]
        if read:
            name, type = rng.choice(read)
            part = re.sub(re.escape(name) + r"(?!\w)", "%r0", part)
            if rng.random() < .5:
                carried.append(("%r0", name, "%r0", type))
            else:
                carried += [("%r0", name, "%r1", type), ("%r1", name, "%r0", type)]
        count = f":{len(carried)}" if len(carried) > 1 else ""
        rename = {name: f"%out#{i}" if len(carried) > 1 else "%out" for i, name in enumerate(given)}
        lines.append(f"  %out{count} = scf.for %iv = %lo to %hi step %st iter_args("
                     + ", ".join(f"{name} = {init}" for name, init, _, _ in carried) + ") -> ("
                     + ", ".join(type for *_, type in carried) + f") {{\n{part}\n    scf.yield "
                     + ", ".join(value for _, _, value, _ in carried) + " : "
                     + ", ".join(type for *_, type in carried) + "\n  }")
    for name, new in rename.items():
        behind = re.sub(re.escape(name) + r"(?![\w#])", new, behind)
    return head + "\n".join([before] * bool(before) + lines + [behind]) + "\n}\n"
