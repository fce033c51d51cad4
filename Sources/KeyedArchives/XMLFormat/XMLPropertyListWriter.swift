import TextEncodings

/// Writes XML property lists in the layout of Apple's tools: one tab per level, keys in stored order.
public enum XMLPropertyListWriter {
    private static let header = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    /// Returns the complete document. A null, and text with characters that XML forbids, are errors.
    /// - Throws: `PropertyListError` with code `notRepresentable` for a null, and for text with characters that XML
    ///   does not have.
    public static func text(for value: PropertyListValue) throws(PropertyListError) -> String {
        header + (try element(for: value)) + "</plist>\n"
    }

    /// Returns the element of a value, with every line indented and terminated. Texts of several lines keep their line
    /// breaks.
    /// - Throws: `PropertyListError` with code `notRepresentable` for a null, and for text with characters that XML
    ///   does not have.
    public static func element(
        for value: PropertyListValue, indentation: Int = 0, unit: String = "\t"
    ) throws(PropertyListError) -> String {
        var output = ""
        try append(value, level: indentation, unit: unit, to: &output)
        return output
    }

    private static func append(
        _ value: PropertyListValue, level: Int, unit: String, to output: inout String
    ) throws(PropertyListError) {
        let indent = String(repeating: unit, count: level)
        switch value {
        case .null, .malformedText:
            throw PropertyListError(.notRepresentable, found: value.kind)
        case .boolean(let value): output += indent + (value ? "<true/>\n" : "<false/>\n")
        case .integer(let value): output += indent + "<integer>\(value)</integer>\n"
        case .wideInteger(let value): output += indent + "<integer>\(value)</integer>\n"
        case .real(let value): output += indent + "<real>\(text(of: value))</real>\n"
        case .single(let value): output += indent + "<real>\(text(of: Double(value)))</real>\n"
        case .date(let seconds):
            guard let date = PropertyListDate.text(of: seconds) else {
                throw PropertyListError(.notRepresentable, found: "date \(seconds)")
            }
            output += indent + "<date>\(date)</date>\n"
        case .data(let bytes):
            output += indent + "<data>\n"
            let text = Array(Base64.encode(bytes).utf8)
            // Apple's writers break lines at or before column 76, counting 8 columns per tab.
            let width = max(76 - (unit == "\t" ? 8 : unit.count) * level, 32) / 4 * 4
            for start in stride(from: 0, to: text.count, by: width) {
                output += indent + String(decoding: text[start..<min(start + width, text.count)], as: UTF8.self) + "\n"
            }
            output += indent + "</data>\n"
        case .string(let text):
            output += indent + "<string>\(try escaped(text))</string>\n"
        case .array(let elements), .set(let elements):
            guard !elements.isEmpty else {
                output += indent + "<array/>\n"
                return
            }
            output += indent + "<array>\n"
            for element in elements {
                try append(element, level: level + 1, unit: unit, to: &output)
            }
            output += indent + "</array>\n"
        case .dictionary(let dictionary):
            guard !dictionary.isEmpty else {
                output += indent + "<dict/>\n"
                return
            }
            output += indent + "<dict>\n"
            for (key, element) in dictionary {
                output += indent + "\t<key>\(try escaped(key))</key>\n"
                try append(element, level: level + 1, unit: unit, to: &output)
            }
            output += indent + "</dict>\n"
        case .uid(let uid):
            output += indent + "<dict>\n" + indent + "\t<key>CF$UID</key>\n"
            output += indent + "\t<integer>\(uid)</integer>\n" + indent + "</dict>\n"
        }
    }

    private static func text(of real: Double) -> String {
        if real.isNaN { return "nan" }
        if real.isInfinite { return real > 0 ? "+infinity" : "-infinity" }
        return "\(real)"
    }

    private static func escaped(_ text: String) throws(PropertyListError) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\r": output += "&#13;"
            case "\t", "\n", "\u{20}"..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"...:
                output.unicodeScalars.append(scalar)
            default:
                throw PropertyListError(.notRepresentable, found: "U+" + String(scalar.value, radix: 16))
            }
        }
        return output
    }
}
