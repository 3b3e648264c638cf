"""`dpbounds compare`: one training run under every way of drawing its batches."""

from __future__ import annotations

import json

import click

from dpbounds.cli.shared.mechanism_options import require_given
from dpbounds.cli.shared.patience import patience

_NEEDED = {"sigma": "1.12", "records": "60000", "batch": "240", "epochs": "60", "delta": "1e-5"}


@click.command("compare", epilog="Example: dpbounds compare --sigma 1.12 --records 60000 --batch 240 --epochs 60 --delta 1e-5")
@click.option("--sigma", metavar="S", help="Noise multiplier S > 0.")
@click.option("--records", metavar="N", help="Records in the training set.")
@click.option("--batch", metavar="B", help="Records in a batch; an epoch has N/B steps, rounded up.")
@click.option("--epochs", metavar="E", help="Passes over the records, an integer.")
@click.option("--delta", metavar="D", help="0 < D < 1.")
@click.option("--relation", metavar="R", default="zero-out", help="add-or-remove, substitute or zero-out (default).")
@click.option("--plot", metavar="FILE", help="Draw delta over epsilon of every scheme into a .png, .svg or .pdf file.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
def command(relation: str, plot: str | None, as_json: bool, **options: str | None) -> None:
    """Certified epsilon of one training run under each sampling scheme: Poisson, random allocation, fixed batch size, shuffling, none."""
    require_given({name: (options[name], example) for name, example in _NEEDED.items()})
    from dpbounds.verify.compare import Training, comparison

    given = {name: value for name, value in options.items() if value is not None}
    delta = given.pop("delta")
    training = Training(**given)
    if plot is not None:
        from dpbounds.plots.files import require_writable

        require_writable(plot)
    with patience("compare"):
        found = comparison(training, delta, relation)
    click.echo(json.dumps(found.document(), ensure_ascii=False) if as_json else found.text())
    if plot is not None:
        from dpbounds.plots import scheme_curves

        with patience("the picture"):
            scheme_curves(found).savefig(plot)
