"""Wrong inputs: one line that says the way out, exit code 2, no traceback, and nothing on standard output."""

import shlex

import pytest

from dpbounds.cli import main

SIGMA = "delta --sigma 1 --epsilon 1"
RUN = "epsilon --sigma 1 --delta 1e-5"
VERIFY = "verify --sigma 1 --sampling poisson --relation add-or-remove --epsilon 1 --delta 1e-5"
CLAIM = "from dpbounds.notation import *\nx = real('x')\n"
FILES = {
    "empty.json": "",
    "list.json": "[]",
    "noise.json": '[{"noise_multiplier": 1}]',
    "twice.json": '[{"sigma": 1, "sigma": 2}]',
    "nan.json": '[{"sigma": NaN}]',
    "deep.json": "[" * 100_000,
    "huge.json": '[{"sigma": 1, "steps": ' + "9" * 300_000 + "}]",
    "draft.py": CLAIM + "a = claim('', [x <= 1], x <= 2)\n",
    "float.py": CLAIM + "a = claim('', [x <= 1], x <= 2.5)\n",
    "syntax.py": "a = = 1\n",
    "raises.py": "1 / 0\n",
    "none.py": "x = 1\n",
    "bool.py": CLAIM + "a = claim('', [x <= 1], x == 1)\n",
    "exits.py": "import sys; sys.exit(0)\n",
    "latin.toml": b"[[statement]]\nname = '\xe9'\n",
    "broken.toml": "[[statement\n",
    "key.toml": '[[statement]]\nnoise_multiplier = "1"\nclaim = { epsilon = "1", delta = "1e-5" }\n',
    "bare.toml": "x = 1\n",
    "event.json": '{"class_name": "LaplaceDpEvnt"}',
    "baseline.json": "{}",
    "rows.csv": "sigma,q,steps,epsilon\n1,0.1,10,1\n",
    "empty.csv": "",
    "m.txt": "1 2\n3\n",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("wrong")
    for name, text in FILES.items():
        (made / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    return made


@pytest.mark.parametrize(
    ("words", "way_out"),
    [
        ("delta", "such as --epsilon 1 --sigma 1.5"),
        ("delta --sigma 1", "--epsilon is missing"),
        ("epsilon --delta 1e-5", "--sigma (or another noise) is missing"),
        ("rdp --sigma 1", "such as --alpha 7/2"),
        ("pmf --sigma 1", "--spacing, --low and --high are missing"),
        ("compare --sigma 1", "--records, --batch, --epochs and --delta are missing"),
        ("plan", "a schedule plan needs --rho"),
        ("plan --epsilon 1", "--delta is missing"),
        ("plan --rho 1", "--schedule and --initial are missing"),
        ("verify --epsilon 1", "--records and --batch, or --q"),
        ("delta --sigma 0 --epsilon 1", "must be > 0, got 0"),
        ("delta --sigma=-1 --epsilon 1", "must be > 0, got -1"),
        ("delta --sigma nan --epsilon 1", "finite number such as 0.01"),
        ("delta --sigma inf --epsilon 1", "finite number such as 0.01"),
        ("delta --sigma 1,5 --epsilon 1", "finite number such as 0.01"),
        ("delta --sigma 1/0 --epsilon 1", "divides by zero"),
        ("delta --sigma 1e999999 --epsilon 1", "exponent within"),
        ("delta --sigma 'exp(exp(exp(100)))' --epsilon 1", "exp of at most 230000"),
        ("delta --sigma '2**(3**(9**9))' --epsilon 1", "sqrt(2)"),
        ("delta --sigma 'sqrt(-1)' --epsilon 1", "finite real number"),
        ("delta --sigma '((((((((' --epsilon 1", "sqrt(2)"),
        ("delta --sigma 1 --laplace-scale 1 --epsilon 1", "exactly one of --sigma"),
        (f"{SIGMA} --q 1.5", "[0, 1], got 1.5"),
        (f"{SIGMA} --q 1 --steps 0", "at least 1, got 0"),
        (f"{SIGMA} --steps 1.5", "must be an integer"),
        (f"{SIGMA} --q 0.01 --steps 1e100000", "counts up to 1e30"),
        ("delta --sigma 1e100000 --epsilon 1", "between 1e-100 and 1e100"),
        ("delta --sigma 1 --epsilon=-1", ">= 0"),
        ("epsilon --sigma 1 --delta 1", "between 0 and 1"),
        ("rdp --sigma 1 --alpha 1", "> 1"),
        (f"{SIGMA} --digits 0", "between 1 and"),
        (f"{SIGMA} --direction left", "add, remove, worst"),
        (f"{SIGMA} --relation friends", "--relation must be one of"),
        (f"{SIGMA} --guarantee none", "--guarantee must be one of"),
        (f"{SIGMA} --sampling shuffled", "dpbounds compare"),
        (f"{SIGMA} --sampling random-allocation", "--bins"),
        (f"{SIGMA} --oracle --certificate x.json", "ask for one of them"),
        (f"{RUN} --noise-multiplier 1", "it is called --sigma"),
        (f"{RUN} --batch 256", "--batch needs --records"),
        (f"{RUN} --records 60000", "needs --batch"),
        (f"{RUN} --records 100 --batch 101", "at most --records"),
        (f"{RUN} --records 6,0000 --batch 10", "finite number such as"),
        (f"{RUN} --records 100 --batch 10 --q 0.1", "either --q or"),
        (f"{RUN} --records 100 --batch 10 --epochs 2 --steps 20", "either --steps or --epochs"),
        (f"{RUN} --records 100 --batch 7 --epochs 1 --rounding exact", "--rounding floor or ceil"),
        (f"{RUN} --records 100 --batch 10 --epochs 0", "must be > 0"),
        ("delta --epsilon 1 --spec missing.json", "cannot read the specification"),
        ("delta --epsilon 1 --spec empty.json", "not valid JSON"),
        ("delta --epsilon 1 --spec list.json", "non-empty list"),
        ("delta --epsilon 1 --spec noise.json", "which is called sigma here"),
        ("delta --epsilon 1 --spec twice.json", "appears twice"),
        ("delta --epsilon 1 --spec nan.json", "not a finite number"),
        ("delta --epsilon 1 --spec deep.json", "not valid JSON"),
        ("delta --epsilon 1 --spec huge.json", "not valid JSON"),
        ("delta --epsilon 1 --spec /dev/zero", "longer than"),
        ("delta --epsilon 1 --spec .", "cannot read the specification"),
        ("delta --epsilon 1 --event event.json", "LaplaceDpEvnt"),
        (f"{VERIFY} --q 0.01 --steps 1.5", "steps must be a whole number"),
        ("verify missing.toml", "no file or folder missing.toml"),
        ("verify latin.toml", "not UTF-8"),
        ("verify broken.toml", "not valid TOML"),
        ("verify key.toml", "which is called sigma here"),
        ("verify bare.toml", "[[statement]] tables"),
        ("verify /dev/zero", "longer than"),
        ("check missing.py", "no such file or folder"),
        ("check /dev/zero", "no such file or folder"),
        ("check syntax.py", "syntax.py"),
        ("check raises.py", "ZeroDivisionError"),
        ("check none.py", "none.py"),
        ("check bool.py", "Eq(a, b)"),
        ("check float.py", "Rational(5, 2)"),
        ("check exits.py", "exits.py"),
        ("check draft.py --budget 0", "must be a number of seconds > 0"),
        ("check draft.py --only nothing", "no claim is called"),
        ("replay draft.py", "dpbounds check draft.py"),
        ("replay missing.json", "no such file or folder"),
        ("report draft.py -o page.txt", "end its name in .html"),
        ("show nothing --path draft.py", "nothing"),
        ("derive nothing", "nothing"),
        ("tighten draft.py --constant C", "it must be a variable of the claim"),
        ("audit", "--list"),
        ("audit nothing_of_this_name", "file.py:Class of your own"),
        ("audit dp_accounting --budget 0", "--budget must be > 0"),
        ("audit dp_accounting --grid all", "--grid must be among"),
        ("audit dp_accounting --baseline baseline.json", "make one with --json"),
        ("tradeoff --sigma 1 --fpr 2", "between 0 and 1"),
        ("tradeoff --sigma 1 --plot curve.txt", ".png"),
        ("chek", "did you mean check?"),
        ("sweep nowhere.csv -o out.csv", "cannot read the table nowhere.csv"),
        ("sweep rows.csv", "-o bounds.csv"),
        ("sweep rows.csv -o nowhere/out.csv", "cannot write the journal"),
        ("sweep rows.csv -o out.csv --workers 0", "at least 1, got 0"),
        ("sweep empty.csv -o out.csv", "names the columns"),
        ("delta --shuffle 0 --local-epsilon 1 --answers 2 --epsilon 1", "at least 1, got 0"),
        ("delta --shuffle 1000 --epsilon 1", "local-epsilon"),
        ("delta --shuffle 1000 --local-epsilon 1 --answers 1 --epsilon 1", "at least 2, got 1"),
        ("delta --shuffle 1000 --local-epsilon 1 --answers 2 --others some --epsilon 1", "0, 1, third, worst-known, any"),
        ("delta --hidden-state --sigma 1 --steps 10 --epsilon 1", "such as --contraction 1"),
        ("sensitivity", "sensitivity --help"),
        ("sensitivity nowhere.txt", "toeplitz:1,1/2"),
        ("sensitivity m.txt", "an entry of m.txt"),
        ("audit-run", "give --guesses 75 --correct 75"),
        ("audit-run --guesses 10 --correct 20 --delta 1e-5", "needs --examples"),
        ("define GausianDelta", "did you mean GaussianDelta?"),
        ("define Nothing", "the names are GaussianDelta"),
        ("delta --exponential-mechanism --epsilon 1", "--exponential-mechanism 1"),
        ("delta --noisy-max 1 --permute-and-flip 1 --epsilon 1", "got 2"),
        (f"{SIGMA} --q 0.1 --group 1e100000", "a smaller --group"),
        ("plan --epsilon 1e400 --delta 1e-5", "the delta of one sigma"),
        ("plan --epsilon 1 --delta 1e-100000", "the delta of one sigma"),
    ],
)
def test_one_line_with_the_way_out(words, way_out, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    code = main(shlex.split(words))
    caught = capsys.readouterr()
    assert code == 2, caught
    assert caught.out == "" and "Traceback" not in caught.err
    assert caught.err.startswith("dpbounds: ") and caught.err.count("\n") == 1 and len(caught.err) < 1000
    assert way_out in caught.err
