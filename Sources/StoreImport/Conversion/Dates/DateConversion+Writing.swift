extension DateConversion {
    /// A text for a date, which is exact where the form has one that is; nil where it has no text at all.
    ///
    /// - Parameter seconds: since 2001 (UTC). What reading the text gives is for the caller to compare.
    public func text(of seconds: Double) -> [UInt8]? {
        guard seconds.isFinite else { return nil }
        switch form {
        case .iso8601: return zoned(seconds, as: nil)
        case .pattern(let pattern): return zoned(seconds, as: pattern)
        default: return number(seconds).map { Array(Self.plain($0).utf8) }
        }
    }

    /// The text for a date that is read as the very same; nil where there is none.
    public func exactText(of seconds: Double) -> [UInt8]? {
        guard let text = text(of: seconds), (try? self.seconds(text.span)) == seconds else { return nil }
        return text
    }

    private func zoned(_ seconds: Double, as pattern: DatePattern?) -> [UInt8]? {
        guard abs(seconds) < 1e12 else { return nil }
        let floor = seconds.rounded(.down)
        let whole = Int(floor) + CivilDate.secondsTo2001
        guard let fraction = Self.fraction(of: seconds, whole: floor) else { return nil }
        let offset = pattern == nil ? 0 : zone.offset(at: whole)
        guard let pattern else {
            guard let day = try? DatePattern(fraction.isEmpty ? "yyyy-MM-dd'T'HH:mm:ss'Z'" : "yyyy-MM-dd'T'HH:mm:ss.S'Z'")
            else { return nil }
            return day.text(local: whole, fraction: fraction, offset: 0)
        }
        return pattern.text(local: whole + offset, fraction: fraction, offset: offset)
    }

    /// The fewest digits behind the point that are read as the same date; none for whole seconds.
    private static func fraction(of seconds: Double, whole: Double) -> String? {
        guard seconds != whole else { return "" }
        var power = 1.0
        for places in 1...17 {
            power *= 10
            let digits = ((seconds - whole) * power).rounded()
            guard digits < power, digits / power + whole == seconds else { continue }
            let text = String(UInt64(digits))
            return String(repeating: "0", count: places - text.count) + text
        }
        return nil
    }

    /// The number that is read as the date, or one near it: rounding may leave no such number.
    private func number(_ seconds: Double) -> Double? {
        let epoch = Double(CivilDate.secondsTo2001)
        let first: Double
        switch form {
        case .secondsSince1970: first = seconds + epoch
        case .millisecondsSince1970: first = seconds * 1000 + epoch * 1000
        case .microsecondsSince1970: first = seconds * 1_000_000 + epoch * 1_000_000
        case .secondsSince2001: first = seconds
        case .millisecondsSince2001: first = seconds * 1000
        case .spreadsheetDays:
            guard abs(seconds) < 1e12 else { return nil }
            let whole = seconds.rounded(.down)
            let local = Double(zone.offset(at: Int(whole) + CivilDate.secondsTo2001)) + whole + epoch
            first = (local + (seconds - whole)) / 86_400 + 25_569
        case .julianDays: first = seconds / 86_400 + 2_451_910.5
        case .iso8601, .pattern: return nil
        }
        let near = [first, first.nextUp, first.nextDown, first.rounded()]
        return near.first { (try? self.seconds($0)) == seconds } ?? first
    }

    /// Whole numbers without a point: other programs expect them so.
    private static func plain(_ number: Double) -> String {
        abs(number) < 9e15 && number.rounded() == number ? String(Int64(number)) : number.description
    }
}

extension ZoneOffset {
    /// Seconds east of Greenwich at a time, given as seconds since 1970 (UTC).
    func offset(at seconds: Int) -> Int {
        var (low, high) = (0, starts.count)
        while low < high {
            let middle = (low + high) / 2
            if starts[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return offsets[low]
    }
}

extension DateConversion {
    /// What a mapping says of dates; throws what is wrong with it.
    public init(_ settings: ConversionSettings) throws(ConversionSettingsError) {
        self = try settings.dateConversion()
    }
}
