import ManagedObjectModels
import PersistentStores

/// A key path over relationships to an attribute, whose values a policy's program gets with each record.
struct RelatedPath: Sendable {
    /// The entry of an entity mapping's user info that lists the paths, separated by commas.
    static let userInfoKey = "ferry.related"

    /// As it is written.
    let text: String
    let relationships: [String]
    let attribute: String
    /// Whether a relationship on the way is to-many: the values are a list then.
    let isToMany: Bool

    struct Failure: Error {
        let reason: String
    }

    /// - Parameter slot: the entity of the source objects.
    init(_ text: String, of slot: Int, in model: ResolvedModel) throws(Failure) {
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.count > 1, let last = names.last else {
            throw Failure(reason: "\"\(text)\" is not a path over a relationship, as in department.name")
        }
        var entity = model.entities[slot]
        var isToMany = false
        for name in names.dropLast() {
            guard let relationship = entity.relationship(named: name), relationship.isStored else {
                throw Failure(reason: "\"\(text)\": \(entity.name) has no stored relationship \"\(name)\"")
            }
            isToMany = isToMany || relationship.isToMany
            entity = model.entities[relationship.destination]
        }
        guard entity.attributes.contains(where: { $0.name == last && $0.isStored }) else {
            throw Failure(reason: "\"\(text)\": \(entity.name) has no stored attribute \"\(last)\"")
        }
        self.text = text
        self.isToMany = isToMany
        relationships = names.dropLast()
        attribute = last
    }
}

extension PolicyRun {
    /// Writes the values that a path leads to: one or null, or a list where a relationship is to-many.
    func write(_ path: RelatedPath, of source: SourceObject, _ line: inout RecordLine) throws {
        var objects = try source.related(path.relationships[0])
        for name in path.relationships.dropFirst() {
            objects = try objects.flatMap { try sourceObject($0)?.related(name) ?? [] }
        }
        func write(_ object: ManagedObjectID, _ line: inout RecordLine) throws {
            // A link may lead nowhere.
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
