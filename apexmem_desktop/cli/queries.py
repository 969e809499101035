"""The commands `sql` and `schema`."""

import argparse
import sys

from apexmem_desktop.cli import json_shapes, opening, output
from apexmem_desktop.services import browsing


def run_sql(options: argparse.Namespace) -> None:
    """Run one SELECT."""
    with opening.open_workspace(options) as ws:
        result = browsing.run_sql(ws, options.query)
    if options.json:
        output.print_json(json_shapes.sql_shape(result))
        return
    output.print_table(result.columns, result.rows)
    if result.truncated:
        print(f"Only the first {len(result.rows)} rows.", file=sys.stderr)


def run_schema(options: argparse.Namespace) -> None:
    """Show what can be asked of `sql`."""
    text = browsing.schema_text()
    if options.json:
        output.print_json({"text": text})
    else:
        print(text)
