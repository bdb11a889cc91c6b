# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the includes under src/ and include/ against docs/architecture.md: a
room may use those above it in the list; rooms marked std use neither LLVM nor
MLIR nor clang. Prints each violation; fails when there is one.

    check_rooms.py <source root>
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#?\s*include\s+["<]([^">]+)[">]', re.MULTILINE)
ROOM = re.compile(r"^((?:src|include)/[\w/-]*)/\s+(std\s)?")
COMPILER = ("llvm/", "llvm-c/", "mlir/", "clang/")


def read_rooms(document):
    """The rooms in the order of the list, each with whether it is `std`."""
    section = document.split("\n## Rooms\n")[1].split("\n## ")[0]
    block = section.split("```")[1]
    return [
        (match.group(1), bool(match.group(2)))
        for match in map(ROOM.match, block.splitlines())
        if match
    ]


def room_of(path, rooms):
    """The index of the room that a path (from the source root) lies in; None
    for a path in no room. The longest name wins."""
    matches = [
        (len(name), index)
        for index, (name, _) in enumerate(rooms)
        if path.startswith(name + "/")
    ]
    return max(matches)[1] if matches else None


def check_file(root, path, rooms):
    """Yields what is wrong with one file's includes."""
    name = path.relative_to(root).as_posix()
    own = room_of(name, rooms)
    if own is None:
        yield f"{name}: lies in no room of docs/architecture.md"
        return
    source = path.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(source):
        text = match.group(1)
        line = source.count("\n", 0, match.start(1)) + 1
        if rooms[own][1] and text.startswith(COMPILER):
            yield f"{name}:{line}: {rooms[own][0]} uses the standard library only, but includes {text}"
        target = f"include/{text}" if text.startswith("tessera/") else f"src/{text}"
        used = room_of(target, rooms)
        if used is not None and used > own:
            yield f"{name}:{line}: {rooms[own][0]} is above {rooms[used][0]}, but includes {text}"


def main():
    root = pathlib.Path(sys.argv[1])
    rooms = read_rooms((root / "docs/architecture.md").read_text(encoding="utf-8"))
    if not rooms:
        sys.exit("docs/architecture.md: the list of rooms was not found")
    problems = []
    for name, _ in rooms:
        if not (root / name).is_dir():
            problems.append(f"docs/architecture.md: there is no {name}")
    for folder in ("include", "src"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in {".h", ".cpp", ".def", ".td", ".inc"}:
                problems.extend(check_file(root, path, rooms))
    print("\n".join(problems) or f"{len(rooms)} rooms: all includes point upwards")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
