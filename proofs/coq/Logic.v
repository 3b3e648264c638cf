(* Rules of `rules_logic`. The hypotheses of a sequent are the premises of an implication; G stands for them. *)
Require Export Definitions.

Lemma r_hypothesis (F : Prop) : F -> F. Proof. trivial. Qed.
Lemma r_discharge (G H F : Prop) : (G -> H -> F) -> G -> (H -> F). Proof. trivial. Qed.
Lemma r_detach (H F : Prop) : (H -> F) -> H -> F. Proof. trivial. Qed.
Lemma r_cut (G D H F : Prop) : (G -> H -> F) -> (D -> H) -> G -> D -> F. Proof. auto. Qed.
Lemma r_generalize (G : Prop) (F : R -> Prop) : (forall x, G -> F x) -> G -> forall x, F x. Proof. auto. Qed.
Lemma r_generalize_integer (G : Prop) (F : R -> Prop) :
  (forall x, whole x -> G -> F x) -> G -> forall x, whole x -> F x. Proof. auto. Qed.
Lemma r_specialize (F : R -> Prop) t : (forall x, F x) -> F t. Proof. auto. Qed.
Lemma r_specialize_integer (F : R -> Prop) t : (forall x, whole x -> F x) -> whole t -> F t. Proof. auto. Qed.
Lemma r_substitution (G F : R -> Prop) t : (forall x, G x -> F x) -> G t -> F t. Proof. auto. Qed.
Lemma r_substitution_integer (G F : R -> Prop) t : (forall x, whole x -> G x -> F x) -> whole t -> G t -> F t. Proof. auto. Qed.
Lemma r_substitution_function (T : Type) (G F : (T -> R) -> Prop) g : (forall f, G f -> F f) -> G g -> F g. Proof. auto. Qed.
Lemma r_conjunction (F H : Prop) : F -> H -> F /\ H. Proof. auto. Qed.
Lemma r_part_first (F H : Prop) : F /\ H -> F. Proof. tauto. Qed.
Lemma r_part_rest (F H : Prop) : F /\ H -> H. Proof. tauto. Qed.
Lemma r_alternative_first (F H : Prop) : F -> F \/ H. Proof. auto. Qed.
Lemma r_alternative_rest (F H : Prop) : H -> F \/ H. Proof. auto. Qed.
Lemma r_cases (A B F : Prop) : A \/ B -> (A -> F) -> (B -> F) -> F. Proof. tauto. Qed.
Lemma r_excluded_middle (F : Prop) : F \/ ~ F. Proof. apply classic. Qed.
Lemma r_absurd (F H : Prop) : F -> ~ F -> H. Proof. tauto. Qed.
Lemma r_total_order (a b : R) : a <= b \/ b < a. Proof. lra. Qed.
Lemma r_irreflexive (a : R) : ~ a < a. Proof. lra. Qed.
Lemma r_reflexive (a : R) : a = a. Proof. reflexivity. Qed.
Lemma r_rewrite (F : R -> Prop) a b : F a -> a = b -> F b. Proof. intros H <-; exact H. Qed.
Lemma r_congruence (t : R -> R) a b : a = b -> t a = t b. Proof. intros ->; reflexivity. Qed.
Lemma r_induction (F : R -> Prop) a : whole a -> F a ->
  (forall k, whole k -> a <= k -> F k -> F (k + 1)) -> forall k, whole k -> a <= k -> F k.
Proof.
  intros [z ->] H0 H1 k [y ->] L. apply le_IZR in L. revert y L.
  apply Zlt_lower_bound_ind with (z := z). intros y IH L.
  destruct (Z.eq_dec y z) as [-> | N]; [exact H0 |].
  replace y with (y - 1 + 1)%Z by ring. rewrite plus_IZR.
  apply H1; [apply whole_IZR | apply IZR_le; lia | apply IH; lia].
Qed.
