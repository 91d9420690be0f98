// Latency over time: the darker, the more presses. A cell chooses its presses in the list.

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
    const lines = map.bounds.map((lowest, row) => ({ lowest, row }))
        .filter(({ lowest }) => /^10*$/.test(String(lowest)) && lowest > 0);
    const marks = rowCount <= 14 || lines.length < 2 ? map.bounds.map((lowest, row) => ({ lowest, row }))
        .filter(({ row }) => row % Math.max(1, Math.ceil(rowCount / 8)) === 0) : lines;
    const pick = ([row, cell]) => {
        const [low, high] = [map.bounds[row], map.bounds[row + 1]];
        const [from, to] = [map.from + cell * map.width, map.from + (cell + 1) * map.width];
        setFilter(side, `not repeat and time >= ${literal(from)} and time < ${literal(to)} and total >= ${literal(low)} and total < ${literal(high)}`);
        show("presses");
    };
    const cells = map.cells.map(([row, cell, presses]) => s("rect", {
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
    const ticks = Array.from({ length: 7 }, (_, index) => index / 6);
    return h("figure", { class: "map" },
        s("svg", { viewBox: `0 0 ${left + width + 8} ${top + height + 26}`, role: "img", "aria-label": "How long presses took over time" },
            s("defs", null, s("pattern", { id: "hatch", width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
                s("rect", { class: "hatch", width: 2, height: 6 }))),
            s("rect", { class: "ground", x: left, y: top, width, height }), losses,
            marks.map(({ lowest, row }) => [
                s("line", { class: "grid", x1: left, x2: left + width, y1: y(row) + rowHeight, y2: y(row) + rowHeight }),
                s("text", { x: left - 8, y: y(row) + rowHeight + 4, "text-anchor": "end" }, duration(lowest)),
            ]),
            ticks.map(share => s("text", {
                x: left + share * width, y: top + height + 18,
                "text-anchor": share === 0 ? "start" : share === 1 ? "end" : "middle",
            }, clock(map.from + share * used * map.width))),
            cells),
        h("figcaption", { class: "legend" },
            most === 1 ? h("span", null, h("i", { class: "q5" }), " 1 press")
                : h("span", null, "1 press ", Array.from({ length: 7 }, (_, index) => h("i", { class: `q${index + 1}` })), ` ${counted(most, "press", "presses")}`),
            gaps.length ? h("span", null, h("i", { class: "gapmark" }), " nothing was recorded") : null,
            h("span", { class: "soft" }, "Repeats are left out. Click a cell for its presses.")));
};
