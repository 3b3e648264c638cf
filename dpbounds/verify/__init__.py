"""Is a printed privacy guarantee true? Statements in, verdicts out, each with the certified number that decides."""

from dpbounds.verify.judge import Judgement, judgement_of
from dpbounds.verify.reading import read_statement, read_statements
from dpbounds.verify.statement import Statement
from dpbounds.verify.text import text_of
from dpbounds.verify.verdict import StatementVerdict

__all__ = ["Judgement", "Statement", "StatementVerdict", "judgement_of", "read_statement", "read_statements", "text_of"]
