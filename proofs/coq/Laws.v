(* Laws that `ring`, `sign` and `linear` use, and tactics that apply them. A step that no tactic settles is a gap: it is printed. *)
Require Export Logic Calculus.

(* laws of a field; they hold for 0 too *)
Lemma law_inv_mult a b : / (a * b) = / a * / b. Proof. apply Rinv_mult. Qed.
Lemma law_inv_inv a : / / a = a. Proof. apply Rinv_inv. Qed.
Lemma law_inv_zero : / 0 = 0. Proof. apply Rinv_0. Qed.
Lemma law_exp_plus a b : exp (a + b) = exp a * exp b. Proof. apply exp_plus. Qed.
Lemma law_exp_multiple a n : exp (INR n * a) = exp a ^ n.
Proof. induction n as [| n IH]; [rewrite Rmult_0_l; apply exp_0 |]. rewrite S_INR. replace ((INR n + 1) * a) with (INR n * a + a) by ring. rewrite exp_plus, IH. simpl; ring. Qed.
Lemma law_exp_log c a : 0 < a -> exp (c * klog a) = kpow a c.
Proof. intro P. rewrite klog_ln, kpow_exp by exact P. reflexivity. Qed.
Lemma law_log_mult a b : 0 < a -> 0 < b -> klog (a * b) = klog a + klog b.
Proof. intros A B. rewrite !klog_ln by (try apply Rmult_lt_0_compat; assumption). apply ln_mult; assumption. Qed.
Lemma law_log_inv a : 0 < a -> klog (/ a) = (-1) * klog a.
Proof. intro A. rewrite !klog_ln by (try apply Rinv_0_lt_compat; assumption). rewrite ln_Rinv by exact A. ring. Qed.
Lemma law_log_exp a : klog (exp a) = a. Proof. rewrite klog_ln by apply exp_pos. apply ln_exp. Qed.
Lemma law_log_one : klog 1 = 0. Proof. rewrite klog_ln by lra. apply ln_1. Qed.
Lemma law_log_pow a c : 0 < a -> klog (kpow a c) = c * klog a.
Proof. intro A. rewrite klog_ln by (apply kpow_pos; exact A). rewrite kpow_exp, ln_exp, klog_ln by exact A. reflexivity. Qed.
Lemma law_pow_exp a c : 0 < a -> kpow a c = exp (c * klog a).
Proof. intro A. rewrite law_exp_log by exact A. reflexivity. Qed.
Lemma law_pow_mult a b c : 0 <= a -> 0 <= b -> kpow (a * b) c = kpow a c * kpow b c.
Proof.
  intros [A | <-] [B | <-].
  - rewrite !kpow_exp by (try apply Rmult_lt_0_compat; assumption). rewrite ln_mult, <- exp_plus by assumption. f_equal; ring.
  - destruct (Req_dec c 0) as [-> | N]; [rewrite !kpow_0; ring |]. rewrite Rmult_0_r, (kpow_zero c N); ring.
  - destruct (Req_dec c 0) as [-> | N]; [rewrite !kpow_0; ring |]. rewrite Rmult_0_l, (kpow_zero c N); ring.
  - destruct (Req_dec c 0) as [-> | N]; [rewrite !kpow_0; ring |]. rewrite Rmult_0_r, (kpow_zero c N); ring.
Qed.
Lemma law_pow_pow a k c : 0 <= a -> 0 < k -> kpow (kpow a k) c = kpow a (k * c).
Proof.
  intros [A | <-] K.
  - rewrite (kpow_exp (kpow a k)) by (apply kpow_pos; exact A). rewrite !(kpow_exp a), ln_exp by exact A. f_equal; ring.
  - rewrite (kpow_zero k) by lra. destruct (Req_dec c 0) as [-> | N]; [rewrite Rmult_0_r, !kpow_0; reflexivity |].
    rewrite !kpow_zero; [reflexivity | | exact N]. apply Rmult_integral_contrapositive_currified; [lra | exact N].
Qed.
Lemma law_pow_plus a b c : 0 < a -> kpow a (b + c) = kpow a b * kpow a c.
Proof. intro A. rewrite !kpow_exp, <- exp_plus by exact A. f_equal; ring. Qed.
Lemma law_pow_opp a b : 0 < a -> kpow a ((-1) * b) = / kpow a b.
Proof. intro A. rewrite !kpow_exp, <- exp_Ropp by exact A. f_equal; ring. Qed.
Lemma law_pow_one b : kpow 1 b = 1. Proof. rewrite kpow_exp, ln_1, Rmult_0_r by lra. apply exp_0. Qed.
Lemma law_pow_first a : kpow a 1 = a. Proof. change 1 with (INR 1). rewrite kpow_INR. apply pow_1. Qed.
Lemma law_pow_half a : 0 <= a -> kpow a (1 / 2) * kpow a (1 / 2) = a.
Proof.
  intros [A | <-]; [| rewrite kpow_zero by lra; ring].
  rewrite <- law_pow_plus by exact A. replace (1 / 2 + 1 / 2) with 1 by field. apply law_pow_first.
Qed.
Lemma law_abs_multiple c a : 0 < c -> Rabs (c * a) = c * Rabs a.
Proof. intro C. rewrite Rabs_mult, (Rabs_right c) by lra. reflexivity. Qed.
Lemma law_max_multiple c a b : 0 < c -> Rmax (c * a) (c * b) = c * Rmax a b.
Proof. intro C. apply RmaxRmult; lra. Qed.
Lemma law_min_multiple c a b : 0 < c -> Rmin (c * a) (c * b) = c * Rmin a b.
Proof. intro C. unfold Rmin. destruct (Rle_dec a b), (Rle_dec (c * a) (c * b)); nra. Qed.
Lemma law_max a b : a <= b -> Rmax a b = b. Proof. apply Rmax_right. Qed.
Lemma law_sum_linear c f g l h : ksum (fun i => c * f i + g i) l h = c * ksum f l h + ksum g l h.
Proof. unfold ksum. rewrite nsum_add, nsum_scale. reflexivity. Qed.
Lemma law_sum_plus f g l h : ksum (fun i => f i + g i) l h = ksum f l h + ksum g l h.
Proof. apply nsum_add. Qed.
Lemma law_sum_left c f l h : ksum (fun i => c * f i) l h = c * ksum f l h. Proof. apply nsum_scale. Qed.
Lemma law_sum_right c f l h : ksum (fun i => f i * c) l h = ksum f l h * c.
Proof. rewrite (Rmult_comm _ c), <- law_sum_left. apply nsum_eq. intros; ring. Qed.
Lemma nsum_const c l n : nsum (fun _ => c) l n = INR n * c.
Proof. induction n as [| n IH]; [simpl; ring |]. rewrite S_INR. simpl. rewrite IH; ring. Qed.
Lemma law_sum_const c l h : whole l -> whole h -> l <= h + 1 -> ksum (fun _ => c) l h = (h + 1 + (-1) * l) * c.
Proof.
  intros [x ->] [y ->] H. rewrite <- plus_IZR in H. apply le_IZR in H. unfold ksum, count.
  rewrite <- minus_IZR, Int_part_IZR, nsum_const, INR_IZR_INZ, Z2Nat.id by lia. rewrite plus_IZR, minus_IZR. ring.
Qed.
Lemma law_sum_zero l h : ksum (fun _ => 0) l h = 0. Proof. apply nsum_zero. Qed.
Lemma law_sum_nonneg f l h : whole l -> whole h -> (forall i, whole i -> l <= i -> i <= h -> 0 <= f i) -> 0 <= ksum f l h.
Proof. intros L H P. rewrite <- (law_sum_zero l h). apply r_sum_termwise; assumption. Qed.
Lemma law_sum_pos f l h : whole l -> whole h -> (forall i, whole i -> l <= i -> i <= h -> 0 < f i) -> l <= h -> 0 < ksum f l h.
Proof. intros L H P Q. rewrite <- (law_sum_zero l h). apply r_sum_termwise_lt; assumption. Qed.
Lemma law_sum_written f l (z : Z) (n : nat) : Z.to_nat (z + 1) = n -> forall h, h = l + IZR z -> ksum f l h = nsum f l n.
Proof. intros E h ->. unfold ksum, count. replace (l + IZR z - l) with (IZR z) by ring. rewrite Int_part_IZR, E. reflexivity. Qed.

(* with numbers of any form, for normal forms *)
Lemma law_exp_up x c n : c = INR n -> exp (c * x) = exp x ^ n. Proof. intros ->. apply law_exp_multiple. Qed.
Lemma law_exp_down x c n : c = - INR n -> exp (c * x) = (/ exp x) ^ n.
Proof. intros ->. rewrite <- exp_Ropp, <- law_exp_multiple. f_equal. ring. Qed.
Lemma law_exp_log_up a n c : 0 < a -> c = INR n -> exp (c * klog a) = a ^ n.
Proof. intros A ->. rewrite law_exp_log by exact A. apply kpow_INR. Qed.
Lemma law_exp_log_down a n c : 0 < a -> c = - INR n -> exp (c * klog a) = (/ a) ^ n.
Proof.
  intros A ->. rewrite <- (law_exp_log_up (/ a) n (INR n)), law_log_inv by (auto using Rinv_0_lt_compat). f_equal. ring.
Qed.
Lemma law_pow_up a b n : b = INR n -> kpow a b = a ^ n. Proof. intros ->. apply kpow_INR. Qed.
Lemma cos_whole n : cos (INR n * PI) * cos (INR n * PI) = 1.
Proof.
  induction n as [| n IH]; [simpl; rewrite Rmult_0_l, cos_0; ring |].
  rewrite S_INR. replace ((INR n + 1) * PI) with (INR n * PI + PI) by ring. rewrite neg_cos. etransitivity; [| exact IH]. ring.
Qed.
Lemma law_pow_down a b n : b = - INR n -> kpow a b = (/ a) ^ n.
Proof.
  intros ->. destruct (Rtotal_order a 0) as [N | [-> | P]].
  - assert (E : kpow a (- INR n) * kpow a (INR n) = 1).
    { unfold kpow. destruct (Rlt_dec 0 a); [lra |]. destruct (Req_EM_T a 0); [lra |].
      replace (- INR n * PI) with (- (INR n * PI)) by ring. rewrite cos_neg.
      replace (- INR n * ln (- a)) with (- (INR n * ln (- a))) by ring. rewrite exp_Ropp.
      pose proof (exp_pos (INR n * ln (- a))). pose proof (cos_whole n) as C.
      transitivity (cos (INR n * PI) * cos (INR n * PI)); [field; lra | exact C]. }
    rewrite kpow_INR in E. assert (a ^ n <> 0) by (apply pow_nonzero; lra). rewrite pow_inv.
    apply (Rmult_eq_reg_r (a ^ n)); [| assumption]. rewrite E. field. assumption.
  - rewrite Rinv_0. destruct n as [| n]; [simpl; rewrite Ropp_0; apply kpow_0 |].
    rewrite kpow_zero, pow_ne_zero by (try lia; apply Ropp_neq_0_compat, not_0_INR; lia). reflexivity.
  - rewrite law_pow_exp by exact P. apply law_exp_log_down; auto.
Qed.
Lemma law_pow_whole a n b : 0 <= a -> (0 < n)%nat -> kpow (a ^ n) b = kpow a (INR n * b).
Proof. intros A N. rewrite <- (law_pow_up a (INR n) n eq_refl). apply law_pow_pow; [exact A | apply lt_0_INR; exact N]. Qed.
Lemma law_root a n : 0 < a -> (0 < n)%nat -> exists r, 0 < r /\ a = r ^ n.
Proof.
  intros A N. exists (kpow a (/ INR n)). split; [apply kpow_pos; exact A |].
  rewrite <- (law_pow_up _ (INR n) n eq_refl), law_pow_pow, Rinv_l.
  - change 1 with (INR 1). rewrite (law_pow_up a (INR 1) 1 eq_refl). symmetry; apply pow_1.
  - apply not_0_INR; lia.
  - lra.
  - apply Rinv_0_lt_compat, lt_0_INR; exact N.
Qed.
Lemma kpos_by c x : 0 < c -> 0 < c * x -> 0 < x.
Proof. intros C H. apply (Rmult_lt_reg_l c); [exact C |]. rewrite Rmult_0_r. exact H. Qed.
Lemma knonneg_by c x : 0 < c -> 0 <= c * x -> 0 <= x.
Proof. intros C H. apply (Rmult_le_reg_l c); [exact C |]. rewrite Rmult_0_r. exact H. Qed.
Lemma kne_by c x : 0 < c -> c * x <> 0 -> x <> 0.
Proof. intros C H ->. apply H, Rmult_0_r. Qed.
Lemma klarger x y a b p : exp a = x -> exp b = y -> b <= a -> p = x - y -> 0 <= p.
Proof. intros <- <- H ->. assert (exp b <= exp a) by (apply r_exp_monotone; exact H). lra. Qed.
Lemma klarger_lt x y a b p : exp a = x -> exp b = y -> b < a -> p = x - y -> 0 < p.
Proof. intros <- <- H ->. assert (exp b < exp a) by (apply r_exp_monotone_lt; exact H). lra. Qed.
Lemma law_sup_same f g a b : (forall x, a < x -> x < b -> f x = g x) -> ksup f a b = ksup g a b.
Proof.
  intro H. unfold ksup. f_equal. apply Lub_Rbar_eqset. intro y; split; intros (x & A & B & ->); exists x; rewrite H; auto.
Qed.
Lemma law_inf_same f g a b : (forall x, a < x -> x < b -> f x = g x) -> kinf f a b = kinf g a b.
Proof.
  intro H. unfold kinf. f_equal. apply Glb_Rbar_eqset. intro y; split; intros (x & A & B & ->); exists x; rewrite H; auto.
Qed.
Lemma law_sup_above_same f g a : (forall x, a < x -> f x = g x) -> ksup_above f a = ksup_above g a.
Proof. intro H. unfold ksup_above. f_equal. apply Lub_Rbar_eqset. intro y; split; intros (x & A & ->); exists x; rewrite H; auto. Qed.
Lemma law_inf_above_same f g a : (forall x, a < x -> f x = g x) -> kinf_above f a = kinf_above g a.
Proof. intro H. unfold kinf_above. f_equal. apply Glb_Rbar_eqset. intro y; split; intros (x & A & ->); exists x; rewrite H; auto. Qed.
Lemma law_sum_empty f l h : whole l -> whole h -> h < l -> ksum f l h = 0.
Proof.
  intros [x ->] [y ->] H. apply lt_IZR in H. unfold ksum, count. rewrite <- minus_IZR, Int_part_IZR.
  replace (Z.to_nat (y - x + 1)) with O by lia. reflexivity.
Qed.
Lemma law_sum_first f (l h : Z) : (l <= h)%Z -> ksum f (IZR l) (IZR h) = f (IZR l) + ksum f (IZR (l + 1)) (IZR h).
Proof.
  intro H. rewrite (r_sum_split f (IZR l) (IZR l) (IZR h)), r_sum_single, plus_IZR; try apply whole_IZR; [reflexivity | lra |].
  apply IZR_le; exact H.
Qed.

(* tactics *)
Ltac kunroll := repeat match goal with
  | |- context [ksum ?f (IZR ?l) (IZR ?h)] =>
      let b := eval compute in (Z.ltb l h) in
      match b with
      | true => let m := eval compute in (l + 1)%Z in rewrite (law_sum_first f l h) by (apply Z.leb_le; reflexivity); change (l + 1)%Z with m
      | false => let c := eval compute in (Z.eqb l h) in
          match c with
          | true => rewrite (r_sum_single f (IZR l))
          | false => rewrite (law_sum_empty f (IZR l) (IZR h)) by first [apply whole_IZR | lra]
          end
      end
  end.
Ltac kwhole := repeat first [ assumption | apply whole_INR | apply whole_binom | apply whole_fact
  | match goal with
    | |- whole (_ + _) => apply whole_plus | |- whole (_ * _) => apply whole_mult
    | |- whole (- _) => apply whole_opp | |- whole (_ ^ _) => apply whole_pow
    | |- whole (Rmax _ _) => apply whole_max | |- whole (Rmin _ _) => apply whole_min
    | |- whole (Rabs _) => apply whole_abs
    | |- whole (ksum _ _ _) => apply whole_sum; [| intros]
    | H : forall x, whole x -> whole (?f x) |- whole (?f _) => apply H
    | H : forall x, whole (?f x) |- whole (?f _) => apply H
    | |- whole (IZR _) => apply whole_IZR
    end ].

Ltac ksigns :=
  first [ assumption
  | match goal with
    | |- 0 < exp _ => apply exp_pos | |- 0 <= exp _ => left; apply exp_pos
    | |- exp _ <> 0 => apply Rgt_not_eq, exp_pos
    | |- 0 < PI => apply PI_RGT_0 | |- 0 <= PI => left; apply PI_RGT_0
    | |- 0 <= Rabs _ => apply Rabs_pos
    | |- 0 <= kbinom _ _ => apply sign_binom | |- 0 < kfact _ => apply sign_fact | |- 0 <= kfact _ => left; apply sign_fact
    end
  | lra
  | match goal with
    | |- 0 < ?a * ?b => apply Rmult_lt_0_compat; ksigns
    | |- 0 <= ?a * ?b => apply Rmult_le_pos; ksigns
    | |- ?a * ?b <> 0 => apply sign_mult_ne; ksigns
    | |- 0 < / ?a => apply Rinv_0_lt_compat; ksigns
    | |- 0 <= / ?a => apply sign_inv_nonneg; ksigns
    | |- / ?a <> 0 => apply Rinv_neq_0_compat; ksigns
    | |- 0 <= ?a ^ 2 => apply pow2_ge_0
    | |- 0 < ?a ^ _ => apply pow_lt; ksigns
    | |- 0 <= ?a ^ _ => apply pow_le; ksigns
    | |- ?a ^ _ <> 0 => apply pow_nonzero; ksigns
    | |- 0 < ?a ^ 2 => apply pow2_gt_0; ksigns
    | |- 0 < kpow ?a _ => apply kpow_pos; ksigns
    | |- 0 <= kpow ?a _ => apply kpow_nonneg; ksigns
    | |- 0 < Rmax _ _ => apply sign_max_pos; first [left; ksigns | right; ksigns]
    | |- 0 <= Rmax _ _ => apply sign_max_nonneg; first [left; ksigns | right; ksigns]
    | |- 0 < Rmin _ _ => apply sign_min_pos; ksigns
    | |- 0 <= Rmin _ _ => apply r_minimum_greatest; ksigns
    | |- 0 < Rabs _ => apply sign_abs_pos; ksigns
    | |- 0 < kite _ _ _ => apply sign_ite_pos; ksigns
    | |- 0 <= kite _ _ _ => apply sign_ite_nonneg; ksigns
    | |- 0 < ?a + ?b => first [ apply Rplus_lt_le_0_compat; ksigns | apply Rplus_le_lt_0_compat; ksigns ]
    | |- 0 <= ?a + ?b => apply Rplus_le_le_0_compat; ksigns
    | |- 0 <= ksum _ _ _ => apply law_sum_nonneg; [kwhole | kwhole | intros; cbv beta; ksigns]
    | |- 0 < ksum _ _ _ => apply law_sum_pos; [kwhole | kwhole | intros; cbv beta; ksigns | lra]
    | H : forall x, whole x -> _ -> _ -> 0 <= ?f x |- 0 <= ?f _ => apply H; [kwhole | lra | lra]
    | H : forall x, whole x -> _ -> _ -> 0 < ?f x |- _ <= _ => left; apply H; [kwhole | lra | lra]
    | H : forall x, whole x -> _ -> _ -> 0 < ?f x |- 0 < ?f _ => apply H; [kwhole | lra | lra]
    | H : forall x, whole x -> _ -> 0 <= ?f x |- 0 <= ?f _ => apply H; [kwhole | lra]
    | H : forall x, whole x -> _ -> 0 < ?f x |- 0 < ?f _ => apply H; [kwhole | lra]
    | H : forall x, whole x -> _ -> 0 < ?f x |- _ <= _ => left; apply H; [kwhole | lra]
    | H : forall x, _ |- 0 <= _ => first [apply H | left; apply H]; solve [kwhole | lra]
    | H : forall x, _ |- 0 < _ => apply H; solve [kwhole | lra]
    end
  | match goal with
    | |- ?a <> 0 => apply Rgt_not_eq; unfold Rgt; ksigns
    | |- 0 <= klog ?a => rewrite <- law_log_one; apply r_log_monotone; lra
    | |- 0 < klog ?a => rewrite <- law_log_one; apply r_log_monotone_lt; lra
    end
  ].
Ltac ksign := first [ solve [ksigns] | nra ].

(* e^t and log t in parts *)
Ltac kwritten := repeat match goal with
  | |- context [ksum ?f (IZR ?l) (IZR ?h)] =>
      let z := eval compute in (h - l)%Z in let n := eval compute in (Z.to_nat (h - l + 1)) in
      rewrite (law_sum_written f (IZR l) z n eq_refl (IZR h)) by lra; simpl nsum; rewrite ?Rplus_0_r, ?Rplus_0_l
  end.
Ltac ksums := repeat match goal with
  | |- context [ksum (fun _ => 0) ?l ?h] => rewrite (law_sum_zero l h)
  | |- context [ksum (fun i => @?f i + @?g i) ?l ?h] => rewrite (law_sum_plus f g l h); cbv beta
  | |- context [ksum (fun i => ?c * @?f i) ?l ?h] => rewrite (law_sum_left c f l h); cbv beta
  | |- context [ksum (fun i => @?f i * ?c) ?l ?h] => rewrite (law_sum_right c f l h); cbv beta
  | |- context [ksum (fun i => @?f i * (?c * @?g i)) ?l ?h] =>
      rewrite (r_sum_termwise_eq (fun i => f i * (c * g i)) (fun i => c * (f i * g i)) l h) by first [kwhole | intros; ring]; cbv beta
  | |- context [ksum (fun i => ?c) ?l ?h] => rewrite (law_sum_const c l h) by first [kwhole | lra]
  end.
Ltac kexps := repeat match goal with
  | |- context [exp ((?a + ?b) * ?c)] => replace ((a + b) * c) with (a * c + b * c) by ring
  | |- context [exp (?c * (?a + ?b))] => replace (c * (a + b)) with (c * a + c * b) by ring
  | |- context [exp (?a + ?b)] => rewrite (exp_plus a b)
  | |- context [exp (- ?a)] => rewrite (exp_Ropp a)
  | |- context [exp ((-1) * ?a)] => replace ((-1) * a) with (- a) by ring; rewrite (exp_Ropp a)
  | |- context [exp 0] => rewrite exp_0
  | |- context [exp (?c * klog ?a)] => rewrite (law_exp_log c a) by ksigns
  | |- context [exp (klog ?a)] => replace (klog a) with (1 * klog a) by ring; rewrite (law_exp_log 1 a), law_pow_first by ksigns
  | |- context [exp (1 * ?a)] => replace (1 * a) with a by ring
  | |- context [exp (2 * ?a)] => replace (2 * a) with (a + a) by ring
  | |- context [klog 1] => rewrite law_log_one
  | |- context [klog (exp ?a)] => rewrite (law_log_exp a)
  | |- context [klog (?a * ?b)] => rewrite (law_log_mult a b) by ksigns
  | |- context [klog (/ ?a)] => rewrite (law_log_inv a) by ksigns
  | |- context [klog (kpow ?a ?c)] => rewrite (law_log_pow a c) by ksigns
  | |- context [kpow 1 ?b] => rewrite (law_pow_one b)
  | |- context [kpow ?a 1] => rewrite (law_pow_first a)
  | |- context [kpow ?a 0] => rewrite (kpow_0 a)
  | |- context [kpow ?a (?b + ?c)] => rewrite (law_pow_plus a b c) by ksigns
  | |- context [kpow ?a ((-1) * ?b)] => rewrite (law_pow_opp a b) by ksigns
  | |- context [kpow ?a (-1)] => replace (-1) with ((-1) * 1) by ring; rewrite (law_pow_opp a 1), law_pow_first by ksigns
  | |- context [kpow (?a * ?b) ?c] => rewrite (law_pow_mult a b c) by ksigns
  end.
Ltac khalf := repeat match goal with
  | |- context [kpow ?a (-1 / 2)] =>
      replace (kpow a (-1 / 2)) with (/ kpow a (1 / 2)) by (rewrite <- law_pow_opp by ksigns; f_equal; field)
  end; repeat match goal with
  | |- context [kpow ?a (1 / 2)] =>
      let s := fresh "s" in let E := fresh "E" in let P := fresh "P" in
      first [ assert (P : 0 < kpow a (1 / 2)) by (apply kpow_pos; ksigns) | assert (P : 0 <= kpow a (1 / 2)) by (apply kpow_nonneg; ksigns) ];
      assert (E : kpow a (1 / 2) * kpow a (1 / 2) = a) by (apply law_pow_half; ksigns);
      set (s := kpow a (1 / 2)) in *; clearbody s
  end.
Ltac kinv := rewrite ?Rinv_mult, ?Rinv_inv, ?Rinv_1, ?Rinv_0.
Ltac kfield := field; repeat split; ksigns.
(* what may be 0 and is inverted is a number of its own *)
Ltac kopaque := repeat match goal with
  | |- context [/ ?x] => assert_fails (assert (x <> 0) by ksigns); let i := fresh "i" in set (i := / x) in *; clearbody i
  end.
(* inverses of equal terms are one, and inverses of what has an inverse in it are numbers of their own *)
Ltac kalike := repeat match goal with
  | |- context [/ ?a] => match goal with |- context [/ ?b] => assert_fails (constr_eq a b); replace (/ b) with (/ a) by (f_equal; ring) end
  end.
Ltac knested := repeat match goal with
  | |- context [/ ?x] => match x with context [/ _] => let i := fresh "i" in set (i := / x) in *; clearbody i end
  end.
Ltac kclose := first [ reflexivity | ring | solve [kfield] | lra | solve [kinv; first [ring | kfield]] | solve [cbn [pow]; kinv; ring] | solve [kinv; kopaque; kfield] | solve [kalike; knested; first [ring | kfield]] ].
Ltac kuse := repeat match goal with
  | H : ?a = _ |- context [?a] => rewrite H
  end.
(* arguments of the same function that are equal *)
Ltac kalign := repeat match goal with
  | |- context [exp ?a] => match goal with |- context [exp ?b] =>
      assert_fails (constr_eq a b); replace (exp b) with (exp a) by (f_equal; first [ring | kfield]) end
  | |- context [klog ?a] => match goal with |- context [klog ?b] =>
      assert_fails (constr_eq a b); replace (klog b) with (klog a) by (f_equal; first [ring | kfield]) end
  | |- context [kpow ?a ?c] => match goal with |- context [kpow ?b ?d] =>
      assert_fails (constr_eq (pair a c) (pair b d)); replace (kpow b d) with (kpow a c) by (f_equal; first [ring | kfield]) end
  | |- context [Rmax ?a ?c] => match goal with |- context [Rmax ?b ?d] =>
      assert_fails (constr_eq (pair a c) (pair b d)); replace (Rmax b d) with (Rmax a c) by (f_equal; first [ring | kfield]) end
  | |- context [ksum ?f ?l ?h] => match goal with |- context [ksum ?g ?m ?n] =>
      assert_fails (constr_eq (pair f (pair l h)) (pair g (pair m n)));
      replace (ksum g m n) with (ksum f l h) by
        (replace m with l by ring; replace n with h by ring;
         apply r_sum_termwise_eq; [kwhole | kwhole | intros; cbv beta; first [ring | kfield | solve [kexps; first [ring | kfield]]]]) end
  end.
Ltac kcases := unfold Rmax, Rmin, Rabs in *; repeat first [destruct Rle_dec | destruct Rcase_abs]; first [lra | nra].
Ltac kring := cbv beta; first
  [ ring | solve [kfield] | lra
  | solve [kuse; kclose]
  | solve [kexps; kclose]
  | solve [ksums; kclose]
  | solve [kwritten; kclose]
  | solve [kalign; kclose]
  | solve [kexps; kalign; kclose]
  | solve [ksums; kexps; kalign; kclose]
  | solve [kuse; ksums; kexps; kalign; kclose]
  | solve [kwritten; ksums; kexps; kalign; kclose]
  | solve [khalf; first [nra | field_simplify_eq; [nra | repeat split; ksigns]]]
  | solve [kcases] ].
Ltac krest := cbv beta; first [ lra | ksigns
  | solve [ match goal with |- _ ?z ?t => let u := fresh "u" in set (u := t); field_simplify in u; subst u end; ksigns ]
  | nra ].
