/// Reads dates and times of ISO 8601 in the forms that occur in files, without a format.
///
/// `2024-02-29`, `2024-02-29T10:00`, `2024-02-29 10:00:00.25Z`, `20240229T100000+0900`, `2024/02/29 10:00:00`. A month
/// or a year alone stands for its first day.
enum ISODate {
    /// Returns the whole seconds since 1970 (UTC), and the fraction of a second.
    @inline(__always)
    static func seconds(
        _ text: Span<UInt8>, zone: borrowing ZoneOffset
    ) throws(ConversionFailure) -> (whole: Int, fraction: Double) {
        // The form in nearly all files, yyyy-MM-ddTHH:mm:ssZ or its beginning, is read at fixed offsets.
        let count = text.count
        if count >= 10, text[4] == 0x2D, text[7] == 0x2D {
            var date = CivilDate()
            let year = pair(text, 0) * 100 + pair(text, 2)
            date.year = year
            date.month = pair(text, 5)
            date.day = pair(text, 8)
            if year | date.month | date.day >= 0 {
                if count == 10 {
                    guard date.exists else { throw ConversionFailure(.noSuchDate) }
                    return (zone.seconds(fromLocal: date.daysSince1970 * 86_400), 0)
                }
                if count == 19 || (count == 20 && text[19] | 0x20 == 0x7A), text[13] == 0x3A, text[16] == 0x3A,
                    text[10] | 0x20 == 0x74 || text[10] == 0x20
                {
                    date.hour = pair(text, 11)
                    date.minute = pair(text, 14)
                    date.second = pair(text, 17)
                    if date.hour | date.minute | date.second >= 0 {
                        guard date.exists else { throw ConversionFailure(.noSuchDate) }
                        let seconds = date.secondsSince1970
                        return (count == 20 ? seconds : zone.seconds(fromLocal: seconds), 0)
                    }
                }
            }
        }
        var parser = ISODateParser()
        return try parser.seconds(text, zone: zone)
    }

    /// Returns two digits as a number; a negative number if they are not digits.
    @inline(__always)
    private static func pair(_ text: Span<UInt8>, _ index: Int) -> Int {
        let high = text[index] &- 0x30
        let low = text[index + 1] &- 0x30
        return high < 10 && low < 10 ? Int(high) * 10 + Int(low) : -1_000_000
    }
}
