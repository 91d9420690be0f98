extension CalendarDay {
    /// Days since 1 January of the year 1.
    var number: Int {
        let earlier = year - 1
        let months = (1..<month).reduce(0) { $0 + CalendarDay.days(in: $1, of: year) }
        return earlier * 365 + earlier / 4 - earlier / 100 + earlier / 400 + months + day - 1
    }

    /// `nil` outside the years 1 to 9999.
    public func adding(days: Int) -> CalendarDay? {
        var rest = number.addingReportingOverflow(days)
        guard !rest.overflow, rest.partialValue >= 0, rest.partialValue < 9999 * 366 else { return nil }
        // Whole spans of 400 years first; what is left is less than 400 years.
        var year = 1 + rest.partialValue / 146_097 * 400
        rest.partialValue %= 146_097
        func length(_ year: Int) -> Int { 337 + CalendarDay.days(in: 2, of: year) }
        while rest.partialValue >= length(year) {
            rest.partialValue -= length(year)
            year += 1
        }
        var month = 1
        while month < 12, rest.partialValue >= CalendarDay.days(in: month, of: year) {
            rest.partialValue -= CalendarDay.days(in: month, of: year)
            month += 1
        }
        return CalendarDay(year: year, month: month, day: rest.partialValue + 1)
    }

    /// The same day of another month, or its last where it has no such day.
    public func adding(months: Int) -> CalendarDay? {
        let (sum, overflow) = (year * 12 + month - 1).addingReportingOverflow(months)
        guard !overflow, sum >= 12, sum < 12 * 10_000 else { return nil }
        let (year, month) = (sum / 12, sum % 12 + 1)
        return CalendarDay(year: year, month: month, day: min(day, CalendarDay.days(in: month, of: year)))
    }
}
