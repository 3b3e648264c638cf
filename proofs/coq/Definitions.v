(* The functions of the proof checker over the reals of Coq, with its conventions: they are total. A whole number is a real number
   that is one, so that a term has one translation wherever it stands. *)
Require Export Reals Lra Psatz ZArith Classical.
From Coquelicot Require Export Coquelicot.
Global Open Scope R_scope.

Definition whole (x : R) := exists z : Z, x = IZR z.
Definition natural (x : R) : nat := Z.to_nat (Int_part x).

(* log x is log |x|, and log 0 is 0 *)
Definition klog (x : R) := ln (Rabs x).

(* x^y, with 0^0 = 1, and Mathlib's formula for negative x *)
Definition kpow (x y : R) : R :=
  if Rlt_dec 0 x then exp (y * ln x)
  else if Req_EM_T x 0 then (if Req_EM_T y 0 then 1 else 0)
  else exp (y * ln (- x)) * cos (y * PI).

Definition kfact (n : R) : R := INR (fact (natural n)).
Fixpoint choose (n k : nat) : nat :=
  match k, n with
  | O, _ => 1
  | S _, O => 0
  | S j, S m => choose m j + choose m k
  end.
Definition kbinom (n k : R) : R := INR (choose (natural n) (natural k)).

(* a sum of n terms from l on; from l to h, where it is 0 when h < l *)
Fixpoint nsum (f : R -> R) (l : R) (n : nat) : R :=
  match n with O => 0 | S m => nsum f l m + f (l + INR m) end.
Definition count (l h : R) : nat := Z.to_nat (Int_part (h - l) + 1).
Definition ksum (f : R -> R) (l h : R) : R := nsum f l (count l h).

(* the number y with (F and y = a) or (not F and y = b) *)
Definition kite (F : Prop) (a b : R) : R := real (Lub_Rbar (fun y => (F /\ y = a) \/ (~ F /\ y = b))).

(* least upper and greatest lower bounds; 0 where there is none *)
Definition ksup (f : R -> R) (a b : R) : R := real (Lub_Rbar (fun y => exists x, a < x /\ x < b /\ y = f x)).
Definition kinf (f : R -> R) (a b : R) : R := real (Glb_Rbar (fun y => exists x, a < x /\ x < b /\ y = f x)).
Definition ksup_above (f : R -> R) (a : R) : R := real (Lub_Rbar (fun y => exists x, a < x /\ y = f x)).
Definition kinf_above (f : R -> R) (a : R) : R := real (Glb_Rbar (fun y => exists x, a < x /\ y = f x)).

Lemma Int_part_IZR z : Int_part (IZR z) = z.
Proof.
  destruct (base_Int_part (IZR z)) as [A B]. apply Z.le_antisymm.
  - apply le_IZR; exact A.
  - assert (H : IZR z < IZR (Int_part (IZR z) + 1)) by (rewrite plus_IZR; lra). apply lt_IZR in H. lia.
Qed.
Lemma natural_INR n : natural (INR n) = n.
Proof. unfold natural. rewrite INR_IZR_INZ, Int_part_IZR. apply Nat2Z.id. Qed.

Lemma whole_IZR z : whole (IZR z). Proof. exists z; reflexivity. Qed.
Lemma whole_INR n : whole (INR n). Proof. exists (Z.of_nat n). apply INR_IZR_INZ. Qed.
Lemma whole_plus a b : whole a -> whole b -> whole (a + b).
Proof. intros [x ->] [y ->]. exists (x + y)%Z. rewrite plus_IZR; reflexivity. Qed.
Lemma whole_mult a b : whole a -> whole b -> whole (a * b).
Proof. intros [x ->] [y ->]. exists (x * y)%Z. rewrite mult_IZR; reflexivity. Qed.
Lemma whole_opp a : whole a -> whole (- a).
Proof. intros [x ->]. exists (- x)%Z. rewrite opp_IZR; reflexivity. Qed.
Lemma whole_pow a n : whole a -> whole (a ^ n).
Proof. intro H. induction n; simpl; [exists 1%Z; reflexivity | apply whole_mult; assumption]. Qed.
Lemma whole_max a b : whole a -> whole b -> whole (Rmax a b).
Proof. intros. unfold Rmax; destruct Rle_dec; assumption. Qed.
Lemma whole_min a b : whole a -> whole b -> whole (Rmin a b).
Proof. intros. unfold Rmin; destruct Rle_dec; assumption. Qed.
Lemma whole_abs a : whole a -> whole (Rabs a).
Proof. intros. unfold Rabs; destruct Rcase_abs; [apply whole_opp |]; assumption. Qed.
Lemma whole_binom n k : whole (kbinom n k). Proof. apply whole_INR. Qed.
Lemma whole_fact n : whole (kfact n). Proof. apply whole_INR. Qed.
Lemma whole_sum f l h : whole l -> (forall i, whole i -> whole (f i)) -> whole (ksum f l h).
Proof.
  intros L H. unfold ksum. induction (count l h) as [| n IH]; simpl; [exists 0%Z; reflexivity |].
  apply whole_plus; [exact IH |]. apply H, whole_plus; [exact L | apply whole_INR].
Qed.
Lemma whole_nat x : whole x -> 0 <= x -> exists n : nat, x = INR n.
Proof.
  intros [z ->] H. apply le_IZR in H. exists (Z.to_nat z).
  rewrite INR_IZR_INZ, Z2Nat.id by exact H. reflexivity.
Qed.
Lemma whole_next a b : whole a -> whole b -> a < b -> a + 1 <= b.
Proof.
  intros [x ->] [y ->] H. apply lt_IZR in H. rewrite <- plus_IZR. apply IZR_le. lia.
Qed.

Lemma kite_true (F : Prop) a b : F -> kite F a b = a.
Proof.
  intro H. unfold kite. rewrite (is_lub_Rbar_unique _ (Finite a)); [reflexivity |]. split.
  - intros y [[_ ->] | [N _]]; [simpl; lra | contradiction].
  - intros M B. apply B. left; split; [exact H | reflexivity].
Qed.
Lemma kite_false (F : Prop) a b : ~ F -> kite F a b = b.
Proof.
  intro H. unfold kite. rewrite (is_lub_Rbar_unique _ (Finite b)); [reflexivity |]. split.
  - intros y [[N _] | [_ ->]]; [contradiction | simpl; lra].
  - intros M B. apply B. right; split; [exact H | reflexivity].
Qed.

Lemma klog_ln x : 0 < x -> klog x = ln x.
Proof. intro H. unfold klog. rewrite Rabs_right by lra. reflexivity. Qed.
Lemma kpow_exp a r : 0 < a -> kpow a r = exp (r * ln a).
Proof. intro H. unfold kpow. destruct (Rlt_dec 0 a); [reflexivity | contradiction]. Qed.
Lemma kpow_zero r : r <> 0 -> kpow 0 r = 0.
Proof.
  intro H. unfold kpow. destruct (Rlt_dec 0 0); [lra |]. destruct (Req_EM_T 0 0); [| lra].
  destruct (Req_EM_T r 0); [contradiction | reflexivity].
Qed.
Lemma kpow_0 a : kpow a 0 = 1.
Proof.
  unfold kpow. destruct (Rlt_dec 0 a); [rewrite Rmult_0_l; apply exp_0 |].
  destruct (Req_EM_T a 0). { destruct (Req_EM_T 0 0); [reflexivity | lra]. }
  rewrite !Rmult_0_l, exp_0, cos_0. ring.
Qed.
Lemma kpow_pos a r : 0 < a -> 0 < kpow a r.
Proof. intro H. rewrite kpow_exp by exact H. apply exp_pos. Qed.
Lemma kpow_nonneg a r : 0 <= a -> 0 <= kpow a r.
Proof.
  intros [H | <-]; [left; apply kpow_pos; exact H |]. unfold kpow. destruct (Rlt_dec 0 0); [lra |].
  destruct (Req_EM_T 0 0); [| lra]. destruct (Req_EM_T r 0); lra.
Qed.
