// Is it true? A printed guarantee, its verdict, the figure of δ(ε) with the printed point, a certificate.
import { atWork, hostPython, keepAddress } from "./app.js";
import { LIBRARIES, badge, copied, download, field, node, problem, quoted, valuesOf } from "./parts.js";
import { figure, short, table } from "./plot.js";

const SAMPLINGS = ["poisson", "without-replacement", "with-replacement", "random-allocation", "shuffled", "truncated-poisson", "none", "unstated"];
const RELATIONS = ["add-or-remove", "substitute", "zero-out", "unstated"];
const EXAMPLES = {
  "A published training run": { noise: "sigma", amount: "0.638", records: "60000", batch: "256", epochs: "70", sampling: "poisson", relation: "add-or-remove", epsilon: "8.68", delta: "1e-5" },
  "The same run with the ε it has": { noise: "sigma", amount: "0.638", records: "60000", batch: "256", epochs: "70", sampling: "poisson", relation: "add-or-remove", epsilon: "9.5", delta: "1e-5" },
  "A run with Opacus": { noise: "sigma", amount: "1.1", records: "60000", batch: "256", epochs: "15", library: "opacus", epsilon: "1.13", delta: "1e-5" },
  "Batches were shuffled": { noise: "sigma", amount: "1.1", records: "60000", batch: "256", epochs: "15", sampling: "shuffled", relation: "add-or-remove", epsilon: "0.5", delta: "1e-5" },
  "A rounded Gaussian": { noise: "sigma", amount: "1", sampling: "none", relation: "add-or-remove", epsilon: "4.37", delta: "1e-5" },
};
const LIMIT = "batch-limit";
let form, answer, last = "";

export function build(section) {
  answer = node("div", { class: "answer", "aria-live": "polite" });
  const choose = node("select", { id: "true-example", onchange: () => { fill(EXAMPLES[choose.value]); } }, node("option", { value: "" }, "choose an example"), ...Object.keys(EXAMPLES).map((name) => node("option", {}, name)));
  form = node("form", { onsubmit: (event) => { event.preventDefault(); ask(); }, oninput: tidy },
    node("label", {}, node("span", {}, "Start from"), choose),
    node("fieldset", {}, node("legend", {}, "What was run"),
      field("noise", "Noise", { options: [{ value: "sigma", label: "Gaussian" }, { value: "laplace-scale", label: "Laplace" }, { value: "randomized-response", label: "randomized response" }, { value: "pure-epsilon", label: "any pure ε-DP step" }, { value: "rho", label: "any ρ-zCDP step" }] }),
      field("amount", "Noise multiplier σ", { value: "1.1", required: true, inputmode: "decimal" }),
      field("records", "Records", { value: "60000", inputmode: "decimal" }),
      field("batch", "Batch size", { value: "256", inputmode: "decimal", hint: "the expected size for Poisson sampling" }),
      field("epochs", "Epochs", { value: "15", inputmode: "decimal" }),
      field("steps", "or steps", { inputmode: "decimal", hint: "instead of epochs" }),
      field("library", "Training library", { options: LIBRARIES }),
      field("sampling", "Sampling", { value: "poisson", options: SAMPLINGS }),
      field("relation", "Neighbours", { options: RELATIONS }),
      field(LIMIT, "Batches are cut at", { inputmode: "decimal" })),
    node("fieldset", {}, node("legend", {}, "What is claimed"),
      field("epsilon", "ε", { value: "1", required: true, inputmode: "decimal" }),
      field("delta", "δ", { value: "1e-5", inputmode: "decimal" })),
    node("button", { class: "ask", type: "submit" }, "Is it true?"));
  section.append(node("h1", { id: "true-title" }, "Is it true?"),
    node("p", { class: "lead" }, "Enter a guarantee as it is printed. The page decides whether it holds, and says what had to be assumed."),
    node("div", { class: "sides" }, form, answer));
  tidy();
}

const AMOUNTS = { sigma: "Noise multiplier σ", "laplace-scale": "Scale", "randomized-response": "Pure ε of a step", "pure-epsilon": "ε of a step", rho: "ρ of a step" };

function tidy() {
  const noise = form.elements.noise.value;
  form.querySelector('[data-field="library"]').hidden = noise !== "sigma";
  const library = noise === "sigma" && form.elements.library.value, sampling = library ? "poisson" : form.elements.sampling.value;
  form.querySelector('[data-field="amount"] span').textContent = AMOUNTS[noise];
  const sampled = sampling !== "none" && noise !== "rho" && noise !== "pure-epsilon";
  for (const key of ["records", "batch", "epochs"]) form.querySelector(`[data-field="${key}"]`).hidden = !sampled;
  for (const key of ["sampling", "relation"]) form.querySelector(`[data-field="${key}"]`).hidden = Boolean(library) || noise === "rho" || noise === "pure-epsilon";
  form.querySelector(`[data-field="${LIMIT}"]`).hidden = sampling !== "truncated-poisson";
}

function fill(values) {
  if (!values) return;
  for (const control of form.querySelectorAll("[name]")) {
    if (control.tagName === "SELECT") control.value = values[control.name] ?? control.options[0].value;
    else control.value = values[control.name] ?? "";
  }
  tidy();
}

export function show(question) {
  const text = question.toString();
  if (!text || text === last) return;
  fill(Object.fromEntries(question));
  ask();
}

function entryOf(values) {
  const { noise, amount, epsilon, delta, ...more } = values;
  if (more.steps) delete more.epochs;
  if (more.sampling === "none" && !more.steps) more.steps = "1";
  return { [noise]: amount, ...more, claim: delta ? { epsilon, delta } : { epsilon } };
}

function commandOf({ claim, ...entry }) {
  return quoted(["dpbounds", "verify", ...Object.entries({ ...entry, ...claim }).flatMap(([key, value]) => [`--${key}`, value])]);
}

function ask() {
  if (!form.reportValidity()) return;
  const values = valuesOf(form), entry = entryOf(values);
  last = new URLSearchParams(values).toString();
  atWork(hostPython(), "Deciding", async (python) => {
    keepAddress("true", values);
    answer.replaceChildren(node("p", { class: "soft" }, "Deciding"));
    const found = await python.ask("judge", [entry]);
    if (found.refused || found.stopped) return answer.replaceChildren(problem(found));
    const { document: judged, curves, point } = found;
    answer.replaceChildren(node("h2", {}, badge(judged.verdict), " ", sentence(judged)), node("p", { class: "says" }, judged.says), ...(judged.library ? [node("p", { class: "note" }, judged.library)] : []), ...judged.readings.map((reading) => shown(reading)));
    const position = curves.indexOf(true);
    if (point && position >= 0) {
      await draw(python, judged, curves, point);
      const name = "guarantee.json";
      const made = await python.ask("reading_certificate", [position]);
      if (made.text) {
        answer.append(node("h3", {}, "Certificate"), node("p", {}, "It shows δ at the printed ε", judged.readings.length > 1 ? `, ${readingName(judged.readings[position])}` : "", ". Any Python checks it, without this library's engine."),
          node("p", { class: "row" }, download(name, made.text), node("a", { href: "#certificate", onclick: () => { sessionStorage.setItem("certificate", JSON.stringify({ [name]: made.text })); } }, "Check it here")));
      }
    }
    answer.append(copied("The same question on a command line", commandOf(entry)));
  });
}

const readingName = (reading) => [reading.sampling === "none" ? "no sampling" : reading.sampling, reading.relation].filter(Boolean).join(", ");

function sentence({ verdict, claim }) {
  const says = { HOLDS: "the guarantee is true", REFUTED: "the guarantee is false", DEPENDS: "it depends on what the text leaves open", UNDECIDED: "no certified bound settles it", "NOT EXPRESSIBLE": "the text does not say enough" };
  return `${claim}: ${says[verdict] ?? ""}.`;
}

function between(low, high) {
  if (low === null && high === null) return "–";
  return low === null ? `at most ${high}` : high === null ? `at least ${low}` : `between ${low} and ${high}`;
}

function shown(reading) {
  const names = { delta: "δ at the printed ε", rho: "ρ", mu: "μ" }, rows = [];
  const add = (name, text) => text && rows.push(node("dt", {}, name), node("dd", {}, text));
  if (readingName(reading)) add("reading", node("span", {}, readingName(reading), ": ", badge(reading.verdict)));
  if (reading.lower !== null || reading.upper !== null) add(`certified ${names[reading.quantity]}`, between(reading.lower, reading.upper));
  if (reading.needed_lower ?? reading.needed_upper) add("certified ε at the printed δ", between(reading.needed_lower, reading.needed_upper));
  if (reading.print_instead) add("rounded up, ε is", reading.print_instead + (reading.rounds_to_printed ? "; the printed ε is the truth rounded to the nearest" : ""));
  add("assumed", reading.assumed);
  add("why", reading.reason);
  return node("dl", {}, ...rows);
}

async function draw(python, judged, curves, [epsilon, delta]) {
  const needed = Math.max(...judged.readings.map((reading) => Number(reading.needed_upper ?? 0)));
  const end = Math.max(epsilon, needed) * 1.35 || 1, many = 9;
  const places = [...new Set([...Array.from({ length: many }, (_, step) => +((end * step) / (many - 1)).toPrecision(3)), epsilon])].sort((one, two) => one - two);
  const used = judged.readings.map((reading, position) => [reading, position]).filter(([, position]) => curves[position]).slice(0, 3);
  const drawn = used.map(([reading]) => ({ name: readingName(reading) || "certified δ", points: [] })), rows = [];
  const box = node("figure", {});
  answer.append(node("h3", {}, "δ at every ε"), box);
  const description = () => `The printed point is ε = ${short(epsilon)}, δ = ${short(delta)}. A guarantee is true where its point lies on or above the curve.`;
  for (const place of places) {
    const cells = [String(place)];
    for (const [row, [, position]] of used.entries()) {
      const found = await python.ask("curve_point", [position, String(place)]);
      if (found.stopped) return;
      if (found.upper) { drawn[row].points.push([place, Number(found.upper)]); cells.push(`${found.lower} to ${found.upper}`); } else cells.push(found.refused ?? "");
    }
    rows.push(cells);
    box.replaceChildren(figure({ title: "Certified δ of ε", description: description(), x: "ε", y: "δ", log: true, curves: drawn, points: [{ name: "printed", x: epsilon, y: delta }] }), node("figcaption", {}, description()));
  }
  box.append(table(["ε", ...drawn.map((curve) => curve.name)], rows));
}
