// The list of presses. Only the rows in sight are elements, so that ten thousand are as quick as ten.

const ROW_HEIGHT = 28;

class PressList {
    constructor(side, onSelect) {
        this.side = side;
        this.onSelect = onSelect;
        this.isBySlowness = false;
        this.all = this.entries();
        this.rows = this.all;
        this.selected = null;
        this.canvas = h("div", { class: "canvas" });
        this.box = h("div", {
            class: "rows", tabindex: "0", role: "listbox", "aria-label": "Presses", "aria-activedescendant": null,
            on: { scroll: () => this.draw(), keydown: event => this.key(event) },
        }, this.canvas);
        this.status = h("p", { class: "status", role: "status" });
        this.error = h("p", { class: "error", role: "alert" });
        this.input = h("input", {
            type: "text", class: "filter", spellcheck: "false", autocomplete: "off", autocapitalize: "off",
            placeholder: "⌘W total:8ms..", "aria-label": "Filter presses by words and fields",
            on: { input: () => this.filter(), keydown: event => this.inputKey(event) },
        });
        this.slowest = h("button", { type: "button", "aria-pressed": "false", on: { click: () => this.toggleOrder() } }, "slowest first");
        this.print = h("div", { class: "printed" });
        const hints = ["total:8ms..", "-outcome:performed", "repeat:no", "responder:"].map(text =>
            h("button", { type: "button", class: "hint", on: { click: () => { this.input.value = text; this.filter(); this.input.focus(); } } }, text));
        this.root = h("div", { class: "list" },
            h("div", { class: "filterbar" }, h("label", null, h("kbd", null, "/"), this.input), this.toggles(),
                copyButtons("Presses", isForPrograms => this.content(isForPrograms))),
            this.error,
            h("details", { class: "fields" }, h("summary", null, "Fields"),
                h("p", null, hints),
                h("p", { class: "soft" }, "All words and fields have to match; a minus before one turns it round. A..B is from A on and below B."),
                h("p", { class: "soft" }, FIELDS.map(([name, kind]) => h("span", { class: "field" }, h("code", null, name), ` ${kind} `)))),
            this.status, h("div", { class: "rowhead", "aria-hidden": "true" }, this.heads().map(text => h("span", null, text))),
            this.box, this.print);
        this.observer = new ResizeObserver(() => this.draw());
        this.observer.observe(this.box);
        this.filter();
    }
    // What stands in the list, in order; here and below another kind of list says otherwise.
    entries() { return this.side.order; }
    entryOf(side, id) { return side.places.get(String(id)); }
    idOf(row) { return this.side.id(row); }
    compare(a, b) { return this.side.compare(a, b); }
    slowness(row) { return this.side.totals[row] ?? -1; }
    holds(test, row) { return test(this.side, row); }
    heads() { return ["press", "time", "key", "came to", "total", ""]; }
    toggles() { return this.slowest; }
    leftOut() {
        const { presses } = this.side.raw;
        return [presses.leftOut, presses.count];
    }
    filter() {
        try {
            const test = filterOf(this.input.value);
            this.rows = this.all.filter(entry => this.holds(test, entry));
            this.error.textContent = "";
            this.input.classList.remove("wrong");
        } catch (error) {
            if (!(error instanceof FilterError)) throw error;
            this.error.textContent = visible(error.message);
            this.input.classList.add("wrong");
            return;
        }
        if (this.isBySlowness) this.rows.sort((a, b) => this.slowness(b) - this.slowness(a) || this.compare(a, b));
        this.places = new Map(this.rows.map((row, place) => [row, place]));
        const [leftOut, whole] = this.leftOut();
        const left = leftOut
            ? `; ${count(leftOut)} of ${count(whole)} are left out of this page: it keeps the slow ones, those of findings, and an even part of the others` : "";
        this.status.textContent = (this.rows.length === this.all.length
            ? counted(this.all.length, "press or repeat", "presses and repeats") : `${count(this.rows.length)} of ${count(this.all.length)}`) + left;
        this.canvas.style.height = `${this.rows.length * ROW_HEIGHT}px`;
        this.draw(true);
        this.changed?.();
    }
    draw(isNew = false) {
        const first = Math.max(0, Math.floor(this.box.scrollTop / ROW_HEIGHT) - 4);
        const last = Math.min(this.rows.length, first + Math.ceil((this.box.clientHeight || 600) / ROW_HEIGHT) + 8);
        if (!isNew && this.shown?.[0] === first && this.shown?.[1] === last) return;
        this.shown = [first, last];
        this.canvas.replaceChildren(...this.rows.slice(first, last).map((row, offset) => this.row(row, first + offset)));
    }
    row(row, place) {
        const isSelected = row === this.selected;
        const element = h("div", {
            class: `row${isSelected ? " selected" : ""}${place % 2 ? " odd" : ""}`, role: "option", id: `row-${this.idOf(row)}`,
            "aria-selected": String(isSelected), "aria-setsize": this.rows.length, "aria-posinset": place + 1,
            on: { click: () => { this.onSelect(row); this.box.focus({ preventScroll: true }); } },
        }, this.cells(row));
        element.style.top = `${place * ROW_HEIGHT}px`;
        return element;
    }
    cells(row) {
        const { side } = this;
        return [
            h("span", { class: "right" }, side.label(row)), h("span", { class: "soft" }, clock(side.columns.time(row))),
            h("span", { class: "key" }, side.columns.glyphs(row)), this.came(side, row),
            h("span", { class: "right" }, duration(side.totals[row])), this.stagesOf(row),
        ];
    }
    came(side, row) {
        return h("span", { class: `came ${this.tone(side, row)}`, title: visible(side.result(row)) }, side.result(row));
    }
    tone(side, row) {
        const outcome = side.columns.outcome(row);
        return outcome === "performed" ? "" : /^(consumed|cancelled)/.test(outcome ?? "") ? "soft" : "bad";
    }
    // The stages of one press, to the scale of the slowest in the list.
    stagesOf(row) {
        this.scale ??= Math.max(1, ...this.side.totals.map(total => total ?? 0));
        const total = this.side.totals[row];
        if (total === null) return h("span");
        const root = share => Math.sqrt(share / this.scale) * 100;
        let before = 0;
        return s("svg", { class: "mini", viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
            STAGES.map(stage => {
                const time = this.side.stages[stage.index](row);
                if (!time) return null;
                const x = total ? before / total * root(total) : 0;
                before += time;
                return s("rect", { class: `fill s${stage.index}`, x, width: Math.max(.4, time / total * root(total)), height: 10 });
            }));
    }
    content(isForPrograms) {
        const { side } = this;
        const { columns } = side;
        if (!isForPrograms) {
            return {
                heads: ["press", "time", "key", "came to", "total"],
                rows: this.rows.map(row => [side.label(row), clock(columns.time(row)), columns.glyphs(row), side.result(row), duration(side.totals[row])]),
            };
        }
        const fields = FIELDS.filter(([name]) => name !== "press" && !STAGES.some(stage => stage.name === name && name !== "action"));
        return {
            heads: ["press", "tick", ...fields.map(([name, kind]) => kind === "duration" ? `${name}_ns` : name), ...STAGES.map(stage => `stage_${stage.name}_ns`)],
            rows: this.rows.map(row => [columns.press(row), columns.tick(row), ...fields.map(([name]) => columns[name](row)),
                ...side.stages.map(stage => stage(row))]),
        };
    }
    toggleOrder() {
        this.isBySlowness = !this.isBySlowness;
        this.slowest.setAttribute("aria-pressed", String(this.isBySlowness));
        this.filter();
        this.reveal();
    }
    clear() {
        this.input.value = "";
        this.filter();
    }
    select(row) {
        this.selected = row;
        this.box.setAttribute("aria-activedescendant", row === null ? "" : `row-${this.idOf(row)}`);
        this.reveal();
        this.draw(true);
    }
    reveal() {
        const place = this.places.get(this.selected);
        if (place === undefined) return;
        const top = place * ROW_HEIGHT;
        const height = this.box.clientHeight || 600;
        if (top < this.box.scrollTop) this.box.scrollTop = Math.max(0, top - ROW_HEIGHT);
        if (top + ROW_HEIGHT > this.box.scrollTop + height) this.box.scrollTop = top + 2 * ROW_HEIGHT - height;
    }
    // Goes on by so many rows.
    move(steps) {
        if (!this.rows.length) return;
        const place = this.places.get(this.selected);
        const next = place === undefined ? (steps > 0 ? 0 : this.rows.length - 1) : Math.max(0, Math.min(this.rows.length - 1, place + steps));
        this.onSelect(this.rows[next]);
    }
    key(event) {
        const page = Math.max(1, Math.floor(this.box.clientHeight / ROW_HEIGHT) - 1);
        const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity }[event.key];
        if (steps === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
        event.preventDefault();
        this.move(Number.isFinite(steps) ? steps : steps > 0 ? this.rows.length : -this.rows.length);
    }
    inputKey(event) {
        if (event.key !== "Enter" && event.key !== "ArrowDown" && event.key !== "Escape") return;
        event.preventDefault();
        if (event.key === "Escape" && this.input.value) {
            this.clear();
            return;
        }
        this.box.focus();
        if (this.places.get(this.selected) === undefined) this.move(1);
    }
    // On paper nothing scrolls: the first rows stand there as a table.
    beforePrint() {
        const limit = 200;
        const { heads, rows } = this.content(false);
        this.print.replaceChildren(h("table", null, h("thead", null, h("tr", null, heads.map(head => h("th", null, head)))),
            h("tbody", null, rows.slice(0, limit).map(row => h("tr", null, row.map(cell => h("td", null, cell)))))),
        rows.length > limit ? h("p", { class: "note" }, `${count(rows.length - limit)} more are in the page.`) : "");
    }
}
