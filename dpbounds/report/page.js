const box = document.querySelector(".filter"), text = box.querySelector("input"), kind = box.querySelector("select"), shown = box.querySelector("output");
const pieces = [...document.querySelectorAll("[data-verdict]")].map((node) => [node, node.textContent.toLowerCase()]);
function narrow() {
  let left = 0;
  for (const [node, words] of pieces) {
    node.hidden = (kind.value && node.dataset.verdict !== kind.value) || !words.includes(text.value.toLowerCase());
    left += node.tagName === "ARTICLE" && !node.hidden;
  }
  const asked = kind.value || text.value;
  for (const source of document.querySelectorAll(".source")) {
    source.hidden = ![...source.querySelectorAll("article")].some((node) => !node.hidden);
    if (asked) source.open = true;
  }
  shown.textContent = left + " claims shown";
}
text.addEventListener("input", narrow);
kind.addEventListener("change", narrow);
box.hidden = false;
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1))), source = target && target.closest(".source");
  if (source && !source.open) { source.open = true; target.scrollIntoView(); }
}
addEventListener("hashchange", reveal);
reveal();
