internal import UnicodeText

/// The names of months, weekdays and halves of the day in one language, longest forms and short ones.
struct DateNames: Equatable, Sendable {
    /// Twelve long names, then the shorter forms, in the order of the year.
    let months: [[UInt8]]
    /// Seven long names, then the shorter forms.
    let weekdays: [[UInt8]]
    /// The morning's name, then the afternoon's, in as many forms as there are.
    let dayPeriods: [[UInt8]]

    private static let english = DateNames(
        months: [
            "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
            "November", "December", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
        ],
        weekdays: [
            "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sun", "Mon", "Tue", "Wed",
            "Thu", "Fri", "Sat",
        ],
        dayPeriods: ["AM", "PM", "a.m.", "p.m."])

    private init(months: [String], weekdays: [String], dayPeriods: [String]) {
        self.months = months.map { Array($0.utf8) }
        self.weekdays = weekdays.map { Array($0.utf8) }
        self.dayPeriods = dayPeriods.map { Array($0.utf8) }
    }

    /// nil for a locale without known names.
    init?(locale identifier: String) {
        let language = identifier.prefix { $0 != "_" && $0 != "-" }.lowercased()
        if language == "en" {
            self = DateNames.english
            return
        }
        guard let calendar = CalendarNames(locale: identifier) else { return nil }
        let months = [
            calendar.names(.months), calendar.names(.standaloneMonths), calendar.names(.shortMonths),
            calendar.names(.shortStandaloneMonths),
        ]
        let weekdays = [
            calendar.names(.weekdays), calendar.names(.standaloneWeekdays), calendar.names(.shortWeekdays),
            calendar.names(.shortStandaloneWeekdays),
        ]
        guard months.allSatisfy({ $0.count == 12 }), weekdays.allSatisfy({ $0.count == 7 }) else { return nil }
        func withoutPoint(_ names: [[String]]) -> [String] {
            let all = names.flatMap { $0 }
            // "janv." is also written "janv".
            return all + all.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
        }
        self.init(
            months: withoutPoint(months), weekdays: withoutPoint(weekdays),
            dayPeriods: DateNames.forms(ofDayPeriods: calendar.names(.dayPeriods)) + ["AM", "PM"])
    }

    /// "a. m." is written with spaces of several kinds, and without.
    private static func forms(ofDayPeriods names: [String]) -> [String] {
        let parts = names.map { $0.split(whereSeparator: \.isWhitespace) }
        return names + parts.map { $0.joined(separator: " ") } + parts.map { $0.joined() }
    }

    /// Whether a name stands at an offset; letters of ASCII count the same in either case.
    static func matches(_ name: [UInt8], _ text: Span<UInt8>, at offset: Int) -> Bool {
        guard !name.isEmpty, offset + name.count <= text.count else { return false }
        for (index, byte) in name.enumerated() {
            let other = text[offset + index]
            if byte != other {
                guard byte ^ other == 0x20, 0x61...0x7A ~= byte | 0x20 else { return false }
            }
        }
        return true
    }
}
