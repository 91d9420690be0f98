import KeyModel
public import ResponderEngine

/// A date that arrows change by a day, a week, a month or a year (spec §8.3).
open class KeyboardDatePicker: DatePicker {
    public enum Style: String, CaseIterable, Sendable { case automatic, wheels, compact, inline }
    public enum Mode: String, CaseIterable, Sendable { case time, date, dateAndTime, countDownTimer }

    public final var style = Style.inline
    public final var mode = Mode.date
    /// The day that ⌘T goes to: no clock takes part.
    public final var today: CalendarDay

    public override init(id: String? = nil, date: CalendarDay) {
        today = date
        super.init(id: id, date: date)
    }

    open override var canBecomeFocused: Bool { true }

    enum Unit: CaseIterable { case day, week, month, year }

    /// In a right-to-left interface ← is later.
    private final lazy var arrows = KeyboardDatePicker.arrows(isRightToLeft: false)
    private final lazy var arrowsRightToLeft = KeyboardDatePicker.arrows(isRightToLeft: true)

    private static func arrows(isRightToLeft: Bool) -> [KeyCommand] {
        let keys: [(String, KeyModifiers, Unit, Bool)] = [
            (KeyCommand.inputLeftArrow, [], .day, isRightToLeft),
            (KeyCommand.inputRightArrow, [], .day, !isRightToLeft),
            (KeyCommand.inputUpArrow, [], .week, false), (KeyCommand.inputDownArrow, [], .week, true),
            (KeyCommand.inputLeftArrow, .option, .month, isRightToLeft),
            (KeyCommand.inputRightArrow, .option, .month, !isRightToLeft),
            (KeyCommand.inputUpArrow, .option, .year, false), (KeyCommand.inputDownArrow, .option, .year, true),
        ]
        return keys.map { input, modifiers, unit, isLater in
            KeyCommand(input: input, modifierFlags: modifiers, action: selector(unit, isLater: isLater))
                .unmirrored().withPriority()
        }
    }

    private final let todayCommand = DiscoverableKeyCommand(
        title: "Today", action: "goToToday:", input: "t", modifierFlags: .command)

    private static func selector(_ unit: Unit, isLater: Bool) -> Selector {
        let names: [Unit: String] = [.day: "Day", .week: "Week", .month: "Month", .year: "Year"]
        return Selector("go" + (isLater ? "Forward" : "Back") + "One" + (names[unit] ?? "") + ":")
    }

    private final var takesKeys: Bool { style == .inline && (mode == .date || mode == .dateAndTime) }

    /// All arrows, those out of range too: from iOS 15 on the key stops here (spec MT-10).
    open override var keyCommands: [KeyCommand]? {
        let inherited = super.keyCommands
        guard takesKeys else { return inherited }
        let arrows = keyboardEnvironment.isRightToLeft ? arrowsRightToLeft : arrows
        return (inherited ?? []) + arrows + [todayCommand].ofTheChain
    }

    open override class var actions: [Action] {
        let steps = steps.map { action, unit, isLater in
            Action(action, performing: { (picker: KeyboardDatePicker, _) in
                if let day = picker.day(unit, isLater: isLater) { picker.setDate(day) }
            })
        }
        return super.actions + steps + [
            Action("goToToday:", performing: { (picker: KeyboardDatePicker, _) in picker.goToToday() })
        ]
    }

    private final func goToToday() {
        var day = today
        if let minimumDate { day = max(day, minimumDate) }
        if let maximumDate { day = min(day, maximumDate) }
        setDate(day)
    }

    private final func day(_ unit: Unit, isLater: Bool) -> CalendarDay? {
        let sign = isLater ? 1 : -1
        return switch unit {
        case .day: date.adding(days: sign)
        case .week: date.adding(days: 7 * sign)
        case .month: date.adding(months: sign)
        case .year: date.adding(months: 12 * sign)
        }
    }

    private static let steps: [(action: Selector, unit: Unit, isLater: Bool)] = Unit.allCases.flatMap { unit in
        [false, true].map { (selector(unit, isLater: $0), unit, $0) }
    }

    open override func canPerformAction(_ action: Selector, withSender sender: Any?) -> Bool {
        guard super.canPerformAction(action, withSender: sender) else { return false }
        guard let step = KeyboardDatePicker.steps.first(where: { $0.action == action }) else { return true }
        guard let day = day(step.unit, isLater: step.isLater) else { return false }
        return (minimumDate.map { day >= $0 } ?? true) && (maximumDate.map { day <= $0 } ?? true)
    }
}
