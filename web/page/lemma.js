// Check a lemma: a claim file, typeset as it is read, its verdict, a counterexample with a picture, certificates.
import { atWork, hostPython, keepAddress } from "./app.js";
import { badge, copied, download, node, problem } from "./parts.js";
import { figure } from "./plot.js";

const EXAMPLES = {
  "A tangent": `x = nonnegative("x")
tangent = claim("exp lies above its tangent", [], exp(x) >= 1 + x)
`,
  "Privacy by randomized response": `epsilon = positive("epsilon")
# the chance to name the truth, and twice that less one
truth = exp(epsilon) / (1 + exp(epsilon))
small = claim("the advantage is at most half of epsilon", [], 2 * truth - 1 <= epsilon / 2)
`,
  "A false statement": `sigma = positive("sigma")
false_one = claim("delta is very small", [sigma <= 4],
    GaussianDelta(1, sigma) <= exp(-sigma**2))
`,
  "Classical Gaussian noise": `epsilon, delta = positive("epsilon delta")
classical = claim("sigma^2 = 2 log(1.25/delta)/epsilon^2 suffices only for small epsilon",
    [epsilon <= 20, delta <= Rational(1, 10), delta >= Rational(1, 100000)],
    GaussianDelta(epsilon, sqrt(2 * log(Rational(5, 4) / delta)) / epsilon) <= delta)
`,
  "With a mutant": `x = nonnegative("x")
bound = claim("log(1 + x) is at most x", [], log(1 + x) <= x,
    mutant=log(1 + x) <= Rational(9, 10) * x)
`,
};
const HEAD = "from dpbounds.notation import *\n\n";
let form, editor, mirror, answer, last = "", typing, wanted = 0;

export function build(section) {
  answer = node("div", { class: "answer", "aria-live": "polite" });
  mirror = node("div", { class: "echo", role: "group", "aria-label": "The statement as it is read", tabindex: "0" });
  editor = node("textarea", { id: "claim", name: "text", rows: "9", spellcheck: "false", autocapitalize: "off", oninput: later });
  const choose = node("select", { id: "lemma-example", onchange: () => { if (choose.value) { editor.value = HEAD + EXAMPLES[choose.value]; later(); } } }, node("option", { value: "" }, "choose an example"), ...Object.keys(EXAMPLES).map((name) => node("option", {}, name)));
  const budget = node("input", { name: "budget", type: "number", min: "1", max: "600", value: "20", inputmode: "numeric" });
  form = node("form", { onsubmit: (event) => { event.preventDefault(); ask(); } },
    node("label", {}, node("span", {}, "Start from"), choose),
    node("label", { for: "claim" }, node("span", {}, "Your claim")), editor,
    node("div", { class: "row" }, node("label", {}, node("span", {}, "Budget in seconds"), budget), node("button", { class: "ask", type: "submit" }, "Check")),
    node("p", { class: "soft" }, "The file is Python in ", node("a", { href: "docs/claim-language.html" }, "the claim language"), "; it runs in this page only. A statement holds for all values of its variables in the stated domain."));
  section.append(node("h1", { id: "lemma-title" }, "Check a lemma"),
    node("p", { class: "lead" }, "State an inequality. The answer is a certificate that anyone can check, an exact counterexample, or what is left open."),
    node("div", { class: "sides" }, form, node("div", {}, node("h2", { class: "quiet" }, "As it is read"), mirror, answer)));
  editor.value = HEAD + EXAMPLES["A tangent"];
}

export function show(question) {
  const text = question.get("text");
  if (text && text !== last) { last = text; editor.value = text; }
  later();
}

function later() {
  clearTimeout(typing);
  typing = setTimeout(typeset, 350);
}

async function typeset() {
  const python = hostPython(), turn = ++wanted;
  if (!python) return;
  if (!python.isReady) mirror.replaceChildren(node("p", { class: "soft" }, "The statement appears here when Python is ready."));
  const found = await python.ask("echo", [editor.value]);
  if (turn !== wanted || found.stopped) return;
  if (found.refused) return mirror.replaceChildren(node("p", { class: "problem" }, found.refused));
  mirror.replaceChildren(...found.claims.map(typesetClaim));
}

// The MathML and the words are made by dpbounds from the statement; everything in them is escaped there.
function typesetClaim(claim) {
  const made = node("article", { class: "statement" });
  const listed = (word, items) => (items.length ? `<p><span class="soft">${word}</span> ${items.map((item) => `<span class="premise">${item}</span>`).join(" ")}</p>` : "");
  made.innerHTML = `<p>${claim.words}</p>${listed("for all", claim.quantified)}${listed("with", claim.given)}<div class="then">${claim.then}</div>`;
  return made;
}

function ask() {
  const text = editor.value;
  last = text;
  atWork(hostPython(), "Searching for a counterexample and a proof", async (python) => {
    keepAddress("lemma", { text });
    const live = node("pre", { class: "live" });
    answer.replaceChildren(live);
    const command = ["check", "my_claim.py", "--budget", form.elements.budget.value, "--certificates", "certificates"];
    const found = await python.ask("run", [[...command, "--no-threads", "--workers", "1", "--json"], { "my_claim.py": text }], (piece) => { if (!piece.startsWith("{")) live.textContent += piece; });
    if (!found.out) return answer.replaceChildren(problem(found));
    const { claims } = JSON.parse(found.out);
    const said = found.err.split("\n").filter((line) => !/^\d+\/\d+ /.test(line)).join("\n").trim(); // all but the progress
    answer.replaceChildren(...(said ? [node("p", { class: "note" }, said)] : []));
    for (const claim of claims) await report(python, claim, found.files, text);
    answer.append(copied("The same question on a command line", quotedCommand(command)));
  });
}

const quotedCommand = (command) => ["dpbounds", ...command].join(" ");

async function report(python, claim, files, text) {
  const name = `certificates/${claim.id}.json`, certificate = files[name] && JSON.parse(files[name]);
  const rows = [], add = (term, value) => value && rows.push(node("dt", {}, term), node("dd", {}, value));
  add("found", claim.detail);
  for (const line of claim.left ?? []) add("left open", line);
  add("next", claim.next);
  for (const part of claim.evidence ?? []) add("rests on", [part.kernel ? `${part.method}, checked by the proof checker` : part.method, ...(part.citations ?? [])].join("; "));
  if (claim.mutant) add("mutant", `${claim.mutant.verdict}: ${claim.mutant.detail}`);
  add("time", `${claim.seconds} s`);
  const box = node("article", { class: claim.verdict.toLowerCase() }, node("h2", {}, badge(claim.verdict), " ", node("code", {}, claim.id)), node("dl", {}, ...rows));
  answer.append(box);
  if (certificate) {
    const file = `${claim.id}.json`;
    box.append(node("p", { class: "row" }, download(file, files[name]), node("a", { href: "#certificate", onclick: () => sessionStorage.setItem("certificate", JSON.stringify({ [file]: files[name] })) }, "Check it here")));
  }
  const point = certificate?.evidence?.point;
  if (claim.verdict === "REFUTED" && point && !Object.values(point).some(Array.isArray)) {
    const { rows: places = [], variable, at } = await python.ask("sides", [text, claim.id, point]);
    if (places.length > 1) {
      const closest = places.reduce((best, row) => (Math.abs(row[0] - at) < Math.abs(best[0] - at) ? row : best));
      const description = `Both sides near the counterexample ${variable} = ${at}. The picture decides nothing; the exact point does.`;
      box.append(node("figure", {}, figure({ title: "Both sides of the claim", description, x: variable, y: "value", curves: [{ name: "left side", points: places.map(([x, y]) => [x, y]) }, { name: "right side", points: places.map(([x, , y]) => [x, y]) }], points: [{ name: "counterexample", x: closest[0], y: closest[1] }] }), node("figcaption", {}, description)));
    }
  }
}
