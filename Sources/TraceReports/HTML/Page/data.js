// The data of the page, taken apart.

const DATA = JSON.parse(document.getElementById("data").textContent);
const STAGES = DATA.stages.map(([name, words], index) => ({ name, words, index }));

// What a filter can ask for; of two fields with a name the first one is meant.
const FIELDS = DATA.fields.filter(([name], at, all) => all.findIndex(other => other[0] === name) === at);

// A column is one value for all rows, or a value for each; steps add up.
const column = (raw, length, isSteps) => {
    if (!Array.isArray(raw)) return () => raw;
    if (!isSteps) return row => raw[row];
    let sum = 0;
    const values = raw.map(step => sum += step);
    return row => values[row];
};

class Side {
    constructor(raw, index) {
        this.raw = raw;
        this.index = index;
        this.name = raw.name;
        const columns = raw.presses.columns;
        const length = raw.presses.shown;
        this.length = length;
        this.columns = {};
        for (const [name, kind] of FIELDS) {
            if (!Object.hasOwn(columns, name)) continue;
            const get = column(columns[name], length, name === "press" || name === "time");
            this.columns[name] = kind === "text" || kind === "chord"
                ? row => { const found = get(row); return found === null ? null : raw.strings[found]; }
                : kind === "flag" ? row => get(row) === 1 : get;
        }
        this.columns.tick = column(columns.tick, length);
        const glyphs = column(columns.glyphs, length);
        this.columns.glyphs = row => raw.strings[glyphs(row)];
        this.stages = columns.stages.map(raw => column(raw, length));
        for (const stage of STAGES) this.columns[stage.name] ??= this.stages[stage.index];
        this.totals = Array.from({ length }, (_, row) => {
            let sum = null;
            for (const stage of this.stages) {
                const time = stage(row);
                if (time !== null) sum = (sum ?? 0) + time;
            }
            return sum;
        });
        this.columns.total = row => this.totals[row];
        this.order = Array.from({ length }, (_, row) => row).sort((a, b) => this.compare(a, b));
        this.places = new Map(this.order.map(row => [this.id(row), row]));
        this.explanations = new Map(raw.explanations.of.map(entry => [entry[0], entry]));
        this.asked = new Map(raw.explanations.asked.map(entry => [entry[0], entry]));
    }
    compare(a, b) {
        return this.columns.press(a) - this.columns.press(b) || this.columns.tick(a) - this.columns.tick(b);
    }
    // `118`, or `118.2` for its second repeat.
    id(row) {
        const tick = this.columns.tick(row);
        return tick ? `${this.columns.press(row)}.${tick}` : String(this.columns.press(row));
    }
    label(row) { return "#" + this.id(row); }
    // What came of it in a few words.
    result(row) {
        const { action, target, outcome } = this.columns;
        if (outcome(row) === "performed" && action(row) !== null) {
            return target(row) === null ? action(row) : `${target(row)}.${action(row)}`;
        }
        return outcome(row) ?? "not resolved";
    }
    // What hooks saw of a press, a line for each kind of message.
    messages(press) {
        const [, list, times] = this.asked.get(press) ?? [];
        if (list === undefined) return [];
        const { strings, explanations } = this.raw;
        return explanations.messageLists[list].map((at, place) => {
            const [depth, name, receiver, answer, sent, isTaker] = explanations.messages[at];
            return {
                depth, name: strings[name], receiver: strings[receiver], answer: strings[answer], count: sent,
                isTaker: !!isTaker, time: explanations.costs[times][place],
            };
        });
    }

    // What `explain` says; null where the page has no room for it.
    explanation(press) {
        const entry = this.explanations.get(press);
        if (!entry) return null;
        const { strings, explanations } = this.raw;
        const [, outcome, details, ladder, costs, list, ...own] = entry;
        const fact = at => {
            const [label, value, role] = explanations.facts[at];
            return { label: strings[label], value: strings[value], role };
        };
        return {
            outcome: strings[outcome], details: strings[details],
            rungs: explanations.ladders[ladder].map((at, place) => {
                const [position, id, kind, window, flags, calls, candidates] = explanations.rungs[at];
                return {
                    position, id: strings[id], kind: strings[kind], window: window === null ? null : strings[window],
                    isFirst: !!(flags & 1), isTarget: !!(flags & 2), isReceiver: !!(flags & 4),
                    isSwallower: !!(flags & 8), calls, cost: explanations.costs[costs][place],
                    candidates: candidates.map(([offer, verdict, role]) =>
                        ({ offer: strings[offer], verdict: strings[verdict], role })),
                };
            }),
            messages: this.messages(press),
            facts: [...explanations.lists[list], ...own].map(fact),
        };
    }
}

const SIDES = DATA.sides.map((raw, index) => new Side(raw, index));
