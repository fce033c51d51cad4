/// How dates are written in a source, and how they become seconds since 2001-01-01T00:00:00Z.
public struct DateConversion: Equatable, Sendable {
    /// How a date is written.
    public enum Form: Equatable, Sendable {
        /// ISO 8601 in its usual forms.
        case iso8601
        /// A pattern of Unicode's or C's letters.
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
        /// Days since 1899-12-30, as spreadsheets count them.
        case spreadsheetDays
        /// Days since noon of 4714-11-24 BC, as SQLite's `julianday` has them: to the millisecond.
        case julianDays
    }

    /// How dates are written.
    public var form: Form
    /// The zone of times that are written without one.
    public var zone: ZoneOffset

    /// Makes a conversion of dates in a form.
    public init(_ form: Form = .iso8601, zone: ZoneOffset = .utc) {
        self.form = form
        self.zone = zone
    }

    /// The seconds since 2001 (UTC) of a text.
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
        // Whole seconds are subtracted as integers: nothing of the fraction is lost to the larger number.
        return Double(found.whole - CivilDate.secondsTo2001) + found.fraction
    }

    /// The seconds since 2001 (UTC) of a number.
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
            // 25 569 days lie between 1899-12-30 and 1970-01-01; the clock is the local one.
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

    /// 2001-01-01T00:00:00Z.
    private static let julianDayOf2001 = 2_451_910.5

    /// What a date must look like, for messages.
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
