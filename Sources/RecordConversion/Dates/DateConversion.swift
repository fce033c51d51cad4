/// The form in which a source writes dates, and the conversion to seconds since 2001-01-01T00:00:00Z.
public struct DateConversion: Equatable, Sendable {
    /// The form of a date.
    public enum Form: Equatable, Sendable {
        /// ISO 8601 in its common forms.
        case iso8601
        /// A pattern with the letters of Unicode or C.
        case pattern(DatePattern)
        /// Seconds since 1970-01-01T00:00:00Z.
        case secondsSince1970
        /// Milliseconds since 1970-01-01T00:00:00Z.
        case millisecondsSince1970
        /// Microseconds since 1970-01-01T00:00:00Z.
        case microsecondsSince1970
        /// Seconds since 2001-01-01T00:00:00Z, as Core Data stores dates.
        case secondsSince2001
        /// Milliseconds since 2001-01-01T00:00:00Z.
        case millisecondsSince2001
        /// Days since 1899-12-30, as in spreadsheets.
        case spreadsheetDays
        /// Days since noon of 4714-11-24 BC, as returned by SQLite's `julianday`, with a precision of milliseconds.
        case julianDays
    }

    /// The form of the dates.
    public var form: Form
    /// The time zone of times that are written without one.
    public var zone: ZoneOffset

    /// Creates a conversion of dates in a form.
    public init(_ form: Form = .iso8601, zone: ZoneOffset = .utc) {
        self.form = form
        self.zone = zone
    }

    /// Returns the seconds since 2001 (UTC) of a text.
    @inline(__always)
    func seconds(_ text: Span<UInt8>) throws(ConversionFailure) -> Double {
        let found: (whole: Int, fraction: Double)
        switch form {
        case .iso8601:
            found = try ISODate.seconds(text, zone: zone)
        case .pattern(let pattern):
            var reader = DatePatternReader()
            found = try reader.seconds(text, pattern: pattern, zone: zone)
        default:
            guard DecimalDigits(text) != nil else { throw ConversionFailure(.notADate) }
            return try seconds(RealConversion.double(text))
        }
        // Whole seconds are subtracted as integers, so that the fraction loses no precision.
        return Double(found.whole - CivilDate.secondsTo2001) + found.fraction
    }

    /// Returns the seconds since 2001 (UTC) of a number.
    func seconds(_ value: Double) throws(ConversionFailure) -> Double {
        let epoch = Double(CivilDate.secondsTo2001)
        let seconds: Double
        switch form {
        case .secondsSince1970: seconds = value - epoch
        case .millisecondsSince1970: seconds = (value - epoch * 1000) / 1000
        case .microsecondsSince1970: seconds = (value - epoch * 1_000_000) / 1_000_000
        case .secondsSince2001: seconds = value
        case .millisecondsSince2001: seconds = value / 1000
        case .spreadsheetDays:
            // There are 25,569 days from 1899-12-30 to 1970-01-01. The number refers to local time.
            let local = (value - 25_569) * 86_400
            guard local.isFinite, abs(local) < 1e12 else { throw ConversionFailure(.noSuchDate) }
            let whole = local.rounded(.down)
            seconds = Double(zone.seconds(fromLocal: Int(whole))) + (local - whole) - epoch
        case .julianDays: seconds = ((value - Self.julianDayOf2001) * 86_400_000).rounded() / 1000
        case .iso8601, .pattern: throw ConversionFailure(.notADate)
        }
        guard seconds.isFinite else { throw ConversionFailure(.noSuchDate) }
        return seconds
    }

    /// The Julian day of 2001-01-01T00:00:00Z.
    private static let julianDayOf2001 = 2_451_910.5

    /// A description of the expected form of a date, for messages.
    var expectation: String {
        switch form {
        case .iso8601: "a date such as 2024-02-29T10:00:00Z"
        case .pattern(let pattern): "a date as \(pattern.text)"
        case .secondsSince1970: "seconds since 1970"
        case .millisecondsSince1970: "milliseconds since 1970"
        case .microsecondsSince1970: "microseconds since 1970"
        case .secondsSince2001: "seconds since 2001"
        case .millisecondsSince2001: "milliseconds since 2001"
        case .spreadsheetDays: "a spreadsheet's number of days since 1900"
        case .julianDays: "a Julian day number"
        }
    }
}
