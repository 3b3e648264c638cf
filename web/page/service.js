// The service worker: what was loaded once is served from the cache, so that the site works offline.
// The builder writes VERSION, a hash of the files, and FILES, what the interactive pages need.
const VERSION = "@VERSION@";
const FILES = "@FILES@";

addEventListener("install", (event) => { skipWaiting(); });
addEventListener("activate", (event) => event.waitUntil(renew()));

async function renew() {
  for (const name of await caches.keys()) if (name.startsWith("dpbounds-") && name !== `dpbounds-${VERSION}`) await caches.delete(name);
  await clients.claim();
}

addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method === "GET" && url.origin === location.origin && url.href.startsWith(registration.scope)) event.respondWith(served(url, event.request));
});

addEventListener("message", (event) => {
  if (event.data === "keep all") event.waitUntil(keepAll().then(() => event.ports[0].postMessage("kept")));
});

function keyOf(url) {
  const path = url.origin + url.pathname;
  return path.endsWith("/") ? `${path}index.html` : path;
}

async function keepAll() {
  for (const name of FILES) {
    const url = new URL(name, registration.scope);
    await served(url, new Request(url));
  }
}

async function served(url, request) {
  const cache = await caches.open(`dpbounds-${VERSION}`), key = keyOf(url);
  const kept = await cache.match(key);
  if (kept) return kept;
  const found = await fetch(request.mode === "navigate" ? url.href : request);
  if (found.ok && !found.redirected) await cache.put(key, found.clone());
  return found;
}
