"""What apps/bench/instructions/instructions.py concludes from counts; nothing is counted here."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "apps" / "bench" / "instructions"))

import instructions  # noqa: E402

CONTEXT = {"compiler": "GCC 12", "boost": "1_81"}


class Comparison(unittest.TestCase):
    """Compares with a record of 100,000 instructions."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.record = pathlib.Path(folder.name, "instructions.json")
        self.record.write_text(json.dumps({"context": CONTEXT, "instructions": {"round-trips": 100_000}}))

    def compare(self, count, renews=False, context=None, scenario="round-trips"):
        """Returns the exit status and what was printed."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            status = instructions.run(self.record, renews, context or CONTEXT, lambda: {scenario: count})
        return status, printed.getvalue()

    def test_a_growth_of_4_percent_fails_and_is_explained(self):
        status, printed = self.compare(104_000)
        self.assertEqual(status, 1)
        for part in ("round-trips", "100,000", "104,000", "+4.00%", "3%", "./dev instructions --renew"):
            self.assertIn(part, printed)

    def test_a_growth_of_2_percent_passes(self):
        status, printed = self.compare(102_000)
        self.assertEqual(status, 0)
        self.assertNotIn("--renew", printed)

    def test_a_fall_of_4_percent_fails_until_it_is_recorded(self):
        status, printed = self.compare(96_000)
        self.assertEqual(status, 1)
        self.assertIn("./dev instructions --renew", printed)

    def test_a_scenario_without_a_record_fails(self):
        status, printed = self.compare(1, scenario="new")
        self.assertEqual(status, 1)
        self.assertIn("new: 1 instructions, not recorded", printed)
        self.assertIn("round-trips: recorded, but no longer counted", printed)

    def test_a_renewed_record_is_what_was_counted(self):
        self.assertEqual(self.compare(104_000, renews=True)[0], 0)
        self.assertEqual(self.compare(104_000), (0, "round-trips: 104,000 instructions, recorded 104,000: +0.00%\n"))

    def test_a_record_of_another_compiler_is_not_compared(self):
        status, printed = self.compare(200_000, context=CONTEXT | {"compiler": "GCC 14"})
        self.assertEqual(status, 0)
        self.assertIn("compiler: recorded GCC 12, now GCC 14", printed)
        self.assertNotIn("boost", printed)

    def test_a_renewed_record_holds_for_the_compiler_it_was_made_with(self):
        other = CONTEXT | {"compiler": "GCC 14"}
        self.compare(200_000, renews=True, context=other)
        self.assertEqual(self.compare(208_000, context=other)[0], 1)


class Counting(unittest.TestCase):
    def test_only_what_a_loop_calls_its_actors_and_handlers_for_is_counted(self):
        profile = io.StringIO(
            "fn=caf_mcp::io_loop::run_ready()\n10 5\n"
            "cfn=non-virtual thunk to caf_mcp::pinned_actor<x>::resume(caf::execution_unit*, unsigned long)\n"
            "calls=3 20\n11 700\n"
            "cfn=sched_yield\ncalls=1 1\n12 90000\n\n"
            "fn=boost::asio::detail::scheduler::do_poll_one(x)\n"
            "cfn=boost::asio::detail::wait_handler<x>::do_complete(void*)\ncalls=1 30\n40 80\n"
            "cfn=boost::asio::detail::epoll_reactor::run(long)\ncalls=1 30\n41 90000\n\n"
            "fn=caf_mcp::io_loop::run_turn_end()\n"
            "cfn=std::_Function_handler<void (), x>::_M_invoke(std::_Any_data const&)\ncalls=1 50\n60 9\n\n"
            "fn=x\ncfn=caf::scheduled_actor::resume(caf::execution_unit*, unsigned long)\ncalls=1 1\n12 90000\n"
        )
        self.assertEqual(list(instructions.count_work(profile).values()), [700, 80, 9])


if __name__ == "__main__":
    unittest.main()
