#!/usr/bin/env python3
"""Runs clang-tidy over our sources: tidy.py BUILD_DIR [PATH_PART...]

A source that was clean is not looked at again as long as what the compiler sees of it, the configuration and the
version of clang-tidy are the same, in whatever folder the tree is checked out: a full run takes many minutes.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
OURS = ("messages", "actors", "apps", "tests")
TIDY = shutil.which("clang-tidy-14") or "clang-tidy"


def cache_dir():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    path = pathlib.Path(os.environ.get("CAF_MCP_CACHE") or f"{base}/caf-mcp") / "tidy"
    path.mkdir(parents=True, exist_ok=True)
    return path


def is_ours(entry):
    path = pathlib.Path(entry["file"])
    return path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in OURS


def key(entry, salt):
    """Hashes the preprocessed source, with comments (for NOLINT) and without the names of folders. Not with those within
    macros (-CC), which make macros of Boost invalid."""
    command = shlex.split(entry["command"])
    command = command[: command.index("-o")] + ["-E", "-P", "-C", entry["file"]]
    seen = subprocess.run(command, cwd=entry["directory"], check=True, capture_output=True).stdout
    return hashlib.sha256(salt + seen).hexdigest()


def check(entry, build_dir, stamps, salt):
    """Returns the findings, empty when there are none."""
    stamp = stamps / key(entry, salt)
    if stamp.exists():
        return ""
    result = subprocess.run([TIDY, "--quiet", "-p", build_dir, entry["file"]], capture_output=True, text=True)
    if result.returncode == 0:
        stamp.touch()
        return ""
    return result.stdout or result.stderr


def main():
    build_dir, parts = sys.argv[1], sys.argv[2:]
    entries = json.loads(pathlib.Path(build_dir, "compile_commands.json").read_text())
    entries = [e for e in entries if is_ours(e) and (not parts or any(part in e["file"] for part in parts))]
    version = subprocess.run([TIDY, "--version"], check=True, capture_output=True).stdout
    salt = version + (ROOT / ".clang-tidy").read_bytes()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {pool.submit(check, e, build_dir, cache_dir(), salt): e for e in entries}
        for job in concurrent.futures.as_completed(jobs):
            if job.result():
                failed += 1
                print(f"-- {jobs[job]['file']}\n{job.result()}", flush=True)
    print(f"clang-tidy: {len(entries)} files, {failed} with findings")
    sys.exit(1 if failed else 0)


main()
