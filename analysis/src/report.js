"use strict";
// Hover: value, bits, address and (row, column) of the element under the pointer.
(() => {
  const layouts = JSON.parse(document.getElementById("layouts").textContent);
  const tip = document.body.appendChild(document.createElement("div"));
  tip.id = "tip";

  const half = (h) => {
    const sign = h >> 15 ? -1 : 1, e = (h >> 10) & 31, f = h & 1023;
    if (e === 31) return f ? NaN : sign * Infinity;
    return sign * (e ? 2 ** (e - 15) * (1 + f / 1024) : 2 ** -14 * (f / 1024));
  };
  const number = (element, bits, raw) =>
    element === "hf" ? half(raw)
    : element === "signed" && raw >= 2 ** (bits - 1) ? raw - 2 ** bits : raw;
  const hex = (n, digits) => "0x" + n.toString(16).padStart(digits, "0");

  function prepare(figure) {
    if (figure.ready) return figure.ready;
    const layout = layouts[figure.dataset.layout];
    const bytes = Uint8Array.from(atob(figure.dataset.bytes), (c) => c.charCodeAt(0));
    const gaps = figure.dataset.unwritten.split(" ").filter(Boolean).map((g) => g.split("+").map(Number));
    const inverse = new Map(layout.at.map((at, i) => [at, i]));
    return (figure.ready = { layout, bytes, gaps, inverse });
  }

  function show(event, figure, row, column, byte) {
    const { layout, bytes, gaps } = prepare(figure);
    const tile = Math.floor(row / layout.rows);
    const address = tile * layout.bytes * 8 + layout.at[(row % layout.rows) * layout.columns + column];
    const at = address >> 3;
    if (at >= bytes.length) return hide();
    let raw = 0;
    for (let i = Math.ceil(layout.bits / 8) - 1; i >= 0; i--) raw = raw * 256 + bytes[at + i];
    if (layout.bits < 8) raw = (raw >> (address & 7)) & ((1 << layout.bits) - 1);
    const absent = gaps.some(([start, n]) => (byte ?? at) >= start && (byte ?? at) < start + n);
    const base = Number(figure.dataset.at);
    const where = `row ${row}, column ${column}\naddress ${hex(base + at, 4)} (byte ${at}${layout.bits < 8 ? ", bit " + (address & 7) : ""})`;
    tip.textContent = (absent ? "not written" : `${number(figure.dataset.element, layout.bits, raw)}  [${hex(raw, Math.ceil(layout.bits / 4))}]`) + "\n" + where;
    tip.style.display = "block";
    const box = tip.getBoundingClientRect();
    tip.style.left = Math.max(0, Math.min(event.clientX + 14, innerWidth - box.width - 4)) + "px";
    tip.style.top = (event.clientY + 18 + box.height > innerHeight ? event.clientY - box.height - 8 : event.clientY + 18) + "px";
    // The same element in both pictures.
    const columns = layout.columns, width = Math.max(1, layout.bits / 8);
    mark(figure, "element", row, column, 1, columns);
    mark(figure, "memory", Math.floor(at / 128), at % 128, width, 128);
  }

  function mark(figure, kind, y, x, width, across) {
    const image = figure.querySelector("img." + kind), view = image.parentElement;
    let frame = view.querySelector(".mark");
    if (!frame) { frame = view.appendChild(document.createElement("div")); frame.className = "mark"; }
    const sx = image.clientWidth / across, sy = image.clientHeight / (image.naturalHeight || 1);
    Object.assign(frame.style, { display: "block", left: x * sx + "px", top: y * sy + "px", width: width * sx + "px", height: sy + "px" });
  }

  function hide() {
    tip.style.display = "none";
    for (const frame of document.querySelectorAll(".mark")) frame.style.display = "none";
  }

  document.addEventListener("mousemove", (event) => {
    const image = event.target.closest && event.target.closest("figure img");
    if (!image) return hide();
    const figure = image.closest("figure");
    const { layout, inverse } = prepare(figure);
    const box = image.getBoundingClientRect();
    const x = Math.floor(((event.clientX - box.left) / box.width) * image.naturalWidth);
    const y = Math.floor(((event.clientY - box.top) / box.height) * image.naturalHeight);
    if (x < 0 || y < 0 || x >= image.naturalWidth || y >= image.naturalHeight) return hide();
    if (image.className === "element") return show(event, figure, y, x);
    const byte = y * 128 + x, tile = Math.floor(byte / layout.bytes), step = Math.max(1, layout.bits / 8);
    const inside = byte % layout.bytes;
    const index = inverse.get((inside - (inside % step)) * 8);
    if (index === undefined) return hide();
    show(event, figure, tile * layout.rows + Math.floor(index / layout.columns), index % layout.columns, byte);
  });

  // A link to a probe opens it.
  const open = () => {
    const target = location.hash && document.getElementById(location.hash.slice(1));
    if (target && target.tagName === "DETAILS") { target.open = true; target.scrollIntoView(); }
  };
  addEventListener("hashchange", open);
  open();
})();
