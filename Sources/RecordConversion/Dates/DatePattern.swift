import PersistentStores

/// A date format, compiled once: `dd.MM.yyyy HH:mm` as Unicode and Foundation write it, or `%d.%m.%Y %H:%M` as C does.
///
/// Unicode letters: `y M d D H h k K m s S A a E c Z X x z`; quoted text and everything that is not a letter stand for
/// themselves. C letters: `Y y m d j e H I M S f p b B h a A z Z T D F R s n t %`.
public struct DatePattern: Equatable, Sendable {
    enum Step: Equatable, Sendable {
        /// Digits, at least one, at most so many; exactly so many where digits follow without anything between.
        case number(Part, digits: Int, isExact: Bool)
        case fraction
        /// Read in any form; written in the short one or the long one.
        case monthName(isShort: Bool)
        case weekdayName(isShort: Bool)
        case dayPeriod
        case offset
        case literal(UInt8)
        /// One space or more, or none.
        case space
    }

    enum Part: Equatable, Sendable {
        case year
        /// Of at least four digits.
        case fullYear
        /// Two digits, in the hundred years that begin eighty years ago, as ICU and Core Foundation have it.
        case shortYear
        /// Two digits, from 1969 to 2068, as POSIX has it.
        case yearOfCentury
        case month, day, dayOfYear, hour, halfDayHour, minute, second, millisecondOfDay
        case secondsSince1970
    }

    /// The format as it was written.
    public let text: String
    let steps: [Step]
    let names: DateNames
    /// The day on which the hundred years of two-digit years begin.
    private let firstDay: CivilDate.Day

    /// Compiles a format; throws a text that says what is wrong with it.
    ///
    /// - Parameters:
    ///   - text: the format.
    ///   - locale: the language of months and weekdays, as in `de` or `pt_BR`.
    ///   - now: what years of two digits are near to, in seconds since 2001, the present unless told: those of `yy` lie
    ///     within the hundred years that begin eighty years before.
    /// - Throws: `DatePatternError` if the format has an unknown letter or the locale is not known.
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
    /// Whether years have two digits, so that their century is a matter of when the text is read.
    package var hasShortYear: Bool {
        steps.contains { if case .number(.shortYear, _, _) = $0 { true } else { false } }
    }

    /// The first and the last year that two digits may stand for.
    package var shortYears: ClosedRange<Int> { firstDay.year...firstDay.year + 100 }

    /// Gives a date whose year has two digits its century.
    func complete(_ date: inout CivilDate) {
        let century = firstDay.year - firstDay.year % 100
        date.year += century
        let day = CivilDate.Day(year: date.year, month: date.month, day: date.day)
        if day < firstDay { date.year += 100 }
    }
}
