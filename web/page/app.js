// The page: which use is shown, how Python fares, and who may ask it.
import { $ } from "./parts.js";
import { Python } from "./python.js";
import * as truth from "./true.js";
import * as value from "./value.js";
import * as lemma from "./lemma.js";
import * as certificate from "./certificate.js";

const USES = { true: truth, value, lemma, certificate };
const TITLE = document.title;
const begun = performance.now();
let host, bare, busy, clock;

function say(state, text) {
  document.body.dataset.state = state;
  $("said").textContent = text;
}

// What a use may ask: `work` gets the Python that it names; one piece of work at a time, and Stop ends it.
export async function atWork(python, what, work) {
  if (busy) return;
  busy = python;
  const since = performance.now();
  const buttons = [...document.querySelectorAll("button.ask")];
  for (const button of buttons) button.disabled = true;
  $("stop").hidden = false;
  const tell = () => say("busy", `${python.isReady ? what : "Loading Python"}: ${((performance.now() - since) / 1000).toFixed(0)} s`);
  tell();
  clock = setInterval(tell, 500);
  try {
    await work(python);
  } catch (error) {
    say("failed", String(error.message ?? error));
  } finally {
    clearInterval(clock);
    busy = undefined;
    $("stop").hidden = true;
    for (const button of buttons) button.disabled = false;
    if (python.isReady) say("ready", `Done in ${((performance.now() - since) / 1000).toFixed(1)} s`);
    document.body.dataset.answers = String(1 + Number(document.body.dataset.answers ?? 0));
  }
}

export const hostPython = () => host;
// The checkers alone, in a Python of their own that holds nothing else of dpbounds.
export const barePython = () => (bare ??= new Python("bare", (state, text) => busy === bare || say(state, text)));

export function keepAddress(use, values) {
  const text = new URLSearchParams(values).toString();
  history.replaceState(null, "", `#${use}${text ? `?${text}` : ""}`);
}

function show() {
  const [, use = "", question = ""] = /^#?(\w*)\??(.*)$/s.exec(location.hash) ?? [];
  const known = use in USES;
  for (const section of document.querySelectorAll("main > section")) section.hidden = section.id !== (known ? use : "home");
  for (const link of document.querySelectorAll("nav [data-use]")) link.toggleAttribute("aria-current", link.dataset.use === use);
  for (const link of document.querySelectorAll("nav [aria-current]")) link.setAttribute("aria-current", "page");
  if (!known) { document.title = TITLE; return; }
  USES[use].show(new URLSearchParams(question));
  document.title = `${$(`${use}-title`).textContent} – dpbounds`;
}

// Once Python is there, a service worker keeps all that the page needs, so that the page and Stop work offline. Before, it would delay Python.
async function keepOffline() {
  if (!("serviceWorker" in navigator)) return;
  try {
    await navigator.serviceWorker.register("service.js");
    const { active } = await navigator.serviceWorker.ready;
    const channel = new MessageChannel();
    const done = new Promise((resolve) => { channel.port1.onmessage = resolve; });
    active.postMessage("keep all", [channel.port2]);
    await done;
    return true;
  } catch { /* without a service worker the page needs its server for Stop */ }
}

addEventListener("hashchange", show);
$("stop").addEventListener("click", () => busy?.stop());
for (const [use, module] of Object.entries(USES)) module.build($(use));
if (location.protocol === "file:") {
  say("failed", "Browsers load no Python from a file: serve this folder, for example with python3 -m http.server, and open that address.");
  show();
} else {
  host = new Python("host", (state, text) => busy || say(state, text));
  show();
  host.ready.then(async ({ heap }) => {
    document.body.dataset.ready = JSON.stringify({ ms: Math.round(performance.now() - begun), heap });
    const isKept = await keepOffline();
    document.body.dataset.kept = "yes";
    if (isKept && !busy) say("ready", "Ready, also offline");
  }, () => {});
}
