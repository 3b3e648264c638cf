"""Runs as training libraries account for them: q, steps, neighbours and what is said of them."""

import json
import math
from fractions import Fraction

import pytest

from dpbounds.cli import main
from dpbounds.errors import InputError
from dpbounds.mechanisms.libraries import LIBRARIES, run_of_library
from dpbounds.mechanisms.specs import notes_of, spec_to_mechanism
from dpbounds.sweeps.question import read_row

RUN = {"sigma": "1.1", "records": "60,000", "batch": 256, "epochs": 15}
WORDS = ["--sigma", "1.1", "--records", "60000", "--batch", "256", "--epochs", "15"]


def sampler_of_opacus(records, batch, epochs):
    """What `DPDataLoader` does, step by step, in float64: the rate, and the batches that its sampler yields."""
    loader = math.ceil(records / batch)
    sample_rate = 1 / loader
    return loader, epochs * int(1 / sample_rate)


@pytest.mark.parametrize(("records", "batch"), [(60000, 256), (93, 1), (93 * 64 - 5, 64), (245, 1), (100, 100), (7, 2)])
def test_opacus_is_its_loader(records, batch):
    part, _ = run_of_library({"sigma": 1, "library": "opacus", "records": records, "batch": batch, "epochs": 3})
    loader, steps = sampler_of_opacus(records, batch, 3)
    assert (part["q"], part["steps"]) == (Fraction(1, loader), steps)


def test_a_loader_of_93_batches_yields_92():
    assert run_of_library({"sigma": 1, "library": "opacus", "records": 93, "batch": 1, "epochs": 1})[0]["steps"] == 92


@pytest.mark.parametrize("epochs", ["15", "0.5", "1/3"])
def test_tensorflow_privacy_rounds_all_steps_up(epochs):
    part, _ = run_of_library({**RUN, "library": "tf-privacy", "epochs": epochs})
    assert (part["q"], part["steps"]) == (Fraction(256, 60000), math.ceil(Fraction(epochs) * Fraction(60000, 256)))


@pytest.mark.parametrize(("batch", "steps"), [(256, 15 * 234), (60000, 15), (40000, 15)])
def test_jax_privacy_drops_the_last_batch_of_an_epoch(batch, steps):
    part, _ = run_of_library({**RUN, "library": "jax-privacy", "batch": batch})
    assert (part["q"], part["steps"]) == (Fraction(batch, 60000), steps)


@pytest.mark.parametrize("library", LIBRARIES)
def test_the_answer_says_what_was_fixed(library, capsys):
    part, line = run_of_library({**RUN, "library": library})
    assert main(["epsilon", *WORDS, "--library", library, "--delta", "1e-5", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["notes"] == [line] and document["relation"] == "add-or-remove"
    assert line.startswith(LIBRARIES[library].title) and "\n" not in line and f"{part['steps']} steps" in line
    by_hand = ["epsilon", "--sigma", "1.1", "--q", str(part["q"]), "--steps", str(part["steps"]), "--delta", "1e-5", "--json"]
    assert main(by_hand) == 0
    same = json.loads(capsys.readouterr().out)
    assert (same["lower"], same["upper"]) == (document["lower"], document["upper"])


@pytest.mark.parametrize(
    ("command", "asked"), [("delta", ["--epsilon", "1"]), ("rdp", ["--alpha", "4"]), ("plan", ["--epsilon", "1", "--delta", "1e-5"])]
)
def test_every_command_takes_it(command, asked, capsys):
    words = WORDS[2:] if command == "plan" else WORDS
    assert main([command, *words, *asked, "--library", "opacus"]) == 0
    assert "note: Opacus 1.6.0 accounts for Poisson sampling, q = 1/235" in capsys.readouterr().out


def test_a_verdict_by_the_account_of_a_library(capsys):
    claimed = ["verify", *WORDS, "--library", "opacus", "--delta", "1e-5", "--json", "--epsilon"]
    assert main([*claimed, "1.133"]) == 0
    (statement,) = json.loads(capsys.readouterr().out)["statements"]
    assert statement["verdict"] == "HOLDS" and statement["library"].startswith("Opacus")
    assert main([*claimed, "1.132"]) == 1
    assert json.loads(capsys.readouterr().out)["statements"][0]["verdict"] == "REFUTED"


def test_statement_files_and_sweeps_and_specifications_take_it():
    row = read_row({**RUN, "library": "tf-privacy", "delta": "1e-5"})
    assert (row.part["q"], row.part["steps"]) == (Fraction(8, 1875), 3516) and row.notes[0].startswith("TensorFlow Privacy")
    assert row.sampled_gaussian is not None
    spec = [{**RUN, "library": "jax-privacy"}, {"sigma": 4}]
    assert spec_to_mechanism(spec).parts[0].steps == 3510 and len(notes_of(spec)) == 1


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"library": "opacuss"}, "must be one of opacus, tf-privacy, jax-privacy"),
        ({"library": "opacus", "sampling": "shuffled"}, "accounts for poisson"),
        ({"library": "opacus", "rounding": "floor"}, "rounding of its own"),
        ({"library": "opacus", "q": "0.1"}, "q of its own"),
        ({"library": "opacus", "relation": "substitute"}, "accounts for add-or-remove"),
        ({"library": "opacus", "epochs": "1.5"}, "whole number"),
        ({"library": "tf-privacy", "epochs": "0"}, "> 0"),
        ({"library": "tf-privacy", "steps": 3}, "either steps or epochs"),
        ({"library": "tf-privacy", "batch": 0}, "from 1 to records"),
        ({"library": "tf-privacy", "records": None}, "needs records"),
        ({"library": "tf-privacy", "sigma": None}, "needs sigma"),
    ],
)
def test_what_does_not_fit_is_one_sentence(more, says):
    part = {key: value for key, value in {**RUN, **more}.items() if value is not None}
    with pytest.raises(InputError, match=says) as caught:
        run_of_library(part)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("command", [["delta", *WORDS, "--epsilon", "1"], ["plan", *WORDS[2:], "--epsilon", "1", "--delta", "1e-5"]])
def test_another_relation_is_refused(command, capsys):
    assert main([*command, "--library", "opacus", "--relation", "substitute"]) == 2
    assert "opacus accounts for --relation add-or-remove" in capsys.readouterr().err
