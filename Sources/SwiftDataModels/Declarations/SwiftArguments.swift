/// The arguments of a call or an attribute, separated at its commas.
struct SwiftArguments {
    struct Argument: Hashable {
        let label: String?
        let value: String
    }

    let arguments: [Argument]

    init(_ text: String) {
        var lexer = SwiftLexer(Array(text.utf8))
        var result: [Argument] = []
        var (start, end, depth) = (0, 0, 0)
        var label: String?
        var isFirst = true
        var first: SwiftToken?
        func finish() -> Argument? {
            end > start ? Argument(label: label, value: lexer.text(start..<end).trimmingBlanks) : nil
        }
        while true {
            let token = lexer.next()
            if token.kind == .end { break }
            if token.kind == .open { depth += 1 }
            if token.kind == .close { depth -= 1 }
            if depth == 0, token.isPunctuation(",") {
                if let argument = finish() { result.append(argument) }
                (start, end, label, isFirst, first) = (token.range.upperBound, token.range.upperBound, nil, true, nil)
                continue
            }
            if depth == 0, token.isPunctuation(":"), let name = first, isFirst, name.range.upperBound <= end {
                label = lexer.text(name.range)
                start = token.range.upperBound
                end = start
                isFirst = false
                continue
            }
            if first == nil, token.kind == .identifier { first = token } else { isFirst = false }
            end = token.range.upperBound
        }
        if let argument = finish() { result.append(argument) }
        arguments = result
    }

    var unlabelled: [String] { arguments.filter { $0.label == nil }.map(\.value) }

    func value(_ label: String) -> String? { arguments.first { $0.label == label }?.value }

    /// Returns the elements of an array literal; nil for anything else.
    static func elements(of text: String) -> [String]? {
        guard text.hasPrefix("["), text.hasSuffix("]"), text.utf8.count >= 2 else { return nil }
        return SwiftArguments(String(text.dropFirst().dropLast())).arguments.map(\.value)
    }

    /// Returns the names of a key path, `\Type.a.b` or `\.a.b`, without its type; nil for anything else.
    static func keyPath(_ text: String) -> [String]? {
        guard text.hasPrefix("\\") else { return nil }
        // `\Child.parent?` is the key path of an optional value.
        var path = text.dropFirst()
        while path.hasSuffix("?") || path.hasSuffix("!") { path.removeLast() }
        let names = path.split(separator: ".", omittingEmptySubsequences: false).map {
            String($0).trimmingBlanks.replacing("`", with: "")
        }
        let isName = { (name: String) in
            !name.isEmpty && name.utf8.allSatisfy(SwiftCharacters.continuesName)
        }
        guard names.count > 1, names[1...].allSatisfy(isName) else { return nil }
        if names[0].isEmpty { return Array(names[1...]) }
        // Names of types begin with uppercase letters, those of properties do not.
        let properties = names.drop { $0.first?.isUppercase == true || $0.contains("<") }
        return properties.isEmpty ? nil : Array(properties)
    }
}
