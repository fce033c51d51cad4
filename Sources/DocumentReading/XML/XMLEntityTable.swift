/// The entities that a document declares, with the depth of the references in their texts.
struct XMLEntityTable {
    private struct Entity {
        /// The size of its text in bytes, with references to other entities not replaced.
        let size: Int
        /// The entities that its text refers to.
        let references: [String]
        /// The depth of its references, including itself; nil until it is needed.
        var depth: Int?
    }

    private var entities: [String: Entity] = [:]

    /// Adds an entity declared in the document; the first declaration of a name is used.
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

    /// Returns the size of an entity's own text in bytes; nil if it is not declared.
    func size(of name: String) -> Int? { entities[name]?.size }

    /// Returns the depth of an entity's references, including itself; nil if it exceeds a limit, or the entity contains
    /// itself.
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
