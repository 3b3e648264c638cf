"""Noisy SGD with the user's gradients: clipped exactly, sampled as the account says, logged, resumed, and stopped in time.

`train` runs rounds. A round is one step on a Poisson sample or on a batch of fixed size, or one epoch of disjoint
batches. It is written to the journal before it runs, so that a crash loses no step of the account.

The noise comes from a numpy generator in float64. Its Gaussian is a float64 approximation of the one that the account
is about, and its bits are not from a cryptographic source: an attacker who learns the seed or the state, or who
studies the last bits of what is released, is outside the guarantee. Keep seeds secret; `seed=None` takes one from the
operating system for every round. A function of your own may give the generator of each round.

Sources: Abadi et al. 2016, Algorithm 1; Yu et al. 2019, Algorithm 1.
"""

from dpbounds.errors import require

require("float64", "numpy")

from dpbounds.sgd.account import Account, NoiseRounds
from dpbounds.sgd.batches import AllocatedBatches, Batches, FixedBatches, PoissonBatches, ReshuffledBatches
from dpbounds.sgd.budgets import Budget, ConcentratedBudget, OrderBudget, Target, planned
from dpbounds.sgd.clipping import clipped_sum
from dpbounds.sgd.noise import NoisySum
from dpbounds.sgd.optimisers import Adam, Descent, Momentum
from dpbounds.sgd.train import Learner, Trained, gap_to_plain, train, train_plainly

__all__ = [
    "Account", "Adam", "Batches", "Budget", "ConcentratedBudget", "Descent", "AllocatedBatches", "FixedBatches", "Learner", "Momentum",
    "NoisySum", "OrderBudget", "PoissonBatches", "ReshuffledBatches", "Target", "Trained", "NoiseRounds", "clipped_sum", "gap_to_plain",
    "planned", "train", "train_plainly",
]  # fmt: skip
