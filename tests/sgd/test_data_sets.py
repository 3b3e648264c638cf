"""Each data set with each sampling: a short training, its account recomputed from the log; and the stored table is the one of the page."""

import json

import numpy as np
import pytest
from click.testing import CliRunner

from benchmarks import training
from dpbounds.cli import cli
from dpbounds.sgd import Account, OrderBudget, Target, train

SIGMA = 8


@pytest.mark.parametrize("place", range(4), ids=["poisson", "random-allocation", "without-replacement", "reshuffled"])
@pytest.mark.parametrize("data", [training.digits(), training.cancer()], ids=lambda data: data.name)
def test_the_account_is_recomputed_from_the_log(data, place, tmp_path):
    batches, _, _ = list(training.schemes(len(data.train[0])))[place]
    budget = Target(9, "1e-3") if batches.name == "without-replacement" else OrderBudget(2, 9)
    run = train(data.learner(1.0), data.start, data.train, batches, SIGMA, budget, rounds=3, seed=0, folder=tmp_path)
    assert run.account == Account(batches).after(SIGMA, 3) and np.isfinite(run.parameters).all() and run.parameters.any()
    words = ["delta", "--spec", str(tmp_path / "journal.jsonl"), "--epsilon", "1/4", "--digits", "3", "--json"]
    printed = json.loads(CliRunner().invoke(cli, words, standalone_mode=False).stdout)
    own = run.account.delta_at("1/4", digits=3)
    assert (printed["lower"], printed["upper"]) == (own.lower, own.upper)


def test_the_page_has_the_stored_table():
    rows = json.loads(training.STORED.read_text(encoding="utf-8"))["samplings"]
    assert {(row["data"], row["sampling"]) for row in rows} >= {("digits", "random-allocation"), ("breast cancer", "reshuffled")}
    assert all(float(row["epsilon"]) <= training.EPSILON for row in rows) and len(rows) == 8
    page = training.PAGE.read_text(encoding="utf-8")
    assert training.page_with(page, rows) == page
    assert training.page_with(page, rows[:-1]) != page
