"""Checks the scripts of tests/cases, which scripted_server.py plays."""

import contextlib
import io
import json
import sys
import tempfile
import unittest
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / 'servers'))
import scripted_server  # noqa: E402

SCRIPTS = sorted((TESTS / 'cases').glob('*.json'))


def check(script):
    """Returns the exit code of `--check` for a script, and what was said."""
    said = io.StringIO()
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(said):
        file = Path(folder, 'script.json')
        file.write_text(json.dumps(script))
        code = scripted_server.check_files([file])
    return code, said.getvalue()


class Scripts(unittest.TestCase):
    def test_have_only_what_the_player_reads(self):
        self.assertTrue(SCRIPTS)
        self.assertEqual(scripted_server.check_files(SCRIPTS), 0)

    def test_say_what_they_are_about(self):
        for file in SCRIPTS:
            self.assertTrue(json.loads(file.read_text()).get('about'), file.name)

    def test_are_each_played_by_a_test(self):
        sources = ''.join(file.read_text() for file in TESTS.rglob('*_test.cpp'))
        for file in SCRIPTS:
            played = f'"{file.stem}"' in sources or f'cases/{file.name}' in sources
            self.assertTrue(played, f'no test names {file.name}')

    def test_are_named_by_what_they_do(self):
        for file in SCRIPTS:
            self.assertRegex(file.stem, '^[a-z0-9]+(-[a-z0-9]+)*$')


class Check(unittest.TestCase):
    def test_accepts_a_script_of_known_keys(self):
        self.assertEqual(check({'about': 'nothing', 'steps': [{'exit': 0}], 'max_s': 5}), (0, ''))

    def test_refuses_a_key_that_nothing_reads(self):
        code, said = check({'steps': [], 'asserts': []})
        self.assertEqual(code, 97)
        self.assertIn("'asserts'", said)

    def test_refuses_an_unknown_step_and_a_script_without_steps(self):
        self.assertEqual(check({'steps': [{'jump': 1}]})[0], 97)
        self.assertEqual(check({'about': 'nothing'})[0], 97)


if __name__ == '__main__':
    unittest.main()
