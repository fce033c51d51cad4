/// A column or path of a mapping as the names that a writer makes of it: `times.start`, `"a.b"`, `tags[*]`, `@id`.
struct ColumnPath {
    let names: [String]
    /// Whether it has several values: `tags[*]`, or `tags[*].name`.
    let isList: Bool
    /// The key of the value in each element of a list: `name` of `tags[*].name`.
    let elementKey: String?

    /// nil for a path that leads into a part of the record that a flat one does not have: `a[0].b`, `.`, `text()`.
    init?(_ text: String) {
        var outer = text[...]
        var inner: Substring?
        if let end = Self.listEnd(text) {
            isList = true
            outer = text[..<text.index(end, offsetBy: -3)]
            let rest = text[end...]
            if !rest.isEmpty {
                guard rest.first == "." || rest.first == "/" else { return nil }
                inner = rest.dropFirst()
            }
        } else {
            isList = false
        }
        guard let names = Self.names(outer) else { return nil }
        self.names = names
        guard let inner else {
            elementKey = nil
            return
        }
        guard let keys = Self.names(inner), keys.count == 1 else { return nil }
        elementKey = keys[0]
    }

    /// Behind the first `[*]` outside of quotes.
    private static func listEnd(_ text: String) -> String.Index? {
        var isQuoted = false
        for index in text.indices {
            if text[index] == "\"" { isQuoted.toggle() }
            if !isQuoted, text[index...].hasPrefix("[*]") { return text.index(index, offsetBy: 3) }
        }
        return nil
    }

    private static func names(_ text: Substring) -> [String]? {
        var rest = text
        var names: [String] = []
        while !rest.isEmpty {
            var prefix = ""
            if rest.first == "@" {
                prefix = "@"
                rest = rest.dropFirst()
            }
            if rest.first == "\"" {
                guard let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
                names.append(prefix + rest[rest.index(after: rest.startIndex)..<end])
                rest = rest[rest.index(after: end)...]
            } else {
                let name = rest.prefix { !"./[]@\"".contains($0) }
                guard !name.isEmpty, name != "text()" else { return nil }
                names.append(prefix + name)
                rest = rest[name.endIndex...]
            }
            guard let separator = rest.first else { break }
            guard separator == "." || separator == "/", rest.count > 1 else { return nil }
            rest = rest.dropFirst()
        }
        return names.isEmpty ? nil : names
    }

    /// A name as a path of one step.
    static func text(of name: String) -> String {
        name.contains(where: { "./[]@\"".contains($0) }) ? "\"\(name)\"" : name
    }
}
