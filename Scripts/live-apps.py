#!/usr/bin/env python3
"""What traces of real apps must say. Called by Scripts/real-apps:

live-apps.py keys TYPED RECORDS                every typed key once, with its release, nothing held at the end
live-apps.py sent TYPED RECORDS                the same for an app that has no key window at times: not every typed key
live-apps.py cost TIMES RECORDS BYTES          what the adapter costs for a typed letter
live-apps.py watched TIMES                     what it costs to watch one
live-apps.py killed HANDLED RECORDS            how much of the last moments is missing
live-apps.py debugged PROGRAM TRACE LOG        the messages of each press against the stops of a debugger
live-apps.py paced SCRIPT TRACE                 keys of both as CSV: each when the script has it
live-apps.py fixture|roles|textedit|terminal PROGRAM TRACE   what explain says of single presses
"""
import json
import statistics
import subprocess
import sys

NAMES = {"Left": "LeftArrow", "Right": "RightArrow", "Return": "ReturnOrEnter", "alt": "LeftAlt", "ctrl": "LeftControl",
         "Control_R": "RightControl", "Alt_R": "RightAlt", "Shift_R": "RightShift", "Super_L": "LeftGUI",
         "Caps_Lock": "CapsLock", "Num_Lock": "KeypadNumLock",
         "Down": "DownArrow", "Up": "UpArrow", "shift": "LeftShift", "comma": "Comma"}
# GNUstep sends the left key's event before that of the right one.
BEFORE = {"Control_R": ["LeftControl"], "Alt_R": ["LeftAlt"], "Shift_R": ["LeftShift"]}
problems = []


def check(is_so, words):
    if not is_so:
        problems.append(words)


def text_class(character):
    if character.isalpha():
        return "letter"
    if character.isdigit():
        return "digit"
    return "space" if character == " " else "punctuation"


def expected(lines):
    for line in lines:
        kind, what = line.rstrip("\n").split(" ", 1)
        if kind == "text":
            yield from (text_class(character) for character in what)
            continue
        parts = what.split("+")
        for part in parts:
            yield from BEFORE.get(part, [])
            if len(part) == 1:
                yield part.upper() if len(parts) > 1 else text_class(part)
            else:
                yield NAMES.get(part, part)


def sent(typed, records):
    """Without a key window GNUstep gets no keys from X: some of those that were typed."""
    keys(typed, records, are_all=False)


def keys(typed, records, are_all=True):
    want = list(expected(open(typed)))
    found, held = [], {}
    for line in open(records):
        record = json.loads(line)
        if record["kind"] != "key":
            continue
        key = record["key"] or record["class"]
        name = record.get("press") or key
        if record["phase"] == "down":
            found.append(key)
            check(name not in held, f"{key} goes down twice without coming up, at {record['t_ns']}")
            held[name] = key
        elif record["phase"] == "up":
            check(held.pop(name, None), f"{key} comes up and was not down, at {record['t_ns']}")
        else:
            check(False, f"{key} repeats, and no key was held, at {record['t_ns']}")
    left = iter(want)
    if not are_all:
        check(all(key in left for key in found), f"typed {want}, recorded {found}")
        want = found
    for place, (a, b) in enumerate(zip(want + ["nothing"], found + ["nothing"])):
        if a != b:
            check(False, f"key {place + 1}: typed was {a}, recorded is {b}; typed {want[place - 3:place + 4]}, "
                         f"recorded {found[place - 3:place + 4]}")
            break
    check(not held, f"held at the end: {sorted(held.values())}")
    print(f"{len(found)} keys, each once and with its release")


class Trace:
    def __init__(self, program, path):
        self.program, self.path = program, path
        shown = self.run("show", "--format", "jsonl", path)
        self.records = [json.loads(line) for line in shown.splitlines()]

    def run(self, *arguments):
        run = subprocess.run([self.program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if run.returncode not in (0, 2):
            sys.exit(f"{' '.join(arguments)}: status {run.returncode}, {run.stderr}")
        return run.stdout

    def explain(self, query=None, *more, press=None):
        which = ["--press", str(press)] if press else [query, *more]
        return Press(query or f"press {press}", json.loads(self.run("explain", self.path, *which, "--format", "json")))

    def presses(self, key):
        return [r["press"] for r in self.records if r["kind"] == "key" and r["phase"] == "down"
                and key in (r["key"], r.get("class"))]


class Press:
    def __init__(self, query, facts):
        self.query, self.facts = query, facts
        self.resolution = facts["resolution"] or {}
        self.messages = facts["messages"]

    def is_so(self, **want):
        for name, value in want.items():
            found = self.resolution.get(name)
            check(found == value, f"{self.query}: expected {name} {value}, found {found}")
        return self

    def first(self, kind, **want):
        for place, message in enumerate(self.messages):
            if message["kind"] == kind and all(message[name] == value for name, value in want.items()):
                return place
        return None

    def has(self, kind, **want):
        check(self.first(kind, **want) is not None, f"{self.query}: no message {kind} {want}")
        return self

    def order(self, *kinds):
        places = [self.first(kind, **want) for kind, want in kinds]
        check(None not in places and places == sorted(places), f"{self.query}: expected in this order {kinds}: {places}")
        return self

    def count(self, kind, **want):
        return sum(m["count"] for m in self.messages
                   if m["kind"] == kind and all(m[name] == value for name, value in want.items()))

    def has_stages(self, *names):
        for name in names:
            check(self.facts["stages"][name] is not None, f"{self.query}: stage {name} is not seen")
        return self


VIEWS, MENU = dict(occasion="down"), dict(receiver="mainMenu")


def letter(press):
    """Story 1: the views and the menus are asked, then the text takes it."""
    press.is_so(outcome="consumedByText", takenBy="text", text=None)
    press.order(("keyEquivalent", dict(answer="no")), ("keyEquivalent", MENU), ("keyDown", {}),
                ("interpretKeyEvents", {}), ("insertText", {}))
    press.has_stages("inputDelay", "collect", "match", "presses", "action", "settle", "total")


def fixture(trace):
    letter(trace.explain(press=1))
    check([trace.presses(lock) for lock in ("CapsLock", "KeypadNumLock")] == 2 * [[None, None]], "a lock is a press")
    # Story 3: a disabled item keeps its key, and nothing runs.
    trace.explain("⌘D").is_so(outcome="blockedUnperformable", takenBy="mainMenu", action="disabled:", target=None) \
        .has("validate", answer="no").has("keyEquivalent", answer="yes", **MENU)
    # Stories 4 and 5: Command is Alt, and an unbound digit with it is typed.
    typed = trace.explain("⌘9").is_so(outcome="consumedByText", takenBy="text")
    check(typed.facts["key"]["modifiers"] == ["command"], f"⌘9 has the modifiers {typed.facts['key']['modifiers']}")
    check("LeftAlt" in [r["key"] for r in trace.records if r["kind"] == "key"], "Alt is not recorded as itself")
    # Story 6: a key binding.
    trace.explain("left").is_so(outcome="consumedByKeyBinding", action="moveLeft:")
    # What was loaded late, by a category too; a view that handles keys itself.
    late, canvas, observed = [trace.explain(press=p) for p in trace.presses("letter")[5:8]]
    late.is_so(outcome="performed", takenBy="keyDown", target="LateView")
    canvas.is_so(outcome="performed", takenBy="keyDown", target="Canvas")
    # Key-value observing changes the class of the view, not what it is.
    observed.is_so(target="Canvas")
    check(not any("NSKVO" in json.dumps(r) or "GSKVO" in json.dumps(r) for r in trace.records), "a class of KVO is named")
    trace.explain("⌘U").is_so(takenBy="services")
    # An exception goes through all hooks, and the next press is none the worse.
    trace.explain("⌘T").is_so(outcome="performed", action="throwException:", target="Controller")
    trace.explain("⌘R").is_so(outcome="performed", path="Test ▸ Second Thread")
    # Addresses are reused; the objects are others.
    reused = {m["receiver"] for m in trace.explain("⌘A").messages if m["class"] in ("BriefView", "OtherBriefView")}
    check(len(reused) == 200, f"200 views are {len(reused)} objects")
    trace.explain("⌘Y").is_so(outcome="performed", path=None)
    # A sheet and a modal loop: the press that opened it is over when it is over, and those inside are their own.
    trace.explain("⌘E").is_so(outcome="performed", action="sheet:", takenBy="mainMenu", runs=1)
    trace.explain("⌘M").is_so(outcome="performed", action="modal:", takenBy="mainMenu", runs=1).has("runModal")
    # Story 7: the default button takes Return before a key-down.
    returns = [trace.explain(press=p) for p in trace.presses("ReturnOrEnter")]
    returns[1].is_so(outcome="performed", takenBy="keyEquivalent", action="endModal:")
    check(returns[1].first("keyDown") is None, "Return: a key-down before the default button")
    # From the key that begins the loop to the one that ends it, the app has waited for most of the time.
    downs = {r["press"]: r["t_ns"] for r in trace.records if r["kind"] == "key" and r["phase"] == "down"}
    modal = trace.explain("⌘M").facts
    lasted = downs[trace.presses("ReturnOrEnter")[1]] - downs[modal["press"]]
    check(modal["stages"]["total"] < lasted, "the time that a modal loop waits is time of the press")
    # Nothing of a secure field is stored, but what led there is.
    trace.explain("⌘3").is_so(outcome="performed", action="goSecure:", takenBy="mainMenu", target="Controller") \
        .has("performItem", path="Go ▸ Secure Field")
    presented = [r for r in trace.records if r["kind"] == "presentation"]
    check(len(presented) >= 4, f"{len(presented)} presentations")
    # A modal loop that ended while a secure field had the keys has ended in the trace.
    begun = len([r for r in presented if r["presented"]])
    check(2 * begun == len(presented), f"{len(presented)} presentations, {begun} of them begin")
    # The editor became that of a secure field, and what was typed then is no press.
    trace.explain("⌘J").is_so(outcome="performed", action="secureHere:")
    trace.explain("⌘P").is_so(outcome="performed", action="secretPanel:")
    info = json.loads(trace.run("info", "--format", "json", trace.path))
    hooks = {hook["name"]: hook for hook in info["adapter"]["hooks"]}
    check(info["adapter"]["toolkit"] == "gnustep", "no toolkit")
    check(all(hook["state"] == "on" for hook in hooks.values()), f"a hook is not in: {hooks}")
    facts = {r["name"]: r["value"] for r in trace.records if r["kind"] == "environment"}
    check(int(facts["adapter.off_thread_calls"]) >= 1000, "calls on the second thread are not counted")
    check(facts.get("modifierRole.e2") == "command", "no role of Alt")


def roles(trace):
    """Story 5 with other settings: Control is Command, Alt is Control."""
    press = trace.explain("⌘4").is_so(outcome="performed", action="goCanvas:")
    check(press.facts["key"]["modifiers"] == ["command"], f"⌘4 has the modifiers {press.facts['key']['modifiers']}")
    facts = {r["name"]: r["value"] for r in trace.records if r["kind"] == "environment"}
    check(facts["modifierRole.e0"] == "command" and facts["modifierRole.e2"] == "control", f"roles: {facts}")


def textedit(trace):
    letter(trace.explain(press=1))
    # Story 2: a shortcut of a menu: views say no, the item is validated, its action runs.
    copy = trace.explain("⌘C").is_so(outcome="performed", takenBy="mainMenu", action="copy:", target="NSTextView")
    copy.order(("keyEquivalent", dict(answer="no")), ("validate", dict(selector="copy:")),
               ("sendAction", dict(selector="copy:", answer="yes")))
    # The menu's highlight comes before the action, and is no part of the validation.
    # It sleeps for a while, which is longer than a validation on a busy machine.
    highlight = copy.facts["stages"]["match"]
    check(highlight > 50_000_000, "the menu's highlight is not seen")
    # Its key came up meanwhile, and the app handled that later.
    check(copy.facts["key"]["held_ns"] < highlight, "a release has the time at which the app handled it")
    copy.has_stages("validate")
    check(copy.facts["stages"]["validate"] < highlight, "the menu's highlight is time of the validation")
    asked = [message["duration_ns"] for message in copy.messages if message["kind"] == "validate"]
    check(asked and max(asked) < highlight, "the menu's highlight is time of a message")
    trace.explain("⌘9").is_so(outcome="consumedByText")
    trace.explain("left").is_so(outcome="consumedByKeyBinding", action="moveLeft:", target="NSTextView")
    trace.explain("escape").is_so(outcome="consumedByKeyBinding", action="complete:")
    # Story 8: Tab in a panel: the field editor's insertTab:, then the focus moves.
    trace.explain("tab").is_so(outcome="consumedByKeyBinding", action="insertTab:").has("makeFirstResponder")
    # Story 9: the same key closes the panel, and later the document.
    panel = trace.explain("⌘W").is_so(outcome="performed", action="performClose:").resolution["target"]
    # Another panel may have been met before.
    check(panel.split("#")[0] == "NSPanel", f"⌘W: expected a panel as target, found {panel}")
    trace.explain("⌘W", "--last").is_so(outcome="performed", action="performClose:", target="NSWindow#2", takenBy="mainMenu")
    # Story 7, and 11: the press that opened the panel holds all that were typed into it, and its release among them.
    trace.explain("return").is_so(outcome="performed", takenBy="keyEquivalent", action="ok:")
    save = trace.explain("⌘S", "--last").is_so(outcome="performed", action="saveDocument:", takenBy="mainMenu", runs=1)
    check(not save.facts["key"]["synthetic_release"], "⌘S: its release came to the panel, and is marked as lost")
    trace.explain("⌘Q").is_so(outcome="performed", action="terminate:")
    # For people: who was asked, who answered, who performed, and where the time went.
    shown = trace.run("explain", trace.path, "⌘W", "--last")
    for words in ("keyEquivalent", "main menu", "performItem performClose:", "sendAction performClose:", "NSWindow#2",
                  "first responder", "input delay", "match", "settle", "total"):
        check(words in shown, f"explain ⌘W does not say {words}")


def terminal(trace):
    # Story 10: a terminal handles everything in keyDown:, and swallows nothing.
    press = trace.explain(press=1).is_so(outcome="performed", takenBy="keyDown")
    check(press.count("keyEquivalent", **MENU) > 1, "no menus were asked")
    trace.explain("return").is_so(outcome="performed", takenBy="keyDown", target=press.resolution.get("target"))
    trace.explain("⌘Q").is_so(outcome="performed", action="terminate:")


SELECTORS = {"keyEquivalent": "performKeyEquivalent:", "keyDown": "keyDown:", "insertText": "insertText:",
             "interpretKeyEvents": "interpretKeyEvents:", "doCommand": "doCommandBySelector:",
             "performItem": "performActionForItemAtIndex:", "sendAction": "sendAction:to:from:"}


def debugged(program, path, log):
    """Each receiver of a message once, in the order of the first time; menus are one, as in the trace."""
    trace = Trace(program, path)
    found = []
    for press in sorted({r["press"] for r in trace.records if r["kind"] == "key" and r["press"]}):
        sent = [(SELECTORS.get(m["kind"]), "NSMenu" if m["receiver"] == "mainMenu" else m["class"], m["receiver"])
                for m in trace.explain(press=press).messages if m["occasion"] == "down"]
        found.append([f"{kind} {name}" for kind, name, _ in dict.fromkeys(sent) if kind])
    want, stops = [], {}
    for line in open(log):
        selector, name, receiver, kind = (line.split() + [None] * 3)[:4]
        if selector == "sendEvent:":
            stops = {}
            if kind == "10":
                want.append(stops)
        elif receiver:
            stops[selector, name, receiver] = f"{selector} {name}"
    want = [list(stops.values()) for stops in want]
    check(want and len(want) == len(found), f"{len(want)} presses under the debugger, {len(found)} in the trace")
    for place, (a, b) in enumerate(zip(want, found)):
        check(a == b, f"press {place + 1}: the debugger stopped in {a}, the trace has {b}")
    print(f"{len(found)} presses have the {sum(map(len, want))} messages that a debugger sees, in its order")


def certain(values):
    """Between what the median of such values lies, 19 times of 20 (order statistics, so whatever their distribution)."""
    values, count = sorted(values), len(values)
    skipped = max(0, int(count / 2 - 0.98 * count ** 0.5 - 0.5))
    return values[skipped], values[count - 1 - skipped]


def cost(times, records, size):
    """Medians of paired runs, each a median itself, against the bounds."""
    pairs = {"plain": [], "traced": []}
    for line in open(times):
        kind, *rounds = line.split()
        split = [[int(text) for text in part.split(",")] for part in rounds]
        pairs[kind].append([statistics.median(part[i] for part in split) for i in (0, 1)])
    letters = calls = 0
    install = 0
    for line in open(records):
        record = json.loads(line)
        if record["kind"] == "key" and record["phase"] == "down":
            letters += 1
        elif record["kind"] == "environment":
            if record["name"] == "adapter.install_ns":
                install = int(record["value"])
            elif record["name"] == "adapter.hook_calls":
                calls = int(record["value"])
    median = statistics.median
    plain = median(run[0] for run in pairs["plain"])
    differences = [[b[i] - a[i] for a, b in zip(pairs["plain"], pairs["traced"])] for i in (0, 1)]
    more, own = (median(values) for values in differences)
    calls_per_letter, size_per_letter = calls / letters, int(size) / letters
    share = [100 * value / plain for value in certain(differences[0])]
    each = [value / calls_per_letter / 1000 for value in certain(differences[1])]
    print(f"{len(pairs['plain'])} pairs; a letter takes {plain / 1000:.0f} µs of processor time, under the adapter "
          f"{more / 1000:.1f} µs ({100 * more / plain:.1f} %; {share[0]:.1f} to {share[1]:.1f}) more, {own / 1000:.1f} "
          f"of them on its main thread; {calls_per_letter:.0f} calls a letter, {own / calls_per_letter / 1000:.2f} µs "
          f"({each[0]:.2f} to {each[1]:.2f}) each; {size_per_letter:.0f} bytes a letter; installed in "
          f"{install / 1e6:.1f} ms")
    check(more / plain <= 0.15, "more than 15 % of processor time")
    # Of a machine on which a letter takes 309 µs without it; a slower one takes longer for both.
    check(own / calls_per_letter <= 400 * max(1, plain / 309_000), "more than 0.4 µs a call")
    check(size_per_letter <= 300, "more than 300 bytes a letter")
    check(install <= 5_000_000, "more than 5 ms to install")


def watched(times):
    """Medians of paired runs under launch (plain) and under watch (traced)."""
    runs = {"plain": [], "traced": []}
    for line in open(times):
        kind, *rounds = line.split()
        runs[kind].append(statistics.median(int(part.split(",")[0]) for part in rounds))
    plain = statistics.median(runs["plain"])
    more = [100 * (b - a) / plain for a, b in zip(runs["plain"], runs["traced"])]
    low, high = certain(more)
    print(f"watch: {len(more)} pairs; a letter takes {plain / 1000:.0f} µs of the app's processor time under launch, "
          f"{statistics.median(more):.1f} % ({low:.1f} to {high:.1f}) more while it is watched")
    check(low <= 0, "typing costs more while it is watched")


def killed(handled, records):
    """The keys that the app handled, against those of the trace: text alone."""
    records = [json.loads(line) for line in open(records)]
    found = sum(r["kind"] == "key" and r["phase"] in ("down", "repeat") and r["masked"] for r in records)
    handled = sum(line.endswith("\n") for line in open(handled))
    check(found >= handled, f"expected {handled} keys, found {found}")
    print(f"{handled} keys handled, {found} in the trace")


def paced(script, trace):
    """An app that is busy gets a key late, and the keys after it when they are due again."""
    def events(path):
        rows = [line.rstrip("\r\n").split(",") for line in open(path)][1:]
        # The key of a modifier is the app's choice. Repeats are the script's, and no step of their own.
        return [(phase, key[-3:] if key.startswith("Left") else key, int(row[-1]) / 1e6)
                for phase, key, *row in rows if phase != "repeat"]
    want, found = events(script), events(trace)
    roles = {"GUI": "Alt"}
    check([(a, roles.get(b, b)) for a, b, _ in want] == [(a, b) for a, b, _ in found], f"expected {want}, found {found}")
    late = [b[2] - a[2] for a, b in zip(want, found)]
    late = sorted(time - min(late) for time in late)
    check(statistics.median(late) <= 100, f"half of the keys are more than {statistics.median(late):.0f} ms late")
    check(late[-1] <= 1000, f"a key is {late[-1]:.0f} ms late")
    print(f"{len(found)} key events, late by {statistics.median(late):.0f} ms in the median, {late[-1]:.0f} at most")


if __name__ == "__main__":
    verb, arguments = sys.argv[1], sys.argv[2:]
    checks = {"keys": keys, "sent": sent, "cost": cost, "watched": watched, "killed": killed, "paced": paced, "debugged": debugged}
    if verb in checks:
        checks[verb](*arguments)
    else:
        {"fixture": fixture, "roles": roles, "textedit": textedit, "terminal": terminal}[verb](Trace(*arguments))
        if not problems:
            print(f"{verb}: what explain says of its presses is right")
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(1 if problems else 0)
