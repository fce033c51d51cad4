internal import UnicodeText

/// The names of months, weekdays and day periods in one language, in long and short forms.
struct DateNames: Equatable, Sendable {
    /// The twelve long names in the order of the year, followed by the shorter forms.
    let months: [[UInt8]]
    /// The seven long names, followed by the shorter forms.
    let weekdays: [[UInt8]]
    /// The names of morning and afternoon, in pairs, in all available forms.
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

    /// Returns nil for a locale whose names are not known.
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
            // "janv." may also be written as "janv".
            return all + all.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 }
        }
        self.init(
            months: withoutPoint(months), weekdays: withoutPoint(weekdays),
            dayPeriods: DateNames.forms(ofDayPeriods: calendar.names(.dayPeriods)) + ["AM", "PM"])
    }

    /// Returns the names in all forms: "a. m." may be written with various spaces or without any.
    private static func forms(ofDayPeriods names: [String]) -> [String] {
        let parts = names.map { $0.split(whereSeparator: \.isWhitespace) }
        return names + parts.map { $0.joined(separator: " ") } + parts.map { $0.joined() }
    }

    /// Returns whether a text has a name at an offset, without regard to the case of ASCII letters.
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
