/// Topics about a trace that is there: questions, the answers that it recorded, and SQL.
extension HelpTopic {
    static let questionsText = """
        Questions, and the commands that answer them
        T is a trace at level calls; a key script or a capture with --scene S does as well. A checkout has each
        question with its answer in Traces/golden/reports/questions. Presses are chosen by --where: keyflight help
        filters.

        """

    static let questionRows = [
        ("what happened on this press?", "explain T --press 118"),
        ("why did ⌘W close the wrong tab?", "explain T '⌘W' --last"),
        ("which responder shadowed ⌘←?", "bindings T --chord '⌘←'"),
        ("what is dead, doubled, stuck, or stolen from text?", "lint T; of a scene alone: lint S"),
        ("which shortcuts does a held ⌘ show?", "bindings S --overlay; with alternates: --holding opt"),
        ("which keyCommands costs most?", "top T --by self"),
        ("would a cache help, and when would it be wrong?", "replay T --what-if cache=nav"),
        ("why is p99 so slow?", "tail T --above p99"),
        ("why does a held ↓ go on after its release?", "stats T --repeat"),
        ("what changes on iOS 26, or on AZERTY?", "replay T --what-if profile=ios26, --what-if layout=fr"),
        (
            "what if this took 2 ms, or keys repeated every 33 ms?",
            "--what-if cost=nav.keyCommands:2ms, --what-if repeat=250ms/33ms"
        ),
        ("did this change any resolution?", "diff BASE HEAD, gate GOLDENS"),
        ("is it slower?", "gate --base COMMAND --head COMMAND"),
        ("which commit?", "bisect-run GOLDEN"),
        ("is the keyboard to blame?", "stats T --stages hid..app"),
        ("did we lose events?", "info T"),
        ("can I share this file?", "redact T --check"),
    ]

    static let answersText = """
        Recorded answers: how a trace replays without a scene
        A trace at level calls, as replay -o and an instrumented app record it, replays alone: the recorded answers of
        its responders take their place. Under another --profile or --layout the recorded lists and answers decide;
        where a question was never asked, the outcome is unrecorded, with the question. A replay makes 10,000 repeats
        of held keys (a quarter of an hour) and 4 more for each key; a key held for longer counts as forgotten, which
        the line of its last repeat and a loss record report. A trace that names more than 8,192 responders or 32,768
        different commands does not replay.
        An app need not record which commands a press met: explain, bindings, lint, show --story, query, diff and
        report derive them by such a replay and mark them as derived. It uses the recorded profile and layout, or ios15
        and us, and names them. A press that the replay resolves otherwise has no derived commands; another --profile
        may fit. What is neither recorded nor derived is "not recorded", with the call that would record it.
        What-ifs: caches and costs are computed with the recorded times, and the queue of presses runs again with what
        is saved. Other rules replay both sides, with declared costs or the mean duration of each call. Several
        what-ifs hold together, the rules first.
        Of an AppKit app a cache keeps refusals: who was asked for a key equivalent in vain is not asked for that chord
        again. A cost is that of a message, such as cost=mainMenu.keyEquivalent:0ns. On another layout, or with another
        role of a modifier, a key is another event to the app: it is answered as that event was, where the same
        responder got it, and is unrecorded otherwise.

        """

    static let sqlText = """
        SQL: presses, calls, candidates, stages, focus, findings and losses as tables
        keyflight query T lists tables and views with their rows, --schema describes each column, --views each view.
        T is anything that stats reads, and a trace of keys alone. For example, of a session in a document viewer:

          $ keyflight query T 'SELECT chord, winner, loser, loser_action, presses FROM shadowed'
          chord     winner  loser  loser_action  presses
          cmd+w     tabs    app    closeWindow:        2
          cmd+left  page    nav    goBack:             1
          cmd+left  page    tabs   previousTab:        1

          $ keyflight query T 'SELECT * FROM responder_costs LIMIT 3'
          responder  calls  self_ns  total_ns  max_ns  lists
          tabs          27  4860000   4860000  180000      1
          nav           26  2470000   2470000   95000      1
          document      26   780000    780000   30000      1

          $ keyflight query T 'SELECT outcome, count(*) AS n, max(total_ns) / 1000 AS max_us FROM presses GROUP BY 1'
          outcome          n  max_us
          consumedByText  12     324
          performed       15    7325

        Names that end in _ns are nanoseconds; NULL is what is not known. Errors in a statement are reported before
        anything is read, and only the tables that it reads are loaded, into a temporary read-only database, which
        moves from memory to a file without a name above 64 MiB. Status 3: no row. --format gives JSON, JSON lines, CSV
        or Markdown; export --format sqlite keeps the database.

        """
}
