"""`python -m apexmem_desktop.cli` is `apexmem`."""

import sys

from apexmem_desktop.cli.main import main

sys.exit(main())
