import TextEncodings

extension DateConversion {
    /// A text for a date, which is exact where the form has one that is; nil if it has no text at all.
    ///
    /// - Parameter seconds: since 2001 (UTC). What reading the text gives is for the caller to compare.
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

    /// The text for a date that is read as the very same; nil if there is none.
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
    /// - Throws: `ConversionSettingsError` with the setting that is not one of dates, or contradicts another.
    public init(_ settings: ConversionSettings) throws(ConversionSettingsError) {
        self = try settings.dateConversion()
    }
}
