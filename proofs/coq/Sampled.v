(* Appendix G of Yu et al. 2019 bounds the Renyi divergence of the sampled Gaussian by alpha q^2 / sigma^2. At the whole order 4 it fails
   within its own range: the divergence is log of a sum of five exponentials over 3 (Mironov, Talwar and Zhang 2019, section 3.3). That
   the moment, an integral over the line, is this sum is not proved here. *)
Require Import Delta.
From Coq Require Import Reals Lra.
From Interval Require Import Tactic.
Open Scope R_scope.

Definition moment (n : nat) (q s : R) : R :=
  upto (fun k => IZR (Z.of_nat (choose n k)) * (1 - q) ^ (n - k) * q ^ k * exp ((INR k * INR k - INR k) / (2 * s ^ 2))) n.
Definition renyi (n : nat) (q s : R) : R := ln (moment n q s) / (INR n - 1).
Definition in_range (a q s : R) : Prop := 1 <= s /\ q <= 1 / (16 * s) /\ 1 < a /\ a <= s ^ 2 * ln (1 / (q * s)) + 1.

Theorem appendix_g_fails : in_range 4 (1 / 21) 1 /\ 4 * (1 / 21) ^ 2 / 1 ^ 2 < renyi 4 (1 / 21) 1.
Proof.
  unfold in_range, renyi, moment. cbn [upto Nat.sub]. coefficients. simpl Z.of_nat.
  repeat split; try lra; interval with (i_prec 60).
Qed.
Print Assumptions appendix_g_fails.
