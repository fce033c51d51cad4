import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Counting links: each that is there after the import and was not before, and the other way round
/// (docs/importing.md#the-counts).
extension ImportSession {
    /// Adds to a count of a relationship's links.
    func count(_ kind: RecordCount.Kind, _ number: Int64 = 1, of relationship: CompiledRelationship) {
        guard number != 0, let link = links.number(of: relationship.relationship.key) else { return }
        count(kind, number, ofLink: link)
    }

    func count(_ kind: RecordCount.Kind, _ number: Int64, ofLink link: Int64) {
        guard number != 0 else { return }
        let name = links[link].entity
        entityReports[name, default: .init(entity: name)].subtract(
            RecordCount(slot: links[link].slot, kind: kind, number: -number))
    }

    /// Counts that a to-one leads elsewhere now; 0 is nowhere.
    func countToOne(_ link: Int64, of owner: Int64, from old: Int64, to new: Int64) throws {
        guard old != new else { return }
        let isNew = owner >= keys.firstNewKey(inTableOf: links[link].root)
        let first = isNew ? 0 : try firstDestinations.destination(of: owner, link, current: old)
        func isAdded(_ destination: Int64) -> Int64 { destination != 0 && destination != first ? 1 : 0 }
        func isEnded(_ destination: Int64) -> Int64 { first != 0 && destination != first ? 1 : 0 }
        count(.related, isAdded(new) - isAdded(old), ofLink: link)
        count(.unrelated, isEnded(new) - isEnded(old), ofLink: link)
    }

    /// Counts the to-ones of the objects that were made just now.
    func countToOnes(_ current: ObjectInstances, of entity: EntityImport) {
        for (position, relationship) in entity.object.toOnes.enumerated() where relationship.column != nil {
            var count: Int64 = 0
            for instance in 0..<current.count where current.states[instance] == .inserted {
                if current.toOneKeys[instance * current.toOneCount + position] > 0 { count += 1 }
            }
            self.count(.related, count, ofLink: entity.relationships[position].number)
        }
    }

    /// Changes an object, and counts the to-ones that lead elsewhere then.
    func countingToOnes<Result>(
        _ changes: Set<Int>, of primaryKey: Int64, _ entity: EntityImport, _ body: () throws -> Result
    ) throws -> Result {
        let positions = changes.sorted().map { $0 - entity.object.attributes.count }.filter { $0 >= 0 }
        let relationships = positions.map { entity.relationships[$0] }
        guard !relationships.isEmpty else { return try body() }
        let before = try relationships.map { try $0.writer?.destination(of: primaryKey) ?? 0 }
        let result = try body()
        for (relationship, old) in zip(relationships, before) {
            let new = try relationship.writer?.destination(of: primaryKey) ?? 0
            try countToOne(relationship.number, of: primaryKey, from: old, to: new)
        }
        return result
    }

    /// Counts that the to-ones of an object end with it.
    func uncountToOnes(of primaryKey: Int64, root: Int) throws {
        for (number, mapping) in links.mappings.enumerated() where mapping.root == root {
            guard let column = mapping.column, let table = layout.table(ofEntity: mapping.slot)?.name,
                let destination = try cells(
                    SQLiteIdentifier.quoted(table), primaryKey, [SQLiteIdentifier.quoted(column)]
                ).first?.integer
            else { continue }
            try countToOne(Int64(number), of: primaryKey, from: destination, to: 0)
        }
    }
}
