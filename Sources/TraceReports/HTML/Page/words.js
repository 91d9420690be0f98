// Numbers, times and names as the program's own reports write them.

const ABSENT = "–";

// Characters that have no picture of their own, or turn the direction of text, as visible escapes.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}\p{Cn}]/gu;
const visible = text => String(text).replace(HIDDEN, found => {
    if (found === "\u200d") return found;
    if (found === "\n") return "\\n";
    if (found === "\r") return "\\r";
    if (found === "\t") return "\\t";
    return "\\u{" + found.codePointAt(0).toString(16) + "}";
});

const count = number => number === null || number === undefined
    ? ABSENT : String(number).replace(/\B(?=(\d{3})+$)/g, ",");
const counted = (number, one, many) => `${count(number)} ${number === 1 ? one : many}`;
const padded = (number, digits) => String(number).padStart(digits, "0");

// Three digits and a unit: `950 ns`, `4.10 ms`, `2:05 min`.
const duration = nanoseconds => {
    if (nanoseconds === null || nanoseconds === undefined) return ABSENT;
    const value = Math.max(0, nanoseconds);
    if (value < 1000) return `${value} ns`;
    let size = 1000;
    for (const unit of ["µs", "ms", "s"]) {
        if (unit === "s" || value < size * 1000 - size / 2) {
            return unit === "s" && value >= 99_950_000_000 ? minutes(value) : `${threeDigits(value, size)} ${unit}`;
        }
        size *= 1000;
    }
    return ABSENT;
};
const minutes = value => {
    const seconds = Math.floor(value / 1e9);
    if (seconds < 60) return `${seconds} s`;
    if (seconds < 3600) return `${Math.floor(seconds / 60)}:${padded(seconds % 60, 2)} min`;
    return `${count(Math.floor(seconds / 3600))}:${padded(Math.floor(seconds / 60) % 60, 2)} h`;
};
const threeDigits = (value, size) => {
    for (const [decimals, scale] of [[2, 100], [1, 10]]) {
        const step = size / scale;
        const rounded = Math.floor(value / step) + (value % step >= Math.floor((step + 1) / 2) ? 1 : 0);
        if (rounded < 1000) return `${Math.floor(rounded / scale)}.${padded(rounded % scale, decimals)}`;
    }
    return String(Math.floor(value / size) + (value % size >= size / 2 ? 1 : 0));
};

// `+00:41.206` since the recording's time 0.
const clock = nanoseconds => {
    const milliseconds = Math.floor(Math.max(0, nanoseconds) / 1e6);
    const seconds = Math.floor(milliseconds / 1000);
    const tail = `${padded(Math.floor(seconds / 60) % 60, 2)}:${padded(seconds % 60, 2)}.${padded(milliseconds % 1000, 3)}`;
    return seconds >= 3600 ? `+${Math.floor(seconds / 3600)}:${tail}` : `+${tail}`;
};

const share = (part, whole) => {
    if (!whole) return ABSENT;
    const perMille = Math.round(part / whole * 1000);
    return `${Math.floor(perMille / 10)}.${perMille % 10} %`;
};
const ratio = (part, whole) => whole ? (Math.round(part / whole * 10) / 10).toFixed(1) : ABSENT;

// The shortest exact form that a filter reads: `400ms`.
const literal = nanoseconds => {
    for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["us", 1e3]]) {
        if (nanoseconds && nanoseconds % size === 0) return `${nanoseconds / size}${unit}`;
    }
    return `${nanoseconds}ns`;
};

// A cell that a spreadsheet must not take for a formula.
const csvCell = text => {
    const value = text === null || text === undefined ? "" : visible(text);
    const safe = /^[=+\-@]/.test(value) && !/^-?\d+(\.\d+)?$/.test(value) ? "'" + value : value;
    return /[",\n\r;]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
};
const markdownCell = text => visible(text === null || text === undefined ? "" : text)
    .replace(/[\\`*_[\]|#!~@]/g, "\\$&").replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
