import ManagedObjectModels

/// Names join tables and their columns as Core Data does (docs/format/sqlite-store.md#many-to-many).
struct JoinTableNaming {
    let model: ResolvedModel
    let entityNumbers: [Int]

    /// A many-to-many relationship and its inverse, the one that the table is named after first.
    struct Pair {
        let first: ResolvedRelationship
        let second: ResolvedRelationship

        var isSelfInverse: Bool { first.key == second.key }
    }

    /// Returns all pairs, each once, in the order in which their columns get their names: a walk over all entities by
    /// name, whatever their hierarchy, and all relationships of each, inherited ones too
    /// (docs/format/sqlite-store.md#many-to-many).
    func pairs() -> [Pair] {
        var seen: Set<PropertyKey> = []
        var result: [Pair] = []
        let entities = model.entities.map { (entity: $0, name: EntityNameOrder($0.name)) }.sorted { $0.name < $1.name }
        for entity in entities.map(\.entity) {
            for relationship in entity.relationships
            where relationship.isStored && relationship.storage == .joinTable && !seen.contains(relationship.key) {
                guard let inverse = model.inverse(of: relationship) else { continue }
                seen.insert(relationship.key)
                seen.insert(inverse.key)
                result.append(
                    precedes(inverse, relationship)
                        ? Pair(first: inverse, second: relationship) : Pair(first: relationship, second: inverse))
            }
        }
        return result
    }

    func joinTables() -> [JoinTable] {
        var takenColumns: Set<String> = []
        func claim(_ name: String) -> String {
            var number = 0
            var candidate = name
            while !takenColumns.insert(candidate).inserted {
                number += 1
                candidate = name + String(number)
            }
            return candidate
        }
        return pairs().map { pair in
            var owner = claim(columnName(ofElementsOf: pair.second))
            var destination = pair.isSelfInverse ? Self.reflexiveColumn : claim(columnName(ofElementsOf: pair.first))
            // The order key is named after the column of the elements' keys.
            if pair.isSelfInverse, pair.first.isOrdered { swap(&owner, &destination) }
            return JoinTable(
                name: tableName(of: pair.first), relationship: pair.first.key, inverse: pair.second.key,
                ownerColumn: owner, destinationColumn: destination,
                orderColumn: pair.first.isOrdered ? Self.orderColumn(for: destination) : nil,
                inverseOrderColumn: pair.second.isOrdered && !pair.isSelfInverse ? Self.orderColumn(for: owner) : nil)
        }
    }

    /// The second column of a relationship that is its own inverse.
    static let reflexiveColumn = "REFLEXIVE"

    func tableName(of relationship: ResolvedRelationship) -> String {
        "Z_\(entityNumbers[relationship.owner])\(relationship.name.uppercased())"
    }

    /// Returns the name of the column with the keys of the objects that a relationship leads to.
    func columnName(ofElementsOf relationship: ResolvedRelationship) -> String {
        "Z_\(entityNumbers[relationship.destination])\(relationship.name.uppercased())"
    }

    /// Returns the name of an order key: `Z_4ENTRIES` is ordered by `Z_FOK_4ENTRIES`.
    static func orderColumn(for column: String) -> String {
        "Z_FOK_" + (column.hasPrefix("Z_") ? String(column.dropFirst(2)) : column)
    }

    /// Returns whether the table of a pair is named after the left one: the one whose entity is in a hierarchy if the
    /// other's is not, otherwise the one with the lower entity number; within one entity the second by name
    /// (docs/format/sqlite-store.md#many-to-many: 73 of 94).
    private func precedes(_ left: ResolvedRelationship, _ right: ResolvedRelationship) -> Bool {
        let (first, second) = (rank(left), rank(right))
        if first != second { return first < second }
        return right.name.unicodeScalars.lexicographicallyPrecedes(left.name.unicodeScalars)
    }

    private func rank(_ relationship: ResolvedRelationship) -> (Int, Int) {
        let entity = model.entities[relationship.owner]
        let isAlone = entity.superentity == nil && !entity.hasSubentities
        return (isAlone ? 1 : 0, entityNumbers[relationship.owner])
    }
}
