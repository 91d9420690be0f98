// The head of the page, and where the time went.

const pill = (kind, ...children) => h("span", { class: `pill ${kind}` }, ...children);

const headOf = side => {
    const { raw } = side;
    const findings = raw.findings;
    const bySeverity = ["error", "warning", "note"].map(severity =>
        [severity, findings.rows.filter(row => row[0] === severity).length]).filter(entry => entry[1]);
    return h("header", { class: "head" },
        h("h1", null, SIDES.length > 1 ? [letter(side), " "] : null, side.name),
        h("p", { class: "pills" },
            pill(raw.lossy || !raw.complete ? "bad" : "good", raw.lossy || !raw.complete ? "⚠ " : "✓ ", raw.loss,
                raw.complete ? ", complete" : ", not complete"),
            pill(raw.masked ? "masked" : "clear", raw.masked ? "◻ typed text masked" : "typed text in clear"),
            findings.count
                ? h("a", { href: "#findings", class: "pill bad" },
                    bySeverity.map(([severity, number]) => counted(number, severity, severity + "s")).join(" · "))
                : findings.unchecked.length ? pill("", "– not everything was looked for")
                : pill("good", "✓ no findings"),
            raw.derivation ? pill("", raw.derivation) : null,
            raw.undecided ? pill("bad", "⚠ ", raw.undecided) : null, raw.cost ? pill("", raw.cost) : null));
};

const factsOf = side => {
    const { raw } = side;
    const rows = raw.facts;
    return h("div", { class: "facts" },
        h("dl", null, rows.map(([label, value]) => [h("dt", null, label), h("dd", null, value)])),
        table("Outcomes", [
            { head: "outcome", text: row => row[0] },
            { head: "presses and repeats", text: row => count(row[1]), csv: ["count", row => row[1]], align: "right" },
            {
                head: "", csv: ["share", row => row[1]], text: () => "",
                cell: row => bar(row[1], raw.outcomes.reduce((sum, entry) => sum + entry[1], 0)), class: "bars",
            },
        ].slice(0, 3), raw.outcomes));
};

// Percentiles of each stage; absent ones stay absent.
const timesOf = (side, times, title, one, many) => {
    const total = times.total;
    if (!total) return h("p", { class: "empty" }, `${title}: unknown, no stage was recorded or declared.`);
    const seen = STAGES.map((stage, index) => ({ stage, known: times.stages[index] })).filter(row => row.known);
    const unseen = STAGES.filter((_, index) => !times.stages[index]).map(stage => stage.words);
    const rows = [...seen, { stage: null, known: total }];
    const cell = (name, at) => ({
        head: name, align: "right",
        text: row => row.known ? duration(row.known[at]) : "",
        csv: [`${name}_ns`, row => row.known ? row.known[at] : null],
    });
    return table(title, [
        {
            head: "stage", text: row => row.stage ? row.stage.words : "total",
            cell: row => row.stage ? stageName(row.stage.index, times.derived) : h("b", null, "total"),
        },
        {
            head: "n", align: "right", text: row => row.known ? count(row.known[0]) : ABSENT,
            csv: ["n", row => row.known?.[0] ?? null],
        },
        cell("p50", 1), cell("p90", 2), cell("p99", 3), cell("max", 4), cell("sum", 5),
        {
            head: "share", align: "right",
            text: row => row.known && row.stage ? share(row.known[5], total[5]) : "",
            csv: ["share", row => row.known && row.stage ? row.known[5] / total[5] : null],
        },
        {
            head: "", class: "bars", text: () => "", csv: ["", () => ""],
            cell: row => row.known && row.stage ? bar(row.known[5], total[5], `s${row.stage.index}`) : null,
        },
    ].slice(0, 9), rows, {
        class: "times", rowClass: row => !row.stage ? "sum" : row.known ? null : "absent",
        notes: [
            unseen.length ? `Not seen by this recording, and not part of the total: ${unseen.join(", ")}.` : null,
            total[0] < 100 ? `p99 needs 100 ${many}, p90 needs 10; max is always the slowest.` : null,
            times.exact ? null : `Of so many ${many} percentiles are at most 0.1 % too high; max is exact.`,
            one === "press" ? "Percentiles of stages do not add up to those of the total: another press stands in each line." : null,
        ],
    });
};

const tailOf = side => {
    const { tail } = side.raw;
    if (!tail.count) {
        return h("div", { class: "tail" }, h("h3", null, "The slow presses"), h("p", { class: "lead" }, tail.lead));
    }
    const rows = tail.split.map(([slow, other], index) => ({ index, slow, other, above: slow === null ? null : slow - (other ?? 0) }))
        .filter(row => row.slow !== null);
    const most = Math.max(1, ...rows.map(row => row.above));
    const signed = value => (value > 0 ? "+" : value < 0 ? "−" : "") + duration(Math.abs(value));
    return h("div", { class: "tail" },
        table(`The slow presses, ≥ ${duration(tail.limit)}`, [
            { head: "stage", text: row => stageWords(row.index, tail.derived), cell: row => stageName(row.index, tail.derived) },
            { head: "mean", align: "right", text: row => duration(row.slow), csv: ["mean_ns", row => row.slow] },
            { head: "above the others", align: "right", text: row => signed(row.above), csv: ["above_ns", row => row.above] },
            { head: "", class: "bars", text: () => "", csv: ["", () => ""], cell: row => bar(Math.max(0, row.above), most, `s${row.index}`) },
        ], rows, { lead: tail.lead + "." }),
        tail.facts.length
            ? h("dl", { class: "compact" }, tail.facts.map(([label, words]) => [h("dt", null, label), h("dd", null, words)]))
            : h("p", { class: "note" }, "The slow presses have nothing in common that the others lack."),
        table("The slowest", [
            { head: "press", align: "right", text: row => "#" + row[0], csv: ["press", row => row[0]], cell: row => pressLink(side, row[0]) },
            { head: "time", text: row => clock(row[1]), csv: ["t_ns", row => row[1]] },
            { head: "key", text: row => row[2], class: "key" },
            { head: "total", align: "right", text: row => duration(row[3]), csv: ["total_ns", row => row[3]] },
            { head: "most of it", text: row => stageWords(row[4], tail.derived), cell: row => stageName(row[4], tail.derived) },
        ], tail.slow));
};

const callsOf = side => {
    const { calls, times } = side.raw;
    if (!calls) return null;
    const messages = side.raw.messages.filter(row => row[1]);
    const isHooked = messages.length > 0;
    const rows = calls.filter(row => !isHooked && (row[0] === "keyCommands" || row[0] === "canPerformAction") || row[1] || row[4])
        .concat(messages.map(([name, total, most, repeated]) => [name, total, most, repeated, 0, 0]));
    return table("Questions asked", [
        { head: "call", text: row => row[0], class: "code" },
        { head: "total", align: "right", text: row => count(row[1]), csv: ["total", row => row[1]] },
        {
            head: "per press", align: "right", text: row => ratio(row[1] - row[3] - row[5], times.count),
            csv: ["per_press", row => times.count ? (row[1] - row[3] - row[5]) / times.count : null],
        },
        { head: "most for one", align: "right", text: row => count(row[2]), csv: ["per_press_max", row => row[2]] },
        { head: "at repeats", align: "right", text: row => count(row[3]), csv: ["on_repeat", row => row[3]] },
        { head: "at releases", align: "right", text: row => count(row[4]), csv: ["on_release", row => row[4]] },
    ], rows);
};
