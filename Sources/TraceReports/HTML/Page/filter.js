// The filter of the list: words that stand anywhere in a row, and facets such as `outcome:performed` or `total:8ms..`.
// All of them must hold; a minus before one turns it round.

class FilterError extends Error {}

const fold = text => String(text).normalize("NFC").toLowerCase();

const wholeNumber = text => /^[0-9]{1,15}$/.test(text) ? Number(text) : null;
const durationOf = text => {
    const match = /^([0-9]{1,15})(s|ms|us|ns)$/.exec(text);
    return match ? Number(match[1]) * { s: 1e9, ms: 1e6, us: 1e3, ns: 1 }[match[2]] : null;
};

// `8ms`, or from one on and below another: `8ms..16ms`, `8ms..`, `..16ms`.
const rangeOf = (text, name, kind) => {
    const read = part => {
        const found = kind === "duration" ? durationOf(part) : wholeNumber(part);
        if (found !== null) return found;
        const [one, other] = kind === "duration" ? ["8ms", "16ms"] : ["3", "9"];
        throw new FilterError(`${name}: expected a ${kind} such as ${one}, or ${one}..${other}, found ${part || "none"}`);
    };
    const [from, below] = text.split("..", 2);
    if (below === undefined) {
        const wanted = read(from);
        return found => found === wanted;
    }
    const [least, limit] = [from ? read(from) : -Infinity, below ? read(below) : Infinity];
    return found => found >= least && found < limit;
};

const facet = (name, kind, value) => {
    const get = (side, row) => side.columns[name](row);
    if (kind === "flag") {
        if (!["yes", "no"].includes(value)) throw new FilterError(`${name}: expected yes or no, found ${value || "none"}`);
        return (side, row) => get(side, row) === (value === "yes");
    }
    // Whatever it is.
    if (value === "") return (side, row) => get(side, row) !== null;
    if (kind === "number" || kind === "duration") {
        const holds = rangeOf(value, name, kind);
        return (side, row) => get(side, row) !== null && holds(get(side, row));
    }
    const wanted = fold(value);
    if (kind === "chord") return (side, row) => [get(side, row), side.columns.glyphs(row)].some(text => text !== null && fold(text) === wanted);
    return (side, row) => get(side, row) !== null && fold(get(side, row)).includes(wanted);
};

const TEXTS = ["glyphs", ...FIELDS.filter(([, kind]) => kind === "text" || kind === "chord").map(([name]) => name)];
const word = text => {
    const wanted = fold(text);
    return (side, row) => TEXTS.some(name => {
        const found = side.columns[name]?.(row) ?? null;
        return found !== null && fold(found).includes(wanted);
    });
};

// A test of one row; an empty text lets everything through. Blanks in quotation marks divide nothing. Throws a FilterError.
const filterOf = text => {
    const parts = (text.match(/(?:"[^"]*"?|[^\s"])+/g) ?? []).map(part => {
        const isNot = part.length > 1 && part.startsWith("-");
        const plain = part.slice(isNot ? 1 : 0).replaceAll('"', "");
        const at = plain.indexOf(":");
        const field = at > 0 ? FIELDS.find(([name]) => name === plain.slice(0, at)) : undefined;
        const holds = field ? facet(...field, plain.slice(at + 1)) : word(plain);
        return isNot ? (side, row) => !holds(side, row) : holds;
    });
    return (side, row) => parts.every(holds => holds(side, row));
};
