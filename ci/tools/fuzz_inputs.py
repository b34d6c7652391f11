# SPDX-License-Identifier: MIT
"""Makes the inputs of one fuzz target that stay the same whatever the code does.

A fuzzer that is led by coverage goes another way after each change of the code, so it finds another thing each time. These
inputs depend on nothing but the corpus, the dictionary and the count.

    fuzz_inputs.py CORPUS DICTIONARY COUNT FOLDER

CORPUS is a folder; DICTIONARY a file of the fuzzer's form, or one that is not there; FOLDER is made anew and has the corpus and
COUNT inputs afterwards.
"""

import pathlib
import random
import re
import shutil
import sys

# No longer than this beyond the longest of the corpus.
ROOM = 64
EDGES = [0x00, 0x01, 0x7F, 0x80, 0xFE, 0xFF]


def words(path):
    """The entries of a dictionary, with their escapes taken away."""
    if not path.exists():
        return []
    found = re.findall(rb'^\w*=?"((?:[^"\\]|\\.)*)"', path.read_bytes(), re.MULTILINE)
    escape = re.compile(rb"\\x([0-9A-Fa-f]{2})|\\(.)")
    return [escape.sub(lambda m: bytes.fromhex(m[1].decode()) if m[1] else m[2], word) for word in found]


def mutated(data, dice, corpus, dictionary):
    """One change of the kinds that a fuzzer makes."""
    at = dice.randrange(len(data) + 1)
    end = min(len(data), at + 1 + dice.randrange(8))
    kind = dice.randrange(9)
    if kind == 0:
        return data[:at] + data[end:]
    if kind == 1:
        return data[:at] + bytes(dice.randrange(256) for _ in range(1 + dice.randrange(4))) + data[at:]
    if kind == 2:
        return data[:at] + data[at:end] * (2 + dice.randrange(3)) + data[end:]
    if kind == 3 and dictionary:
        return data[:at] + dice.choice(dictionary) + data[at if dice.randrange(2) else end:]
    if kind == 4:
        other = dice.choice(corpus)
        start = dice.randrange(len(other) + 1)
        return data[:at] + other[start:start + 1 + dice.randrange(64)] + data[end:]
    if kind == 5:
        other = dice.choice(corpus)
        return data[:at] + other[dice.randrange(len(other) + 1):]
    if at == len(data):
        return data + bytes([dice.choice(EDGES)])
    byte = data[at]
    if kind == 6:
        byte ^= 1 << dice.randrange(8)
    elif kind == 7:
        byte = dice.choice(EDGES)
    else:
        byte = (byte + dice.choice([-1, 1])) % 256
    return data[:at] + bytes([byte]) + data[at + 1:]


def main():
    folder, dictionary, count, out = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), int(sys.argv[3]), pathlib.Path(sys.argv[4])
    corpus = [path.read_bytes() for path in sorted(folder.iterdir(), key=lambda path: path.name)]
    entries = words(dictionary)
    longest = max(map(len, corpus)) + ROOM
    dice = random.Random(folder.parent.name)
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    for index in range(len(corpus) + count):
        data = corpus[index % len(corpus)]
        if index >= len(corpus):
            for _ in range(1 << dice.randrange(4)):
                data = mutated(data, dice, corpus, entries)
        (out / f"{index:05}").write_bytes(data[:longest])


if __name__ == "__main__":
    main()
