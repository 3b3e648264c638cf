const box = document.querySelector(".filter"), text = box.querySelector("input"), kind = box.querySelector("select"), shown = box.querySelector("output");
const pieces = [...document.querySelectorAll("[data-verdict]")].map((node) => [node, node.textContent.toLowerCase()]);
function narrow() {
  let left = 0;
  for (const [node, words] of pieces) {
    node.hidden = (kind.value && node.dataset.verdict !== kind.value) || !words.includes(text.value.toLowerCase());
    left += node.tagName === "ARTICLE" && !node.hidden;
  }
  shown.textContent = left + " claims shown";
}
text.addEventListener("input", narrow);
kind.addEventListener("change", narrow);
box.hidden = false;
