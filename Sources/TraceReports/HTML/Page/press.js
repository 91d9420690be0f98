// One press: what came of it, where its time went, who was asked and why not the others.

const waterfall = (side, row) => {
    const total = side.totals[row];
    if (total === null) return h("p", { class: "note" }, "No stage of it was recorded or declared.");
    let before = 0;
    const rows = STAGES.map(stage => ({ stage, time: side.stages[stage.index](row) })).filter(entry => entry.time !== null)
        .map(entry => { const placed = { ...entry, before }; before += entry.time; return placed; });
    const absent = STAGES.filter(stage => side.stages[stage.index](row) === null).map(stage => stage.words);
    const whole = Math.max(total, 1);
    return table("Where its time went", [
        { head: "stage", text: entry => entry.stage ? entry.stage.words : "total", cell: entry => entry.stage ? stageName(entry.stage.index) : h("b", null, "total") },
        { head: "time", align: "right", text: entry => duration(entry.time), csv: ["ns", entry => entry.time] },
        {
            head: "", class: "bars wide", text: () => "", csv: ["", () => ""],
            cell: entry => entry.stage ? s("svg", { class: `bar s${entry.stage.index}`, viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": "true" },
                s("rect", { class: "track", width: 100, height: 8 }),
                s("rect", { class: "fill", x: entry.before / whole * 100, width: Math.max(.6, entry.time / whole * 100), height: 8 })) : null,
        },
    ], [...rows, { stage: null, time: total }], {
        class: "times", rowClass: entry => entry.stage ? null : "sum",
        notes: [absent.length ? `${ABSENT} not seen by this recording: ${absent.join(", ")}` : null],
    });
};

const ROLES = ["", "good", "bad", "faint"];

const ladderOf = (side, row, found) => {
    // One line for each candidate; a responder's own cells stand in the first of them.
    const lines = [];
    let isOff = false;
    for (const rung of found.rungs) {
        if (rung.position === 0 && !isOff) {
            isOff = true;
            lines.push({ rung: null });
        }
        for (const candidate of rung.candidates.length ? rung.candidates : [null]) {
            lines.push({ rung, candidate, isFirst: candidate === null || candidate === rung.candidates[0] });
        }
    }
    const mine = line => line.rung && line.isFirst ? line.rung : null;
    const marks = rung => [
        rung.isFirst ? "first responder" : null, rung.isTarget ? "target" : null, rung.isSwallower ? "kept the press" : null,
    ].filter(Boolean).join(", ");
    return table("Who was asked", [
        { head: "", align: "right soft", text: line => mine(line) && line.rung.position > 0 ? String(line.rung.position) : "" },
        {
            head: "responder", text: line => line.rung ? mine(line)?.id ?? "" : "not on the chain:",
            cell: line => mine(line) ? [
                h("span", { class: line.rung.isTarget ? "id target" : "id" }, line.rung.id, line.rung.isTarget ? " ◀" : ""),
                line.rung.kind ? h("span", { class: "soft" }, " " + line.rung.kind) : null,
                line.rung.isFirst ? h("span", { class: "tag" }, "first responder") : null,
                line.rung.isSwallower ? h("span", { class: "tag bad" }, "kept the press") : null,
            ] : line.rung ? null : h("span", { class: "soft" }, "not on the chain:"),
        },
        { head: "window", text: line => mine(line) ? line.rung.window ?? ABSENT : "", class: "soft" },
        { head: "calls", align: "right", text: line => mine(line) ? count(line.rung.calls) : "" },
        { head: "cost", align: "right", text: line => mine(line) ? duration(line.rung.cost) : "", csv: ["cost_ns", line => mine(line)?.cost ?? null] },
        { head: `${side.columns.glyphs(row)}?`, text: line => line.candidate?.offer ?? (mine(line) ? ABSENT : ""), class: "code" },
        {
            head: "verdict", text: line => line.candidate?.verdict ?? "",
            cell: line => line.candidate ? h("span", { class: `verdict ${ROLES[line.candidate.role]}` }, line.candidate.verdict) : null,
        },
        { head: "", text: line => mine(line) ? marks(line.rung) : "", cell: () => null, csv: ["marks", line => mine(line) ? marks(line.rung) : ""], class: "gone" },
    ], lines, { class: "ladder", rowClass: line => line.rung?.isTarget ? "target" : null });
};

const messagesOf = messages => table("What the toolkit asked", [
    { head: "message", text: line => "\u00a0".repeat(2 * Math.min(line.depth, 8)) + line.name, class: "code" },
    {
        head: "to", text: line => line.receiver + (line.isTaker ? " ◀" : ""),
        cell: line => h("span", { class: line.isTaker ? "id target" : "id" }, line.receiver, line.isTaker ? " ◀" : ""),
    },
    { head: "times", align: "right", text: line => count(line.count) },
    { head: "time", align: "right", text: line => duration(line.time), csv: ["ns", line => line.time] },
    { head: "answer", text: line => line.answer },
], messages, { class: "messages", rowClass: line => line.isTaker ? "target" : null });

const pressOf = (side, row) => {
    if (row === null || row === undefined) return h("p", { class: "empty" }, "No press is chosen. j and k go through the list.");
    const found = side.explanation(side.columns.press(row));
    const glyphs = side.columns.glyphs(row);
    const tick = side.columns.tick(row);
    const command = `keyflight explain ${side.raw.arguments} --press ${side.columns.press(row)}`;
    return h("article", { class: "detail", "aria-label": `Press ${side.id(row)}` },
        h("h2", null, h("span", { class: "soft" }, `#${side.columns.press(row)}`, tick ? ` repeat ${tick}` : ""), " ", h("kbd", { class: "chord" }, glyphs), " ",
            h("span", { class: "arrow" }, "→ "), tick || !found ? side.result(row) : found.outcome),
        h("p", { class: "soft sub" }, [clock(side.columns.time(row)), side.totals[row] === null ? null : duration(side.totals[row]),
            found?.details || null].filter(Boolean).join(" · ")),
        tick ? h("p", { class: "note" }, "The questions below are those of the key's down; the times are this repeat's.") : null,
        found && found.rungs.length ? ladderOf(side, row, found) : null,
        found && found.messages.length ? messagesOf(found.messages) : null,
        waterfall(side, row),
        found
            ? table("What else is known", [
                { head: "", text: fact => fact.label, class: "soft label" },
                { head: "", text: fact => fact.value, cell: fact => h("span", { class: ROLES[fact.role] }, fact.value) },
            ], found.facts, { class: "known" })
            : h("p", { class: "note" }, "This page has no room for the questions of this press. ", h("code", null, command), " tells them."));
};
