internal import CICU

/// The names of months, weekdays and day periods of the Gregorian calendar, in one language.
@safe
public final class CalendarNames {
    /// A list of names: those used in dates, those used alone, and the short forms of both.
    public enum List: Sendable {
        /// The twelve months, full or short, as used in dates or alone.
        case months, standaloneMonths, shortMonths, shortStandaloneMonths
        /// The seven weekdays, full or short, as used in dates or alone.
        case weekdays, standaloneWeekdays, shortWeekdays, shortStandaloneWeekdays
        /// Morning and afternoon (a.m. and p.m.).
        case dayPeriods

        fileprivate var number: ferry_calendar_list {
            switch self {
            case .months: FERRY_MONTHS
            case .standaloneMonths: FERRY_STANDALONE_MONTHS
            case .shortMonths: FERRY_SHORT_MONTHS
            case .shortStandaloneMonths: FERRY_STANDALONE_SHORT_MONTHS
            case .weekdays: FERRY_WEEKDAYS
            case .standaloneWeekdays: FERRY_STANDALONE_WEEKDAYS
            case .shortWeekdays: FERRY_SHORT_WEEKDAYS
            case .shortStandaloneWeekdays: FERRY_STANDALONE_SHORT_WEEKDAYS
            case .dayPeriods: FERRY_DAY_PERIODS
            }
        }

        fileprivate var count: Int32 {
            switch self {
            case .months, .standaloneMonths, .shortMonths, .shortStandaloneMonths: 12
            case .weekdays, .standaloneWeekdays, .shortWeekdays, .shortStandaloneWeekdays: 7
            case .dayPeriods: 2
            }
        }
    }

    private let handle: OpaquePointer

    /// Finds the names for a locale, such as `de_AT` or `de`; nil if its language is unknown.
    public init?(locale identifier: String) {
        let language = identifier.prefix { $0 != "_" && $0 != "-" }.lowercased()
        guard !language.isEmpty, unsafe ferry_has_language(language),
            let made = unsafe ferry_calendar_names_open(identifier)
        else { return nil }
        unsafe handle = made
    }

    deinit {
        unsafe ferry_calendar_names_close(handle)
    }

    /// Returns the names of a list in the calendar's order; weeks begin on Sunday.
    public func names(_ list: List) -> [String] {
        (0..<list.count).compactMap { name(list, $0) }
    }

    private func name(_ list: List, _ index: Int32) -> String? {
        var units = [UInt16](repeating: 0, count: 64)
        for _ in 0..<2 {
            let length = unsafe units.withUnsafeMutableBufferPointer { units in
                unsafe ferry_calendar_name(handle, list.number, index, units.baseAddress, Int32(units.count))
            }
            if length < 0 { return nil }
            if Int(length) <= units.count { return String(decoding: units.prefix(Int(length)), as: UTF16.self) }
            units = [UInt16](repeating: 0, count: Int(length))
        }
        return nil
    }
}
