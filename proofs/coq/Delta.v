(* A certified delta of a composition, with digits. Randomized response with parameter e0 answers truthfully with probability
   p = exp e0 / (1 + exp e0); ten of them are the product on ten answers. delta(e) is the sum over all 2^10 outcomes of
   max(P - exp e * Q, 0), in which the outcomes are lists of bits: true where the answer is that of P's record. *)
Require Import Reals Lra Lia List ZArith.
From Interval Require Import Tactic.
Import ListNotations.
Open Scope R_scope.

(* all outcomes of n steps of a mechanism with k outcomes each *)
Fixpoint outcomes {A : Type} (table : list A) (n : nat) : list (list A) :=
  match n with
  | O => [[]]
  | S m => flat_map (fun a => map (cons a) (outcomes table m)) table
  end.
Definition total (l : list R) : R := fold_right Rplus 0 l.
Definition product (l : list R) : R := fold_right Rmult 1 l.

(* a table holds, for each outcome, its probabilities under both records *)
Definition delta (table : list (R * R)) (n : nat) (e : R) : R :=
  total (map (fun o => Rmax (product (map fst o) - exp e * product (map snd o)) 0) (outcomes table n)).

(* what the sum is when outcomes are grouped by the multiset of their answers: a list of weights, probabilities and probabilities *)
Definition term (e : R) (x : R * R) : R := Rmax (fst x - exp e * snd x) 0.

Lemma total_app l m : total (l ++ m) = total l + total m.
Proof. induction l as [| a l IH]; simpl; [ring | rewrite IH; ring]. Qed.

(* sum over n steps of a function g of the two products *)
Fixpoint fold (table : list (R * R)) (n : nat) (g : R -> R -> R) (p q : R) : R :=
  match n with
  | O => g p q
  | S m => total (map (fun a => fold table m g (p * fst a) (q * snd a)) table)
  end.
Lemma total_flat_map {A : Type} (h : A -> list R) l : total (flat_map h l) = total (map (fun a => total (h a)) l).
Proof. induction l as [| a l IH]; simpl; [reflexivity | rewrite total_app, IH; reflexivity]. Qed.
Lemma fold_outcomes table n g p q :
  fold table n g p q = total (map (fun o => g (p * product (map fst o)) (q * product (map snd o))) (outcomes table n)).
Proof.
  revert p q. induction n as [| n IH]; intros p q; simpl.
  - rewrite !Rmult_1_r. ring.
  - enough (E : forall t, total (map (fun a => fold table n g (p * fst a) (q * snd a)) t) =
      total (map (fun o => g (p * product (map fst o)) (q * product (map snd o))) (flat_map (fun a => map (cons a) (outcomes table n)) t)))
      by apply E.
    induction t as [| a t IHt]; simpl; [reflexivity |].
    rewrite map_app, total_app, IHt. f_equal. rewrite IH, map_map. f_equal. apply map_ext. intro o. simpl.
    rewrite !Rmult_assoc. reflexivity.
Qed.

(* two outcomes: the sum over n steps groups by the number j of first outcomes *)
Fixpoint choose (n k : nat) : nat :=
  match k, n with O, _ => 1 | S _, O => 0 | S j, S m => choose m j + choose m k end.
Fixpoint upto (f : nat -> R) (n : nat) : R := match n with O => f O | S m => upto f m + f n end.
Definition two (a b c d : R) : list (R * R) := [(a, b); (c, d)].

Lemma choose_large n k : (n < k)%nat -> choose n k = 0%nat.
Proof. revert k; induction n as [| n IH]; intros [| k] H; try lia; [reflexivity |]. simpl. rewrite !IH by lia. reflexivity. Qed.
Lemma upto_add f g n : upto (fun j => f j + g j) n = upto f n + upto g n.
Proof. induction n as [| n IH]; simpl; [ring | rewrite IH; ring]. Qed.
Lemma upto_ext f g n : (forall j, (j <= n)%nat -> f j = g j) -> upto f n = upto g n.
Proof. induction n as [| n IH]; intro H; simpl; [apply H; lia |]. rewrite IH by (intros; apply H; lia). rewrite H by lia. reflexivity. Qed.
Lemma upto_first f n : upto f (S n) = f O + upto (fun j => f (S j)) n.
Proof. induction n as [| n IH]; [simpl; ring |]. change (upto f (S (S n))) with (upto f (S n) + f (S (S n))). rewrite IH. simpl. ring. Qed.

Lemma total_map_add {A : Type} (f g : A -> R) l : total (map (fun a => f a + g a) l) = total (map f l) + total (map g l).
Proof. induction l as [| a l IH]; simpl; [ring | rewrite IH; ring]. Qed.
Lemma total_map_scale {A : Type} c (f : A -> R) l : total (map (fun a => c * f a) l) = c * total (map f l).
Proof. induction l as [| a l IH]; simpl; [ring | rewrite IH; ring]. Qed.
Lemma total_upto {A : Type} (f : A -> nat -> R) l n :
  total (map (fun a => upto (f a) n) l) = upto (fun j => total (map (fun a => f a j) l)) n.
Proof. induction n as [| n IH]; simpl; [reflexivity | rewrite total_map_add, IH; reflexivity]. Qed.
Lemma fold_first a b l n g p q :
  fold ((a, b) :: l) n g p q = upto (fun j => INR (choose n j) * fold l (n - j) g (p * a ^ j) (q * b ^ j)) n.
Proof.
  revert p q. induction n as [| n IH]; intros p q; [simpl; rewrite !Rmult_1_r; ring |].
  change (fold ((a, b) :: l) (S n) g p q) with
    (fold ((a, b) :: l) n g (p * a) (q * b) + total (map (fun x => fold ((a, b) :: l) n g (p * fst x) (q * snd x)) l)).
  rewrite IH. rewrite (map_ext _ (fun x => upto (fun j => INR (choose n j) * fold l (n - j) g (p * fst x * a ^ j) (q * snd x * b ^ j)) n))
    by (intro; apply IH).
  rewrite total_upto.
  rewrite (upto_ext (fun j => total (map (fun x => INR (choose n j) * fold l (n - j) g (p * fst x * a ^ j) (q * snd x * b ^ j)) l))
    (fun j => INR (choose n j) * fold l (S n - j) g (p * a ^ j) (q * b ^ j)) n).
  2: { intros j J. cbv beta. rewrite total_map_scale. f_equal. replace (S n - j)%nat with (S (n - j)) by lia. simpl fold. f_equal. apply map_ext.
       intro x. f_equal; ring. }
  rewrite upto_first.
  rewrite (upto_ext (fun j => INR (choose (S n) (S j)) * fold l (S n - S j) g (p * a ^ S j) (q * b ^ S j))
    (fun j => INR (choose n j) * fold l (n - j) g (p * a * a ^ j) (q * b * b ^ j) +
              INR (choose n (S j)) * fold l (S n - S j) g (p * a ^ S j) (q * b ^ S j))).
  2: { intros j J. change (choose (S n) (S j)) with (choose n j + choose n (S j))%nat. rewrite plus_INR. simpl Nat.sub.
       replace (p * a * a ^ j) with (p * a ^ S j) by (simpl; ring). replace (q * b * b ^ j) with (q * b ^ S j) by (simpl; ring). ring. }
  rewrite upto_add.
  enough (E : upto (fun j => INR (choose n j) * fold l (S n - j) g (p * a ^ j) (q * b ^ j)) n =
    INR (choose (S n) 0) * fold l (S n - 0) g (p * a ^ 0) (q * b ^ 0) +
    upto (fun j => INR (choose n (S j)) * fold l (S n - S j) g (p * a ^ S j) (q * b ^ S j)) n) by (rewrite E; ring).
  assert (Z : forall f, upto f n + f (S n) = f O + upto (fun j => f (S j)) n) by (intro f; rewrite <- upto_first; reflexivity).
  pose proof (Z (fun j => INR (choose n j) * fold l (S n - j) g (p * a ^ j) (q * b ^ j))) as F. cbv beta in F.
  rewrite (choose_large n (S n)), Rmult_0_l, Rplus_0_r in F by lia. rewrite F. f_equal. destruct n; reflexivity.
Qed.
Lemma fold_last c d n g p q : fold [(c, d)] n g p q = g (p * c ^ n) (q * d ^ n).
Proof.
  revert p q. induction n as [| n IH]; intros p q; simpl; [rewrite !Rmult_1_r; reflexivity |]. rewrite IH, Rplus_0_r. f_equal; ring.
Qed.

Lemma positive_part x : Rmax x 0 = (x + Rabs x) / 2.
Proof. unfold Rmax, Rabs. destruct (Rle_dec x 0), (Rcase_abs x); lra. Qed.
Lemma delta_fold table n e : delta table n e = fold table n (fun p q => (p - exp e * q + Rabs (p - exp e * q)) / 2) 1 1.
Proof.
  rewrite fold_outcomes. unfold delta. f_equal. apply map_ext. intro o. rewrite !Rmult_1_l. apply positive_part.
Qed.
Ltac coefficients := rewrite ?INR_IZR_INZ; repeat match goal with
  | |- context [Z.of_nat (choose ?n ?k)] =>
      let z := eval vm_compute in (Z.of_nat (choose n k)) in change (Z.of_nat (choose n k)) with z
  end.
Definition excess (e p q : R) : R := (p - exp e * q + Rabs (p - exp e * q)) / 2.
Lemma delta_two a b c d n e : delta [(a, b); (c, d)] n e =
  upto (fun j => IZR (Z.of_nat (choose n j)) * excess e (a ^ j * c ^ (n - j)) (b ^ j * d ^ (n - j))) n.
Proof.
  rewrite delta_fold, fold_first. apply upto_ext. intros j J. rewrite fold_last, INR_IZR_INZ, !Rmult_1_l. reflexivity.
Qed.
Lemma delta_three a b c d u v n e : delta [(a, b); (c, d); (u, v)] n e =
  upto (fun j => IZR (Z.of_nat (choose n j)) * upto (fun k => IZR (Z.of_nat (choose (n - j) k)) *
    excess e (a ^ j * c ^ k * u ^ (n - j - k)) (b ^ j * d ^ k * v ^ (n - j - k))) (n - j)) n.
Proof.
  rewrite delta_fold, fold_first. apply upto_ext. intros j J. rewrite fold_first, INR_IZR_INZ. f_equal.
  apply upto_ext. intros k K. rewrite fold_last, INR_IZR_INZ, !Rmult_1_l. reflexivity.
Qed.

Definition response (e0 : R) : list (R * R) :=
  [(exp e0 / (1 + exp e0), 1 / (1 + exp e0)); (1 / (1 + exp e0), exp e0 / (1 + exp e0))].
Theorem ten_fold_randomized_response :
  0.145466446441 <= delta (response (1 / 2)) 10 2 <= 0.145466446442.
Proof. unfold response. rewrite delta_two. unfold excess. cbn [upto Nat.sub]. coefficients. split; interval with (i_prec 80). Qed.

Definition three : list (R * R) := [(1 / 2, 1 / 4); (3 / 10, 3 / 10); (1 / 5, 9 / 20)].
Theorem ten_fold_table : 0.489729146684 <= delta three 10 1 <= 0.489729146685.
Proof. unfold three. rewrite delta_three. unfold excess. cbn [upto Nat.sub]. coefficients. split; interval with (i_prec 80). Qed.

(* all theorems in one term, so that what they rest on is found in one pass *)
Definition theorems := (ten_fold_randomized_response, ten_fold_table).
Print Assumptions theorems.
