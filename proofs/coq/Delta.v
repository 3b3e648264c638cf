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

Lemma fold_two a b c d n g p q :
  fold (two a b c d) n g p q =
  upto (fun j => INR (choose n j) * g (p * a ^ j * c ^ (n - j)) (q * b ^ j * d ^ (n - j))) n.
Proof.
  revert p q. induction n as [| n IH]; intros p q.
  - simpl. rewrite !Rmult_1_r. ring.
  - change (fold (two a b c d) (S n) g p q) with
      (fold (two a b c d) n g (p * a) (q * b) + (fold (two a b c d) n g (p * c) (q * d) + 0)).
    rewrite !IH, upto_first, Rplus_0_r.
    rewrite (upto_ext (fun j => INR (choose (S n) (S j)) * g (p * a ^ S j * c ^ (S n - S j)) (q * b ^ S j * d ^ (S n - S j)))
      (fun j => INR (choose n j) * g (p * a * a ^ j * c ^ (n - j)) (q * b * b ^ j * d ^ (n - j)) +
                INR (choose n (S j)) * g (p * a ^ S j * c ^ (n - j)) (q * b ^ S j * d ^ (n - j)))).
    2: { intros j J. change (choose (S n) (S j)) with (choose n j + choose n (S j))%nat. rewrite plus_INR.
         replace (S n - S j)%nat with (n - j)%nat by lia. simpl pow. rewrite !Rmult_assoc. ring. }
    rewrite upto_add.
    enough (E : upto (fun j => INR (choose n j) * g (p * c * a ^ j * c ^ (n - j)) (q * d * b ^ j * d ^ (n - j))) n =
      INR (choose (S n) 0) * g (p * a ^ 0 * c ^ (S n - 0)) (q * b ^ 0 * d ^ (S n - 0)) +
      upto (fun j => INR (choose n (S j)) * g (p * a ^ S j * c ^ (n - j)) (q * b ^ S j * d ^ (n - j))) n) by (rewrite E; ring).
    destruct n as [| n].
    + simpl. replace (p * 1 * (c * 1)) with (p * c * 1 * 1) by ring. replace (q * 1 * (d * 1)) with (q * d * 1 * 1) by ring. ring.
    + rewrite upto_first. f_equal.
      * replace (choose (S n) 0) with 1%nat by reflexivity. replace (choose (S (S n)) 0) with 1%nat by reflexivity.
        do 2 f_equal; rewrite !Nat.sub_0_r; simpl pow; ring.
      * change (upto (fun j => INR (choose (S n) (S j)) * g (p * a ^ S j * c ^ (S n - j)) (q * b ^ S j * d ^ (S n - j))) (S n)) with
          (upto (fun j => INR (choose (S n) (S j)) * g (p * a ^ S j * c ^ (S n - j)) (q * b ^ S j * d ^ (S n - j))) n +
           INR (choose (S n) (S (S n))) * g (p * a ^ S (S n) * c ^ (S n - S n)) (q * b ^ S (S n) * d ^ (S n - S n))).
        rewrite (choose_large (S n) (S (S n))) by lia. simpl (INR 0). rewrite Rmult_0_l, Rplus_0_r.
        apply upto_ext. intros j J. replace (S n - j)%nat with (S (S n - S j)) by lia.
        f_equal. f_equal; simpl pow; ring.
Qed.

Lemma positive_part x : Rmax x 0 = (x + Rabs x) / 2.
Proof. unfold Rmax, Rabs. destruct (Rle_dec x 0), (Rcase_abs x); lra. Qed.
Lemma delta_two a b c d n e :
  delta (two a b c d) n e =
  upto (fun j => IZR (Z.of_nat (choose n j)) *
    ((a ^ j * c ^ (n - j) - exp e * (b ^ j * d ^ (n - j)) + Rabs (a ^ j * c ^ (n - j) - exp e * (b ^ j * d ^ (n - j)))) / 2)) n.
Proof.
  unfold delta. pose proof (fold_outcomes (two a b c d) n (fun p q => Rmax (p - exp e * q) 0) 1 1) as E.
  rewrite fold_two in E.
  rewrite (map_ext _ (fun o => Rmax (1 * product (map fst o) - exp e * (1 * product (map snd o))) 0))
    by (intro o; rewrite !Rmult_1_l; reflexivity).
  rewrite <- E. apply upto_ext. intros j J. rewrite !Rmult_1_l, <- INR_IZR_INZ, positive_part. reflexivity.
Qed.
Ltac coefficients := repeat match goal with
  | |- context [Z.of_nat (choose ?n ?k)] =>
      let z := eval vm_compute in (Z.of_nat (choose n k)) in change (Z.of_nat (choose n k)) with z
  end.

Definition response (e0 : R) : list (R * R) :=
  two (exp e0 / (1 + exp e0)) (1 / (1 + exp e0)) (1 / (1 + exp e0)) (exp e0 / (1 + exp e0)).

Theorem ten_fold_randomized_response :
  0.145466446441 <= delta (response (1 / 2)) 10 2 <= 0.145466446442.
Proof.
  unfold response. rewrite delta_two. cbn [upto Nat.sub]. coefficients.
  split; interval with (i_prec 80).
Qed.
Print Assumptions ten_fold_randomized_response.
