import pytest


@pytest.fixture(autouse=True)
def each_on_one_thread(one_thread):
    """Here every test has it."""
