public import KeyModel
public import ResponderEngine

/// A calendar day, counted in the proleptic Gregorian calendar without a time zone.
public struct CalendarDay: Hashable, Comparable, Sendable {
    public let year: Int
    public let month: Int
    public let day: Int

    /// `nil` for a day that does not exist; years 1 to 9999.
    public init?(year: Int, month: Int, day: Int) {
        guard (1...9999).contains(year), (1...12).contains(month),
            day >= 1, day <= CalendarDay.days(in: month, of: year)
        else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// Reads `yyyy-mm-dd`.
    public init?(text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2, parts[2].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// `yyyy-mm-dd`
    public var text: String {
        func padded(_ number: Int, _ digits: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    static func days(in month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    public static func < (a: CalendarDay, b: CalendarDay) -> Bool {
        (a.year, a.month, a.day) < (b.year, b.month, b.day)
    }
}

/// A day between two limits.
open class DatePicker: View {
    public final private(set) var date: CalendarDay
    public final var minimumDate: CalendarDay?
    public final var maximumDate: CalendarDay?

    public init(id: String? = nil, date: CalendarDay) {
        self.date = date
        super.init(id: id)
    }

    open override var canBecomeFirstResponder: Bool { true }

    /// Sets the date; false, and no change, outside the limits.
    @discardableResult
    public final func setDate(_ newDate: CalendarDay) -> Bool {
        if let minimumDate, newDate < minimumDate { return false }
        if let maximumDate, newDate > maximumDate { return false }
        guard newDate != date else { return true }
        date = newDate
        report(.date, .text(newDate.text))
        return true
    }

    open override var hasComponentState: Bool { true }
    open override func combineState(into hash: inout StableHash) {
        hash.combine(date.year)
        hash.combine(date.month)
        hash.combine(date.day)
    }
}
