public import PredicateExpressions
import SQLiteAccess

extension SQLFragment {
    /// The text with its parameters written as literals: the steps of a program are statements without parameters.
    public var literalText: String {
        guard !parameters.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                // A doubled quote inside the text reads like the end of one text and the beginning of the next.
                let end = bytes[(index + 1)...].firstIndex(of: byte) ?? bytes.count - 1
                result += bytes[index...end]
                index = end + 1
            } else if byte == UInt8(ascii: "?") {
                let digits = bytes[(index + 1)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
                let number = Int(String(decoding: digits, as: UTF8.self)) ?? 0
                let value = parameters.indices.contains(number - 1) ? parameters[number - 1] : .null
                result += Array(value.literal.utf8)
                index += 1 + digits.count
            } else {
                result.append(byte)
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
