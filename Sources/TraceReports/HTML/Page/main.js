// The page: its sections, the keyboard, and links into it.

const isPair = SIDES.length > 1;
const hasTimes = SIDES.some(side => side.raw.times.total || side.raw.repeatTimes.total);
const SECTIONS = [
    ...isPair ? [["changes", "Changes"]] : [],
    ["facts", "Facts"], ["time", "Time"], ...hasTimes ? [["map", "Over time"]] : [], ["responders", "Responders"],
    ["presses", "Presses"], ...hasTimes ? [["timeline", "Timeline"]] : [], ["bindings", "Bindings"], ["findings", "Findings"],
];
const list = isPair ? new PairList(entry => choose(entry, false)) : new PressList(SIDES[0], row => choose(row, false));
const timelines = SIDES.map(side => new Timeline(side));
const detail = h("div", { class: isPair ? "chosen both" : "chosen", tabindex: "-1" });

const section = (id, title, ...children) => h("section", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), ...children);
const panel = (side, ...children) => h("div", { class: "panel" }, sideTitle(side), ...children);
const both = (content, kind = "sides") => isPair ? h("div", { class: kind }, SIDES.map(side => panel(side, content(side)))) : content(SIDES[0]);

const KEYS = [
    ["/", "filter the presses; Enter goes to the list, Esc empties the filter"], ["j k ↓ ↑", "next and previous press"],
    ["g G", "first and last press"], ["s", "slowest first, or by time"], ...isPair ? [["c", "only what changed, or all"]] : [], ["0 n", "timeline: this press, its neighbours"],
    ["[ ] − +", "timeline: earlier, later, wider, narrower"], [`1 – ${SECTIONS.length}`, "the sections of the page"], ["?", "this help"],
];
const help = h("dialog", { class: "help", "aria-label": "Keyboard" }, h("h2", null, "Keyboard"),
    h("dl", null, KEYS.map(([keys, words]) => [h("dt", null, keys.split(" ").map(key => key === "–" ? " – " : h("kbd", null, key))), h("dd", null, words)])),
    h("p", { class: "soft" }, "A link such as #press=118 or #press=118&where=repeat:yes leads to one press. This file loads nothing and sends nothing."),
    h("form", { method: "dialog" }, h("button", { autofocus: true }, "Close")));

// Chooses an entry of the list: there, in the timeline, in the details and in the address.
function choose(entry, isFar) {
    if (!list.places.has(entry)) list.clear();
    list.select(entry);
    const rows = isPair ? list.pairs[entry].rows : [entry];
    rows.forEach((row, index) => timelines[index].select(row));
    detail.replaceChildren(...SIDES.map((side, index) => isPair
        ? h("div", { class: "half" }, sideTitle(side), rows[index] === null ? h("p", { class: "empty" }, "It has no such press.") : pressOf(side, rows[index]))
        : pressOf(side, rows[index])));
    remember();
    if (isFar) show("presses");
}

function select(side, id, isFar) {
    const entry = list.entryOf(side, id);
    if (entry === undefined) say(`#${id} is not in this page`);
    else choose(entry, isFar);
}

function setFilter(side, text) {
    list.input.value = text;
    list.filter();
    if (list.rows.length) choose(list.rows[0], false);
}

function show(id) {
    document.getElementById(id)?.scrollIntoView({ block: "start" });
}

const remember = () => {
    const parts = [];
    if (list.selected !== null) {
        const id = list.idOf(list.selected);
        parts.push(id.startsWith("was-") ? `was=${id.slice(4)}` : `press=${id}`);
    }
    if (list.input.value.trim() && !list.error.textContent) parts.push(`where=${encodeURIComponent(list.input.value)}`);
    const hash = parts.length ? "#" + parts.join("&") : "";
    try { history.replaceState(null, "", location.pathname + location.search + hash); } catch { /* some viewers forbid it */ }
};

// True when the address named a press.
const follow = () => {
    const parts = new URLSearchParams(location.hash.slice(1).replaceAll("+", "%2B"));
    const [press, was] = [parts.get("press"), parts.get("was")];
    if (parts.has("where")) {
        list.input.value = parts.get("where");
        list.filter();
    }
    if (press !== null) select(SIDES.at(-1), press, true);
    else if (was !== null && isPair) select(SIDES[0], was, true);
    return press !== null || was !== null;
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
    } else if (event.key === "Escape") {
        if (!list.input.value) return;
        list.clear();
        list.reveal();
    } else if (event.key === "?") help.showModal();
    else if (event.key === "s") list.toggleOrder();
    else if (event.key === "c" && isPair) list.toggleChanged();
    else if (event.key === "0") timelines.forEach(timeline => timeline.fit(0));
    else if (event.key === "[") timelines.forEach(timeline => timeline.pan(-1));
    else if (event.key === "]") timelines.forEach(timeline => timeline.pan(1));
    else if (event.key === "+" || event.key === "=") timelines.forEach(timeline => timeline.zoom(.5));
    else if (event.key === "-") timelines.forEach(timeline => timeline.zoom(2));
    else if (event.key === "n") timelines.forEach(timeline => timeline.fit(5));
    else if (event.key >= "1" && event.key <= String(SECTIONS.length)) show(SECTIONS[event.key - 1][0]);
    else return;
    event.preventDefault();
};

const names = SIDES.map(side => side.name).join(" → ");
const findingCount = SIDES.at(-1).raw.findings.count;
document.title = visible(`${names} · keyflight report`);
document.getElementById("page").append(
    h("nav", { "aria-label": "Sections" }, h("span", { class: "brand" }, "keyflight"),
        SECTIONS.map(([id, title], index) => h("a", { href: `#${id}`, on: { click: event => { event.preventDefault(); show(id); } } },
            h("kbd", null, index + 1), title, id === "findings" && findingCount ? h("span", { class: "badge" }, count(findingCount)) : null)),
        h("button", { type: "button", class: "ask", title: "Keyboard (?)", on: { click: () => help.showModal() } }, "?")),
    SIDES.some(side => side.raw.masked) ? h("div", { class: "watermark", "aria-hidden": "true" }, "typed text masked") : "",
    h("main", null,
        isPair ? h("div", { class: "heads" }, SIDES.map(side => headOf(side))) : headOf(SIDES[0]),
        isPair ? section("changes", "What changed", changesOf()) : null,
        section("facts", "Facts", both(factsOf)),
        section("time", "Where the time went", isPair ? timesOfBoth() : null, both(side => h("div", { class: "pair" },
            h("div", null, timesOf(side, side.raw.times, counted(side.raw.times.count, "press", "presses"), "press", "presses"),
                side.raw.repeatTimes.count ? timesOf(side, side.raw.repeatTimes, counted(side.raw.repeatTimes.count, "repeat", "repeats"), "repeat", "repeats") : null,
                callsOf(side)),
            hasTimes ? tailOf(side) : null))),
        hasTimes ? section("map", "Latency over time", both(mapOf, "stack")) : null,
        section("responders", "Responders", both(respondersOf)),
        section("presses", "Presses", h("div", { class: isPair ? "browse stacked" : "browse" }, list.root, detail)),
        hasTimes ? section("timeline", "Timeline", timelines.map(timeline => timeline.root)) : null,
        section("bindings", "Bindings", both(bindingsOf, "stack")),
        section("findings", "Findings", both(findingsOf, "stack")),
        h("footer", null, `${DATA.generator} · one file, nothing loaded, nothing sent`)),
    help, toast);
document.addEventListener("keydown", keyDown);
addEventListener("hashchange", follow);
addEventListener("beforeprint", () => list.beforePrint());
list.changed = remember;
if (!follow() && list.rows.length) {
    // What somebody most likely came for: what changed, else what a finding names, else the first action.
    const [found] = SIDES[0].raw.findings.rows.flatMap(row => row[7]);
    const isWorthIt = entry => isPair ? list.pairs[entry].isChanged : SIDES[0].columns.outcome(entry) === "performed";
    const named = isPair || !found ? undefined : list.entryOf(SIDES[0], found[1] ? found.join(".") : found[0]);
    choose(named ?? list.rows.find(isWorthIt) ?? list.rows[0], false);
}

// For the console and for programs: which presses a filter chooses.
globalThis.keyflight = Object.freeze({
    presses: (text, index = 0) => {
        const holds = filterOf(text);
        return SIDES[index].order.filter(row => holds(SIDES[index], row)).map(row => SIDES[index].id(row));
    },
    shown: () => list.rows.length,
});
