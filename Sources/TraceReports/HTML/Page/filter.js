// The filter language of `--where`: the same expressions, the same presses, the same messages.

class FilterError extends Error {
    constructor(column, expected, found) {
        super(`column ${column}: expected ${expected}, found ${found}`);
        this.column = column;
    }
}

// What a person takes for one character.
const segments = new Intl.Segmenter("en", { granularity: "grapheme" });
const characters = text => /^[\x20-\x7e]*$/.test(text)
    ? [...text] : Array.from(segments.segment(text.normalize("NFC")), part => part.segment);

const OPERATORS = ["==", "!=", "<=", ">=", "!~", "<", ">", "~"];
const isOrder = operator => ["<", ">", "<=", ">="].includes(operator);
const isPattern = operator => operator === "~" || operator === "!~";
const asciiLower = text => text.replace(/[A-Z]/g, letter => letter.toLowerCase());

const keyNamed = name => {
    const key = asciiLower(name);
    if (Object.hasOwn(DATA.language.keys, key)) return DATA.language.keys[key];
    const match = /^([0-9a-f]+):([0-9a-f]+)$/.exec(key);
    if (!match) return null;
    const [page, usage] = [parseInt(match[1], 16), parseInt(match[2], 16)];
    return page <= 0xffff && usage <= 0xffff ? page * 65536 + usage : null;
};

const KEY_GLYPHS = {
    "⏎": "return", "↩": "return", "⎋": "esc", "⌫": "delete", "⌦": "deleteforward", "⇥": "tab", "←": "left",
    "→": "right", "↑": "up", "↓": "down",
};
const MODIFIER_GLYPHS = { "⌃": "ctrl", "⌥": "opt", "⇧": "shift", "⌘": "cmd" };
const MODIFIER_NAMES = {
    ctrl: "ctrl", control: "ctrl", opt: "opt", option: "opt", alt: "opt", shift: "shift", cmd: "cmd", command: "cmd",
};
const own = (table, key) => Object.hasOwn(table, key) ? table[key] : null;

// A chord as a person writes it, or null.
const chordQuery = text => {
    let modifiers = 0;
    let rest = characters(text);
    const add = name => {
        const flag = DATA.language.modifiers[name];
        if (modifiers & flag) return false;
        modifiers |= flag;
        return true;
    };
    while (rest.length && own(MODIFIER_GLYPHS, rest[0])) {
        if (!add(MODIFIER_GLYPHS[rest[0]])) return null;
        rest = rest.slice(1);
        if (rest[0] === "+" && rest.length > 1) rest = rest.slice(1);
    }
    for (;;) {
        const cut = rest.findIndex((one, at) => at > 0 && (one === "+" || one === "-"));
        if (cut < 0 || cut + 1 >= rest.length || rest.slice(0, 5).join("") === "char:") break;
        const name = own(MODIFIER_NAMES, asciiLower(rest.slice(0, cut).join("")));
        if (!name || !add(name)) return null;
        rest = rest.slice(cut + 1);
    }
    if (!rest.length) return null;
    if (rest.slice(0, 5).join("") === "char:" && rest.length === 6) {
        return { modifiers, character: rest[5].toLowerCase(), usage: null };
    }
    const key = rest.join("");
    const glyph = own(KEY_GLYPHS, key);
    const usage = keyNamed(key) ?? (glyph ? keyNamed(glyph) : null);
    if (usage === null) return null;
    const last = characters(text).at(-1);
    return { modifiers, usage, character: keyNamed(last) === usage ? last.toLowerCase() : null };
};

const wholeNumber = word => /^[0-9]+$/.test(word) && BigInt(word) <= 9223372036854775807n ? Number(word) : null;
const durationOf = word => {
    const match = /^([0-9]+)(s|ms|us|ns)$/.exec(word);
    if (!match) return null;
    const size = { s: 1000000000n, ms: 1000000n, us: 1000n, ns: 1n }[match[2]];
    const value = BigInt(match[1]) * size;
    return value <= 9223372036854775807n ? Number(value) : null;
};

class FilterParser {
    constructor(text) {
        this.characters = characters(text);
        this.place = 0;
        const limit = DATA.language.lengthLimit;
        if (this.characters.length > limit) {
            throw new FilterError(limit + 1, `at most ${limit} characters`, String(this.characters.length));
        }
    }
    whole() {
        const node = this.expression(0);
        this.skipBlanks();
        if (this.place < this.characters.length) throw this.error("and, or, or the end");
        return node;
    }
    expression(depth) {
        const nodes = [this.conjunction(depth)];
        while (this.takeWord("or")) nodes.push(this.conjunction(depth));
        return nodes.length === 1 ? nodes[0] : (side, row) => nodes.some(node => node(side, row));
    }
    conjunction(depth) {
        const nodes = [this.term(depth)];
        while (this.takeWord("and")) nodes.push(this.term(depth));
        return nodes.length === 1 ? nodes[0] : (side, row) => nodes.every(node => node(side, row));
    }
    term(depth) {
        const limit = DATA.language.depthLimit;
        if (depth >= limit) throw this.error(`at most ${limit} levels of brackets`);
        if (this.takeWord("not")) {
            const inner = this.term(depth + 1);
            return (side, row) => !inner(side, row);
        }
        this.skipBlanks();
        if (this.characters[this.place] !== "(") return this.comparison();
        this.place += 1;
        const inner = this.expression(depth + 1);
        this.skipBlanks();
        if (this.characters[this.place] !== ")") throw this.error(")");
        this.place += 1;
        return inner;
    }
    comparison() {
        this.skipBlanks();
        const start = this.place;
        const name = this.word();
        const field = DATA.language.fields.find(entry => entry[0] === name);
        if (!field) {
            this.place = start;
            const names = DATA.language.fields.map(entry => entry[0]).join(" ");
            throw this.error(`one of ${names}`, name || null);
        }
        const kind = field[1];
        this.skipBlanks();
        const operatorPlace = this.place;
        const operator = this.takeOperator();
        if (!operator) {
            if (kind !== "flag") throw this.error("== != < <= > >= ~ or !~");
            return compare(name, kind, "==", true);
        }
        const wrong = refusal(operator, kind);
        if (wrong) {
            this.place = operatorPlace;
            throw this.error(wrong, operator);
        }
        this.skipBlanks();
        return compare(name, kind, operator, this.literal(kind, operator));
    }
    literal(kind, operator) {
        const start = this.place;
        switch (kind) {
        case "text": return this.quotedText();
        case "chord": {
            const text = this.quotedText();
            if (isPattern(operator)) return text;
            const query = chordQuery(text);
            if (query) return query;
            this.place = start;
            throw this.error('a chord such as "cmd+w"', `"${text}"`);
        }
        case "number": {
            const number = wholeNumber(this.numberWord());
            if (number === null) throw this.wrong(start, "a whole number");
            return number;
        }
        case "duration": {
            const found = durationOf(this.durationWord());
            if (found === null) throw this.wrong(start, "a duration such as 8ms or 120us");
            return found;
        }
        default: {
            const word = this.word();
            if (word !== "true" && word !== "false") throw this.wrong(start, "true or false");
            return word === "true";
        }
        }
    }
    quotedText() {
        const mark = this.characters[this.place];
        if (mark !== '"' && mark !== "'") throw this.error("a text in quotation marks");
        const start = this.place;
        this.place += 1;
        let text = "";
        while (this.place < this.characters.length && this.characters[this.place] !== mark) {
            if (this.characters[this.place] === "\\" && this.place + 1 < this.characters.length) this.place += 1;
            text += this.characters[this.place];
            this.place += 1;
        }
        if (this.place >= this.characters.length) {
            this.place = start;
            throw this.error(`a closing ${mark}`, "the end");
        }
        this.place += 1;
        return text;
    }
    skipBlanks() { while (this.characters[this.place] === " ") this.place += 1; }
    take(pattern) {
        const start = this.place;
        while (this.place < this.characters.length && pattern.test(this.characters[this.place])) this.place += 1;
        return this.characters.slice(start, this.place).join("");
    }
    word() { return this.take(/^\p{Alphabetic}/u); }
    durationWord() {
        const number = this.numberWord();
        if (!/^\p{N}*$/u.test(number)) return number;
        const end = this.place;
        this.skipBlanks();
        const unit = this.word();
        if (["ns", "us", "ms", "s"].includes(unit)) return number + unit;
        this.place = end;
        return number;
    }
    numberWord() { return this.take(/^[\p{Alphabetic}\p{N}]/u); }
    takeWord(wanted) {
        this.skipBlanks();
        const start = this.place;
        if (this.word() === wanted) return true;
        this.place = start;
        return false;
    }
    takeOperator() {
        const rest = this.characters.slice(this.place, this.place + 2).join("");
        const found = OPERATORS.find(operator => rest.startsWith(operator)) ?? null;
        if (found) this.place += found.length;
        return found;
    }
    error(expected, found = null) {
        const next = this.place < this.characters.length ? this.characters[this.place] : "the end";
        return new FilterError(this.place + 1, expected, found ?? next);
    }
    wrong(start, expected) {
        return new FilterError(start + 1, expected, this.characters.slice(start, start + 12).join("") || "the end");
    }
}

const refusal = (operator, kind) => {
    switch (kind) {
    case "text": return isOrder(operator) ? "== != ~ or !~ for a text" : null;
    case "number": case "duration": return isPattern(operator) ? "== != < <= > or >= for a number" : null;
    case "flag": return isOrder(operator) || isPattern(operator) ? "== or != for true and false" : null;
    default: return isOrder(operator) ? "== != ~ or !~ for a chord" : null;
    }
};

// What is absent is neither like anything nor unlike it.
const compare = (name, kind, operator, wanted) => {
    if (kind === "flag") return (side, row) => (side.columns[name](row) === wanted) === (operator === "==");
    if (kind === "number" || kind === "duration") {
        const holds = {
            "==": found => found === wanted, "!=": found => found !== wanted, "<=": found => found <= wanted,
            ">=": found => found >= wanted, "<": found => found < wanted, ">": found => found > wanted,
        }[operator];
        return (side, row) => {
            const found = side.columns[name](row);
            return found !== null && holds(found);
        };
    }
    if (typeof wanted === "string") {
        const isWanted = isPattern(operator) ? glob(wanted) : equals(wanted);
        return (side, row) => {
            const found = side.columns[name](row);
            return found !== null && isWanted(found) === (operator === "~" || operator === "==");
        };
    }
    return (side, row) => {
        const { usage, modifiers, character } = side.columns;
        if (usage(row) === null && side.columns.class(row) === null) return false;
        const typed = character(row);
        const isPosition = wanted.usage !== null && usage(row) === wanted.usage;
        const isTyped = typed !== null && wanted.character !== null && equals(wanted.character)(typed.toLowerCase());
        const isSame = modifiers(row) === wanted.modifiers
            && (isTyped || isPosition && (typed === null || wanted.character === null));
        return isSame === (operator === "==");
    };
};

const equals = wanted => {
    const normal = wanted.normalize("NFC");
    return found => found === wanted || found.normalize("NFC") === normal;
};

// `*` stands for any text and `?` for one character; a pattern takes time that grows with both lengths at most.
const glob = text => {
    const pattern = characters(text);
    return foundText => {
        const found = characters(foundText);
        let [p, t, starP, starT] = [0, 0, -1, 0];
        while (t < found.length) {
            if (pattern[p] === "*") {
                [starP, starT] = [p, t];
                p += 1;
            } else if (p < pattern.length && (pattern[p] === "?" || pattern[p] === found[t])) {
                p += 1;
                t += 1;
            } else if (starP >= 0) {
                starT += 1;
                [p, t] = [starP + 1, starT];
            } else {
                return false;
            }
        }
        return pattern.slice(p).every(one => one === "*");
    };
};

// A test of one row; an empty expression lets everything through. Throws a FilterError.
const filterOf = text => text.trim() === "" ? () => true : new FilterParser(text).whole();
