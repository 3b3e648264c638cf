(* The bounds of pi that the rules of order have, by interval arithmetic. *)
Require Import Reals.
From Interval Require Import Tactic.
Open Scope R_scope.
Lemma r_bounds_of_pi : 3 < PI /\ PI < 22 / 7. Proof. split; interval. Qed.
