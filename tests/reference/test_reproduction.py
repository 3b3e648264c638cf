"""The reproduction table: how printed digits are compared, and what became of every row."""

import json
from collections import Counter
from fractions import Fraction

import pytest

from dpbounds.budgets.schedules import StepDecay, TimeDecay, epochs_within, smallest_grid_rate_for
from dpbounds.cli import main
from dpbounds.errors import InputError, Undecidable
from dpbounds.numbers.balls import Enclosure, ball
from dpbounds.numbers.to_digits import certified
from dpbounds.reference import reproduction
from dpbounds.reference.reproduction import Computation, PrintedComparison, PrintedRelation, PrintedRow, Rounding, RowVerdict, settle
from dpbounds.reference.reproduction.row import closest, last_place, match, shown
from dpbounds.reference.reproduction.yu import RHO

TABLE_III_LEFT = {f"yu2019.table-iii.{name}" for name in ("time-60", "step-60", "step-70", "step-80", "step-90", "step-100")}


@pytest.fixture(scope="module")
def outcomes():
    """All rows; tests that run often ask for theirs alone."""
    return settled()


def settled(*names):
    return {outcome.row.id: outcome for outcome in reproduction.outcomes(names)}


@pytest.mark.parametrize(
    ("printed", "value", "rounding"),
    [
        ("0.33", Fraction(1, 3), Rounding.NEAREST),
        ("21.5", Fraction("21.551"), Rounding.DOWN),
        ("0.808", Fraction("0.80747"), Rounding.UP),
        ("-13", Fraction(-13), Rounding.EXACT),
        ("-1.2", Fraction("-1.2501"), Rounding.UP),
        ("21.5", Fraction("21.601"), None),
        ("38", Fraction(39), None),
        ("at most a half", PrintedComparison(Fraction(1, 3), PrintedRelation.AT_MOST, Fraction(1, 2)), Rounding.EXACT),
        ("at most a quarter", PrintedComparison(Fraction(1, 3), PrintedRelation.AT_MOST, Fraction(1, 4)), None),
        ("2.01e-2", 0.0201, Rounding.NEAREST),
    ],
)
def test_printed_digits(printed, value, rounding):
    assert match(printed, value) is rounding


def test_an_enclosure_must_fit_as_a_whole():
    wide = Enclosure.between(ball(Fraction("0.331")).lower(), ball(Fraction("0.339")).upper())
    assert match("0.33", wide) is Rounding.DOWN
    assert match("0.33", Enclosure.between(ball(Fraction("0.334")).lower(), ball(Fraction("0.341")).upper())) is None
    assert match("1", certified(lambda: ball(1).exp()), "2") is Rounding.TOLERANCE
    assert match("1", certified(lambda: ball(1).exp()), "1.7") is None
    assert last_place("1.06e-6") == Fraction(1, 10**8)


def test_verdicts_are_computed():
    wrong, right = Computation("wrong", lambda: Fraction(1)), Computation("right", lambda: Fraction(2))

    def verdict(recipe, *corrections):
        return settle(PrintedRow("a", "b", "c", "d", "2", recipe, corrections)).verdict

    assert verdict(right) is RowVerdict.REPRODUCED
    assert verdict(wrong, right) is RowVerdict.AFTER_CORRECTION
    assert verdict(wrong) is RowVerdict.NOT_REPRODUCED
    assert settle(PrintedRow("a", "b", "c", "d", "2", wrong)).value == 1


def test_every_row_is_told_apart(outcomes):
    rows = reproduction.rows()
    assert len({row.id for row in rows}) == len(rows) == len(outcomes)
    assert {row.source for row in rows} == set(reproduction.SOURCES)
    assert all(row.id.startswith(row.source + ".") and row.where and row.quantity and row.recipe.text for row in rows)


def test_what_was_not_reproduced(outcomes):
    assert {name for name, outcome in outcomes.items() if outcome.verdict is RowVerdict.NOT_REPRODUCED} - TABLE_III_LEFT <= {
        "koskela2020.table-1.error-800000",  # rounding noise, which differs by machine
        "koskela2020.table-1.error-3200000",
        "koskela2020.lemma-9.covers-figure-1",
        "chen2019.claim-26.limit",
    }
    for name in ("chen2019.claim-26.limit", "koskela2020.lemma-9.covers-figure-1"):
        assert outcomes[name].verdict is RowVerdict.NOT_REPRODUCED


def test_what_needed_a_correction(outcomes):
    corrected = {name for name, outcome in outcomes.items() if outcome.verdict is RowVerdict.AFTER_CORRECTION}
    assert corrected - {"koskela2020.table-1.error-800000", "koskela2020.table-1.error-3200000"} == {
        "yu2019.accounting.strong-composition",
        "yu2019.appendix-g.always",
        "koskela2020.table-1.error-50000",
        "koskela2020.table-1.error-200000",
        "koskela2020.lemma-9.order",
        "koskela2020.lemma-9.radius",
        "chen2019.example-2.order",
        "chen2019.routes.condition",
        "trustworthy2022.gaussian-noise-large-epsilon",
        "trustworthy2022.gaussian-rdp",
        "zhuwang2019.prefactor",
        "feldman2021.closed-form",
    }


def test_the_search_of_table_iii_gives_26_of_32_rates():
    outcomes = settled("yu2019.table-iii", "yu2019.table-ii")
    table = {name: outcome for name, outcome in outcomes.items() if name.startswith("yu2019.table-iii.")}
    assert Counter(outcome.verdict for outcome in table.values()) == {RowVerdict.REPRODUCED: 26, RowVerdict.NOT_REPRODUCED: 6}
    assert {name for name, outcome in table.items() if outcome.verdict is RowVerdict.NOT_REPRODUCED} == TABLE_III_LEFT
    for name, outcome in table.items():
        epochs = name.rpartition("-")[2]
        assert outcome.row.note == f"the printed rate gives {epochs} epochs"
        if name in TABLE_III_LEFT:  # they are what the search gives when it goes in steps of 1e-3
            assert Fraction(-(-outcome.value // Fraction(1, 1000)), 1000) == Fraction(outcome.row.printed) > outcome.value
    assert all(outcomes[name].verdict is RowVerdict.REPRODUCED for name in outcomes if name.startswith("yu2019.table-ii."))


@pytest.mark.parametrize("name", ["time", "step"])
def test_the_search_finds_the_smallest_multiple(name):
    family, largest = {"time": (lambda k: TimeDecay(10, k), 10), "step": (lambda k: StepDecay(10, k, 10), 1)}[name]
    found = smallest_grid_rate_for(family, 40, RHO, largest, "1e-3")
    assert epochs_within(family(found), RHO) == 40
    assert all(epochs_within(family(found - Fraction(i, 1000)), RHO) != 40 for i in range(1, 6))
    with pytest.raises(InputError, match="use a finer step"):
        smallest_grid_rate_for(family, 40, RHO, largest, "0.3")


def test_no_draw_and_no_tautology_is_called_reproduced():
    assert not [row.id for row in reproduction.rows() if ".table-i." in row.id or ".table-v." in row.id]


def test_statements_are_shown_with_the_numbers_compared():
    assert not [row.id for row in reproduction.rows() if row.printed in ("true", "false")]
    outcomes = settled("koskela2020.lemma-9.covers-figure-1", "trustworthy2022.gaussian-rdp")
    shown_value = shown(outcomes["koskela2020.lemma-9.covers-figure-1"].value)
    assert shown_value.startswith("[4.605") and shown_value.endswith("< 6")
    document = outcomes["trustworthy2022.gaussian-rdp"].document()["comparison"]
    assert document["holds"] is True and document["right"] == {"value": "4.5"}


def test_comparisons_are_decided_on_their_safe_ends():
    wide = Enclosure.between(ball(1).lower(), ball(2).upper())
    for relation in PrintedRelation:
        unclear = PrintedComparison(wide, relation, Fraction(3, 2))
        assert not unclear.fails and unclear.holds == (relation is PrintedRelation.MEETS)
    with pytest.raises(Undecidable):
        match("at most", PrintedComparison(wide, PrintedRelation.AT_MOST, Fraction(3, 2)))
    assert (
        PrintedComparison(wide, PrintedRelation.AT_MOST, Fraction(2)).holds
        and PrintedComparison(wide, PrintedRelation.ABOVE, Fraction(2)).fails
    )
    assert (
        PrintedComparison(wide, PrintedRelation.AT_LEAST, Fraction(3)).fails
        and PrintedComparison(wide, PrintedRelation.MEETS, Fraction(3)).fails
    )
    failing = PrintedComparison(Fraction(2), PrintedRelation.AT_MOST, Fraction(1))
    assert closest([PrintedComparison(wide, PrintedRelation.AT_MOST, Fraction(3)), failing]) is failing


def test_estimates_stand_beside_the_certified_value():
    outcomes = settled("koskela2020.table-1", "koskela2020.table-2")
    rows = [outcome for name, outcome in outcomes.items() if name.startswith("koskela2020.table-") and ".delta-" in name]
    assert len(rows) == 8
    for outcome in rows:
        assert outcome.truth.contains(Fraction("0.04960141031482577560694384")) or outcome.truth.digits() > 15
        assert isinstance(outcome.value, float) and "estimate" in outcome.document()


def test_numbers_are_shown_outward():
    third = certified(lambda: ball(1) / 3)
    low, high = shown(third, 5).strip("[]").split(", ")
    assert Fraction(low) < Fraction(1, 3) < Fraction(high)
    assert shown(Fraction(5)) == "5" and shown(0.5).startswith("≈") and shown(Fraction(1, 3**30)).startswith("≈")


def test_the_command(capsys):
    assert main(["reproduce", "yu2019.accounting", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["schema"] == "dpbounds/1" and len(document["rows"]) == 6
    assert sum(document["counts"].values()) == 6
    assert all(isinstance(row["printed"], str) and row["verdict"] in list(RowVerdict) for row in document["rows"])
    assert main(["reproduce", "yu2019.table-ii"]) == 0
    assert "5 reproduced" in capsys.readouterr().out
    assert main(["reproduce", "yu2019.table-ii", "zhuwang2019.matches-laplace"]) == 0
    out = capsys.readouterr().out
    assert out.index("Publishing") < out.index("yu2019.table-ii.time") < out.index("Zhu") < out.index("\nzhuwang2019.matches")
    assert [line.split()[:2] for line in out.splitlines()[-3:]] == [["yu2019", "5"], ["zhuwang2019", "1"], ["all", "6"]]
    assert main(["reproduce", "nowhere"]) == 2
    assert "no row is called nowhere" in capsys.readouterr().err
    with pytest.raises(InputError):
        reproduction.rows(["yu"])


def test_the_error_of_a_printed_number_encloses_its_distance():
    third = Enclosure.exactly(Fraction(1, 3))
    found = reproduction.error_of("0.3", third)
    assert found.lower <= Fraction(1, 3) - Fraction(3, 10) + Fraction(1, 10**15) and found.upper >= Fraction(1, 3) - Fraction(3, 10)
    assert reproduction.error_of("0.5", Enclosure.exactly(Fraction(1, 2))).upper == 0
