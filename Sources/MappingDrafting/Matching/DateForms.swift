import RecordSources

/// The formats of dates in files, in the order in which they are tried.
struct DateForms {
    /// Returns settings for `date`; nil stands for the default, ISO 8601.
    static func candidates(for values: SampledValues, hints: [String]) -> [String?] {
        hints + [nil] + numbers(values) + patterns
    }

    private static let patterns = [
        "yyyy-MM-dd HH:mm:ss Z", "dd.MM.yyyy", "dd.MM.yyyy HH:mm", "dd.MM.yyyy HH:mm:ss", "MM/dd/yyyy", "dd/MM/yyyy",
        "MM/dd/yyyy HH:mm", "dd/MM/yyyy HH:mm", "MM/dd/yyyy HH:mm:ss", "dd/MM/yyyy HH:mm:ss", "MM/dd/yyyy hh:mm:ss a",
        "MM/dd/yyyy hh:mm a", "MM-dd-yyyy", "dd-MM-yyyy", "MM/dd/yy", "dd/MM/yy", "dd.MM.yy", "dd.MM.yy HH:mm",
        "dd.MM.yy HH:mm:ss", "MM-dd-yy", "dd-MM-yy", "MM/dd/yy HH:mm",
        "dd/MM/yy HH:mm", "yy-MM-dd", "yy/MM/dd", "d MMM yyyy", "d-MMM-yyyy", "d MMM yy", "d-MMM-yy", "MMM d, yyyy",
        "MMM d yyyy", "yyyy MMM d", "EEE, dd MMM yyyy HH:mm:ss Z",
        "EEE, dd MMM yyyy HH:mm Z",
        "dd MMM yyyy HH:mm:ss Z", "EEE MMM dd HH:mm:ss Z yyyy", "EEE MMM dd HH:mm:ss yyyy", "dd/MMM/yyyy:HH:mm:ss Z",
        "yyyyMMddHHmmss", "yyyyMMdd HHmmss", "yyyyMMdd", "HH:mm:ss", "HH:mm",
    ]

    /// Returns the settings for numbers: years from 1900 to 2100 have separate ranges in seconds since 1970, in
    /// milliseconds and so on.
    private static func numbers(_ values: SampledValues) -> [String?] {
        let numbers = values.texts.map { Double($0) }
        guard let least = numbers.compactMap({ $0 }).min(), let largest = numbers.compactMap({ $0 }).max(),
            numbers.allSatisfy({ $0 != nil })
        else { return [] }
        let ranges: [(form: String, range: ClosedRange<Double>)] = [
            ("yyyyMMdd", 19_000_101...21_001_231), ("spreadsheet", 20_000...80_000),
            ("julian", 2_415_020...2_488_070),
            ("seconds1970", -2_208_988_800...4_102_444_800), ("milliseconds1970", 315_532_800_000...4_102_444_800_000),
            ("microseconds1970", 315_532_800_000_000...4_102_444_800_000_000),
        ]
        return ranges.filter { $0.range.contains(least) && $0.range.contains(largest) }.map(\.form)
    }

    /// Returns whether numbers that are seconds since 1970 could also be seconds since 2001, as in Core Data.
    static func mayCountFrom2001(_ values: SampledValues) -> Bool {
        // As seconds since 1970 all of them would be before September 1999, and as seconds since 2001 before 2031.
        values.texts.allSatisfy { Double($0).map { (0..<936_000_000).contains($0) } ?? false }
    }

    /// Returns whether all values are numbers too small for likely dates: counts, years, flags.
    static func areSmallNumbers(_ values: SampledValues) -> Bool {
        values.texts.allSatisfy { Double($0).map { abs($0) < 20_000 } ?? false }
    }

    /// Returns the format with day and month exchanged; nil if it has none.
    static func swapped(_ form: String) -> String? {
        for (first, second) in [("MM/dd", "dd/MM"), ("MM-dd", "dd-MM")] {
            if form.hasPrefix(first) { return second + form.dropFirst(first.count) }
            if form.hasPrefix(second) { return first + form.dropFirst(second.count) }
        }
        return nil
    }
}
