/// A date format, compiled once: `dd.MM.yyyy HH:mm` as Unicode and Foundation write it, or `%d.%m.%Y %H:%M` as C does.
///
/// Unicode letters: `y M d D H h k K m s S A a E c Z X x z`; quoted text and everything that is no letter stand for
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
        case year, shortYear, month, day, dayOfYear, hour, halfDayHour, minute, second, millisecondOfDay
        case secondsSince1970
    }

    /// The format as it was written.
    public let text: String
    let steps: [Step]
    let names: DateNames

    /// Compiles a format; throws a text that says what is wrong with it.
    public init(_ text: String, locale: String = "en") throws(DatePatternError) {
        self.text = text
        guard let names = DateNames(locale: locale) else {
            throw DatePatternError(pattern: text, reason: "the locale '\(locale)' is not known")
        }
        self.names = names
        var compiler = DatePatternCompiler(text)
        steps = try text.contains("%") ? compiler.conversionSteps() : compiler.unicodeSteps()
    }
}
