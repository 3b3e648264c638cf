// Small things that every use shares.
export const $ = (id) => document.getElementById(id);

export function node(name, attributes = {}, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...inside);
  return made;
}

// A field with its label. `options` makes it a choice.
export function field(key, label, { value = "", hint = "", options, ...more } = {}) {
  const control = options
    ? node("select", { name: key, ...more }, ...options.map((each) => node("option", { value: each.value ?? each, selected: (each.value ?? each) === value }, each.label ?? each)))
    : node("input", { name: key, value, autocomplete: "off", spellcheck: "false", ...more });
  return node("label", { "data-field": key }, node("span", {}, label), control, ...(hint ? [node("small", {}, hint)] : []));
}

export function badge(verdict) {
  return node("strong", { class: `verdict ${verdict.toLowerCase().replaceAll(" ", "-")}`, "data-verdict": verdict }, verdict);
}

export function download(name, text, label) {
  const link = node("a", { download: name, class: "download" }, label ?? `Download ${name}`);
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  return link;
}

// Text with a button that copies it.
export function copied(title, text) {
  const code = node("pre", { tabindex: "0", "aria-label": title }, text);
  const said = node("span", { role: "status", class: "soft" });
  const button = node("button", { type: "button", class: "small", onclick: async () => {
    try { await navigator.clipboard.writeText(text); said.textContent = " copied"; } catch { getSelection().selectAllChildren(code); said.textContent = " selected: copy it"; }
  } }, "Copy");
  return node("div", { class: "copied" }, node("div", { class: "row" }, node("h4", {}, title), node("span", {}, button, said)), code);
}

export function quoted(words) {
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}

// The sentence for an answer that is none.
export function problem(found) {
  const text = found.stopped ? "Stopped." : (found.refused ?? found.err ?? "").replace(/^dpbounds: /, "").trim();
  return node("p", { class: "problem", role: "alert" }, text);
}

// What a form holds, without empty and hidden fields.
export function valuesOf(form) {
  const found = {};
  for (const control of form.querySelectorAll("input[name], select[name], textarea[name]")) {
    const text = control.value.trim();
    if (text && !control.closest("[hidden]")) found[control.name] = text;
  }
  return found;
}

// Training libraries whose sampling, neighbours and rounding are known, for a field of a form.
export const LIBRARIES = [{ value: "", label: "none" }, { value: "opacus", label: "Opacus" }, { value: "tf-privacy", label: "TensorFlow Privacy" }, { value: "jax-privacy", label: "JAX-Privacy" }];
