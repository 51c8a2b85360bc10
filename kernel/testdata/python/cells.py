"""The cells that the tests execute: one name for each thing a cell can do."""

HELLO = "%echo hello, world"
STDERR = "%echo --err to standard error"
RESULT = "1 + 1", "2"
RESULTS = [{"code": "1 + 1", "result": "2"}, {"code": "3 * 7", "result": "21"}]
HISTORY_PATTERN = "3 ? 7"  # one of RESULTS, and nothing else that the tests run
DISPLAY = "%%html\n<b>bold</b>", "text/html"
CLEAR = "%%starlark\nclear_output()"
PAGE = "%echo?"
ERROR = "1 + nowhere"
UNBALANCED = "part def Tank {"
DECLARE = "package P%s { attribute def A; part def Tank { attribute level = 7; } }"
COMPLETE = "%ech", ["%echo"]
INSPECT = "%echo"

NOTHING = "%%starlark\nx = None"
ASK_AND_FAIL = '%%starlark\nfail("sadly, " + input("name?"))'
ASK = '%%starlark\nprint("got " + input("name?"))'
RUNNING = "under way"  # what the next three print when they have begun
SPIN = "%%%%starlark\nprint(%r)\nwhile True:\n    pass" % RUNNING
PRINT_FOREVER = '%%%%starlark\nprint(%r)\nwhile True:\n    print("again and again")' % RUNNING
EXPAND = "%%%%starlark\nprint(%r)\nlen([i for j in range(100000) for i in range(1000000) if i < 0])" % RUNNING


def lines(n):
    """A cell that prints n lines."""
    return "%%%%starlark\nfor i in range(%d):\n    print(i)" % n


def count_up(name):
    """A cell that keeps count in the session, and prints the count."""
    return '%%%%starlark\n%s = globals().get("%s", 0) + 1\nprint(%s)' % (name, name, name)


RACE = """package Race {
    private import ScalarValues::*;
    action run {
        attribute n : Integer = 0;
        first start;
        then fork split;
        then a;
        then b;
        action a { assign n := n + 1; }
        action b { assign n := n * 2; }
        join both;
        first a then both;
        first b then both;
        first both then done;
    }
    action slow {
        attribute n : Integer = 0;
        first start;
        then action count { for i in 1..2000 { assign n := n + i; } }
        then done;
    }
}"""
PROGRESS = "%runs Race::slow 100000 --schedule seed:1"
DRAWING = "%viz Race::run"
