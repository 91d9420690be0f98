// Elements. Text reaches the page as text alone, never as markup.

const SVG = "http://www.w3.org/2000/svg";
const fill = (element, attributes, children) => {
    for (const [name, value] of Object.entries(attributes ?? {})) {
        if (value === null || value === undefined || value === false) continue;
        if (name === "on") {
            for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
        } else {
            element.setAttribute(name, value === true ? "" : String(value));
        }
    }
    for (const child of children.flat(Infinity)) {
        if (child === null || child === undefined || child === false) continue;
        element.append(child instanceof Node ? child : document.createTextNode(visible(child)));
    }
    return element;
};
const h = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const s = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const toast = h("div", { class: "toast", role: "status", "aria-live": "polite" });
let toastTimer = 0;
const say = text => {
    toast.textContent = text;
    toast.classList.add("shown");
    clearTimeout(toastTimer);
    toastTimer = setTimeout(() => toast.classList.remove("shown"), 1800);
};

const copyText = async (text, what) => {
    try {
        await navigator.clipboard.writeText(text);
    } catch {
        const box = h("textarea", { class: "offscreen" });
        box.value = text;
        document.body.append(box);
        box.select();
        document.execCommand("copy");
        box.remove();
    }
    say(`Copied ${what}`);
};

const asCSV = (heads, rows) => [heads, ...rows].map(row => row.map(csvCell).join(",")).join("\r\n") + "\r\n";
const asMarkdown = (heads, rows) => {
    const line = cells => `| ${cells.map(markdownCell).join(" | ")} |`;
    return [line(heads), `|${heads.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n") + "\n";
};

// The two buttons that every table has. `content` gives heads and rows of texts: for people, or for programs.
const copyButtons = (title, content) => h("span", { class: "copy" },
    h("button", {
        type: "button", title: `Copy “${title}” as Markdown`,
        on: { click: () => { const { heads, rows } = content(false); copyText(asMarkdown(heads, rows), `${counted(rows.length, "row", "rows")} as Markdown`); } },
    }, "Markdown"),
    h("button", {
        type: "button", title: `Copy “${title}” as CSV`,
        on: { click: () => { const { heads, rows } = content(true); copyText(asCSV(heads, rows), `${counted(rows.length, "row", "rows")} as CSV`); } },
    }, "CSV"));

// A table. Columns: `head`, `text(row)`; and where wanted `csv` (head and value for programs), `cell(row)` for what is
// shown, `align`, `class`.
const table = (title, columns, rows, options = {}) => {
    const content = isForPrograms => ({
        heads: columns.map(column => isForPrograms && column.csv ? column.csv[0] : column.head),
        rows: rows.map(row => columns.map(column => isForPrograms && column.csv ? column.csv[1](row) : column.text(row))),
    });
    const cell = (column, row) => h("td", { class: [column.align, column.class].filter(Boolean).join(" ") || null },
        column.cell ? column.cell(row) : column.text(row));
    return h("figure", { class: "table" },
        h("figcaption", null, h("h3", null, title), copyButtons(title, content)),
        options.lead ? h("p", { class: "lead" }, options.lead) : null,
        h("div", { class: "scroll", tabindex: "0" }, h("table", { class: options.class },
            h("thead", null, h("tr", null, columns.map(column =>
                h("th", { scope: "col", class: column.align, title: column.title }, column.head)))),
            h("tbody", null, rows.map(row => h("tr", { class: options.rowClass?.(row) },
                columns.map(column => cell(column, row))))))),
        options.notes?.filter(Boolean).map(note => h("p", { class: "note" }, note)));
};

// A bar as long as a share of the whole.
const bar = (part, whole, kind = "") => {
    const width = whole > 0 ? Math.max(0, Math.min(100, part / whole * 100)) : 0;
    return s("svg", { class: `bar ${kind}`, viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
        s("rect", { class: "track", width: 100, height: 8 }), s("rect", { class: "fill", width, height: 8 }));
};

// `derived`: places of the stages that are the time of their calls.
const stageWords = (index, derived) => STAGES[index].words + (derived && derived.includes(index) ? " (its calls)" : "");
const stageName = (index, derived) => h("span", { class: `stage s${index}` }, h("i", { class: "swatch" }), stageWords(index, derived));
const pressLink = (side, press, tick = 0) => {
    const id = tick ? `${press}.${tick}` : String(press);
    return h("a", {
        href: `#${addressOf(side)}=${id}`, class: "press",
        on: { click: event => { event.preventDefault(); select(side, id, true); } },
    }, `#${press}`);
};
// Of two traces the first one's presses have a name of their own in the address.
const addressOf = side => SIDES.length > 1 && side.index === 0 ? "was" : "press";
const letter = side => h("b", { class: `letter side${side.index}` }, "AB"[side.index]);
const sideTitle = side => SIDES.length > 1 ? h("h3", { class: "side" }, letter(side), " ", side.name) : null;
