(* What the checker's programs do beyond one law: a combination of any number of premises, and each case of `sign`. Substitutions are for
   many variables and functions at once: T is the type of all of them together. *)
Require Export Laws Normal.
Require Import List.

Lemma r_substitution_all (T : Type) (G F : T -> Prop) t : (forall x, G x -> F x) -> G t -> F t. Proof. auto. Qed.
Lemma r_cut_all (D G F : Prop) (H : list Prop) : (Forall (fun h : Prop => h) H -> G -> F) -> (D -> Forall (fun h : Prop => h) H) -> D -> G -> F.
Proof. auto. Qed.
Lemma r_cases_all (D F : Prop) (A : list Prop) : (D -> Exists (fun a : Prop => a) A) -> Forall (fun a : Prop => D -> a -> F) A -> D -> F.
Proof.
  intros E B d. specialize (E d). induction A as [| a A IH]; [inversion E |].
  inversion B; subst. inversion E; subst; [auto | apply IH; assumption].
Qed.

Definition combined (l : list R) : R := fold_right Rplus 0 l.
Lemma combined_nonneg l : Forall (Rle 0) l -> 0 <= combined l.
Proof. induction 1 as [| x l X L IH]; simpl; lra. Qed.
Lemma combined_pos l : Forall (Rle 0) l -> Exists (Rlt 0) l -> 0 < combined l.
Proof.
  intros A E. induction E as [x l X | x l E IH]; inversion A; subst; simpl.
  - assert (0 <= combined l) by (apply combined_nonneg; assumption). lra.
  - assert (0 < combined l) by (apply IH; assumption). lra.
Qed.
(* the list holds m * (r - l) for each premise: `linear_le` and its like say that these are not negative *)
Lemma r_linear a b l : Forall (Rle 0) l -> 0 <= b - a - combined l -> a <= b.
Proof. intros A H. pose proof (combined_nonneg l A). lra. Qed.
Lemma r_linear_lt_premise a b l : Forall (Rle 0) l -> Exists (Rlt 0) l -> 0 <= b - a - combined l -> a < b.
Proof. intros A E H. pose proof (combined_pos l A E). lra. Qed.
Lemma r_linear_lt_rest a b l : Forall (Rle 0) l -> 0 < b - a - combined l -> a < b.
Proof. intros A H. pose proof (combined_nonneg l A). lra. Qed.
Lemma r_linear_eq a b l : Forall (eq 0) l -> b - a - combined l = 0 -> a = b.
Proof. intros A H. assert (E : combined l = 0) by (clear H; induction A as [| x l X A IH]; simpl; lra). lra. Qed.

Lemma sign_plus_nonneg a b : 0 <= a -> 0 <= b -> 0 <= a + b. Proof. lra. Qed.
Lemma sign_plus_pos a b : 0 < a \/ 0 < b -> 0 <= a -> 0 <= b -> 0 < a + b. Proof. intros [|]; lra. Qed.
Lemma sign_mult_pos a b : 0 < a -> 0 < b -> 0 < a * b. Proof. apply Rmult_lt_0_compat. Qed.
Lemma sign_mult_nonneg a b : 0 <= a -> 0 <= b -> 0 <= a * b. Proof. apply Rmult_le_pos. Qed.
Lemma sign_pow_pos a n : 0 < a -> 0 < a ^ n. Proof. apply pow_lt. Qed.
Lemma sign_pow_nonneg a n : 0 <= a -> 0 <= a ^ n. Proof. apply pow_le. Qed.
Lemma sign_pow_zero a : 0 < a ^ 0. Proof. simpl; lra. Qed.
Lemma sign_inv_pos a : 0 < a -> 0 < / a. Proof. apply Rinv_0_lt_compat. Qed.
Lemma sign_inv_ne a : a <> 0 -> / a <> 0. Proof. apply Rinv_neq_0_compat. Qed.
Lemma sign_power_pos a r : 0 < a -> 0 < kpow a r. Proof. apply kpow_pos. Qed.
Lemma sign_power_nonneg a r : 0 <= a -> 0 <= kpow a r. Proof. apply kpow_nonneg. Qed.
Lemma sign_max_ne a b : 0 < a -> 0 < b -> Rmax a b <> 0. Proof. intros. apply Rgt_not_eq, sign_max_pos. auto. Qed.
Lemma sign_min_nonneg a b : 0 <= a -> 0 <= b -> 0 <= Rmin a b. Proof. apply Rmin_glb. Qed.
Lemma sign_min_ne a b : 0 < a -> 0 < b -> Rmin a b <> 0. Proof. intros. apply Rgt_not_eq, sign_min_pos; assumption. Qed.
Lemma sign_abs_nonneg a : 0 <= Rabs a. Proof. apply Rabs_pos. Qed.
Lemma sign_abs_ne a : a <> 0 -> Rabs a <> 0. Proof. apply Rabs_no_R0. Qed.

(* conjunctions and alternatives of any number of formulas *)
Lemma r_conjunction_all (D : Prop) (A : list Prop) : Forall (fun a : Prop => D -> a) A -> D -> Forall (fun a : Prop => a) A.
Proof. intros H d. induction H; constructor; auto. Qed.
Lemma r_part_all (D : Prop) (A : list Prop) a : (D -> Forall (fun b : Prop => b) A) -> In a A -> D -> a.
Proof. intros H I d. exact (proj1 (Forall_forall _ A) (H d) a I). Qed.
Lemma r_alternative_all (D : Prop) (A : list Prop) a : In a A -> (D -> a) -> D -> Exists (fun b : Prop => b) A.
Proof. intros I H d. apply Exists_exists. exists a. auto. Qed.

(* what `ring` learns of a product that is not 0, of |a|, of what lies above, and of the logarithm of a number below 1 *)
Lemma law_factors_ne a b : a * b <> 0 -> a <> 0 /\ b <> 0. Proof. intro H. split; intros ->; apply H; ring. Qed.
Lemma law_abs_max a : Rabs a = Rmax a ((-1) * a). Proof. unfold Rabs, Rmax. destruct Rcase_abs, Rle_dec; lra. Qed.
Lemma law_min a b : a <= b -> Rmin a b = a. Proof. apply Rmin_left. Qed.
Lemma law_above a b : 0 <= a -> a <= b -> 0 <= b. Proof. lra. Qed.
Lemma law_above_lt a b : 0 <= a -> a < b -> 0 < b. Proof. lra. Qed.
Lemma law_log_below a : 0 < a -> a <= 1 -> klog a <= 0. Proof. intros A B. rewrite <- law_log_one. apply r_log_monotone; assumption. Qed.
Lemma law_log_below_lt a : 0 < a -> a < 1 -> klog a < 0. Proof. intros A B. rewrite <- law_log_one. apply r_log_monotone_lt; assumption. Qed.
