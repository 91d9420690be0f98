// Responders, bindings and findings.

const respondersOf = side => {
    const { responders } = side.raw;
    if (!responders.known) return h("p", { class: "empty" }, `Nothing is known of calls: this trace has level ${side.raw.level}, not calls.`);
    const most = Math.max(1, ...responders.rows.map(row => row[3] ?? 0));
    const number = (head, at, name) => ({ head, align: "right", text: row => count(row[at]), csv: [name, row => row[at]] });
    const time = (head, at, name) => ({ head, align: "right", text: row => duration(row[at]), csv: [name, row => row[at]] });
    return [
        table("Whose keyCommands cost most", [
            { head: "responder", text: row => row[0], class: "id" }, { head: "kind", text: row => row[1], class: "soft" },
            number("calls", 2, "calls"),
            { head: "per press", align: "right", text: row => ratio(row[2] - row[9], responders.ticks), csv: ["per_press", row => responders.ticks ? (row[2] - row[9]) / responders.ticks : null] },
            time("self", 3, "self_ns"),
            { head: "", class: "bars", text: () => "", csv: ["", () => ""], cell: row => bar(row[3] ?? 0, most, "s5") },
            time("total", 4, "total_ns"), number("lists", 5, "distinct_results"),
            { head: "built again", align: "right", text: row => share(row[6], row[2]), csv: ["unchanged_results", row => row[6]] },
            time("kept would save", 7, "kept_time_saved_ns"),
            {
                head: "wrong", align: "right", text: row => count(row[8]), csv: ["kept_stale_answers", row => row[8]],
                cell: row => h("span", { class: row[8] ? "bad" : "soft" }, count(row[8])),
            },
        ], responders.rows, {
            notes: [
                responders.leftOut ? `${count(responders.leftOut)} more are left out.` : null,
                "self: without the calls made inside it; total: with them. built again: answers that were the same list as the one before; lists: different ones.",
            ],
        }),
        table("What a cache would save", [
            { head: "policy", text: row => row[0] },
            { head: "calls saved", align: "right", text: row => count(row[1]), csv: ["calls_saved", row => row[1]] },
            { head: "time saved", align: "right", text: row => duration(row[2]), csv: ["time_saved_ns", row => row[2]] },
            {
                head: "wrong answers", align: "right", text: row => count(row[3]), csv: ["stale_answers", row => row[3]],
                cell: row => h("span", { class: row[3] ? "bad" : "good" }, count(row[3])),
            },
            {
                head: "at", text: row => row[4].map(press => "#" + press).join(" ") + (row[3] > row[4].length ? " …" : ""),
                cell: row => [row[4].map(press => [pressLink(side, press), " "]), row[3] > row[4].length ? "…" : ""],
            },
        ], responders.policies, {
            class: "narrow", notes: [responders.policy && responders.policy !== "none" ? `Recorded with policy ${responders.policy}: these are the calls that it left.` : null],
        }),
    ];
};

// Chords down, contexts across. A cell names the receiver of the chord; a hatched one has offers that lose.
const bindingsOf = side => {
    const { bindings } = side.raw;
    if (!bindings.cells.length) {
        return h("p", { class: "empty" }, bindings.unknown ?? "No responder and no menu of this trace offers a chord.");
    }
    const chords = [];
    const at = new Map();
    for (const cell of bindings.cells) {
        if (!at.has(cell[1])) {
            at.set(cell[1], new Map());
            chords.push(cell[1]);
        }
        at.get(cell[1]).set(cell[0], cell);
    }
    const contexts = bindings.contexts.map((context, index) => ({ context, index }))
        .filter(({ index }) => bindings.cells.some(cell => cell[0] === index));
    const place = context => context[0];
    const words = cell => !cell ? "" : [
        cell[2] ?? ABSENT, cell[3].length ? `shadows ${cell[3].join(", ")}` : null,
        cell[4].length ? `disabled: ${cell[4].join(", ")}` : null, cell[5] ? counted(cell[5], "press", "presses") : null, cell[6] || null,
    ].filter(Boolean).join("; ");
    const content = () => ({
        heads: ["chord", ...contexts.map(({ context }) => `from ${place(context)}`)],
        rows: chords.map(chord => [chord, ...contexts.map(({ index }) => words(at.get(chord).get(index)))]),
    });
    const draw = cell => {
        if (!cell) return h("td", { class: "none" });
        return h("td", { class: cell[3].length ? "shadowing" : null },
            h("span", { class: "owner" }, cell[2] ?? ABSENT),
            cell[5] ? h("span", { class: "times" }, `${counted(cell[5], "press", "presses")}${cell[6] ? ": " + cell[6] : ""}`) : null,
            cell[3].map(name => h("s", null, name)), cell[4].map(name => h("span", { class: "soft" }, `${name} (disabled)`)));
    };
    return h("figure", { class: "table" },
        h("figcaption", null, h("h3", null, "Chords and where the chain starts"), copyButtons("Bindings", content)),
        h("div", { class: "scroll", tabindex: "0" }, h("table", { class: "bindings" },
            h("thead", null, h("tr", null, h("th", { scope: "col" }, "chord"), contexts.map(({ context }) =>
                h("th", { scope: "col" }, place(context), h("span", { class: "soft" }, ` ${counted(context[1], "press", "presses")}`))))),
            h("tbody", null, chords.map(chord => h("tr", null, h("th", { scope: "row", class: "key" }, chord),
                contexts.map(({ index }) => draw(at.get(chord).get(index)))))))),
        h("p", { class: "note" }, "A hatched cell has offers that lose: they are struck through.",
            bindings.leftOut ? ` ${count(bindings.leftOut)} more are left out.` : "", bindings.cut ? ` ${bindings.cut}` : ""));
};

const findingsOf = side => {
    const { findings } = side.raw;
    const unchecked = findings.unchecked.map(words => h("p", { class: "note" }, words));
    if (!findings.count) {
        const found = unchecked.length ? "Nothing found of what was looked for." : "Nothing found.";
        return h("div", null, h("p", { class: "empty" }, found), unchecked);
    }
    const more = findings.count - findings.rows.length;
    const fresh = SIDES.length > 1 ? newFindings(side) : new Set();
    return h("div", null,
        table("Findings", [
            { head: "severity", text: row => row[0], cell: row => [h("span", { class: `severity ${row[0]}` }, row[0]), fresh.has(row) ? h("span", { class: "tag" }, `only in ${"AB"[side.index]}`) : null] },
            { head: "rule", text: row => row[1], class: "code rule" },
            { head: "key", text: row => row[3] ?? ABSENT, class: "key" },
            { head: "presses", align: "right", text: row => row[6] ? count(row[6]) : ABSENT, csv: ["presses", row => row[6]] },
            {
                head: "seen at", text: row => row[7].map(press => "#" + press[0]).join(" "),
                cell: row => row[7].map(press => [pressLink(side, press[0], press[1]), " "]),
            },
            { head: "what happens", text: row => row[4], class: "prose" },
            { head: "what to do", text: row => row[5], class: "prose soft" },
        ], findings.rows, { notes: [more > 0 ? `${count(more)} more are left out.` : null] }), unchecked);
};
