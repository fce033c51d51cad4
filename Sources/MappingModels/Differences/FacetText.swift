internal import ManagedObjectModels
import TextEncodings

/// Short texts of a model's values for people to read.
enum FacetText {
    /// Returns a text in quotation marks on one line, truncated if it is long.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for (index, scalar) in text.unicodeScalars.enumerated() {
            // As much as fits on a line of a table.
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
        case .uuid(let bytes): UUIDText.text(bytes)
        case .array(let elements): "[" + elements.map { Self.value($0) }.joined(separator: ", ") + "]"
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

    /// Returns the date and time in UTC; the number of seconds outside the years 1 to 9999.
    private static func date(_ seconds: Double) -> String {
        guard seconds > -63_113_904_000, seconds < 252_423_993_600 else { return "\(seconds) s after 2001-01-01" }
        // Rounds down to whole seconds and days, also before 2001. (`rounded` would require the C math library.)
        let truncated = Int(seconds)
        let whole = Double(truncated) > seconds ? truncated - 1 : truncated
        var text: [UInt8] = []
        text.append(secondsSince2001: whole)
        return String(decoding: text, as: UTF8.self) + "Z"
    }
}
