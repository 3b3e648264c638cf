"""Finding claims in files."""

import pytest

from dpbounds import Claim, ClaimError, Mutant
from dpbounds.claims import collect as collecting
from dpbounds.claims.collect import collect
from dpbounds.errors import InputError

HEAD = "from dpbounds import *\nfrom dpbounds.language.symbols import *\nx = real('x')\n"


def one(name):
    return f"Claim(id='{name}', text='', then=x <= 1)"


def write(folder, name, text):
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(HEAD + text)
    return file


def ids(paths):
    return [located.claim.id for located in collect(paths)]


def test_claims_are_found_by_name_in_lists_and_in_tables(tmp_path):
    file = write(tmp_path, "a.py", f"first = {one('a')}\nmore = [{one('b')}, 3, first]\ntable = {{1: {one('c')}}}\npair = ({one('d')},)")
    assert ids([file]) == ["a", "b", "c", "d"]


def test_folders_are_searched_in_order(tmp_path):
    write(tmp_path, "b.py", f"c = {one('b')}")
    write(tmp_path, "a/z.py", f"c = {one('a')}")
    write(tmp_path, "_private.py", f"c = {one('p')}")
    write(tmp_path, ".hidden/h.py", f"c = {one('h')}")
    assert ids([tmp_path]) == ["a", "b"]
    assert sorted(ids([tmp_path / "b.py", tmp_path, tmp_path / "b.py"])) == ["a", "b"]


def test_ids_are_unique_also_with_mutants(tmp_path):
    write(tmp_path, "a.py", f"c = {one('a')}")
    write(tmp_path, "b.py", f"c = {one('a')}")
    with pytest.raises(InputError, match=r"two claims are called 'a': in .*a\.py and in .*b\.py"):
        collect([tmp_path])
    twin = write(tmp_path / "t", "t.py", f"a = Claim(id='a', text='', then=x <= 1, mutant=Mutant(x <= 0))\nb = {one('a~mutant')}")
    with pytest.raises(InputError, match="two claims are called 'a~mutant'"):
        collect([twin])


def test_what_a_file_prints_stays_off_stdout(tmp_path, capsys):
    file = write(tmp_path, "loud.py", f"print('hello')\nc = {one('a')}")
    collect([file])
    captured = capsys.readouterr()
    assert captured.out == "" and "hello" in captured.err


@pytest.mark.parametrize(
    "text", ["import no_such_module_anywhere", "def f(:\n pass", "raise KeyError('k')", "c = Claim(id='A', text='', then=x <= 1)"]
)
def test_errors_name_the_file_and_the_line(tmp_path, text):
    file = write(tmp_path, "bad.py", text)
    with pytest.raises(InputError, match=r"bad\.py, line 4"):
        collect([file])


def test_a_file_that_is_never_read_to_its_end_is_refused_by_its_line(tmp_path, monkeypatch):
    monkeypatch.setattr(collecting, "_MOST_SECONDS", 0.2)
    (tmp_path / "endless.py").write_text("k = 0\nwhile True:\n    k += 1\n")
    with pytest.raises(InputError, match=r"endless.py, line [23]: reading it takes more than 0.2 s; .* evaluate=False"):
        collect([tmp_path / "endless.py"])


def test_a_claim_without_an_id_has_the_name_of_its_variable(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "from dpbounds import Claim\nfrom dpbounds.language.symbols import real\nx = real('x')\n"
        "Half_Bound = Claim(then=x - x**2 <= 1, mutant=x - x**2 <= 0)\nmore = [Claim(then=x <= 1), Claim(id='own', then=x <= 2)]\n"
        "again = Half_Bound\n"
    )
    claims = [entry.claim for entry in collect([file])]
    assert [claim.id for claim in claims] == ["half-bound", "more-1", "own"]
    assert isinstance(claims[0].mutant, Mutant) and claims[0].twin(claims[0].mutant).id == "half-bound~mutant"


def test_a_claim_needs_a_conclusion():
    with pytest.raises(ClaimError, match="the conclusion is missing"):
        Claim(id="a")
