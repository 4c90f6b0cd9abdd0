#!/usr/bin/env python3
"""Compares how many instructions fixed scenarios take with the record in the repository:

    instructions.py PROGRAM RECORD [--renew]

PROGRAM is caf-mcp-bench. Exits with 1 if a scenario takes over 3% more than the record says, or less, for then it could
grow back unseen. --renew writes the record anew. README.md says what is counted.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SCENARIOS = ("round-trips", "large-result", "timeouts")

LIMIT_PERCENT = 3.0

RENEW = "./dev instructions --renew"

# What a loop is there for: each kind of work by who calls, and what is called. How often the loop looks for work in
# between, and whether it sleeps, is up to the machine, and not counted.
WORK = {
    "turns of actors": (r"caf_mcp::io_loop::", r".*::resume\("),
    "handlers of descriptors and timers": (
        r"boost::asio::(io_context|detail::(scheduler|epoll_reactor))::",
        r"boost::asio::detail::\w+<.*::do_complete\(",
    ),
    "ends of turns": (r"caf_mcp::io_loop::", r"std::_Function_handler<void \(\), .*::_M_invoke\("),
}


class Broken(Exception):
    """What is counted cannot be told."""


# --- Counting ------------------------------------------------------------------------------------------------------


def calls(profile):
    """Yields caller, callee and inclusive cost of each call in a file of callgrind (Valgrind's manual, "Callgrind Format
    Specification"), which must have been written without compression of names and positions."""
    caller = callee = None
    lines = iter(profile)
    for line in lines:
        if line.startswith("fn="):
            caller = line[3:].rstrip("\n")
        elif line.startswith("cfn="):
            callee = line[4:].rstrip("\n")
        elif line.startswith("calls="):
            yield caller, callee, int(next(lines).split()[1])


def count_work(profile):
    """Returns the instructions of each kind of work in a file of callgrind."""
    result = dict.fromkeys(WORK, 0)
    for caller, callee, cost in calls(profile):
        for kind, (from_whom, what) in WORK.items():
            if re.match(from_whom, caller) and re.match(what, callee):
                result[kind] += cost
    return result


def measure(program, scenario):
    """Runs a scenario; returns its instructions."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder, "callgrind.out")
        command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", "--compress-strings=no"]
        command += ["--compress-pos=no", "--dump-after=bench::instructions::host::settle*"]
        command += [program, "instructions", scenario]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        except subprocess.TimeoutExpired as late:
            raise Broken(f"{scenario}: no end after {late.timeout} s") from late
        part = pathlib.Path(f"{out}.2")  # 1 is the start, the last one the end
        if done.returncode != 0 or not part.exists():
            raise Broken(f"{scenario}: {' '.join(command)} failed:\n{done.stderr}")
        with part.open() as profile:
            work = count_work(profile)
    for kind, count in work.items():
        if count == 0:
            raise Broken(f"{scenario}: no {kind} seen; do the names in {__file__} still fit the code?")
    return sum(work.values())


def measure_all(program):
    """Returns the instructions of each scenario."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(SCENARIOS, pool.map(lambda each: measure(program, each), SCENARIOS)))


def context_of(program):
    """Returns what the counts depend on beside the code here."""
    result = json.loads(subprocess.run([program, "instructions", "--context"], check=True, capture_output=True).stdout)
    version = subprocess.run(["valgrind", "--version"], check=True, capture_output=True, text=True).stdout
    result["valgrind"] = version.strip()
    cpu = pathlib.Path("/proc/cpuinfo").read_text()
    result["avx2"] = " avx2 " in cpu  # libc has several variants of memchr and memcpy
    return result


# --- Comparing -----------------------------------------------------------------------------------------------------


def differences(recorded, current):
    """Returns a line for each part of the context that is not as recorded."""
    keys = sorted(recorded.keys() | current.keys())
    return [f"{k}: recorded {recorded.get(k)}, now {current.get(k)}" for k in keys if recorded.get(k) != current.get(k)]


def compare(recorded, counted):
    """Compares counts with recorded ones. Returns lines to print, and whether all is well."""
    lines, is_well = [], True
    for name, count in counted.items():
        before = recorded.get(name)
        if before is None:
            lines.append(f"{name}: {count:,} instructions, not recorded; `{RENEW}` records them")
            is_well = False
            continue
        growth = 100 * (count - before) / before
        line = f"{name}: {count:,} instructions, recorded {before:,}: {growth:+.2f}%"
        if growth > LIMIT_PERCENT:
            is_well = False
            line += f", more than the {LIMIT_PERCENT:g}% allowed; if that is what it must cost, `{RENEW}` and commit"
        elif growth < -LIMIT_PERCENT:
            is_well = False  # else it could grow back unseen
            line += f"; well done: `{RENEW}` and commit, so that it stays"
        lines.append(line)
    for name in recorded.keys() - counted.keys():
        is_well = False
        lines.append(f"{name}: recorded, but no longer counted; `{RENEW}` if that is meant")
    return lines, is_well


def run(record, renews, context, count):
    """Compares with the file `record`, or renews it. Returns the exit status."""
    if renews:
        known = {"context": context, "instructions": count()}
        record.write_text(json.dumps(known, indent=2) + "\n")
        print(f"{record}: written")
        return 0
    known = json.loads(record.read_text())
    if other := differences(known["context"], context):
        print("not compared: the record was made with something else", *other, sep="\n  ")
        return 0
    lines, is_well = compare(known["instructions"], count())
    print(*lines, sep="\n")
    return 0 if is_well else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("record", type=pathlib.Path)
    parser.add_argument("--renew", action="store_true", help="write the record anew")
    given = parser.parse_args()
    try:
        return run(given.record, given.renew, context_of(given.program), lambda: measure_all(given.program))
    except Broken as broken:
        print(f"instructions: {broken}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
