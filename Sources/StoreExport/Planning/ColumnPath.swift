/// A column or path of a mapping as the names that a writer makes of it: `times.start`, `"a.b"`, `tags[*]`, `@id`.
struct ColumnPath {
    let names: [String]
    /// Whether it ends in `[*]`, and so has several values.
    let isList: Bool

    /// nil for a path that leads into a part of the record that a flat one does not have: `a[0].b`, `.`, `text()`.
    init?(_ text: String) {
        var rest = text[...]
        isList = rest.hasSuffix("[*]")
        if isList { rest = rest.dropLast(3) }
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
        guard !names.isEmpty else { return nil }
        self.names = names
    }

    /// A name as a path of one step.
    static func text(of name: String) -> String {
        name.contains(where: { "./[]@\"".contains($0) }) ? "\"\(name)\"" : name
    }
}
