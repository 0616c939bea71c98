"""No transaction is open across a network call: what runs inside one cannot wait for anything."""

import ast
import textwrap
from pathlib import Path

import pytest
from house_transactions import Source, package_source


def test_nothing_inside_a_transaction_waits() -> None:
    """Every function handed to `tx` is a plain one in sight, awaits nothing, and asks no port and no clock."""
    source = package_source()
    assert source.count() > 10
    assert not source.problems(), "\n".join(source.problems())


CASES = {
    "a plain lambda": ("await store.tx(lambda tx: tx.finish(x))", None),
    "a plain function": (
        """
        def give_back(tx):
            tx.retry(x, not_before=now)
        await store.tx(give_back)
        """,
        None,
    ),
    "a lambda that calls a plain function": ("await store.tx(lambda tx: plain(tx))", None),
    "an attribute of a port": ("await store.tx(lambda tx: tx.append(desk.policy.policy_hash))", None),
    "a coroutine function": (
        """
        async def give_back(tx):
            tx.retry(x, not_before=now)
        await store.tx(give_back)
        """,
        "runs the coroutine function `give_back`",
    ),
    "a coroutine function behind a lambda": (
        "await store.tx(lambda tx: slow(tx))",
        "runs the coroutine function `slow`",
    ),
    "a coroutine function behind a plain one": ("await store.tx(lambda tx: calls_slow(tx))", "function `slow`"),
    "a generator": ("await store.tx(items)", "a generator, `items`"),
    "a clock": ("await store.tx(lambda tx: tx.retry(desk.clock.now()))", "`desk.clock.now`"),
    "a port behind a function": ("await store.tx(lambda tx: asks(tx))", "`desk.erp.read`"),
    "a function from nowhere": ("await store.tx(given)", "neither a lambda nor a function in sight"),
    "the result of a call": ("await store.tx(make())", "neither a lambda nor a function in sight"),
    "two arguments": ("await store.tx(plain, 1)", "hands 2 arguments"),
}

PREAMBLE = """
def plain(tx):
    return tx.case(1)

async def slow(tx):
    return tx.case(1)

def calls_slow(tx):
    return slow(tx)

def items(tx):
    yield tx.case(1)

def asks(tx):
    return desk.erp.read(tx.case(1))

async def work(desk, store, given):
"""


@pytest.mark.parametrize(("code", "expected"), CASES.values(), ids=CASES)
def test_a_function_that_may_wait_is_found(code: str, expected: str | None) -> None:
    """The check finds a wait, a port and a clock inside a transaction, also behind further functions, and no more."""
    module = ast.parse(PREAMBLE + textwrap.indent(textwrap.dedent(code), "    "))
    problems = Source({"sample": (Path("sample.py"), module)}).problems()
    if expected is None:
        assert not problems
    else:
        assert len(problems) == 1
        assert expected in problems[0]
