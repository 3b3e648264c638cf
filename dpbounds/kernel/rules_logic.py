"""Rules of logic: hypotheses, connectives, quantifiers, substitution, cases, induction."""

from __future__ import annotations

from dpbounds.kernel.sequents import Formula, Premises, Sequent, Variable, arbitrary, citations, conclude, parts, rule, take
from dpbounds.kernel.terms import (
    ONE,
    Function,
    Term,
    abstract,
    at_most,
    below,
    binder,
    implies,
    instantiate,
    need,
    node,
    plus,
    substitute,
    transform,
)

Substitution = dict[Term, Term]
Lambdas = dict[tuple[str, str], Function]


@rule
def hypothesis(premises: Premises, formula: Formula) -> Sequent:
    """F ⊢ F."""
    take(premises, 0)
    return Sequent(frozenset([formula]), formula)


@rule
def cite(premises: Premises, formula: Formula, source: str) -> Sequent:
    """⊢ F on the word of a source, which stays on everything that uses it. Not a proof."""
    take(premises, 0)
    need(source.strip(), "a citation names its source")
    return Sequent(frozenset(), formula, frozenset([source]))


@rule
def discharge(premises: Premises, formula: Formula) -> Sequent:
    """Γ, H ⊢ F gives Γ ⊢ H → F."""
    (f,) = take(premises, 1)
    return conclude(premises, implies([formula], f), without=[formula])


@rule
def detach(premises: Premises) -> Sequent:
    """H → F and H give F."""
    f, h = take(premises, 2)
    a, b = parts(f, "->")
    need(a == h, "the second premise is not the condition of the first")
    return conclude(premises, b)


@rule
def generalize(premises: Premises, variable: Variable) -> Sequent:
    """Γ ⊢ F(x) gives Γ ⊢ ∀x F(x), where x is not free in Γ."""
    (f,) = take(premises, 1)
    arbitrary(variable, premises[0].hypotheses)
    return conclude(premises, binder("all", variable, f))


@rule
def specialize(premises: Premises, at: Term) -> Sequent:
    """∀x F(x) gives F(t); t is an integer where x is one."""
    (f,) = take(premises, 1)
    (body,) = parts(f, "all")
    return conclude(premises, instantiate(body, at))  # which refuses a real number for an integer


@rule
def substitution(premises: Premises, terms: Substitution, functions: Lambdas) -> Sequent:
    """Γ ⊢ F gives Γσ ⊢ Fσ for terms for variables and lambdas for function symbols: F holds for all of them."""
    (f,) = take(premises, 1)
    for x, t in terms.items():
        need(x.tag == "v" and (x.sort == t.sort or (x.sort == "R" and t.sort == "Z")), "a term has not the sort of its variable")
    for (_, signature), (parameters, body) in functions.items():
        wanted, _, result = signature.partition(">")
        need([x.sort for x in parameters] == list(wanted), "a lambda has not the parameters of its function")
        need(len(set(parameters)) == len(parameters), "a parameter is named twice")
        need(body.sort == result or (body.sort, result) == ("Z", "R"), "a lambda has not the sort of its function")
    moved = [substitute(g, terms, functions) for g in premises[0].hypotheses]
    return Sequent(frozenset(moved), substitute(f, terms, functions), premises[0].citations)


@rule
def conjunction(premises: Premises) -> Sequent:
    """F₁, …, Fₙ give F₁ ∧ … ∧ Fₙ."""
    return conclude(premises, node("and", *(p.formula for p in premises)))


@rule
def part(premises: Premises, number: int) -> Sequent:
    """F₀ ∧ … ∧ Fₙ gives Fₖ."""
    (f,) = take(premises, 1)
    found = parts(f, "and")
    need(0 <= number < len(found), "the conjunction has no such part")
    return conclude(premises, found[number])


@rule
def alternative(premises: Premises, formula: Formula) -> Sequent:
    """Fₖ gives F₀ ∨ … ∨ Fₙ."""
    (f,) = take(premises, 1)
    need(f in parts(formula, "or"), "the premise is none of the alternatives")
    return conclude(premises, formula)


@rule
def cases(premises: Premises) -> Sequent:
    """A₁ ∨ … ∨ Aₙ and Γᵢ, Aᵢ ⊢ F for each i give F."""
    need(premises, "expected a premise")
    split, *branches = premises
    alternatives = parts(split.formula, "or")
    need(len(alternatives) == len(branches), "one premise for each alternative is wanted")
    need(all(b.formula == branches[0].formula for b in branches), "the cases have different conclusions")
    left = [b.hypotheses - {a} for a, b in zip(alternatives, branches, strict=True)]
    return Sequent(split.hypotheses.union(*left), branches[0].formula, citations(premises))


@rule
def excluded_middle(premises: Premises, formula: Formula) -> Sequent:
    """⊢ F ∨ ¬F."""
    take(premises, 0)
    return Sequent(frozenset(), node("or", formula, node("not", formula)))


@rule
def absurd(premises: Premises, formula: Formula) -> Sequent:
    """F and ¬F give anything."""
    f, g = take(premises, 2)
    need(g == node("not", f), "the second premise is not the negation of the first")
    return conclude(premises, formula)


@rule
def total_order(premises: Premises, left: Term, right: Term) -> Sequent:
    """⊢ a ≤ b ∨ b < a."""
    take(premises, 0)
    return Sequent(frozenset(), node("or", at_most(left, right), below(right, left)))


@rule
def irreflexive(premises: Premises, term: Term) -> Sequent:
    """⊢ ¬ a < a."""
    take(premises, 0)
    return Sequent(frozenset(), node("not", below(term, term)))


@rule
def rewrite(premises: Premises) -> Sequent:
    """F and a = b give F with b for a; a and b have no bound variables of F, so nothing is captured."""
    f, e = take(premises, 2)
    a, b = parts(e, "=")
    return conclude(premises, transform(f, lambda s, depth: b if s == a else None))


@rule
def induction(premises: Premises, variable: Variable, start: Term, formula: Formula) -> Sequent:
    """F(a), and Γ, a ≤ k, F(k) ⊢ F(k+1) give ∀k (a ≤ k → F(k)) for integers; k is not free in Γ and a."""
    base, step = take(premises, 2)
    need(variable.tag == "v" and variable.sort == "Z" and start.sort == "Z", "induction is over integers")
    need(base == substitute(formula, {variable: start}), "the first premise is not the statement at the start")
    need(step == substitute(formula, {variable: plus(variable, ONE)}), "the second premise is not the statement at k + 1")
    here = {formula, at_most(start, variable)}
    left = premises[0].hypotheses | (premises[1].hypotheses - here)
    arbitrary(variable, left, start)
    every = node("all", abstract(implies([at_most(start, variable)], formula), variable), data=("Z",))
    return Sequent(left, every, citations(premises))
