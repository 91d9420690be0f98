// Two traces: what changed first, then both side by side.

const COMPARISON = DATA.comparison ?? null;

// A line for each pair of presses; one of the two may be missing.
class PairList extends PressList {
    constructor(onSelect) { super(SIDES[1], onSelect); }
    entries() {
        this.pairs = COMPARISON.pairs.map(([a, b, isChanged]) => ({
            rows: [SIDES[0].places.get(a) ?? null, SIDES[1].places.get(b) ?? null], isChanged: isChanged === 1,
        })).filter(({ rows }) => rows[0] !== null || rows[1] !== null);
        this.found = SIDES.map((side, index) => new Map(this.pairs.map((pair, place) => [pair.rows[index], place])
            .filter(([row]) => row !== null).map(([row, place]) => [side.id(row), place])));
        return this.pairs.map((_, place) => place);
    }
    entryOf(side, id) { return this.found[side.index].get(String(id)); }
    // The head's number; that of the base where it is the only one.
    idOf(entry) {
        const [a, b] = this.pairs[entry].rows;
        return b === null ? `was-${SIDES[0].id(a)}` : SIDES[1].id(b);
    }
    compare(a, b) { return a - b; }
    slowness(entry) {
        const [a, b] = this.pairs[entry].rows;
        return Math.max(a === null ? -1 : SIDES[0].totals[a] ?? -1, b === null ? -1 : SIDES[1].totals[b] ?? -1);
    }
    holds(test, entry) {
        const pair = this.pairs[entry];
        if (this.isOnlyChanged && !pair.isChanged) return false;
        return pair.rows.some((row, index) => row !== null && test(SIDES[index], row));
    }
    heads() { return ["A", "B", "key", "was", "is", "A", "B"]; }
    toggles() {
        this.changedOnly = h("button", { type: "button", title: "Only what changed (c)", "aria-pressed": "false", on: { click: () => this.toggleChanged() } }, "changed");
        return [this.changedOnly, this.slowest];
    }
    toggleChanged() {
        this.isOnlyChanged = !this.isOnlyChanged;
        this.changedOnly.setAttribute("aria-pressed", String(this.isOnlyChanged));
        this.filter();
        this.reveal();
    }
    clear() {
        if (this.isOnlyChanged) {
            this.isOnlyChanged = false;
            this.changedOnly.setAttribute("aria-pressed", "false");
        }
        super.clear();
    }
    leftOut() { return [COMPARISON.pairCount - this.all.length, COMPARISON.pairCount]; }
    cells(entry) {
        const { rows: [a, b], isChanged } = this.pairs[entry];
        const glyphs = b === null ? SIDES[0].columns.glyphs(a) : SIDES[1].columns.glyphs(b);
        const came = (side, row) => row === null ? h("span", { class: "soft" }, ABSENT) : this.came(side, row);
        const label = (side, row) => h("span", { class: "right" }, row === null ? ABSENT : side.label(row));
        const total = (side, row) => h("span", { class: "right" }, row === null ? ABSENT : duration(side.totals[row]));
        const sign = isChanged ? (a === null ? "+" : b === null ? "−" : "≠") : "";
        return [
            label(SIDES[0], a), label(SIDES[1], b), h("span", { class: "key" }, glyphs), came(SIDES[0], a),
            h("span", { class: isChanged ? "now changed" : "now" }, isChanged ? h("b", { class: "sign" }, sign) : null,
                isChanged ? came(SIDES[1], b) : h("span", { class: "soft" }, "same")),
            total(SIDES[0], a), total(SIDES[1], b),
        ];
    }
    content(isForPrograms) {
        const cell = (side, row, value) => row === null ? null : value(side, row);
        const time = isForPrograms ? (side, row) => side.totals[row] : (side, row) => duration(side.totals[row]);
        return {
            heads: isForPrograms ? ["base_press", "head_press", "key", "was", "is", "changed", "base_total_ns", "head_total_ns"]
                : ["A", "B", "key", "was", "is", "", "A total", "B total"],
            rows: this.rows.map(entry => {
                const { rows: [a, b], isChanged } = this.pairs[entry];
                return [
                    cell(SIDES[0], a, (side, row) => side.id(row)), cell(SIDES[1], b, (side, row) => side.id(row)),
                    b === null ? SIDES[0].columns.glyphs(a) : SIDES[1].columns.glyphs(b),
                    cell(SIDES[0], a, (side, row) => side.result(row)), cell(SIDES[1], b, (side, row) => side.result(row)),
                    isChanged ? "changed" : "", cell(SIDES[0], a, time), cell(SIDES[1], b, time),
                ];
            }),
        };
    }
}

const idLink = (side, id) => {
    if (id === null) return h("span", { class: "soft" }, ABSENT);
    const [press, tick] = id.split(".");
    return pressLink(side, Number(press), Number(tick ?? 0));
};

const changesOf = () => {
    const { changes, counts, renames, leftOut } = COMPARISON;
    const resolutions = changes.length
        ? table("Resolutions", [
            { head: "A", align: "right", text: row => row[0] === null ? ABSENT : "#" + row[0], csv: ["base_press", row => row[0]], cell: row => idLink(SIDES[0], row[0]) },
            { head: "B", align: "right", text: row => row[1] === null ? ABSENT : "#" + row[1], csv: ["head_press", row => row[1]], cell: row => idLink(SIDES[1], row[1]) },
            { head: "key", text: row => row[2], class: "key" },
            { head: "was", text: row => row[3], class: "code was" },
            { head: "is", text: row => row[4], class: "code is" },
            { head: "why", text: row => row[5], class: "prose" },
        ], changes, { lead: COMPARISON.summary, notes: [leftOut ? `${count(leftOut)} more are left out.` : null] })
        : h("p", { class: "lead" }, `Resolutions: ${COMPARISON.summary}`);
    const percent = row => row[1] ? `${row[2] >= row[1] ? "+" : "−"}${(Math.abs(row[2] / row[1] - 1) * 100).toFixed(1)} %` : "";
    const exact = counts === null ? h("p", { class: "note" }, "Counts are not compared: the two do not record the same calls.")
        : !counts.length ? h("p", { class: "note" }, "Counts are the same in every paired press.")
            : table("Exact counts", [
                { head: "count", text: row => row[0], class: "code" },
                { head: "A", align: "right", text: row => count(row[1]), csv: ["base", row => row[1]] },
                { head: "B", align: "right", text: row => count(row[2]), csv: ["head", row => row[2]] },
                { head: "", align: "right", text: percent, csv: ["change", row => row[1] ? row[2] / row[1] - 1 : null] },
                { head: "presses", align: "right", text: row => count(row[3]), csv: ["presses", row => row[3]] },
                {
                    head: "at", text: row => row[4].map(press => "#" + press).join(" "),
                    cell: row => [row[4].map(press => [press ? pressLink(SIDES[1], press) : "text", " "]), row[3] > row[4].length ? "…" : ""],
                },
            ], counts);
    return h("div", { class: "changes" }, resolutions,
        renames.length ? h("dl", { class: "compact" }, renames.map((words, index) => [h("dt", null, index ? "" : "renamed"), h("dd", null, words)])) : null,
        exact);
};

// Medians and tails of both, one below the other for each stage.
const timesOfBoth = () => {
    const { times } = COMPARISON;
    if (!times) return h("p", { class: "empty" }, "Time was not recorded in both.");
    const most = Math.max(1, ...times.filter(row => row[0] !== null).flatMap(row => [row[1][1] ?? 0, row[2][1] ?? 0]));
    const pair = (name, at) => [["A", 1], ["B", 2]].map(([letter, side]) => ({
        head: `${name} ${letter}`, align: "right", text: row => duration(row[side][at]), csv: [`${letter === "A" ? "base" : "head"}_${name}_ns`, row => row[side][at]],
    }));
    return h("div", null, table("Stages of paired presses", [
        { head: "stage", text: row => row[0] === null ? "total" : STAGES[row[0]].words, cell: row => row[0] === null ? h("b", null, "total") : stageName(row[0]) },
        { head: "n", align: "right", text: row => count(row[1][0]), csv: ["n", row => row[1][0]] },
        ...pair("p50", 1),
        {
            head: "", class: "bars", text: () => "", csv: ["", () => ""],
            cell: row => row[0] === null ? null : [bar(row[1][1] ?? 0, most, `s${row[0]} thin faded`), bar(row[2][1] ?? 0, most, `s${row[0]} thin`)],
        },
        {
            head: "change", align: "right", text: row => row[3],
            cell: row => h("span", { class: row[5] ? (row[3].startsWith("+") ? "bad" : "good") : "soft" }, row[3] || ABSENT, row[5] ? "" : " ~"),
        },
        { head: "", text: row => row[4], class: "soft" }, ...pair("p90", 2), ...pair("p99", 3), ...pair("max", 4),
    ], times, {
        class: "times", rowClass: row => row[0] === null ? "sum" : null,
        notes: ["One run of each, which decides nothing: keyflight gate compares builds. ~ may well be chance."],
    }));
};

// Findings that one of the two has alone are marked.
const newFindings = side => {
    const other = SIDES[1 - side.index];
    const key = row => [row[1], row[3], row[4]].join("\0");
    const known = new Set(other.raw.findings.rows.map(key));
    return new Set(side.raw.findings.rows.filter(row => !known.has(key(row))));
};
