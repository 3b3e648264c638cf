// Check a certificate: the checkers alone, in a Python that holds nothing else; the whole library only for what they cannot read.
import { atWork, barePython, hostPython } from "./app.js";
import { badge, node } from "./parts.js";

const LARGEST = 8e6;
let answer, input;

export function build(section) {
  answer = node("div", { class: "answer", "aria-live": "polite" });
  input = node("input", { type: "file", id: "file", multiple: true, accept: ".json,.jsonl,.cover,.gz,.zip", onchange: async () => { await read([...input.files]); input.value = ""; } });
  const zone = node("div", { class: "drop" }, node("label", { for: "file" }, node("span", {}, "Drop certificates here, or choose files")), input);
  for (const name of ["dragover", "dragenter"]) zone.addEventListener(name, (event) => { event.preventDefault(); zone.classList.add("over"); });
  for (const name of ["dragleave", "drop"]) zone.addEventListener(name, () => zone.classList.remove("over"));
  zone.addEventListener("drop", (event) => { event.preventDefault(); read([...event.dataTransfer.files]); });
  section.append(node("h1", { id: "certificate-title" }, "Check a certificate"),
    node("p", { class: "lead" }, "A separate Python starts that holds the small checkers and Python's standard library, nothing else. It checks certificates of numbers, covers, counterexamples, proof files, and the bundles that hold them. Certificates of claims that the small checkers cannot read are replayed by the whole library, and the answer says so."),
    zone, answer);
}

export async function show(question) {
  const kept = sessionStorage.getItem("certificate");
  sessionStorage.removeItem("certificate");
  if (kept) return check(JSON.parse(kept));
  // certificates of the catalogue, by their addresses on this site
  const wanted = (question.get("file") ?? "").split(",").filter((path) => /^catalogue\/[\w.~/-]+$/.test(path) && !path.includes(".."));
  const found = await Promise.all(wanted.map(async (path) => new File([await (await fetch(path)).blob()], path.split("/").at(-1))));
  if (found.length) await read(found);
}

async function read(files) {
  const texts = {};
  for (const file of files) {
    const rejected = (reason) => { answer.replaceChildren(node("p", { class: "problem", role: "alert" }, `${file.name}: ${reason}`)); };
    if (file.size > LARGEST) return rejected("a certificate has at most 8 MB.");
    try {
      const start = new Uint8Array(await file.slice(0, 2).arrayBuffer()), isPacked = start[0] === 0x1f && start[1] === 0x8b;
      if (start[0] === 0x50 && start[1] === 0x4b) { texts[file.name.replace(/(\.zip)?$/, ".zip")] = await base64(file); continue; }
      const stream = isPacked ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
      texts[file.name.replace(/\.gz$/, "")] = await new Response(stream).text();
    } catch { return rejected("this file cannot be read."); }
  }
  if (files.length) await check(texts);
}

async function base64(file) {
  let text = "";
  for (const byte of new Uint8Array(await file.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}

function check(texts) {
  return atWork(barePython(), "Checking", async (python) => {
    answer.replaceChildren(node("p", { class: "soft" }, "Checking"));
    const found = await python.ask("check", [texts]);
    if (!found.rows) return answer.replaceChildren(node("p", { class: "problem", role: "alert" }, found.stopped ? "Stopped." : found.refused));
    answer.replaceChildren();
    for (const row of found.rows) answer.append(await shown(row));
    answer.append(node("p", { class: "soft" }, `The checkers took ${(found.ms / 1000).toFixed(2)} s.`));
  });
}

const CHECKERS = { number: "the checker of numbers", cover: "the checker of covers", proof: "the proof checker" };

async function shown(row) {
  const title = (verdict) => node("h2", {}, badge(verdict), " ", node("code", {}, row.name));
  if (row.verdict === "unknown") return node("article", { class: "undecided" }, node("h2", {}, node("code", {}, row.name)), node("p", { class: "problem", role: "alert" }, row.says));
  if (row.verdict === "library") {
    const found = await hostPython().ask("run", [["replay", row.name.split("/").at(-1), "--workers", "1"], { [row.name.split("/").at(-1)]: row.text }]);
    const accepted = found.code === 0, says = (found.out || found.err || found.refused || "Stopped.").trim().replace(/^dpbounds: /, "");
    return node("article", { class: accepted ? "proved" : "refuted" }, title(accepted ? "ACCEPTED" : "NOT ACCEPTED"), node("p", {}, says), node("p", { class: "soft" }, "Replayed by the whole library, without its search. In a terminal: ", node("code", {}, `dpbounds replay ${row.name}`)));
  }
  const accepted = row.verdict === "accepted";
  return node("article", { class: accepted ? "proved" : "refuted" }, title(accepted ? "ACCEPTED" : "NOT ACCEPTED"), node("pre", {}, row.says), node("p", { class: "soft" }, `By ${CHECKERS[row.kind]} alone, standard library only. In a terminal: `, node("code", {}, `python -S -m dpbounds.logic ${row.name}`)));
}
