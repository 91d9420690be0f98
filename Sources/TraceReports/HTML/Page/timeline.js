// A span of time with a lane for each stage. Stages of a press follow each other from the time of its key on.

class Timeline {
    constructor(side) {
        this.side = side;
        this.lanes = STAGES.filter(stage => side.order.some(row => side.stages[stage.index](row) !== null));
        this.byTime = [...side.order].filter(row => side.totals[row] !== null)
            .sort((a, b) => side.columns.time(a) - side.columns.time(b) || side.compare(a, b));
        this.selected = null;
        this.figure = h("div", { class: "lanes" });
        this.words = h("span", { class: "soft" });
        const button = (text, title, act) => h("button", { type: "button", title, on: { click: act } }, text);
        const isEmpty = !this.lanes.length;
        this.root = h("figure", { class: "timeline" }, sideTitle(side), isEmpty ? null : h("div", { class: "tools" },
            button("◀", "Earlier ([)", () => this.pan(-1)), button("▶", "Later (])", () => this.pan(1)),
            button("−", "Wider span (-)", () => this.zoom(2)), button("+", "Narrower span (+)", () => this.zoom(.5)),
            button("this press", "Fit the press (0)", () => this.fit(0)), button("its neighbours", "Fit ten presses (n)", () => this.fit(5)),
            this.words), this.figure,
        isEmpty ? null : h("p", { class: "note" }, "hid and transport lie before the key's time, the others after it, in their order; what lies between two presses is drawn to scale."));
    }
    select(row) {
        this.selected = row ?? null;
        if (row !== null && row !== undefined) this.fit(0);
        else this.draw();
    }
    // From where to where the stages of a press lie.
    extent(row) {
        const early = (this.side.stages[0](row) ?? 0) + (this.side.stages[1](row) ?? 0);
        const time = this.side.columns.time(row);
        return [time - early, time - early + this.side.totals[row]];
    }
    fit(neighbours) {
        let place = this.byTime.indexOf(this.selected);
        if (place < 0) place = 0;
        const rows = this.byTime.slice(Math.max(0, place - neighbours), place + neighbours + 1);
        if (!rows.length) return this.draw();
        const ends = rows.map(row => this.extent(row));
        const [from, to] = [Math.min(...ends.map(end => end[0])), Math.max(...ends.map(end => end[1]))];
        const margin = Math.max(1000, (to - from) * .06);
        [this.from, this.to] = [from - margin, to + margin];
        this.draw();
    }
    zoom(factor) {
        if (this.from === undefined) return;
        const middle = (this.from + this.to) / 2;
        const half = Math.max(500, (this.to - this.from) / 2 * factor);
        [this.from, this.to] = [middle - half, middle + half];
        this.draw();
    }
    pan(direction) {
        if (this.from === undefined) return;
        const step = (this.to - this.from) * .4 * direction;
        [this.from, this.to] = [this.from + step, this.to + step];
        this.draw();
    }
    draw() {
        const { side } = this;
        if (!this.lanes.length || this.from === undefined) {
            this.figure.replaceChildren(h("p", { class: "empty" }, "No stage was recorded or declared."));
            return;
        }
        const [left, top, lane, width] = [110, 26, 22, 1080];
        const height = this.lanes.length * lane;
        const scale = width / (this.to - this.from);
        const x = time => left + (time - this.from) * scale;
        const rows = this.byTime.filter(row => { const [from, to] = this.extent(row); return to >= this.from && from <= this.to; });
        const limit = 1500;
        const shown = rows.slice(0, limit);
        this.words.textContent = `${clock(this.from)} to ${clock(this.to)}, ${duration(Math.round(this.to - this.from))}, ${counted(rows.length, "press", "presses")}`
            + (rows.length > limit ? `, the first ${count(limit)} drawn` : "");
        let lastLabel = -Infinity;
        const marks = shown.map(row => {
            const isSelected = row === this.selected;
            let time = this.extent(row)[0];
            const bars = [];
            for (const stage of STAGES) {
                const length = side.stages[stage.index](row);
                if (length === null) continue;
                const at = this.lanes.indexOf(stage);
                const [a, b] = [Math.max(left, x(time)), Math.min(left + width, x(time + length))];
                time += length;
                if (b < left || a > left + width) continue;
                bars.push(s("rect", { class: `fill s${stage.index}`, x: a.toFixed(2), y: top + at * lane + 4, width: Math.max(1.2, b - a).toFixed(2), height: lane - 8, rx: 1.5 },
                    s("title", null, `${side.label(row)} ${side.columns.glyphs(row)}: ${stage.words} ${duration(length)}`)));
            }
            const at = Math.max(left, x(this.extent(row)[0]));
            const label = `${side.columns.glyphs(row)}`;
            const hasRoom = at > lastLabel + 9 * label.length + 8 && at < left + width - 20;
            if (hasRoom) lastLabel = at;
            return s("g", { class: isSelected ? "mark selected" : "mark", on: { click: () => select(side, side.id(row), false) } },
                s("line", { class: "start", x1: at, x2: at, y1: top - 4, y2: top + height }),
                hasRoom || isSelected ? s("text", { x: at, y: top - 9 }, label) : null, bars);
        });
        const ticks = roundTicks(0, this.to - this.from, 5);
        this.figure.replaceChildren(s("svg", { viewBox: `0 0 ${left + width + 8} ${top + height + 24}`, role: "img", "aria-label": "Timeline with a lane for each stage" },
            this.lanes.map((stage, index) => [
                s("rect", { class: index % 2 ? "lane odd" : "lane", x: left, y: top + index * lane, width, height: lane }),
                s("text", { x: left - 10, y: top + index * lane + 15, "text-anchor": "end" }, stage.words),
            ]), marks,
            ticks.map(offset => s("text", {
                class: "soft", x: left + offset * scale, y: top + height + 17,
                "text-anchor": offset === 0 ? "start" : offset * scale > width - 40 ? "end" : "middle",
            }, offset === 0 ? clock(this.from) : "+" + duration(offset)))));
    }
}
