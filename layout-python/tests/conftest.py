"""A seed that changes; SEED=7 repeats a run."""

import os
import time

import numpy as np
import pytest

SEED = int(os.environ.get("SEED", time.time_ns() % 2**32))


def pytest_report_header(config):
    return f"SEED={SEED}"


@pytest.fixture
def random():
    return np.random.default_rng(SEED)
