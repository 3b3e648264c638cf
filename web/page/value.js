// Know the value: a mechanism of one or more parts, then δ, ε or a Rényi divergence, and the curve.
import { atWork, hostPython, keepAddress } from "./app.js";
import { LIBRARIES, copied, download, field, node, problem, quoted, valuesOf } from "./parts.js";
import { figure, table } from "./plot.js";

const NOISES = [
  { value: "sigma", label: "Gaussian", amount: "Noise multiplier σ" },
  { value: "laplace-scale", label: "Laplace", amount: "Scale" },
  { value: "randomized-response", label: "randomized response", amount: "Pure ε" },
  { value: "discrete-gaussian", label: "discrete Gaussian", amount: "Parameter σ" },
  { value: "discrete-laplace", label: "discrete Laplace", amount: "Scale" },
  { value: "epsilon-delta", label: "any (ε, δ) mechanism", amount: "ε" },
];
const SAMPLINGS = {
  none: ["steps"], poisson: ["q", "steps"], "without-replacement": ["records", "batch", "steps"], "with-replacement": ["records", "batch", "steps"],
  "random-allocation": ["bins", "epochs"], "truncated-poisson": ["q", "records", "batch-limit", "steps"],
};
const RUN = ["records", "batch", "epochs"]; // what a training library's accounting is made from
const LABELS = { q: "Sampling rate q", steps: "Steps", records: "Records", batch: "Batch size", bins: "Steps of an epoch", epochs: "Epochs", "batch-limit": "Batches are cut at", failure: "δ of the mechanism" };
const HINTS = { q: "a number or a fraction, such as 256/60000" };
const STARTS = { q: "0.01", steps: "1", records: "60000", batch: "256", bins: "100", epochs: "1", "batch-limit": "512", failure: "0" };
const EXAMPLES = {
  "10,000 steps of DP-SGD": { part: ["sigma:1.5,sampling:poisson,q:0.01,steps:10000"], what: "delta", argument: "1", digits: "15" },
  "ε of a training run": { part: ["sigma:1.1,sampling:poisson,q:256/60000,steps:3516"], what: "epsilon", argument: "1e-5", digits: "10" },
  "A run with Opacus": { part: ["sigma:1.1,library:opacus,records:60000,batch:256,epochs:15"], what: "epsilon", argument: "1e-5", digits: "10" },
  "Random allocation": { part: ["sigma:2,sampling:random-allocation,bins:100,epochs:100"], what: "delta", argument: "1", digits: "15" },
  "Training and a noisy count": { part: ["sigma:1.5,sampling:poisson,q:0.01,steps:1000", "laplace-scale:4,sampling:none,steps:1"], what: "epsilon", argument: "1e-6", digits: "8" },
  "A Rényi divergence": { part: ["sigma:1,sampling:poisson,q:0.01,steps:1000"], what: "rdp", argument: "8", digits: "15" },
};
const ARGUMENTS = { delta: ["--epsilon", "at ε ="], epsilon: ["--delta", "at δ ="], rdp: ["--alpha", "at order α ="] };
let form, parts, answer, last = "";

export function build(section) {
  answer = node("div", { class: "answer", "aria-live": "polite" });
  parts = node("div", { class: "parts" });
  const choose = node("select", { id: "value-example", onchange: () => fill(EXAMPLES[choose.value]) }, node("option", { value: "" }, "choose an example"), ...Object.keys(EXAMPLES).map((name) => node("option", {}, name)));
  const slider = node("input", { type: "range", min: "1", max: "60", value: "15", name: "digits", "aria-label": "Certified digits" });
  const said = node("output", { id: "digits-said" }, "15");
  form = node("form", { onsubmit: (event) => { event.preventDefault(); ask(); }, oninput: () => { said.textContent = slider.value; tidy(); } },
    node("label", {}, node("span", {}, "Start from"), choose), parts,
    node("button", { type: "button", class: "small", onclick: () => { addPart(); tidy(); } }, "Add a mechanism to the composition"),
    node("fieldset", {}, node("legend", {}, "What you want to know"),
      field("what", "Quantity", { options: [{ value: "delta", label: "δ of ε" }, { value: "epsilon", label: "ε of δ" }, { value: "rdp", label: "Rényi divergence" }] }),
      field("argument", "at ε =", { value: "1", required: true, inputmode: "decimal" }),
      field("relation", "Neighbours", { hint: "the default is that of the sampling", options: [{ value: "", label: "default" }, "add-or-remove", "substitute"] }),
      field("guarantee", "The number is of", { options: [{ value: "", label: "the mechanism" }, { value: "pair", label: "the published pair" }] }),
      node("label", {}, node("span", {}, "Certified digits: ", said), slider)),
    node("button", { class: "ask", type: "submit" }, "Compute"));
  section.append(node("h1", { id: "value-title" }, "Know the value"),
    node("p", { class: "lead" }, "Describe what is run. The answer is an interval that contains the exact value; every digit of it is certified."),
    node("div", { class: "sides" }, form, answer));
  addPart({ sigma: "1.5", sampling: "poisson", q: "0.01", steps: "10000" });
  tidy();
}

function addPart(values = { sigma: "1", sampling: "none", steps: "1" }) {
  const noise = NOISES.find(({ value }) => value in values) ?? NOISES[0], sampling = values.sampling ?? (values.q ? "poisson" : "none");
  const part = node("fieldset", { class: "part" }, node("legend", {}, "Mechanism"),
    field("noise", "Noise", { value: noise.value, options: NOISES }), field("amount", noise.amount, { value: values[noise.value] ?? "1", required: true, inputmode: "decimal" }),
    field("failure", LABELS.failure, { value: values.failure ?? STARTS.failure, inputmode: "decimal" }),
    field("library", "Training library", { value: values.library ?? "", options: LIBRARIES }),
    field("sampling", "Sampling", { value: sampling, options: Object.keys(SAMPLINGS) }),
    ...Object.keys(LABELS).filter((key) => key !== "failure").map((key) => field(key, LABELS[key], { value: values[key] ?? STARTS[key], hint: HINTS[key] ?? "", inputmode: "decimal" })),
    node("button", { type: "button", class: "small remove", onclick: () => { part.remove(); tidy(); } }, "Remove"));
  parts.append(part);
}

function tidy() {
  const all = [...parts.querySelectorAll(".part")];
  all.forEach((part, position) => {
    part.querySelector("legend").textContent = all.length > 1 ? `Mechanism ${position + 1}` : "Mechanism";
    part.querySelector(".remove").hidden = all.length === 1;
    const noise = part.querySelector("[name=noise]").value, sampling = part.querySelector("[name=sampling]").value;
    part.querySelector('[data-field="amount"] span').textContent = NOISES.find(({ value }) => value === noise).amount;
    part.querySelector('[data-field="library"]').hidden = noise !== "sigma";
    const library = noise === "sigma" && part.querySelector("[name=library]").value, asked = library ? RUN : SAMPLINGS[sampling];
    part.querySelector('[data-field="sampling"]').hidden = Boolean(library);
    for (const key of Object.keys(LABELS)) part.querySelector(`[data-field="${key}"]`).hidden = key === "failure" ? noise !== "epsilon-delta" : !asked.includes(key);
  });
  form.querySelector('[data-field="argument"] span').textContent = ARGUMENTS[form.elements.what.value][1];
}

function specificationOf(part) {
  const { noise, amount, ...more } = valuesOf(part);
  return { [noise]: amount, ...more };
}

function fill(question) {
  if (!question) return;
  parts.replaceChildren();
  for (const text of question.part) addPart(Object.fromEntries(text.split(",").map((pair) => pair.split(/:(.*)/s).slice(0, 2))));
  for (const key of ["what", "argument", "relation", "guarantee", "digits"]) form.elements[key].value = question[key] ?? (key === "digits" ? "15" : "");
  if (!form.elements.what.value) form.elements.what.value = "delta";
  form.querySelector("#digits-said").textContent = form.elements.digits.value;
  tidy();
}

export function show(question) {
  const text = question.toString();
  if (!text || text === last || !question.has("part")) return;
  fill({ ...Object.fromEntries(question), part: question.getAll("part") });
  ask();
}

function words(what, specifications, argument, { digits, ...more }) {
  const found = [what];
  if (specifications.length === 1) for (const [key, value] of Object.entries(specifications[0])) found.push(`--${key}`, value);
  else found.push("--spec", "spec.json");
  found.push(ARGUMENTS[what][0], argument, "--digits", String(digits));
  for (const [key, value] of Object.entries(more)) found.push(`--${key}`, value);
  return found;
}

function ask() {
  if (!form.reportValidity()) return;
  const specifications = [...parts.querySelectorAll(".part")].map(specificationOf);
  const { what, argument, digits, ...more } = valuesOf(form.querySelector("fieldset:not(.part)")); // more: relation and guarantee, if they are given
  const files = specifications.length > 1 ? { "spec.json": JSON.stringify(specifications, null, 1) } : {};
  const asked = words(what, specifications, argument, { digits, ...more });
  const values = [...specifications.map((part) => ["part", Object.entries(part).map((pair) => pair.join(":")).join(",")]), ["what", what], ["argument", argument], ["digits", digits], ...Object.entries(more)];
  last = new URLSearchParams(values).toString();
  atWork(hostPython(), "Computing", async (python) => {
    keepAddress("value", values);
    answer.replaceChildren(node("p", { class: "soft" }, "Computing"));
    const found = await python.ask("run", [[...asked, "--json"], files]);
    if (found.code !== 0) return answer.replaceChildren(problem(found));
    const document = JSON.parse(found.out);
    const names = { delta: "δ", epsilon: "ε", rdp: "D" };
    answer.replaceChildren(
      node("p", { class: "value", "data-lower": document.lower, "data-upper": document.upper }, node("span", {}, `${names[what]} lies between`), node("code", {}, document.lower), node("span", {}, "and"), node("code", {}, document.upper)),
      node("p", { class: "soft" }, `relation ${document.relation}, direction ${document.direction}; ${document.method}; ${(found.ms / 1000).toFixed(2)} s`),
      ...(document.notes ?? []).map((note) => node("p", { class: "note" }, note)));
    const tools = node("p", { class: "row" });
    answer.append(tools, copied("The same question on a command line", quoted(["dpbounds", ...asked])));
    if (files["spec.json"]) answer.append(copied("spec.json", files["spec.json"]));
    const snippet = await python.ask("python_of", [specifications, what, argument, Number(digits), more]);
    if (snippet.text) answer.append(copied("The same question in Python", snippet.text));
    tools.append(node("button", { type: "button", class: "ask small", onclick: () => certify(asked, files, tools) }, "Make a certificate"),
      node("button", { type: "button", class: "ask small", onclick: () => draw(what, specifications, argument, more, files, document) }, "Draw the curve"));
  });
}

function certify(asked, files, tools) {
  atWork(hostPython(), "Writing the certificate", async (python) => {
    const found = await python.ask("run", [[...asked, "--certificate", "number.json"], files]);
    const text = found.files?.["number.json"];
    if (!text) return tools.after(problem(found));
    tools.replaceChildren(download("number.json", text), node("a", { href: "#certificate", onclick: () => sessionStorage.setItem("certificate", JSON.stringify({ "number.json": text })) }, "Check it here"), ...[...tools.querySelectorAll("button")].slice(1));
  });
}

function draw(what, specifications, argument, more, files, document) {
  atWork(hostPython(), "Drawing", async (python) => {
    const box = node("figure", {}), at = Number(argument), most = what === "epsilon" ? Number(document.upper) : at;
    answer.querySelector("figure")?.remove();
    answer.querySelector(".row").after(box);
    const rdp = what === "rdp", quantity = rdp ? "rdp" : "delta", curve = { name: "", points: [] }, rows = [];
    for (let step = 0; step <= 10; step += 1) {
      const place = rdp ? +(1 + (2 * (most - 1) * step) / 10).toPrecision(4) : +((2 * most * step) / 10).toPrecision(4);
      if (rdp && place <= 1) continue;
      const found = await python.ask("run", [[...words(quantity, specifications, String(place), { digits: 4, ...more }), "--json"], files]);
      if (found.stopped) return;
      if (found.code !== 0) continue;
      const { lower, upper } = JSON.parse(found.out);
      curve.points.push([place, Number(upper)]);
      rows.push([String(place), lower, upper]);
      const y = rdp ? "Rényi divergence" : "δ", x = rdp ? "order α" : "ε";
      box.replaceChildren(figure({ title: `Certified ${y}`, description: `${curve.points.length} certified points.`, x, y, log: !rdp, curves: [curve],
        points: [{ name: "your question", x: what === "epsilon" ? most : at, y: what === "epsilon" ? at : Number(document.upper) }] }));
    }
    box.append(table([rdp ? "α" : "ε", "at least", "at most"], rows));
  });
}
