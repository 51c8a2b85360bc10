"""The kernel against jupyter_kernel_test: both classes, every attribute set.

Run with `python -m unittest test_kernel`; a skipped test is a failure of
.ci/run.
"""

import unittest

import harness  # installs the kernelspec
import jupyter_kernel_test

import cells


class SysMLTests(jupyter_kernel_test.KernelTests):
    kernel_name = harness.KERNEL
    language_name = "sysml"
    file_extension = ".sysml"

    code_hello_world = cells.HELLO
    code_stderr = cells.STDERR
    completion_samples = [{"text": cells.COMPLETE[0], "matches": cells.COMPLETE[1]}]
    complete_code_samples = ["1 + 1", "part def Tank { attribute level; }", "%echo x"]
    incomplete_code_samples = [cells.UNBALANCED, "/* a comment"]
    invalid_code_samples = ["part def 7;", "}"]
    code_page_something = cells.PAGE
    code_generate_error = cells.ERROR
    code_execute_result = cells.RESULTS
    code_display_data = [{"code": cells.DISPLAY[0], "mime": cells.DISPLAY[1]}]
    supported_history_operations = ("tail", "range", "search")
    code_history_pattern = cells.HISTORY_PATTERN
    code_inspect_sample = cells.INSPECT
    code_clear_output = cells.CLEAR


class WelcomeTests(jupyter_kernel_test.IopubWelcomeTests):
    kernel_name = harness.KERNEL
    support_iopub_welcome = True


# The classes of the package itself are no tests of ours.
def load_tests(loader, _tests, _pattern):
    suite = unittest.TestSuite()
    for case in (SysMLTests, WelcomeTests):
        suite.addTests(loader.loadTestsFromTestCase(case))
    return suite


if __name__ == "__main__":
    unittest.main()
