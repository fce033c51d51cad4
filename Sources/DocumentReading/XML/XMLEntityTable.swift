/// The entities that a document declares, and how deep each has others in its text.
struct XMLEntityTable {
    private struct Entity {
        /// The bytes of its text, references to others not replaced.
        let size: Int
        /// The entities that its text refers to.
        let references: [String]
        /// How deep others stand in it, itself counted; nil until it is asked for.
        var depth: Int?
    }

    private var entities: [String: Entity] = [:]

    /// Adds an entity of the document's own; the first declaration of a name counts.
    mutating func declare(_ name: String, text: String) {
        guard entities[name] == nil else { return }
        var references: [String] = []
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            rest = rest[rest.index(after: start)...]
            guard let end = rest.firstIndex(of: ";") else { break }
            if rest.first != "#" { references.append(String(rest[..<end])) }
            rest = rest[rest.index(after: end)...]
        }
        entities[name] = Entity(size: text.utf8.count, references: references)
    }

    /// The bytes of an entity's own text; nil if it is not declared.
    func size(of name: String) -> Int? { entities[name]?.size }

    /// How deep others stand in an entity, itself counted; nil if it is deeper than a limit, or stands in itself.
    mutating func depth(of name: String, atMost limit: Int) -> Int? {
        guard limit > 0 else { return nil }
        guard let entity = entities[name] else { return 0 }
        if let depth = entity.depth { return depth <= limit ? depth : nil }
        var depth = 1
        for reference in entity.references {
            guard let inner = self.depth(of: reference, atMost: limit - 1) else { return nil }
            depth = max(depth, inner + 1)
        }
        entities[name]?.depth = depth
        return depth
    }
}
