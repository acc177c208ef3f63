"""The program `layout`."""

import os
import sys

from ._tensor_layout import run_program


def main():
    # Rust writes to the terminal itself, so that what Python has not written yet comes first.
    sys.stdout.flush()
    return run_program([os.fsencode(argument) for argument in sys.argv[1:]])
