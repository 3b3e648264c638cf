// A Python in a worker: ask it one thing at a time, stop it, and have a new one.
export class Python {
  constructor(kind, onState) {
    this.kind = kind;
    this.onState = onState;
    this.count = 0;
    this.start();
  }

  start() {
    this.asked = new Map();
    this.isReady = false;
    this.ready = new Promise((resolve, reject) => { this.resolve = resolve; this.reject = reject; });
    this.ready.catch(() => {});
    this.worker = new Worker("worker.js", { type: "module", name: this.kind });
    this.worker.onerror = (event) => this.fail(event.message || "the worker could not start");
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.onState("loading", "Loading");
  }

  hear(data) {
    if (data.stage) return this.onState("loading", `Loading ${data.stage}`);
    if (data.failed) return this.fail(data.failed);
    if (data.ready) {
      this.isReady = true;
      this.onState("ready", "Ready");
      return this.resolve(data);
    }
    const job = this.asked.get(data.id);
    if (!job) return;
    if ("text" in data) return job.say?.(data.text);
    this.asked.delete(data.id);
    job.resolve(data.found);
  }

  fail(reason) {
    this.onState("failed", `Python could not be loaded: ${reason}. Reload the page.`);
    this.reject(new Error(reason));
    for (const job of this.asked.values()) job.resolve({ refused: reason });
  }

  // The answer to `name(...args)` of host.py or bare.py; `say` hears what is printed on the way.
  async ask(name, args, say) {
    await this.ready;
    const id = ++this.count;
    return new Promise((resolve) => {
      this.asked.set(id, { resolve, say });
      this.worker.postMessage({ id, name, args });
    });
  }

  // End what is at work. A call of compiled code can be ended in no other way, so a new Python is loaded, from the cache.
  stop() {
    this.worker.terminate();
    for (const job of this.asked.values()) job.resolve({ stopped: true });
    this.start();
  }
}
