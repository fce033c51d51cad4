import ManagedObjectModels
import PersistentStores

/// A key path over relationships to an attribute, whose values a policy's program gets with each record.
struct RelatedPath: Sendable {
    /// The entry of an entity mapping's user info that lists the paths, separated by commas.
    static let userInfoKey = "ferry.related"

    /// The path as it was written.
    let text: String
    let relationships: [String]
    let attribute: String
    /// Whether a relationship of the path is to-many, so that the values are a list.
    let isToMany: Bool

    struct Failure: Error {
        let reason: String
    }

    /// - Parameters:
    ///   - text: the path.
    ///   - slot: the slot of the source objects' entity.
    ///   - model: the model of the source.
    init(_ text: String, of slot: Int, in model: ResolvedModel) throws(Failure) {
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.count > 1 else {
            throw Failure(reason: "\"\(text)\" is not a path over a relationship, as in department.name")
        }
        var entity = model.entities[slot]
        var isToMany = false
        var rest = names[...]
        while rest.count > 1, let relationship = rest.first.flatMap(entity.relationship), relationship.isStored {
            isToMany = isToMany || relationship.isToMany
            entity = model.entities[relationship.destination]
            rest = rest.dropFirst()
        }
        // The name of a composite's element contains a dot.
        let last = rest.joined(separator: ".")
        guard rest.count < names.count, entity.attribute(named: last)?.isStored == true else {
            let isElement = entity.attribute(named: rest.first ?? "") != nil
            let missing =
                rest.count > 1 && !isElement ? "relationship \"\(rest.first ?? "")\"" : "attribute \"\(last)\""
            throw Failure(reason: "\"\(text)\": \(entity.name) has no stored \(missing)")
        }
        self.text = text
        self.isToMany = isToMany
        relationships = Array(names.dropLast(rest.count))
        attribute = last
    }
}

extension PolicyRun {
    /// Writes the values to which a path leads: a value or null, or a list if a relationship is to-many.
    func write(_ path: RelatedPath, of source: SourceObject, _ line: inout RecordLine) throws {
        var objects = try source.related(path.relationships[0])
        for name in path.relationships.dropFirst() {
            objects = try objects.flatMap { try sourceObject($0)?.related(name) ?? [] }
        }
        func write(_ object: ManagedObjectID, _ line: inout RecordLine) throws {
            // A link may lead to an object that does not exist.
            guard let found = try sourceObject(object) else { return line.raw("null") }
            defer { found.leave() }
            line.value(try found.value(path.attribute))
        }
        guard path.isToMany else {
            if let first = objects.first { try write(first, &line) } else { line.raw("null") }
            return
        }
        try line.list(objects) { try write($1, &$0) }
    }
}
