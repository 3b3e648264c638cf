// Python in a worker. It loads everything once, then answers, and requests nothing more.
// Its name says which Python: "host" has dpbounds and its packages, "bare" the checkers alone.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const KINDS = {
  host: { archives: ["packages.zip", "dpbounds.zip"], module: "host" },
  bare: { archives: ["checkers.zip"], module: "bare" },
};
const kind = KINDS[self.name];
let answer;

// Pyodide's core lies packed in the folder; whoever asks for it gets it unpacked.
const plain = self.fetch;
self.fetch = async (source, options) => {
  if (!String(source.url ?? source).endsWith(".wasm")) return plain(source, options);
  const packed = await (await plain(`${source.url ?? source}.gz`)).arrayBuffer();
  const isPacked = new DataView(packed).getUint16(0) === 0x1f8b; // some servers unpack what they send
  const stream = isPacked ? new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip")) : packed;
  return new Response(stream, { headers: { "Content-Type": "application/wasm" } });
};

async function load() {
  postMessage({ stage: "Python and its packages" });
  const archives = kind.archives.map(async (name) => {
    const found = await fetch(name);
    if (!found.ok) throw new Error(`${name} is missing on the server (${found.status})`);
    return found.arrayBuffer();
  });
  archives.forEach((archive) => archive.catch(() => {})); // a failure is reported where it is awaited
  const python = await loadPyodide({ indexURL: "./pyodide/" });
  for (const archive of archives) python.unpackArchive(await archive, "zip", { extractDir: "/site" });
  postMessage({ stage: "dpbounds" });
  python.runPython("import sys; sys.path.insert(0, '/site'); sys.dont_write_bytecode = True");
  const module = python.pyimport(kind.module);
  if (kind.module === "host") {
    // The interpreter looks here between instructions and takes 2 for an interrupt. Looking costs time, so only `check` is watched.
    let next = 0;
    const buffer = { get 0() { const now = performance.now(); if (now < next) return 0; next = now + 50; return 2; }, set 0(_) {} };
    const runs = (name, text, ...words) => name === "run" && words.includes(/^\[\["(\w*)"/.exec(text)?.[1]);
    let isReadyForClaims = false;
    answer = (name, text, say) => {
      if (!isReadyForClaims && name === "run" && !runs(name, text, "delta", "epsilon", "rdp")) {
        module.watch();
        isReadyForClaims = true;
      }
      if (runs(name, text, "check", "tighten")) python.setInterruptBuffer(buffer);
      try { return module.answer(name, text, say); } finally { python.setInterruptBuffer(undefined); }
    };
    module.answer("run", '[["delta", "--sigma", "1", "--epsilon", "1"]]'); // imports what numbers need
  } else {
    answer = (name, text) => module.answer(name, text);
  }
  postMessage({ ready: Math.round(performance.now()), heap: python._module.HEAPU8.length });
}

onmessage = ({ data: { id, name, args } }) => {
  let found;
  try {
    found = JSON.parse(answer(name, JSON.stringify(args), (text) => postMessage({ id, text })));
  } catch (error) {
    found = { refused: `Python stopped: ${String(error).trim().split("\n").at(-1)}` };
  }
  postMessage({ id, found });
};

load().catch((error) => postMessage({ failed: String(error.message ?? error) }));
