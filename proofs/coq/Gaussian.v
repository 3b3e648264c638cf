(* A certified delta of ten uses of Gaussian noise, with digits, by its closed form. Ten uses with noise multiplier 4 are one use with
   mu = sqrt 10 / 4, and the delta of that is Phi (mu / 2 - e / mu) - exp e * Phi (- mu / 2 - e / mu) (Balle and Wang 2018): that is
   not proved here. Phi is in `Normal.v`. *)
Require Import Normal.
From Interval Require Import Tactic.

Definition gaussian_delta (mu e : R) : R := Phi (mu / 2 - e / mu) - exp e * Phi (- (mu / 2) - e / mu).

Theorem ten_fold_gaussian : 0.060585436652 <= gaussian_delta (sqrt 10 / 4) 1 <= 0.060585436653.
Proof.
  unfold gaussian_delta, Phi, density.
  integral_intro (RInt (fun x => exp (- (x ^ 2 / 2)) / sqrt (2 * PI)) 0 (sqrt 10 / 4 / 2 - 1 / (sqrt 10 / 4)))
    with (i_degree 14, i_prec 80, i_width (-44)) as h.
  integral_intro (RInt (fun x => exp (- (x ^ 2 / 2)) / sqrt (2 * PI)) 0 (- (sqrt 10 / 4 / 2) - 1 / (sqrt 10 / 4)))
    with (i_degree 14, i_prec 80, i_width (-44)) as k.
  interval with (i_prec 80).
Qed.
Print Assumptions ten_fold_gaussian.
