// The page: its sections, the keyboard, and links into it.

const SECTIONS = [
    ["facts", "Facts"], ["time", "Time"], ["map", "Over time"], ["responders", "Responders"], ["presses", "Presses"],
    ["timeline", "Timeline"], ["bindings", "Bindings"], ["findings", "Findings"],
];
const side = SIDES[0];
const list = new PressList(side, row => select(side, side.id(row), false));
const timeline = new Timeline(side);
const detail = h("div", { class: "chosen", tabindex: "-1" });

const section = (id, title, ...children) => h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), ...children);

const KEYS = [
    ["/", "filter the presses; Enter goes to the list, Esc empties the filter"], ["j k ↓ ↑", "next and previous press"],
    ["g G", "first and last press"], ["s", "slowest first, or by time"], ["0 9", "timeline: this press, its neighbours"],
    ["[ ] − +", "timeline: earlier, later, wider, narrower"], ["1 – 8", "the sections of the page"], ["?", "this help"],
];
const help = h("dialog", { class: "help", "aria-label": "Keyboard" }, h("h2", null, "Keyboard"),
    h("dl", null, KEYS.map(([keys, words]) => [h("dt", null, keys.split(" ").map(key => key === "–" ? " – " : h("kbd", null, key))), h("dd", null, words)])),
    h("p", { class: "soft" }, "A link such as #press=118 or #press=118&where=repeat leads to one press. This file loads nothing and sends nothing."),
    h("form", { method: "dialog" }, h("button", { autofocus: true }, "Close")));

// Chooses a press: in the list, in the timeline and in the address.
function select(where, id, isFar) {
    const row = where.places.get(String(id));
    if (row === undefined) {
        say(`#${id} is not in this page`);
        return;
    }
    if (!list.places.has(row)) {
        list.input.value = "";
        list.filter();
    }
    list.select(row);
    timeline.select(row);
    detail.replaceChildren(pressOf(where, row));
    remember();
    if (isFar) show("presses");
}

function setFilter(where, text) {
    list.input.value = text;
    list.filter();
    if (list.rows.length) select(where, where.id(list.rows[0]), false);
}

function show(id) {
    document.getElementById(id)?.scrollIntoView({ block: "start" });
}

const remember = () => {
    const parts = [];
    if (list.selected !== null) parts.push(`press=${side.id(list.selected)}`);
    if (list.input.value.trim() && !list.error.textContent) parts.push(`where=${encodeURIComponent(list.input.value)}`);
    const hash = parts.length ? "#" + parts.join("&") : "";
    try { history.replaceState(null, "", location.pathname + location.search + hash); } catch { /* some viewers forbid it */ }
};

// True when the address named a press.
const follow = () => {
    const parts = new URLSearchParams(location.hash.slice(1));
    if (parts.has("where")) {
        list.input.value = parts.get("where");
        list.filter();
    }
    if (!parts.has("press")) return false;
    select(side, parts.get("press"), true);
    return true;
};

const keyDown = event => {
    if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey || help.open) return;
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement;
    if (isTyping) return;
    const steps = { j: 1, k: -1, g: -Infinity, G: Infinity }[event.key];
    if (steps !== undefined) list.move(Number.isFinite(steps) ? steps : steps > 0 ? list.rows.length : -list.rows.length);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
        if (event.target !== document.body) return;
        list.move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "/") {
        show("presses");
        list.input.focus();
        list.input.select();
    } else if (event.key === "?") help.showModal();
    else if (event.key === "s") list.toggleOrder();
    else if (event.key === "0") timeline.fit(0);
    else if (event.key === "9") timeline.fit(5);
    else if (event.key === "[") timeline.pan(-1);
    else if (event.key === "]") timeline.pan(1);
    else if (event.key === "+" || event.key === "=") timeline.zoom(.5);
    else if (event.key === "-") timeline.zoom(2);
    else if (event.key >= "1" && event.key <= String(SECTIONS.length)) show(SECTIONS[event.key - 1][0]);
    else return;
    event.preventDefault();
};

const { raw } = side;
document.title = visible(`${side.name} · keyflight report`);
document.getElementById("page").append(
    h("nav", { "aria-label": "Sections" }, h("span", { class: "brand" }, "keyflight"),
        SECTIONS.map(([id, title], index) => h("a", { href: `#${id}`, on: { click: event => { event.preventDefault(); show(id); } } },
            h("kbd", null, index + 1), title, id === "findings" && raw.findings.count ? h("span", { class: "badge" }, count(raw.findings.count)) : null)),
        h("button", { type: "button", class: "ask", title: "Keyboard (?)", on: { click: () => help.showModal() } }, "?")),
    raw.masked ? h("div", { class: "watermark", "aria-hidden": "true" }, "typed text masked") : "",
    h("main", null, headOf(side),
        section("facts", "Facts", factsOf(side)),
        section("time", "Where the time went", h("div", { class: "pair" },
            h("div", null, timesOf(side, raw.times, `${counted(raw.times.count, "press", "presses")}`, "press", "presses"),
                raw.repeatTimes.count ? timesOf(side, raw.repeatTimes, `${counted(raw.repeatTimes.count, "repeat", "repeats")}`, "repeat", "repeats") : null,
                callsOf(side)),
            tailOf(side))),
        section("map", "Latency over time", mapOf(side)),
        section("responders", "Responders", respondersOf(side)),
        section("presses", "Presses", h("div", { class: "browse" }, list.root, detail)),
        section("timeline", "Timeline", timeline.root),
        section("bindings", "Bindings", bindingsOf(side)),
        section("findings", "Findings", findingsOf(side)),
        h("footer", null, `${DATA.generator} · one file, nothing loaded, nothing sent`)),
    help, toast);
document.addEventListener("keydown", keyDown);
addEventListener("hashchange", follow);
addEventListener("beforeprint", () => list.beforePrint());
list.changed = remember;
if (!follow() && list.rows.length) {
    const first = list.rows.find(row => side.columns.outcome(row) === "performed") ?? list.rows[0];
    list.select(first);
    timeline.select(first);
    detail.replaceChildren(pressOf(side, first));
}

// For the console and for programs: which presses an expression chooses.
globalThis.keyflight = Object.freeze({
    presses: (expression, index = 0) => {
        const holds = filterOf(expression);
        return SIDES[index].order.filter(row => holds(SIDES[index], row)).map(row => SIDES[index].id(row));
    },
    duration, csv: csvCell,
});
