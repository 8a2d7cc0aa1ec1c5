"""Lets ``python -m hanasolve`` be the command."""

import sys

from hanasolve.cli import main

if __name__ == "__main__":
    sys.exit(main())
