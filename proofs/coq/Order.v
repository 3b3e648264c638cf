(* Rules of `rules_order`: lemmas of order, and of max, |.|, exp, log, powers and binomial coefficients. *)
Require Export Definitions.

Lemma r_antisymmetric a b : a <= b -> b <= a -> a = b. Proof. apply Rle_antisym. Qed.
Lemma r_next_integer a b : whole a -> whole b -> a < b -> a + 1 <= b. Proof. apply whole_next. Qed.
Lemma r_maximum a b :
  a <= Rmax a b /\ b <= Rmax a b /\ Rmin a b <= a /\ Rmin a b <= b /\ Rmax a b + Rmin a b = a + b.
Proof. unfold Rmax, Rmin. destruct (Rle_dec a b); lra. Qed.
Lemma r_maximum_least a b c : a <= c -> b <= c -> Rmax a b <= c. Proof. apply Rmax_lub. Qed.
Lemma r_minimum_greatest a b c : c <= a -> c <= b -> c <= Rmin a b. Proof. apply Rmin_glb. Qed.
Lemma r_larger a b : a <= b -> Rmax a b = b /\ Rmax b a = b /\ Rmin a b = a /\ Rmin b a = a.
Proof. intro H. unfold Rmax, Rmin. destruct (Rle_dec a b), (Rle_dec b a); lra. Qed.
Lemma r_absolute a : 0 <= a -> Rabs a = a /\ Rabs ((-1) * a) = a.
Proof. intro H. unfold Rabs. destruct (Rcase_abs a), (Rcase_abs ((-1) * a)); lra. Qed.
Lemma r_branch (F : Prop) a b : F -> kite F a b = a. Proof. apply kite_true. Qed.
Lemma r_branch_not (F : Prop) a b : ~ F -> kite F a b = b. Proof. apply kite_false. Qed.

Lemma r_exp_above t : 1 + t <= exp t.
Proof. destruct (Req_dec t 0) as [-> | H]; [rewrite exp_0; lra | left; apply exp_ineq1; exact H]. Qed.
Lemma r_exp_monotone_lt a b : a < b -> exp a < exp b. Proof. apply exp_increasing. Qed.
Lemma r_exp_monotone a b : a <= b -> exp a <= exp b.
Proof. intros [H | ->]; [left; apply exp_increasing; exact H | right; reflexivity]. Qed.
Lemma r_exp_monotone_eq a b : a = b -> exp a = exp b. Proof. congruence. Qed.
Lemma r_log_monotone_lt a b : a < b -> 0 < a -> klog a < klog b.
Proof. intros H P. rewrite !klog_ln by lra. apply ln_increasing; assumption. Qed.
Lemma r_log_monotone a b : a <= b -> 0 < a -> klog a <= klog b.
Proof. intros [H | ->] P; [left; apply r_log_monotone_lt; assumption | right; reflexivity]. Qed.
Lemma r_log_monotone_eq a b : a = b -> 0 < a -> klog a = klog b. Proof. congruence. Qed.

Lemma r_power_monotone a b r : 0 <= a -> a <= b -> 0 <= r -> kpow a r <= kpow b r.
Proof.
  intros A [L | ->] [Q | <-]; try (right; reflexivity); try (rewrite !kpow_0; right; reflexivity).
  destruct A as [A | <-].
  - rewrite !kpow_exp by lra. apply r_exp_monotone, Rmult_le_compat_l; [lra |]. left; apply ln_increasing; assumption.
  - rewrite kpow_zero by lra. apply kpow_nonneg; lra.
Qed.
Lemma r_power_monotone_lt a b r : 0 <= a -> a < b -> 0 < r -> kpow a r < kpow b r.
Proof.
  intros [A | <-] L Q.
  - rewrite !kpow_exp by lra. apply exp_increasing, Rmult_lt_compat_l; [exact Q |]. apply ln_increasing; assumption.
  - rewrite kpow_zero by lra. apply kpow_pos; exact L.
Qed.
Lemma r_power_antitone a b r : 0 < a -> a <= b -> r <= 0 -> kpow b r <= kpow a r.
Proof.
  intros A [L | ->] Q; [| right; reflexivity]. rewrite !kpow_exp by lra. apply r_exp_monotone.
  assert (ln a < ln b) by (apply ln_increasing; assumption). nra.
Qed.
Lemma r_power_of_zero r : 0 < r -> kpow 0 r = 0. Proof. intro H. apply kpow_zero; lra. Qed.

Lemma kpow_next a n : kpow a (INR n + 1) = kpow a (INR n) * a.
Proof.
  assert (0 <= INR n) by apply pos_INR. unfold kpow. destruct (Rlt_dec 0 a) as [P | P].
  - replace ((INR n + 1) * ln a) with (INR n * ln a + ln a) by ring. rewrite exp_plus, exp_ln by exact P. reflexivity.
  - destruct (Req_EM_T a 0) as [-> | N].
    + destruct (Req_EM_T (INR n + 1) 0); [lra | ring].
    + replace ((INR n + 1) * ln (- a)) with (INR n * ln (- a) + ln (- a)) by ring.
      rewrite exp_plus, exp_ln by lra. replace ((INR n + 1) * PI) with (INR n * PI + PI) by ring. rewrite neg_cos. ring.
Qed.
Lemma kpow_INR a n : kpow a (INR n) = a ^ n.
Proof. induction n as [| n IH]; [apply kpow_0 |]. rewrite S_INR, kpow_next, IH. simpl; ring. Qed.
Lemma r_integer_power a n : whole n -> 0 <= n -> kpow a (n + 1) = kpow a n * a.
Proof. intros W H. destruct (whole_nat n W H) as [m ->]. apply kpow_next. Qed.

Lemma choose_absorb n k : (S k * choose (S n) (S k) = S n * choose n k)%nat.
Proof.
  revert k; induction n as [| n IH]; intro k.
  - destruct k; [reflexivity |]. destruct k; simpl; lia.
  - destruct k as [| j].
    + pose proof (IH O) as E. change (choose (S (S n)) 1) with (choose (S n) 0 + choose (S n) 1)%nat.
      replace (choose (S n) 0) with 1%nat by reflexivity. replace (choose n 0) with 1%nat in E by (destruct n; reflexivity). lia.
    + change (choose (S (S n)) (S (S j))) with (choose (S n) (S j) + choose (S n) (S (S j)))%nat.
      pose proof (IH j) as E1. pose proof (IH (S j)) as E2.
      assert (E3 : choose (S n) (S j) = (choose n j + choose n (S j))%nat) by reflexivity. nia.
Qed.
Lemma choose_large n k : (n < k)%nat -> choose n k = 0%nat.
Proof. revert k; induction n as [| n IH]; intros [| k] H; try lia; [reflexivity |]. simpl. rewrite !IH by lia. reflexivity. Qed.
Lemma choose_all n : choose n n = 1%nat.
Proof. induction n as [| n IH]; [reflexivity |]. simpl. rewrite IH, choose_large by lia. reflexivity. Qed.
Lemma choose_zero n : choose n 0 = 1%nat. Proof. destruct n; reflexivity. Qed.
Lemma choose_pos n k : (k <= n)%nat -> (0 < choose n k)%nat.
Proof.
  revert k; induction n as [| n IH]; intros k H; [replace k with O by lia; simpl; lia |].
  destruct k as [| k]; [simpl; lia |]. simpl. assert (0 < choose n k)%nat by (apply IH; lia). lia.
Qed.
Lemma r_absorption n k : whole n -> whole k -> 1 <= n -> 1 <= k ->
  k * kbinom n k = n * kbinom (n + (-1) * 1) (k + (-1) * 1).
Proof.
  intros N K Hn Hk. destruct (whole_nat n N) as [a ->]; [lra |]. destruct (whole_nat k K) as [b ->]; [lra |].
  destruct a as [| a]; [simpl in Hn; lra |]. destruct b as [| b]; [simpl in Hk; lra |]. unfold kbinom.
  replace (INR (S a) + (-1) * 1) with (INR a) by (rewrite S_INR; ring).
  replace (INR (S b) + (-1) * 1) with (INR b) by (rewrite S_INR; ring).
  rewrite !natural_INR, <- !mult_INR. f_equal. apply choose_absorb.
Qed.
Lemma r_binomial_positive n k : whole n -> whole k -> 0 <= k -> k <= n ->
  0 < kbinom n k /\ kbinom n 0 = 1 /\ kbinom n n = 1.
Proof.
  intros N K H0 H. destruct (whole_nat k K H0) as [b ->]. destruct (whole_nat n N) as [a ->]; [lra |].
  apply INR_le in H. unfold kbinom. rewrite !natural_INR. replace 0 with (INR 0) at 2 by reflexivity.
  rewrite natural_INR, choose_zero, choose_all. split; [| split; reflexivity].
  apply lt_0_INR, choose_pos, H.
Qed.

(* linear: what lies behind it. The multipliers' signs and the rest are shown by the laws of `ring`. *)
Lemma linear_le m a b : 0 <= m -> a <= b -> 0 <= m * (b - a).
Proof. intros. apply Rmult_le_pos; lra. Qed.
Lemma linear_lt m a b : 0 < m -> a < b -> 0 < m * (b - a).
Proof. intros. apply Rmult_lt_0_compat; lra. Qed.
Lemma linear_lt_le m a b : 0 <= m -> a < b -> 0 <= m * (b - a).
Proof. intros. apply Rmult_le_pos; lra. Qed.
Lemma linear_eq m a b : a = b -> m * (b - a) = 0.
Proof. intros ->. ring. Qed.

(* sign: by the parts of a term *)
Lemma sign_mult_ne a b : a <> 0 -> b <> 0 -> a * b <> 0. Proof. apply Rmult_integral_contrapositive_currified. Qed.
Lemma sign_pow_ne a n : a <> 0 -> a ^ n <> 0. Proof. apply pow_nonzero. Qed.
Lemma sign_pow_even a n : 0 <= a ^ (2 * n). Proof. rewrite pow_mult. apply pow_le, pow2_ge_0. Qed.
Lemma sign_pow_even_pos a n : a <> 0 -> 0 < a ^ (2 * n).
Proof. intro H. rewrite pow_mult. apply pow_lt. apply pow2_gt_0; exact H. Qed.
Lemma sign_inv_nonneg a : 0 <= a -> 0 <= / a.
Proof. intros [H | <-]; [left; apply Rinv_0_lt_compat; exact H | rewrite Rinv_0; lra]. Qed.
Lemma sign_ite_pos F a b : 0 < a -> 0 < b -> 0 < kite F a b.
Proof. intros. destruct (classic F); [rewrite kite_true | rewrite kite_false]; assumption. Qed.
Lemma sign_ite_nonneg F a b : 0 <= a -> 0 <= b -> 0 <= kite F a b.
Proof. intros. destruct (classic F); [rewrite kite_true | rewrite kite_false]; assumption. Qed.
Lemma sign_ite_ne F a b : a <> 0 -> b <> 0 -> kite F a b <> 0.
Proof. intros. destruct (classic F); [rewrite kite_true | rewrite kite_false]; assumption. Qed.
Lemma sign_max_pos a b : 0 < a \/ 0 < b -> 0 < Rmax a b.
Proof. pose proof (Rmax_l a b); pose proof (Rmax_r a b). intros [|]; lra. Qed.
Lemma sign_max_nonneg a b : 0 <= a \/ 0 <= b -> 0 <= Rmax a b.
Proof. pose proof (Rmax_l a b); pose proof (Rmax_r a b). intros [|]; lra. Qed.
Lemma sign_min_pos a b : 0 < a -> 0 < b -> 0 < Rmin a b. Proof. intros. unfold Rmin; destruct (Rle_dec a b); assumption. Qed.
Lemma sign_abs_pos a : a <> 0 -> 0 < Rabs a. Proof. apply Rabs_pos_lt. Qed.
Lemma sign_fact n : 0 < kfact n. Proof. apply INR_fact_lt_0. Qed.
Lemma sign_binom n k : 0 <= kbinom n k. Proof. apply pos_INR. Qed.
