internal import ManagedObjectModels

/// Short texts of a model's values, for people to read.
enum FacetText {
    /// A text in quotation marks on one line, cut where it is long.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for (index, scalar) in text.unicodeScalars.enumerated() {
            // As much as fits a line of a table.
            if index == 60 { return result + "...\"" }
            switch scalar {
            case "\"", "\\": result += "\\" + String(scalar)
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case _ where scalar.value < 32 || scalar.value == 127: result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }

    static func value(_ value: AttributeValue) -> String {
        switch value {
        case .integer(let number): String(number)
        case .decimal(let digits): digits
        case .real(let number): String(number)
        case .string(let text), .uri(let text): quoted(text)
        case .boolean(let flag): flag ? "yes" : "no"
        case .date(let seconds): date(seconds)
        case .binary(let bytes): "\(bytes.count) bytes"
        case .uuid(let bytes): uuid(bytes)
        case .unparsed(let text): quoted(text) + " (does not fit the type)"
        }
    }

    static func constraint(_ properties: [String]) -> String { properties.joined(separator: ", ") }

    static func index(_ index: FetchIndexDescription) -> String {
        let elements = index.elements.map { element in
            (element.propertyName ?? element.expression ?? "?") + (element.isAscending ? "" : " descending")
                + (element.collation == .rTree ? " (R-tree)" : "")
        }
        return elements.joined(separator: ", ") + (index.partialIndexPredicate.map { " where \($0)" } ?? "")
    }

    static func fetchRequest(_ request: FetchRequestTemplate) -> String {
        var result = request.entityName + (request.predicateFormat.map { " where \($0)" } ?? "")
        if request.fetchLimit > 0 { result += " limit \(request.fetchLimit)" }
        return result
    }

    private static func uuid(_ bytes: [UInt8]) -> String {
        var result = ""
        for (index, byte) in bytes.enumerated() {
            if [4, 6, 8, 10].contains(index) { result += "-" }
            result += (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        return result
    }

    /// The day and time in UTC; the plain number of seconds outside the years 1 to 9999.
    private static func date(_ seconds: Double) -> String {
        guard seconds > -63_113_904_000, seconds < 252_423_993_600 else { return "\(seconds) s after 2001-01-01" }
        // Down to the whole second and day, also before 2001. (`rounded` would need the C library of mathematics.)
        let truncated = Int(seconds)
        let whole = Double(truncated) > seconds ? truncated - 1 : truncated
        let days = (whole >= 0 ? whole : whole - 86_399) / 86_400
        let rest = whole - days * 86_400
        let (year, month, day) = civil(daysSince2001: days)
        func padded(_ number: Int, to width: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        return "\(padded(year, to: 4))-\(padded(month))-\(padded(day))T"
            + "\(padded(rest / 3600)):\(padded(rest / 60 % 60)):\(padded(rest % 60))Z"
    }

    /// The Gregorian date of a day, by counting in eras of 400 years that begin on 1 March.
    private static func civil(daysSince2001 days: Int) -> (year: Int, month: Int, day: Int) {
        let sinceEra0 = days + 730_791  // Days from 0000-03-01 to 2001-01-01.
        let era = (sinceEra0 >= 0 ? sinceEra0 : sinceEra0 - 146_096) / 146_097
        let dayOfEra = sinceEra0 - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1
        )
    }
}
