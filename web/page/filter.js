// Search on pages of lists: what does not match is hidden.
const box = document.querySelector(".filter"), text = box.querySelector("input"), kind = box.querySelector("select"), said = box.querySelector("output");
const rows = [...document.querySelectorAll("[data-search]")].map((row) => [row, row.textContent.toLowerCase()]);
function narrow() {
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  let left = 0;
  for (const [row, content] of rows) {
    row.hidden = (kind?.value && row.dataset.verdict !== kind.value) || !words.every((word) => content.includes(word));
    left += !row.hidden;
  }
  for (const section of document.querySelectorAll(".group")) section.hidden = !section.querySelector("[data-search]:not([hidden])");
  said.textContent = `${left} shown`;
}
box.addEventListener("submit", (event) => event.preventDefault());
text.addEventListener("input", narrow);
kind?.addEventListener("change", narrow);
box.hidden = false;
narrow();
