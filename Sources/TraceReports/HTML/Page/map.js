// Latency over time: a dot for each press; of many presses cells, the darker, the more of them. A cell chooses its
// presses in the list.

// From so many presses on dots would hide each other.
const DOT_LIMIT = 1000;

// Round values from low to high, about as many as wanted.
const roundTicks = (low, high, wanted) => {
    const rough = Math.max(1, (high - low) / wanted);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].find(factor => factor * power >= rough) * power;
    const first = Math.ceil(low / step);
    return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, index) => (first + index) * step);
};

const mapOf = side => {
    const { map, gaps } = side.raw;
    if (!map.cells.length) return h("p", { class: "empty" }, "No press has a time: no stage was recorded or declared.");
    const [left, top, width] = [74, 8, 1110];
    const rowCount = map.bounds.length - 1;
    const rowHeight = Math.max(7, Math.min(18, Math.round(220 / rowCount)));
    const height = rowCount * rowHeight;
    const used = Math.max(12, ...map.cells.map(cell => cell[1] + 1));
    const cellWidth = width / used;
    const most = Math.max(...map.cells.map(cell => cell[2]));
    const level = presses => most === 1 ? 5 : presses <= 1 ? 1 : Math.min(7, 1 + Math.ceil(Math.log(presses) / Math.log(Math.max(2, most)) * 6));
    const y = row => top + (rowCount - 1 - row) * rowHeight;
    const at = nanoseconds => left + (nanoseconds - map.from) / map.width * cellWidth;
    // A duration between the bounds of its row.
    const placeOf = time => {
        const row = Math.max(0, map.bounds.findLastIndex(bound => bound <= time));
        const [low, above] = [map.bounds[row], map.bounds[row + 1] ?? map.bounds[row] * 2];
        return top + (rowCount - row - Math.min(1, (time - low) / Math.max(1, above - low))) * rowHeight;
    };
    const decades = Array.from({ length: 13 }, (_, power) => [1, 2, 5].map(factor => factor * 10 ** power)).flat()
        .filter(time => time >= map.bounds[0] && time <= map.bounds.at(-1));
    const marks = decades.length <= 9 ? decades : decades.filter(time => /^10*$/.test(String(time)));
    const pick = ([row, cell]) => {
        const [low, high] = [map.bounds[row], map.bounds[row + 1]];
        const [from, to] = [map.from + cell * map.width, map.from + (cell + 1) * map.width];
        setFilter(side, `repeat:no time:${literal(from)}..${literal(to)} total:${literal(low)}..${literal(high)}`);
        show("presses");
    };
    const shown = side.order.filter(row => !side.columns.tick(row) && side.totals[row] !== null);
    const hasDots = map.presses < DOT_LIMIT && shown.length === map.presses;
    const dots = hasDots ? shown.map(row => s("circle", {
        class: "dot", cx: at(side.columns.time(row)).toFixed(2), cy: placeOf(side.totals[row]).toFixed(2), r: 3,
        on: { click: () => select(side, side.id(row), true) },
    }, s("title", null, `#${side.id(row)} ${side.columns.glyphs(row)}, ${duration(side.totals[row])}`))) : [];
    const cells = hasDots ? [] : map.cells.map(([row, cell, presses]) => s("rect", {
        class: `cell q${level(presses)}`, x: (left + cell * cellWidth + .5).toFixed(2), y: y(row) + .5,
        width: Math.max(1, cellWidth - 1).toFixed(2), height: rowHeight - 1, rx: 1.5,
        on: { click: () => pick([row, cell]) },
    }, s("title", null, `${counted(presses, "press", "presses")}, ${duration(map.bounds[row])} to ${duration(map.bounds[row + 1])}, `
        + `${clock(map.from + cell * map.width)} to ${clock(map.from + (cell + 1) * map.width)}`)));
    const losses = gaps.filter(gap => gap[0] >= map.from && gap[0] <= map.from + used * map.width).map(([time, length, cause]) =>
        s("rect", {
            class: "gap", x: at(time).toFixed(2), y: top, height,
            width: Math.max(2, Math.min(left + width - at(time), (length ?? 0) / map.width * cellWidth)).toFixed(2),
        }, s("title", null, `${cause}${length === null ? "" : ", " + duration(length)}`)));
    const ticks = roundTicks(map.from, map.from + used * map.width, 6);
    return h("figure", { class: "map" },
        s("svg", { viewBox: `0 0 ${left + width + 8} ${top + height + 26}`, role: "img", "aria-label": "How long presses took over time" },
            s("defs", null, s("pattern", { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
                s("rect", { class: "hatch", width: 2, height: 6 }))),
            s("rect", { class: "ground", x: left, y: top, width, height }), losses,
            marks.map(time => [
                s("line", { class: "grid", x1: left, x2: left + width, y1: placeOf(time), y2: placeOf(time) }),
                s("text", { x: left - 8, y: placeOf(time) + 4, "text-anchor": "end" }, duration(time)),
            ]),
            ticks.map(time => s("text", {
                x: at(time), y: top + height + 18,
                "text-anchor": at(time) < left + 40 ? "start" : at(time) > left + width - 40 ? "end" : "middle",
            }, clock(time))),
            cells, dots),
        h("figcaption", { class: "legend" },
            hasDots ? h("span", null, h("i", { class: "q5" }), " a press")
                : most === 1 ? h("span", null, h("i", { class: "q5" }), " 1 press")
                : h("span", null, "1 press ", Array.from({ length: 7 }, (_, index) => h("i", { class: `q${index + 1}` })), ` ${counted(most, "press", "presses")}`),
            gaps.length ? h("span", null, h("i", { class: "gapmark" }), " nothing was recorded") : null,
            h("span", { class: "soft" }, "Repeats are left out. Click one for what it is.")));
};
