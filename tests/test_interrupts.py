"""Interrupts that wait for a good moment."""

from __future__ import annotations

import os
import signal
import threading

import pytest

from hanasolve.interrupts import noted, put_off


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def put_off_over(steps: list[str]) -> None:
    with put_off():
        interrupt()
        steps.append("after it")


def put_off_over_an_error() -> None:
    with put_off():
        interrupt()
        raise ValueError("mine")


def test_an_interrupt_is_noted_and_a_second_one_raised() -> None:
    with noted() as was_one:
        assert not was_one()
        interrupt()
        assert was_one()
        with pytest.raises(KeyboardInterrupt):
            interrupt()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_is_put_off_to_the_end() -> None:
    steps: list[str] = []
    with pytest.raises(KeyboardInterrupt):
        put_off_over(steps)
    assert steps == ["after it"]
    with put_off():
        steps.append("no interrupt")
    with pytest.raises(KeyboardInterrupt):
        interrupt()


def test_an_error_is_not_hidden_by_an_interrupt() -> None:
    with pytest.raises(ValueError, match="mine"):
        put_off_over_an_error()


def test_in_another_thread_nothing_is_noted() -> None:
    answers: list[bool] = []

    def work() -> None:
        with noted() as was_one, put_off():
            answers.append(was_one())

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert answers == [False]


def test_ignored_interrupts_stay_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with noted() as was_one:
            interrupt()
            assert not was_one()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
