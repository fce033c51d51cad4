import TextEncodings

extension DateConversion {
    /// Returns a text for a date, which is exact if the form allows this; nil if the form cannot represent the date.
    ///
    /// - Parameter seconds: the seconds since 2001 (UTC). To find out whether the text is exact, the caller must
    ///   convert it back.
    public func text(of seconds: Double) -> [UInt8]? {
        guard seconds.isFinite else { return nil }
        switch form {
        case .iso8601:
            var text: [UInt8] = []
            return text.append(date: seconds) ? text : nil
        case .pattern(let pattern): return text(of: seconds, as: pattern)
        default: return number(seconds).map { Array(Self.plain($0).utf8) }
        }
    }

    /// Returns a text that is converted back to exactly the same date; nil if there is none.
    public func exactText(of seconds: Double) -> [UInt8]? {
        guard let text = text(of: seconds), (try? self.seconds(text.span)) == seconds else { return nil }
        return text
    }

    private func text(of seconds: Double, as pattern: DatePattern) -> [UInt8]? {
        guard abs(seconds) < 1e12 else { return nil }
        let whole = Int(seconds.rounded(.down))
        guard let fraction = SecondFraction(of: seconds, above: whole) else { return nil }
        let time = whole + CivilDate.secondsTo2001
        let offset = zone.offset(at: time)
        return pattern.text(local: time + offset, fraction: fraction, offset: offset)
    }

    /// Returns a number that is converted back to the date, or to one close to it if rounding leaves no exact number.
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

    /// Returns a number as text; whole numbers have no decimal point, as other programs expect.
    private static func plain(_ number: Double) -> String {
        abs(number) < 9e15 && number.rounded() == number ? String(Int64(number)) : number.description
    }
}

extension ZoneOffset {
    /// Returns the offset from UTC, in seconds to the east, at a time given as seconds since 1970 (UTC).
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
    /// Creates the conversion that the settings of a mapping specify for dates.
    /// - Throws: `ConversionSettingsError` if a setting is invalid or contradicts another one.
    public init(_ settings: ConversionSettings) throws(ConversionSettingsError) {
        self = try settings.dateConversion()
    }
}
