(* Rules of `rules_sums`. *)
Require Export Order.

Lemma index_range l h m : whole l -> whole h -> (m < count l h)%nat ->
  whole (l + INR m) /\ l <= l + INR m /\ l + INR m <= h.
Proof.
  intros [x ->] [y ->] H. unfold count in H. rewrite <- minus_IZR, Int_part_IZR in H.
  repeat split; [apply whole_plus; [apply whole_IZR | apply whole_INR] | pose proof (pos_INR m); lra |].
  rewrite INR_IZR_INZ, <- plus_IZR. apply IZR_le. lia.
Qed.
Lemma nsum_le f g l n : (forall m, (m < n)%nat -> f (l + INR m) <= g (l + INR m)) -> nsum f l n <= nsum g l n.
Proof. induction n as [| n IH]; intro H; simpl; [lra |]. apply Rplus_le_compat; [apply IH; intros; apply H; lia | apply H; lia]. Qed.
Lemma nsum_lt f g l n : (0 < n)%nat -> (forall m, (m < n)%nat -> f (l + INR m) < g (l + INR m)) -> nsum f l n < nsum g l n.
Proof.
  intros P H. destruct n as [| n]; [lia |]. simpl. apply Rplus_le_lt_compat; [| apply H; lia].
  apply nsum_le. intros. left; apply H; lia.
Qed.
Lemma nsum_eq f g l n : (forall m, (m < n)%nat -> f (l + INR m) = g (l + INR m)) -> nsum f l n = nsum g l n.
Proof. intro H. apply Rle_antisym; apply nsum_le; intros m L; rewrite (H m L); lra. Qed.

Lemma r_sum_termwise f g l h : whole l -> whole h ->
  (forall i, whole i -> l <= i -> i <= h -> f i <= g i) -> ksum f l h <= ksum g l h.
Proof. intros L H F. apply nsum_le. intros m M. destruct (index_range l h m L H M) as (A & B & C). apply F; assumption. Qed.
Lemma r_sum_termwise_eq f g l h : whole l -> whole h ->
  (forall i, whole i -> l <= i -> i <= h -> f i = g i) -> ksum f l h = ksum g l h.
Proof. intros L H F. apply nsum_eq. intros m M. destruct (index_range l h m L H M) as (A & B & C). apply F; assumption. Qed.
Lemma count_pos l h : whole l -> whole h -> l <= h -> (0 < count l h)%nat.
Proof. intros [x ->] [y ->] H. apply le_IZR in H. unfold count. rewrite <- minus_IZR, Int_part_IZR. lia. Qed.
Lemma r_sum_termwise_lt f g l h : whole l -> whole h ->
  (forall i, whole i -> l <= i -> i <= h -> f i < g i) -> l <= h -> ksum f l h < ksum g l h.
Proof.
  intros L H F P. apply nsum_lt; [apply count_pos; assumption |].
  intros m M. destruct (index_range l h m L H M) as (A & B & C). apply F; assumption.
Qed.
Lemma nsum_plus f l n m : nsum f l (n + m) = nsum f l n + nsum f (l + INR n) m.
Proof.
  induction m as [| m IH]; [rewrite Nat.add_0_r; simpl; ring |].
  rewrite Nat.add_succ_r. simpl. rewrite IH, plus_INR, !Rplus_assoc. reflexivity.
Qed.
Lemma r_sum_split f l m h : whole l -> whole m -> whole h -> l <= m + 1 -> m <= h ->
  ksum f l h = ksum f l m + ksum f (m + 1) h.
Proof.
  intros [x ->] [y ->] [z ->] A B. rewrite <- plus_IZR in *. apply le_IZR in A. apply le_IZR in B.
  unfold ksum, count. rewrite <- !minus_IZR, !Int_part_IZR.
  replace (Z.to_nat (z - x + 1)) with (Z.to_nat (y - x + 1) + Z.to_nat (z - (y + 1) + 1))%nat by lia.
  rewrite nsum_plus. do 2 f_equal. rewrite INR_IZR_INZ, Z2Nat.id, <- plus_IZR by lia. f_equal; lia.
Qed.
Lemma r_sum_single f l : ksum f l l = f l.
Proof.
  unfold ksum, count. replace (l - l) with (IZR 0) by ring. rewrite Int_part_IZR. simpl. rewrite Rplus_0_r. ring.
Qed.
Lemma r_sum_shift f l h s : ksum f l h = ksum (fun i => f (i + (-1) * s)) (l + s) (h + s).
Proof.
  unfold ksum, count. replace (h + s - (l + s)) with (h - l) by ring.
  generalize (Z.to_nat (Int_part (h - l) + 1)). intro n.
  induction n as [| n IH]; [reflexivity |]. simpl. rewrite IH. do 2 f_equal. ring.
Qed.
Lemma nsum_add f g l n : nsum (fun i => f i + g i) l n = nsum f l n + nsum g l n.
Proof. induction n as [| n IH]; simpl; [ring | rewrite IH; ring]. Qed.
Lemma nsum_scale c f l n : nsum (fun i => c * f i) l n = c * nsum f l n.
Proof. induction n as [| n IH]; simpl; [ring | rewrite IH; ring]. Qed.
Lemma nsum_zero l n : nsum (fun _ => 0) l n = 0.
Proof. induction n as [| n IH]; simpl; [ring | rewrite IH; ring]. Qed.
Lemma r_sum_exchange (f : R -> R -> R) l h m n :
  ksum (fun i => ksum (fun j => f i j) m n) l h = ksum (fun j => ksum (fun i => f i j) l h) m n.
Proof.
  unfold ksum. generalize (count l h), (count m n). intros a b.
  induction a as [| a IH]; simpl; [symmetry; apply nsum_zero |]. rewrite IH, <- nsum_add. reflexivity.
Qed.
Lemma choose_C n k : (k <= n)%nat -> INR (choose n k) = Binomial.C n k.
Proof.
  revert k. induction n as [| n IH]; intros k H.
  - replace k with O by lia. unfold Binomial.C. simpl. field.
  - destruct k as [| k]. { unfold Binomial.C. rewrite Nat.sub_0_r, choose_zero. change (INR (fact 0)) with 1. change (INR 1) with 1. field. apply INR_fact_neq_0. }
    destruct (Nat.eq_dec k n) as [-> | N].
    + rewrite choose_all. unfold Binomial.C. rewrite Nat.sub_diag. change (INR (fact 0)) with 1. change (INR 1) with 1. field. apply INR_fact_neq_0.
    + simpl. rewrite plus_INR, !IH by lia. apply pascal. lia.
Qed.
Lemma nsum_sum_f f n : nsum f 0 (S n) = sum_f_R0 (fun i => f (INR i)) n.
Proof. induction n as [| n IH]; [simpl; rewrite Rplus_0_l; ring_simplify; f_equal; ring |]. simpl sum_f_R0. rewrite <- IH. change (nsum f 0 (S (S n))) with (nsum f 0 (S n) + f (0 + INR (S n))). rewrite Rplus_0_l. reflexivity. Qed.
Lemma r_binomial_theorem a b n : whole n -> 0 <= n ->
  ksum (fun k => kbinom n k * kpow a k * kpow b (n + (-1) * k)) 0 n = kpow (a + b) n.
Proof.
  intros W H. destruct (whole_nat n W H) as [m ->]. unfold ksum, count.
  replace (INR m - 0) with (INR m) by ring.
  replace (Int_part (INR m)) with (Z.of_nat m) by (rewrite INR_IZR_INZ, Int_part_IZR; reflexivity).
  replace (Z.to_nat (Z.of_nat m + 1)) with (S m) by lia. rewrite nsum_sum_f, kpow_INR, binomial.
  apply sum_eq. intros i L. unfold kbinom. rewrite !natural_INR, choose_C, kpow_INR by exact L.
  replace (INR m + (-1) * INR i) with (INR (m - i)) by (rewrite minus_INR by exact L; ring). rewrite kpow_INR. reflexivity.
Qed.
