import PersistentStores

/// A compiled date format: `dd.MM.yyyy HH:mm` in Unicode's and Foundation's syntax, or `%d.%m.%Y %H:%M` in C's.
///
/// Letters of Unicode's syntax: `y M d D H h k K m s S A a E c Z X x z`. Quoted text, and all characters that are not
/// letters, are literal. Letters of C's syntax: `Y y m d j e H I M S f p b B h a A z Z T D F R s n t %`.
public struct DatePattern: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        /// One digit up to a number of digits; exactly this number if more digits follow directly.
        case number(Part, digits: Int, isExact: Bool)
        case fraction
        /// A name that is read in any form, and written in the short or the long one.
        case monthName(isShort: Bool)
        case weekdayName(isShort: Bool)
        case dayPeriod
        case offset
        case literal(UInt8)
        /// Any number of spaces, or none.
        case space
    }

    enum Part: Equatable, Sendable {
        case year
        /// At least four digits.
        case fullYear
        /// Two digits, in the hundred years that begin eighty years before the present, as in ICU and Core Foundation.
        case shortYear
        /// Two digits, from 1969 to 2068, as in POSIX.
        case yearOfCentury
        case month, day, dayOfYear, hour, halfDayHour, minute, second, millisecondOfDay
        case secondsSince1970
    }

    /// The format as it was written.
    public let text: String
    let steps: [Step]
    let names: DateNames
    /// The first day of the hundred years for two-digit years.
    private let firstDay: CivilDate.Day

    /// Compiles a format.
    ///
    /// - Parameters:
    ///   - text: the format.
    ///   - locale: the language of months and weekdays, such as `de` or `pt_BR`.
    ///   - now: the time to which two-digit years are related, in seconds since 2001; nil for the present. Years of
    ///     `yy` are in the hundred years that begin eighty years before this time.
    /// - Throws: `DatePatternError` if the format has an unknown letter, or if the locale is not known.
    public init(
        _ text: String, locale: String = "en", now: Double? = nil
    ) throws(DatePatternError) {
        self.text = text
        let today = CivilDate(secondsSince1970: Int(now ?? ReferenceDate.now) + CivilDate.secondsTo2001) ?? CivilDate()
        firstDay = CivilDate.Day(year: today.year - 80, month: today.month, day: today.day)
        guard let names = DateNames(locale: locale) else {
            throw DatePatternError(pattern: text, reason: "the locale '\(locale)' is not known")
        }
        self.names = names
        var compiler = DatePatternCompiler(text)
        steps = try text.contains("%") ? compiler.conversionSteps() : compiler.unicodeSteps()
    }
    /// Whether years have two digits, so that their century depends on the time at which the text is read.
    package var hasShortYear: Bool {
        steps.contains { if case .number(.shortYear, _, _) = $0 { true } else { false } }
    }

    /// The first and the last year that two digits may stand for.
    package var shortYears: ClosedRange<Int> { firstDay.year...firstDay.year + 100 }

    /// Adds the century to a date whose year has two digits.
    func complete(_ date: inout CivilDate) {
        let century = firstDay.year - firstDay.year % 100
        date.year += century
        let day = CivilDate.Day(year: date.year, month: date.month, day: date.day)
        if day < firstDay { date.year += 100 }
    }
}
