#!/usr/bin/env python3
"""Compares what the decoder and the encoder made of JSON texts with what Python makes of them.

json_differential.py SENT PASSED_ON: SENT has a message a line; PASSED_ON, for each, the message that was written after it
was read, or an empty line where it was refused. Prints each difference; the last line says how many lines agree.
"""
import json
import re
import sys
from decimal import Decimal, InvalidOperation
from math import copysign


def integer(text):
    return ("integer", int(text), text == "-0")


def fraction(text):
    try:
        return ("fraction", Decimal(text), text[0] == "-")
    except InvalidOperation:  # an exponent of 20 digits or so
        return ("fraction", text, text[0] == "-")


def refuse(text):
    raise ValueError(text + " is no JSON")


def read(line):
    """Numbers come as their exact values; of equal keys the last one counts."""
    return json.loads(line.decode("utf-8"), parse_int=integer, parse_float=fraction, parse_constant=refuse)


def agree(a, b):
    """Tells whether two values are the same, doubles by what a double holds."""
    if isinstance(a, tuple) and isinstance(b, tuple):
        return a == b or (a[0] == b[0] == "fraction" and a[2] == b[2]
                          and float(a[1]) == float(b[1]) != copysign(float("inf"), float(a[1])))
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(agree, a, b))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(agree(value, b[key]) for key, value in a.items())
    return type(a) is type(b) and a == b


def is_refused_by_design(line):
    """Tells whether a text that Python takes is one that this library says it does not (docs/rough_edges.md)."""
    return has_lone_surrogate(line) or any(abs(int(each)) >= 2**31 for each in re.findall(rb"[eE]([+-]?[0-9]+)", line))


def has_lone_surrogate(line):
    """Python takes the escape of half a character, which no text in UTF-8 can hold."""
    everything = json.loads(line, object_pairs_hook=list)
    try:
        json.dumps(everything, ensure_ascii=False).encode("utf-8")
        return False
    except UnicodeEncodeError:
        return True


def difference(sent, passed_on):
    try:
        expected = read(sent)["result"]
    except ValueError:
        return "" if not passed_on else "is no JSON, but was taken"
    if not passed_on:
        return "" if is_refused_by_design(sent) else "was refused"
    return "" if agree(expected, read(passed_on)["result"]) else "became " + passed_on.decode()


def main():
    sys.setrecursionlimit(20000)
    same = 0
    with open(sys.argv[1], "rb") as sent, open(sys.argv[2], "rb") as passed_on:
        for line in sent:
            what = difference(line.rstrip(b"\n"), passed_on.readline().rstrip(b"\n"))
            if what:
                print(repr(line)[:500], what[:500])
            else:
                same += 1
    print(same, "lines agree")


main()
