internal import TextEncodings

/// A rule for the yearly changes of a clock, in the format of POSIX's variable `TZ`, such as
/// `CET-1CEST,M3.5.0,M10.5.0/3`.
struct ZoneRule {
    /// A day of the year, and the second of the day on the clock before the change.
    private struct Moment {
        enum Day {
            /// A weekday (0 is Sunday) in the first to fourth, or last (5), week of a month.
            case weekday(month: Int, week: Int, weekday: Int)
            /// A day from 1 to 365, in which 29 February is never counted.
            case withoutLeapDay(Int)
            /// A day from 0 to 365.
            case withLeapDay(Int)
        }

        let day: Day
        let second: Int

        /// Returns the seconds since 1970 on the clock before the change.
        func seconds(in year: Int) -> Int {
            let first = CalendarDay(year: year, month: 1, day: 1).daysSince2001
            let days =
                switch day {
                case .withLeapDay(let number): first + number
                case .withoutLeapDay(let number):
                    first + number - 1 + (number > 59 && Self.isLeap(year) ? 1 : 0)
                case .weekday(let month, let week, let weekday): Self.day(year, month, week, weekday)
                }
            return (days + 11_323) * 86_400 + second
        }

        private static func isLeap(_ year: Int) -> Bool {
            year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        }

        private static func day(_ year: Int, _ month: Int, _ week: Int, _ weekday: Int) -> Int {
            let first = CalendarDay(year: year, month: month, day: 1).daysSince2001
            let next = CalendarDay(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1).daysSince2001
            // 2001-01-01 was a Monday.
            let firstWeekday = ((first + 1) % 7 + 7) % 7
            var day = first + (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
            if day >= next { day -= 7 }
            return day
        }
    }

    private let standard: Int
    private var summer: (offset: Int, start: Moment, end: Moment)?

    /// Returns nil if the text is not a rule.
    init?(_ text: String) {
        var text = Substring(text)
        guard Self.skipName(&text), let west = Self.duration(&text) else { return nil }
        standard = -west
        guard !text.isEmpty else { return }
        guard Self.skipName(&text) else { return nil }
        var offset = standard + 3600
        if text.first != ",", !text.isEmpty {
            guard let west = Self.duration(&text) else { return nil }
            offset = -west
        }
        let rules = text.split(separator: ",", omittingEmptySubsequences: false)
        guard rules.count == 3, rules[0].isEmpty, let start = Self.moment(rules[1]), let end = Self.moment(rules[2])
        else { return nil }
        summer = (offset, start, end)
    }

    /// Returns the changes from 1970 to 2100 in order: the times in seconds since 1970 (UTC), and the new offsets.
    func changes() -> [(time: Int, offset: Int)] {
        guard let summer else { return [(-1 << 40, standard)] }
        return (1970...2100).flatMap { year in
            [
                (summer.start.seconds(in: year) - standard, summer.offset),
                (summer.end.seconds(in: year) - summer.offset, standard),
            ]
        }.sorted { $0.0 < $1.0 }
    }

    private static func skipName(_ text: inout Substring) -> Bool {
        if text.first == "<" {
            guard let end = text.firstIndex(of: ">") else { return false }
            text = text[text.index(after: end)...]
            return true
        }
        let name = text.prefix { $0.isLetter }
        text = text.dropFirst(name.count)
        return name.count >= 3
    }

    /// Reads `[+-]hh[:mm[:ss]]`; returns seconds.
    private static func duration(_ text: inout Substring) -> Int? {
        let word = text.prefix { $0.isNumber || $0 == ":" || $0 == "+" || $0 == "-" }
        text = text.dropFirst(word.count)
        let sign = word.first == "-" ? -1 : 1
        let parts = (word.first?.isNumber == false ? word.dropFirst() : word).split(separator: ":")
        let numbers = parts.compactMap { Int($0) }
        guard numbers.count == parts.count, 1...3 ~= numbers.count, 0...167 ~= numbers[0] else { return nil }
        guard numbers.dropFirst().allSatisfy({ 0...59 ~= $0 }) else { return nil }
        return sign * zip(numbers, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
    }

    private static func moment(_ text: Substring) -> Moment? {
        let parts = text.split(separator: "/", maxSplits: 1)
        guard let first = parts.first else { return nil }
        var second = 2 * 3600
        if parts.count == 2 {
            var time = parts[1]
            guard let seconds = duration(&time), time.isEmpty else { return nil }
            second = seconds
        }
        return day(first).map { Moment(day: $0, second: second) }
    }

    private static func day(_ text: Substring) -> Moment.Day? {
        if text.first == "M" {
            let numbers = text.dropFirst().split(separator: ".").compactMap { Int($0) }
            guard numbers.count == 3, 1...12 ~= numbers[0], 1...5 ~= numbers[1], 0...6 ~= numbers[2] else { return nil }
            return .weekday(month: numbers[0], week: numbers[1], weekday: numbers[2])
        }
        if text.first == "J" {
            return Int(text.dropFirst()).flatMap { 1...365 ~= $0 ? .withoutLeapDay($0) : nil }
        }
        return Int(text).flatMap { 0...365 ~= $0 ? .withLeapDay($0) : nil }
    }
}
