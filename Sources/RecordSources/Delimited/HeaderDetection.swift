/// Detects whether the first record of a delimited file contains the names of the columns.
enum HeaderDetection {
    /// Returns whether the first record is a header. Values that cannot be column names are evidence against it, and
    /// probable names, as `plain` returns them, are evidence for it; otherwise the lengths of the values are compared.
    static func hasHeader(_ records: [[ArraySlice<UInt8>]], probableNames: Set<String>) -> Bool {
        guard let first = records.first, first.contains(where: { !$0.isEmpty }) else { return false }
        if first.contains(where: isValue) { return false }
        let named = first.count { probableNames.contains(plain(String(decoding: $0, as: UTF8.self))) }
        return named > 0 && named * 2 >= first.count || votes(first, records.dropFirst()) >= 0
    }

    /// Returns a name without case and punctuation: `employeeID`, `employee_id` and `Employee ID` are equal.
    static func plain(_ name: String) -> String {
        name.lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// Counts the evidence for and against a header. A text above numbers or dates is a column name, and so is a text
    /// above codes of one length if its own length differs.
    private static func votes(
        _ first: [ArraySlice<UInt8>], _ rest: ArraySlice<[ArraySlice<UInt8>]>
    ) -> Int {
        guard rest.count >= 3 else { return 0 }
        var votes = 0
        for (column, name) in first.enumerated() {
            let values = rest.compactMap { column < $0.count && !isNothing($0[column]) ? $0[column] : nil }
            if values.isEmpty || name.isEmpty { continue }
            if values.allSatisfy(isValue) {
                votes += 2
            } else if let length = usualLength(of: values) {
                votes += name.count == length ? -1 : 1
            }
        }
        return votes
    }

    /// Returns the length that at least nine out of ten values have.
    private static func usualLength(of values: [ArraySlice<UInt8>]) -> Int? {
        var frequency: [Int: Int] = [:]
        for value in values { frequency[value.count, default: 0] += 1 }
        guard let most = frequency.max(by: { $0.value < $1.value }) else { return nil }
        return most.value * 10 >= values.count * 9 ? most.key : nil
    }

    private static func isNothing(_ text: ArraySlice<UInt8>) -> Bool {
        text.isEmpty || text.elementsEqual("\\N".utf8)
    }

    /// Returns whether a text is a number, a date, a time, an address or a token for NULL.
    static func isValue(_ text: ArraySlice<UInt8>) -> Bool {
        if !text.isEmpty && isNothing(text) { return true }
        let digits = text.count { 0x30...0x39 ~= $0 }
        if digits > 0 && text.allSatisfy({ isNumeric($0) }) { return true }
        // For example, 2013-11-23T02:30:31-08:00 or 12/31/2020 10:00 PM.
        if digits >= 6 && digits * 2 > text.count && text.allSatisfy({ $0 < 0x80 && !(0x5B...0x60 ~= $0) }) {
            return text.count { 0x41...0x5A ~= $0 || 0x61...0x7A ~= $0 } <= 5
        }
        let hasAt = text.contains(UInt8(ascii: "@")) && text.contains(UInt8(ascii: "."))
        return hasAt && !text.contains(UInt8(ascii: " ")) || text.starts(with: "http://".utf8)
            || text.starts(with: "https://".utf8)
    }

    /// Returns whether a byte occurs in numbers, dates and times.
    private static func isNumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: ","),
            UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: " "), UInt8(ascii: "%"), UInt8(ascii: "$"):
            true
        default:
            false
        }
    }
}
