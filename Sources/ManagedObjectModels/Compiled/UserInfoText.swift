import KeyedArchives

/// Converts user info values that are not text to text, in the brace format of old property lists.
enum UserInfoText {
    private static let maximumDepth = 16

    static func text(of value: ArchivedValue, depth: Int = 0) throws -> String {
        if let text = try value.string() { return depth == 0 ? text : quoted(text) }
        switch value {
        case .null: return "nil"
        case .scalar(.boolean(let flag)): return flag ? "YES" : "NO"
        case .scalar(.integer(let number)): return "\(number)"
        case .scalar(let other): return other.real.map { "\($0)" } ?? other.kind
        case .object(let object):
            if let date = try value.date() { return "\(date)" }
            guard depth < maximumDepth else { throw object.error(.tooDeep) }
            if let pairs = try object.pairs() {
                let texts = try pairs.map { pair in
                    (try text(of: pair.key, depth: depth + 1), try text(of: pair.value, depth: depth + 1))
                }
                return "{ " + texts.sorted { $0.0 < $1.0 }.map { "\($0.0) = \($0.1);" }.joined(separator: " ") + " }"
            }
            if let elements = try object.elements() {
                return "(" + (try elements.map { try text(of: $0, depth: depth + 1) }).joined(separator: ", ") + ")"
            }
            return object.className
        }
    }

    private static func quoted(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                    || byte == 0x5F
            }
        guard !isPlain else { return text }
        return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }
}
