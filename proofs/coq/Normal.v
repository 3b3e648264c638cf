(* The normal distribution function, as an integral of Riemann from 0, where it is 1 / 2 by definition: that it tends to 0 and 1, so that it
   is between them, is the integral of the density over the line, which is not proved here. *)
Require Export Calculus.

Definition density (x : R) : R := exp (- (x ^ 2 / 2)) / sqrt (2 * PI).
Definition Phi (t : R) : R := 1 / 2 + RInt density 0 t.

Lemma density_kernel x : density x = exp ((-1 / 2) * x ^ 2) * kpow (2 * PI) (-1 / 2).
Proof.
  pose proof PI_RGT_0. unfold density. rewrite kpow_exp by lra. replace (-1 / 2 * ln (2 * PI)) with (- (/ 2 * ln (2 * PI))) by field.
  rewrite (exp_Ropp (/ 2 * ln (2 * PI))). assert (E : exp (/ 2 * ln (2 * PI)) = sqrt (2 * PI)) by (apply (Rpower_sqrt (2 * PI)); lra).
  rewrite E. replace (- (x ^ 2 / 2)) with (-1 / 2 * x ^ 2) by field. reflexivity.
Qed.
Lemma density_continuous x : continuous density x.
Proof.
  apply (ex_derive_continuous density). unfold density. auto_derive. exact I.
Qed.
Lemma density_even x : density (- x) = density x.
Proof. unfold density. replace ((- x) ^ 2) with (x ^ 2) by ring. reflexivity. Qed.
Lemma density_integrable a b : ex_RInt density a b.
Proof. apply (ex_RInt_continuous density). intros. apply density_continuous. Qed.
Lemma r_normal_symmetry t : Phi t + Phi ((-1) * t) = 1.
Proof.
  unfold Phi. enough (E : RInt density 0 ((-1) * t) = (-1) * RInt density 0 t) by (rewrite E; field).
  pose proof (RInt_comp_lin density (-1) 0 0 t) as C.
  replace (-1 * 0 + 0) with 0 in C by ring. replace (-1 * t + 0) with (-1 * t) in C by ring.
  rewrite <- C by apply density_integrable.
  rewrite (RInt_ext _ (fun x => scal (-1) (density x))).
  - apply (RInt_scal density 0 t (-1)), density_integrable.
  - intros x _. replace (-1 * x + 0) with (- x) by ring. rewrite density_even. reflexivity.
Qed.
Lemma d_Phi f x (a : R) : is_derive f x a -> is_derive (fun y => Phi (f y)) x (exp ((-1 / 2) * f x ^ 2) * kpow (2 * PI) (-1 / 2) * a).
Proof.
  intro H. apply (d_comp f Phi _ _ _ H). rewrite <- density_kernel. unfold Phi.
  eapply d_eq; [apply d_plus; [apply d_const | apply (is_derive_RInt density (RInt density 0) 0)] |].
  - apply filter_forall. intro y. apply (RInt_correct density 0 y), density_integrable.
  - apply density_continuous.
  - apply Rplus_0_l.
Qed.
