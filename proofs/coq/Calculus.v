(* Rules of `rules_calculus` that do not speak of integrals. `is_derive f x l` is Coquelicot's. *)
Require Export Sums.

(* the table of `derivative` *)
Lemma d_eq (f : R -> R) (x l m : R) : is_derive f x l -> l = m -> is_derive f x m. Proof. intros H <-; exact H. Qed.
Lemma d_const c x : is_derive (fun _ => c) x 0. Proof. apply is_derive_Reals, derivable_pt_lim_const. Qed.
Lemma d_id x : is_derive (fun y => y) x 1. Proof. apply is_derive_Reals, derivable_pt_lim_id. Qed.
Lemma d_plus f g x (a b : R) : is_derive f x a -> is_derive g x b -> is_derive (fun y => f y + g y) x (a + b).
Proof. rewrite !is_derive_Reals. apply derivable_pt_lim_plus. Qed.
Lemma d_mult f g x (a b : R) : is_derive f x a -> is_derive g x b -> is_derive (fun y => f y * g y) x (a * g x + f x * b).
Proof. rewrite !is_derive_Reals. apply derivable_pt_lim_mult. Qed.
Lemma d_comp f g x (a b : R) : is_derive f x a -> is_derive g (f x) b -> is_derive (fun y => g (f y)) x (b * a).
Proof. rewrite !is_derive_Reals. intros H K. apply (derivable_pt_lim_comp f g x a b H K). Qed.
Lemma d_pow f x (a : R) n : is_derive f x a -> is_derive (fun y => f y ^ S n) x (INR (S n) * f x ^ n * a).
Proof.
  intro H. apply (d_comp f (fun z => z ^ S n)); [exact H |]. apply is_derive_Reals. exact (derivable_pt_lim_pow (f x) (S n)).
Qed.
Lemma d_inv f x (a : R) n : is_derive f x a -> f x <> 0 ->
  is_derive (fun y => / f y ^ n) x ((- INR n) * / f x ^ S n * a).
Proof.
  intros H N. destruct n as [| n].
  - eapply d_eq; [apply (d_const (/ 1)) | simpl; ring].
  - eapply d_eq; [apply (is_derive_inv (fun y => f y ^ S n) x _ (d_pow f x a n H) (pow_nonzero _ _ N)) |].
    assert (f x ^ n <> 0) by (apply pow_nonzero; exact N).
    generalize (INR (S n)). intro r. simpl pow. field. split; assumption.
Qed.
Lemma d_inv_one f x (a : R) : is_derive f x a -> f x <> 0 -> is_derive (fun y => / f y) x ((-1) * / f x ^ 2 * a).
Proof.
  intros H N. eapply d_eq; [apply (is_derive_inv f x a H N) |]. field. exact N.
Qed.
Lemma d_exp f x (a : R) : is_derive f x a -> is_derive (fun y => exp (f y)) x (exp (f x) * a).
Proof. intro H. apply (d_comp f exp _ _ _ H). apply is_derive_Reals, derivable_pt_lim_exp. Qed.
Lemma near_pos f x (a : R) : is_derive f x a -> 0 < f x -> locally x (fun y => 0 < f y).
Proof.
  intros H P. assert (K : continuous f x) by (apply ex_derive_continuous; exists a; exact H).
  apply (K (fun z => 0 < z)). exists (mkposreal _ P). intros z Z. apply Rabs_def2 in Z. simpl in Z. unfold minus, plus, opp in Z. simpl in Z. lra.
Qed.
Lemma d_log f x (a : R) : is_derive f x a -> 0 < f x -> is_derive (fun y => klog (f y)) x (a * / f x).
Proof.
  intros H P. eapply is_derive_ext_loc.
  { apply (filter_imp (fun y => 0 < f y)); [| exact (near_pos f x a H P)].
    intros y Y. symmetry. apply klog_ln; exact Y. }
  eapply d_eq; [apply (d_comp f ln _ _ (/ f x) H); apply is_derive_Reals, derivable_pt_lim_ln; exact P | ring].
Qed.
Lemma d_power f g x (a b : R) : is_derive f x a -> is_derive g x b -> 0 < f x ->
  is_derive (fun y => kpow (f y) (g y)) x (kpow (f x) (g x) * (b * klog (f x) + g x * (a * / f x))).
Proof.
  intros H K P. eapply is_derive_ext_loc.
  { apply (filter_imp (fun y => 0 < f y)); [| exact (near_pos f x a H P)].
    intros y Y. symmetry. rewrite kpow_exp by exact Y. rewrite <- (klog_ln (f y) Y). reflexivity. }
  eapply d_eq; [apply d_exp, d_mult; [exact K | apply d_log; [exact H | exact P]] |].
  rewrite kpow_exp, klog_ln by exact P. reflexivity.
Qed.
Lemma kpow_less a r : 0 < a -> kpow a (r + (-1) * 1) = kpow a r * / a.
Proof.
  intro P. rewrite !kpow_exp by exact P. replace ((r + (-1) * 1) * ln a) with (r * ln a + - ln a) by ring.
  rewrite exp_plus, exp_Ropp, exp_ln by exact P. reflexivity.
Qed.
Lemma d_power_const f x (a r : R) : is_derive f x a -> 0 < f x ->
  is_derive (fun y => kpow (f y) r) x (r * kpow (f x) (r + (-1) * 1) * a).
Proof.
  intros H P. eapply d_eq; [apply d_power; [exact H | apply d_const | exact P] |]. cbv beta. rewrite kpow_less by exact P. ring.
Qed.
Lemma d_base_negative x r : x < 0 -> is_derive (fun y => kpow y r) x (r * kpow x (r + (-1) * 1)).
Proof.
  intro N.
  assert (F : forall z s, z < 0 -> kpow z s = kpow ((-1) * z) s * cos (s * PI)).
  { intros z s Z. rewrite (kpow_exp ((-1) * z)) by lra. unfold kpow. destruct (Rlt_dec 0 z); [lra |].
    destruct (Req_EM_T z 0); [lra |]. replace ((-1) * z) with (- z) by ring. reflexivity. }
  assert (D : is_derive (fun y => (-1) * y) x ((-1) * 1)).
  { eapply d_eq; [apply d_mult; [apply d_const | apply d_id] |]. cbv beta; ring. }
  eapply is_derive_ext_loc.
  { apply (filter_imp (fun y => 0 < (-1) * y)); [| apply (near_pos _ x _ D); lra].
    intros y Y. symmetry. apply F. lra. }
  eapply d_eq; [apply d_mult; [apply d_power_const; [exact D | lra] | apply d_const] |].
  cbv beta. rewrite (F x) by exact N. replace ((r + (-1) * 1) * PI) with (r * PI - PI) by ring.
  rewrite cos_minus, cos_PI, sin_PI. ring.
Qed.
Lemma kpow_abs h r : Rabs (kpow h r) <= kpow (Rabs h) r.
Proof.
  destruct (Rtotal_order h 0) as [N | [-> | P]].
  - rewrite (kpow_exp (Rabs h)) by (apply Rabs_pos_lt; lra). rewrite (Rabs_left h) by exact N.
    unfold kpow. destruct (Rlt_dec 0 h); [lra |]. destruct (Req_EM_T h 0); [lra |].
    rewrite Rabs_mult, (Rabs_right (exp _)) by (left; apply exp_pos).
    apply Rle_trans with (exp (r * ln (- h)) * 1); [| lra].
    apply Rmult_le_compat_l; [left; apply exp_pos |]. apply Rabs_le, COS_bound.
  - rewrite Rabs_R0. rewrite Rabs_right; [right; reflexivity | apply Rle_ge, kpow_nonneg; lra].
  - rewrite (Rabs_right h) by lra. rewrite Rabs_right; [right; reflexivity |]. left. apply kpow_pos; exact P.
Qed.
Lemma d_base_zero r : 1 <= r -> is_derive (fun y => kpow y r) 0 (r * kpow 0 (r + (-1) * 1)).
Proof.
  intros [L | <-].
  - rewrite kpow_zero by lra. rewrite Rmult_0_r. apply is_derive_Reals. intros e E.
    set (d := kpow e (/ (r + (-1) * 1))). assert (D : 0 < d) by (apply kpow_pos; exact E).
    exists (mkposreal d D). intros h N B. simpl in B. rewrite Rplus_0_l, (kpow_zero r) by lra.
    assert (A : 0 < Rabs h) by (apply Rabs_pos_lt; exact N).
    replace ((kpow h r - 0) / h - 0) with (kpow h r * / h) by (field; exact N).
    rewrite Rabs_mult, Rabs_inv. apply Rle_lt_trans with (kpow (Rabs h) r * / Rabs h).
    { apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; exact A | apply kpow_abs]. }
    rewrite <- kpow_less by exact A. replace e with (kpow d (r + (-1) * 1)).
    { apply r_power_monotone_lt; lra. }
    unfold d. rewrite (kpow_exp (kpow _ _)) by exact D. rewrite kpow_exp, ln_exp by exact E.
    rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. apply exp_ln; exact E.
  - replace (1 + (-1) * 1) with 0 by ring. rewrite kpow_0, Rmult_1_l.
    apply (is_derive_ext (fun y => y)); [| apply d_id].
    intro y. change 1 with (INR 1). rewrite kpow_INR. symmetry. apply pow_1.
Qed.
Lemma d_power_from_one f x (a r : R) : is_derive f x a -> 1 <= r ->
  is_derive (fun y => kpow (f y) r) x (r * kpow (f x) (r + (-1) * 1) * a).
Proof.
  intros H L. destruct (Rtotal_order (f x) 0) as [N | [E | P]].
  - apply (d_comp f (fun z => kpow z r) _ _ _ H). apply d_base_negative; exact N.
  - apply (d_comp f (fun z => kpow z r) _ _ _ H). rewrite E. apply d_base_zero; exact L.
  - apply d_power_const; assumption.
Qed.
Lemma d_sum (f : R -> R -> R) (d : R -> R) x l h : (forall i, is_derive (fun y => f y i) x (d i)) ->
  is_derive (fun y => ksum (fun i => f y i) l h) x (ksum d l h).
Proof.
  intro H. unfold ksum. induction (count l h) as [| n IH]; simpl; [apply d_const |].
  apply (d_plus (fun y => nsum (fun i => f y i) l n) (fun y => f y (l + INR n))); [exact IH | apply H].
Qed.
Lemma d_sum_whole (f : R -> R -> R) (d : R -> R) x l h : whole l -> (forall i, whole i -> is_derive (fun y => f y i) x (d i)) ->
  is_derive (fun y => ksum (fun i => f y i) l h) x (ksum d l h).
Proof.
  intros L H. unfold ksum. induction (count l h) as [| n IH]; simpl; [apply d_const |].
  apply (d_plus (fun y => nsum (fun i => f y i) l n) (fun y => f y (l + INR n))); [exact IH |].
  apply H, whole_plus; [exact L | apply whole_INR].
Qed.

(* the mean value theorem *)
Lemma mean_value (f d : R -> R) (a b : R) : a < b -> (forall x, a <= x -> x <= b -> is_derive f x (d x)) ->
  exists c, a < c /\ c < b /\ f b - f a = d c * (b - a).
Proof.
  intros L H. destruct (MVT_cor2 f d a b L) as (c & E & C).
  { intros x [X Y]. apply is_derive_Reals, H; lra. }
  exists c. repeat split; [lra | lra | exact E].
Qed.
Lemma r_monotone (f d : R -> R) (a b : R) : (forall x, a <= x -> x <= b -> is_derive f x (d x)) ->
  (forall x, a <= x -> x <= b -> a < x -> x < b -> 0 <= d x) -> a <= b -> f a <= f b.
Proof.
  intros H P [L | ->]; [| lra]. destruct (mean_value f d a b L H) as (c & A & B & E).
  assert (0 <= d c) by (apply P; lra). nra.
Qed.
Lemma r_monotone_lt (f d : R -> R) (a b : R) : (forall x, a <= x -> x <= b -> is_derive f x (d x)) ->
  (forall x, a <= x -> x <= b -> a < x -> x < b -> 0 < d x) -> a < b -> f a < f b.
Proof.
  intros H P L. destruct (mean_value f d a b L H) as (c & A & B & E).
  assert (0 < d c) by (apply P; lra). nra.
Qed.
Lemma r_monotone_falls (f d : R -> R) (a b : R) : (forall x, a <= x -> x <= b -> is_derive f x (d x)) ->
  (forall x, a <= x -> x <= b -> a < x -> x < b -> d x <= 0) -> a <= b -> f b <= f a.
Proof.
  intros H P [L | ->]; [| lra]. destruct (mean_value f d a b L H) as (c & A & B & E).
  assert (d c <= 0) by (apply P; lra). nra.
Qed.
Lemma r_monotone_falls_lt (f d : R -> R) (a b : R) : (forall x, a <= x -> x <= b -> is_derive f x (d x)) ->
  (forall x, a <= x -> x <= b -> a < x -> x < b -> d x < 0) -> a < b -> f b < f a.
Proof.
  intros H P L. destruct (mean_value f d a b L H) as (c & A & B & E).
  assert (d c < 0) by (apply P; lra). nra.
Qed.
Lemma r_valley (f d : R -> R) (a b : R) u v : (forall x, a <= x -> x <= b -> is_derive f x (d x)) ->
  (forall x, a <= x -> x <= b -> a < x -> x < b -> 0 <= d x * (x + (-1) * u)) ->
  a <= u -> u <= b -> a <= v -> v <= b -> f u <= f v.
Proof.
  intros H P A B C D. destruct (Rtotal_order u v) as [L | [-> | L]]; [| lra |].
  - destruct (mean_value f d u v L) as (c & X & Y & E). { intros; apply H; lra. }
    assert (0 <= d c * (c + (-1) * u)) by (apply P; lra). nra.
  - destruct (mean_value f d v u L) as (c & X & Y & E). { intros; apply H; lra. }
    assert (0 <= d c * (c + (-1) * u)) by (apply P; lra). nra.
Qed.
Lemma above_slope (f : R -> R) (u : R) v l s : is_derive f u l -> s < l -> u < v -> exists w, u < w /\ w < v /\ f u + s * (w - u) < f w.
Proof.
  intros H L V. apply is_derive_Reals in H. destruct (H (l - s)) as [[d D] K]; [lra |].
  set (h := Rmin (d / 2) ((v - u) / 2)).
  assert (P : 0 < h) by (unfold h, Rmin; destruct Rle_dec; lra).
  assert (Q1 : h <= d / 2) by apply Rmin_l. assert (Q2 : h <= (v - u) / 2) by apply Rmin_r.
  exists (u + h). repeat split; try lra.
  assert (M : Rabs ((f (u + h) - f u) / h - l) < l - s). { apply K; [lra | simpl; rewrite Rabs_right; lra]. }
  apply Rabs_def2 in M. destruct M as [_ M].
  assert (Q : s < (f (u + h) - f u) / h) by lra. apply (Rmult_lt_compat_r h) in Q; [| exact P].
  replace ((f (u + h) - f u) / h * h) with (f (u + h) - f u) in Q by (field; lra). lra.
Qed.
Lemma tangent_right (f d : R -> R) u v : (forall x, u <= x -> x <= v -> is_derive f x (d x)) ->
  (forall x y, u < x -> x < y -> y < v -> d x <= d y) -> u < v -> f u + d u * (v - u) <= f v.
Proof.
  intros H M L. apply Rnot_lt_le. intro N. set (s := (f v - f u) / (v - u)).
  assert (S : s * (v - u) = f v - f u) by (unfold s; field; lra).
  destruct (above_slope f u v (d u) s) as (w & W1 & W2 & W); [apply H; lra | nra | exact L |].
  destruct (mean_value f d u w W1) as (c & C1 & C2 & C). { intros; apply H; lra. }
  destruct (mean_value f d w v W2) as (e & E1 & E2 & E). { intros; apply H; lra. }
  assert (d c <= d e) by (apply M; lra).
  assert (s < d c). { apply (Rmult_lt_reg_r (w - u)); lra. }
  assert (d e < s). { apply (Rmult_lt_reg_r (v - w)); lra. }
  lra.
Qed.
Lemma r_tangent (f d e : R -> R) a b u v : (forall x, a <= x -> x <= b -> is_derive f x (d x)) ->
  (forall x, a <= x -> x <= b -> a < x -> x < b -> is_derive d x (e x)) ->
  (forall x, a <= x -> x <= b -> a < x -> x < b -> 0 <= e x) ->
  a <= u -> u <= b -> a <= v -> v <= b -> f u + d u * (v + (-1) * u) <= f v.
Proof.
  intros H K P A B C D. replace (v + (-1) * u) with (v - u) by ring.
  assert (M : forall x y, a < x -> x < y -> y < b -> d x <= d y).
  { intros x y X XY Y. destruct (mean_value d e x y XY) as (c & C1 & C2 & E). { intros; apply K; lra. }
    assert (0 <= e c) by (apply P; lra). nra. }
  destruct (Rtotal_order u v) as [L | [-> | L]].
  - apply tangent_right; [intros; apply H; lra | intros; apply M; lra | exact L].
  - right; ring.
  - pose proof (tangent_right (fun x => f ((-1) * x)) (fun x => (-1) * d ((-1) * x)) ((-1) * u) ((-1) * v)) as T. cbv beta in T.
    replace ((-1) * ((-1) * u)) with u in T by ring. replace ((-1) * ((-1) * v)) with v in T by ring.
    enough (f u + (-1) * d u * ((-1) * v - (-1) * u) <= f v) by lra.
    apply T; [| | lra].
    + intros x X Y. apply (d_eq _ _ (d ((-1) * x) * ((-1) * 1))); [| ring].
      apply (d_comp (fun x => (-1) * x) f); [| apply H; lra].
      eapply d_eq; [apply d_mult; [apply d_const | apply d_id] |]. cbv beta; ring.
    + intros x y X XY Y. assert (d ((-1) * y) <= d ((-1) * x)) by (apply M; lra). lra.
Qed.

(* least upper and greatest lower bounds *)
Lemma bounded_lub (E : R -> Prop) c z : E z -> (forall y, E y -> y <= c) ->
  (forall y, E y -> y <= real (Lub_Rbar E)) /\ real (Lub_Rbar E) <= c.
Proof.
  intros Z B. pose proof (Lub_Rbar_correct E) as [U L].
  assert (K : Rbar_le (Lub_Rbar E) c) by (apply L; intros y Y; apply B; exact Y).
  pose proof (U z Z) as M. destruct (Lub_Rbar E) as [s | |]; simpl in *; try contradiction.
  split; [intros y Y; apply (U y Y) | exact K].
Qed.
Lemma bounded_glb (E : R -> Prop) c z : E z -> (forall y, E y -> c <= y) ->
  (forall y, E y -> real (Glb_Rbar E) <= y) /\ c <= real (Glb_Rbar E).
Proof.
  intros Z B. pose proof (Glb_Rbar_correct E) as [U L].
  assert (K : Rbar_le c (Glb_Rbar E)) by (apply L; intros y Y; apply B; exact Y).
  pose proof (U z Z) as M. destruct (Glb_Rbar E) as [s | |]; simpl in *; try contradiction.
  split; [intros y Y; apply (U y Y) | exact K].
Qed.
Ltac extremum bounded c z H :=
  match goal with
  | |- context [Lub_Rbar ?E] => destruct (bounded E c z) as [U V]; [eauto | intros y Y; decompose [ex and] Y; subst; apply H; assumption |]
  | |- context [Glb_Rbar ?E] => destruct (bounded E c z) as [U V]; [eauto | intros y Y; decompose [ex and] Y; subst; apply H; assumption |]
  end.
Lemma r_sup_bound (f : R -> R) (a : R) b c : (forall x, a < x -> x < b -> f x <= c) -> a < b -> ksup f a b <= c.
Proof.
  intros H L. unfold ksup. assert (a < (a + b) / 2) by lra. assert ((a + b) / 2 < b) by lra.
  extremum bounded_lub c (f ((a + b) / 2)) H. exact V.
Qed.
Lemma r_inf_bound (f : R -> R) (a : R) b c : (forall x, a < x -> x < b -> c <= f x) -> a < b -> c <= kinf f a b.
Proof.
  intros H L. unfold kinf. assert (a < (a + b) / 2) by lra. assert ((a + b) / 2 < b) by lra.
  extremum bounded_glb c (f ((a + b) / 2)) H. exact V.
Qed.
Lemma r_sup_above_bound (f : R -> R) (a : R) c : (forall x, a < x -> f x <= c) -> ksup_above f a <= c.
Proof. intros H. unfold ksup_above. assert (a < a + 1) by lra. extremum bounded_lub c (f (a + 1)) H. exact V. Qed.
Lemma r_inf_above_bound (f : R -> R) (a : R) c : (forall x, a < x -> c <= f x) -> c <= kinf_above f a.
Proof. intros H. unfold kinf_above. assert (a < a + 1) by lra. extremum bounded_glb c (f (a + 1)) H. exact V. Qed.
Lemma r_sup_reached (f : R -> R) (a : R) b c u : (forall x, a < x -> x < b -> f x <= c) -> a < u -> u < b -> f u <= ksup f a b.
Proof. intros H A B. unfold ksup. extremum bounded_lub c (f u) H. apply U; eauto. Qed.
Lemma r_inf_reached (f : R -> R) (a : R) b c u : (forall x, a < x -> x < b -> c <= f x) -> a < u -> u < b -> kinf f a b <= f u.
Proof. intros H A B. unfold kinf. extremum bounded_glb c (f u) H. apply U; eauto. Qed.
Lemma r_sup_above_reached (f : R -> R) (a : R) c u : (forall x, a < x -> f x <= c) -> a < u -> f u <= ksup_above f a.
Proof. intros H A. unfold ksup_above. extremum bounded_lub c (f u) H. apply U; eauto. Qed.
Lemma r_inf_above_reached (f : R -> R) (a : R) c u : (forall x, a < x -> c <= f x) -> a < u -> kinf_above f a <= f u.
Proof. intros H A. unfold kinf_above. extremum bounded_glb c (f u) H. apply U; eauto. Qed.

Lemma limit_right (f : R -> R) (u l v s : R) : is_derive f u l -> u < v -> (forall w, u < w -> w < v -> f w <= s) -> f u <= s.
Proof.
  intros H V B. apply Rnot_lt_le. intro N.
  destruct (above_slope f u (Rmin v (u + (f u - s) / (Rabs l + 1))) l (l - 1)) as (w & W1 & W2 & W).
  - exact H.
  - lra.
  - pose proof (Rabs_pos l). apply Rmin_glb_lt; [exact V |]. assert (0 < (f u - s) / (Rabs l + 1)) by (apply Rdiv_lt_0_compat; lra). lra.
  - pose proof (Rmin_l v (u + (f u - s) / (Rabs l + 1))). pose proof (Rmin_r v (u + (f u - s) / (Rabs l + 1))) as Q.
    assert (f w <= s) by (apply B; lra). pose proof (Rabs_pos l) as P.
    assert (K : w - u < (f u - s) / (Rabs l + 1)) by lra.
    apply (Rmult_lt_compat_r (Rabs l + 1)) in K; [| lra].
    replace ((f u - s) / (Rabs l + 1) * (Rabs l + 1)) with (f u - s) in K by (field; lra).
    pose proof (Rle_abs (- l)) as A. rewrite Rabs_Ropp in A. nra.
Qed.
Lemma limit_left (f : R -> R) (u l v s : R) : is_derive f u l -> v < u -> (forall w, v < w -> w < u -> f w <= s) -> f u <= s.
Proof.
  intros H V B. replace (f u) with (f ((-1) * ((-1) * u))) by (f_equal; ring).
  apply (limit_right (fun x => f ((-1) * x)) ((-1) * u) (l * ((-1) * 1)) ((-1) * v)).
  - apply (d_comp (fun x => (-1) * x) f); [| cbv beta; replace ((-1) * ((-1) * u)) with u by ring; exact H].
    eapply d_eq; [apply d_mult; [apply d_const | apply d_id] |]. cbv beta; ring.
  - lra.
  - intros w W1 W2. apply B; lra.
Qed.
Lemma r_sup_at_end (f : R -> R) (a b c u l : R) : (forall x, a < x -> x < b -> f x <= c) -> is_derive f u l ->
  a <= u -> u <= b -> a < b -> f u <= ksup f a b.
Proof.
  intros H D A B L. destruct (Rlt_le_dec u b) as [M | M].
  - apply (limit_right f u l b _ D M). intros. apply (r_sup_reached f a b c); [exact H | lra | lra].
  - apply (limit_left f u l a _ D); [lra |]. intros. apply (r_sup_reached f a b c); [exact H | lra | lra].
Qed.
Lemma d_opp (f : R -> R) (u l : R) : is_derive f u l -> is_derive (fun x => (-1) * f x) u ((-1) * l).
Proof. intro H. eapply d_eq; [apply d_mult; [apply d_const | exact H] |]. cbv beta; ring. Qed.
Lemma r_inf_at_end (f : R -> R) (a b c u l : R) : (forall x, a < x -> x < b -> c <= f x) -> is_derive f u l ->
  a <= u -> u <= b -> a < b -> kinf f a b <= f u.
Proof.
  intros H D A B L. apply d_opp in D. enough ((-1) * f u <= (-1) * kinf f a b) by lra.
  assert (Q : forall w, a < w -> w < b -> (-1) * f w <= (-1) * kinf f a b).
  { intros w X Y. pose proof (r_inf_reached f a b c w H X Y). lra. }
  destruct (Rlt_le_dec u b) as [M | M].
  - apply (limit_right _ u _ b _ D M). intros. apply Q; lra.
  - apply (limit_left _ u _ a _ D); [lra |]. intros. apply Q; lra.
Qed.
Lemma r_sup_above_at_end (f : R -> R) (a c u l : R) : (forall x, a < x -> f x <= c) -> is_derive f u l -> a <= u -> f u <= ksup_above f a.
Proof.
  intros H D A. apply (limit_right f u l (u + 1) _ D); [lra |].
  intros. apply (r_sup_above_reached f a c); [exact H | lra].
Qed.
Lemma r_inf_above_at_end (f : R -> R) (a c u l : R) : (forall x, a < x -> c <= f x) -> is_derive f u l -> a <= u -> kinf_above f a <= f u.
Proof.
  intros H D A. apply d_opp in D. enough ((-1) * f u <= (-1) * kinf_above f a) by lra.
  apply (limit_right _ u _ (u + 1) _ D); [lra |].
  intros w X Y. pose proof (r_inf_above_reached f a c w H). lra.
Qed.

Lemma lub_multiple (E F : R -> Prop) c : 0 < c -> (forall y, E y <-> F (c * y)) ->
  real (Lub_Rbar F) = c * real (Lub_Rbar E).
Proof.
  intros P H. pose proof (Lub_Rbar_correct E) as [U L].
  destruct (Lub_Rbar E) as [s | |] eqn:Q.
  - rewrite (is_lub_Rbar_unique F (Finite (c * s))); [reflexivity |]. split.
    + intros y Y. replace y with (c * (y / c)) in Y by (field; lra). apply H, U in Y. simpl in *.
      apply (Rmult_le_compat_l c) in Y; [| lra]. replace (c * (y / c)) with y in Y by (field; lra). exact Y.
    + intros M B. destruct M as [m | |]; simpl; [| exact I |].
      * assert (K : Rbar_le s (m / c)).
        { apply L. intros y Y. apply H, B in Y. simpl in *. apply (Rmult_le_reg_l c); [exact P |].
          replace (c * (m / c)) with m by (field; lra). exact Y. }
        simpl in K. apply (Rmult_le_compat_l c) in K; [| lra]. replace (c * (m / c)) with m in K by (field; lra). exact K.
      * apply (L m_infty). intros y Y. apply H, B in Y. exact Y.
  - simpl. rewrite (is_lub_Rbar_unique F p_infty); [simpl; ring |]. split; [intros y _; exact I |].
    intros M B. destruct M as [m | |]; simpl; [| exact I |].
    + apply (L (Finite (m / c))). intros y Y. apply H, B in Y. simpl in *. apply (Rmult_le_reg_l c); [exact P |].
      replace (c * (m / c)) with m by (field; lra). exact Y.
    + apply (L m_infty). intros y Y. apply H, B in Y. exact Y.
  - simpl. rewrite (is_lub_Rbar_unique F m_infty); [simpl; ring |]. split; [| intros; exact I].
    intros y Y. replace y with (c * (y / c)) in Y by (field; lra). apply H, U in Y. contradiction.
Qed.
Lemma glb_lub E : real (Glb_Rbar E) = - real (Lub_Rbar (fun y => E (- y))).
Proof.
  rewrite (is_glb_Rbar_unique E (Rbar_opp (Lub_Rbar (fun y => E (- y))))).
  - destruct (Lub_Rbar _); simpl; ring.
  - apply (is_glb_Rbar_eqset (fun x => E (- - x))); [intro x; rewrite Ropp_involutive; tauto |].
    apply (proj1 (is_glb_Rbar_opp (fun y => E (- y)) _)), Lub_Rbar_correct.
Qed.
Lemma r_sup_multiple (f : R -> R) (a : R) b c : 0 < c -> ksup (fun x => c * f x) a b = c * ksup f a b.
Proof.
  intro P. apply lub_multiple; [exact P |]. intro y. split; intros (x & A & B & E); exists x; repeat split; try assumption.
  - rewrite E; reflexivity.
  - apply (Rmult_eq_reg_l c); [exact E | lra].
Qed.
Lemma r_sup_above_multiple (f : R -> R) (a : R) c : 0 < c -> ksup_above (fun x => c * f x) a = c * ksup_above f a.
Proof.
  intro P. apply lub_multiple; [exact P |]. intro y. split; intros (x & A & E); exists x; repeat split; try assumption.
  - rewrite E; reflexivity.
  - apply (Rmult_eq_reg_l c); [exact E | lra].
Qed.
Lemma r_inf_multiple (f : R -> R) (a : R) b c : 0 < c -> kinf (fun x => c * f x) a b = c * kinf f a b.
Proof.
  intro P. unfold kinf. rewrite !glb_lub, (lub_multiple (fun y => exists x, a < x /\ x < b /\ - y = f x) _ c P); [ring |].
  intro y. split; intros (x & A & B & E); exists x; repeat split; try assumption.
  - rewrite <- E; ring.
  - apply (Rmult_eq_reg_l c); [rewrite <- E; ring | lra].
Qed.
Lemma r_inf_above_multiple (f : R -> R) (a : R) c : 0 < c -> kinf_above (fun x => c * f x) a = c * kinf_above f a.
Proof.
  intro P. unfold kinf_above. rewrite !glb_lub, (lub_multiple (fun y => exists x, a < x /\ - y = f x) _ c P); [ring |].
  intro y. split; intros (x & A & E); exists x; repeat split; try assumption.
  - rewrite <- E; ring.
  - apply (Rmult_eq_reg_l c); [rewrite <- E; ring | lra].
Qed.
