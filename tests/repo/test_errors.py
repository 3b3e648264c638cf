"""The tree of errors."""

import pytest

from dpbounds import errors


@pytest.mark.parametrize(("kind", "parent"), [
    (errors.InputError, errors.DPBoundsError), (errors.ClaimError, errors.InputError), (errors.EmptyDomainError, errors.ClaimError),
    (errors.LanguageError, errors.ClaimError), (errors.PrecisionError, errors.DPBoundsError),
    (errors.Undecidable, errors.PrecisionError), (errors.DerivationError, errors.DPBoundsError),
    (errors.CertificateError, errors.DPBoundsError),
])  # fmt: skip
def test_the_tree(kind, parent):
    assert kind.__base__ is parent
    assert str(kind("one line")) == "one line"


def test_undecided_is_no_bad_input():
    assert not issubclass(errors.PrecisionError, errors.InputError)
    assert not issubclass(errors.DPBoundsError, (ValueError, ArithmeticError))
