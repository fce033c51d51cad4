import ManagedObjectModels

/// Names join tables and their columns as Core Data does (SPEC B.7).
struct JoinTableNaming {
    let model: ResolvedModel
    let entityNumbers: [Int]

    /// A many-to-many relationship and its inverse, the one that the table is named after first.
    struct Pair {
        let first: ResolvedRelationship
        let second: ResolvedRelationship

        var isSelfInverse: Bool { first.key == second.key }
    }

    /// All pairs, each once, in entity order.
    func pairs() -> [Pair] {
        var seen: Set<PropertyKey> = []
        var result: [Pair] = []
        for entity in model.entities {
            for relationship in entity.declaredRelationships
            where relationship.isStored && relationship.storage == .joinTable && !seen.contains(relationship.key) {
                guard let inverse = inverse(of: relationship) else { continue }
                seen.insert(relationship.key)
                seen.insert(inverse.key)
                let pair = [relationship, inverse].sorted { rank($0) < rank($1) }
                result.append(Pair(first: pair[0], second: pair[1]))
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
            let owner = pair.isSelfInverse ? "REFLEXIVE" : claim(columnName(ofElementsOf: pair.second))
            let destination = claim(columnName(ofElementsOf: pair.first))
            return JoinTable(
                name: tableName(of: pair.first), relationship: pair.first.key, inverse: pair.second.key,
                ownerColumn: owner, destinationColumn: destination,
                orderColumn: pair.first.isOrdered ? Self.orderColumn(for: destination) : nil,
                inverseOrderColumn: pair.second.isOrdered && !pair.isSelfInverse ? Self.orderColumn(for: owner) : nil)
        }
    }

    func tableName(of relationship: ResolvedRelationship) -> String {
        "Z_\(entityNumbers[relationship.owner])\(relationship.name.uppercased())"
    }

    /// The column with the keys of the objects that a relationship leads to.
    func columnName(ofElementsOf relationship: ResolvedRelationship) -> String {
        "Z_\(entityNumbers[relationship.destination])\(relationship.name.uppercased())"
    }

    /// `Z_4ENTRIES` is ordered by `Z_FOK_4ENTRIES`.
    static func orderColumn(for column: String) -> String {
        "Z_FOK_" + (column.hasPrefix("Z_") ? String(column.dropFirst(2)) : column)
    }

    private func inverse(of relationship: ResolvedRelationship) -> ResolvedRelationship? {
        guard let inverse = relationship.inverse else { return nil }
        return model.entities[inverse.owner].relationship(named: inverse.name)
    }

    /// The side whose entity belongs to a hierarchy comes first, then the lower number, then the name.
    private func rank(_ relationship: ResolvedRelationship) -> (Int, Int, String) {
        let entity = model.entities[relationship.owner]
        let isAlone = entity.superentity == nil && !entity.hasSubentities
        return (isAlone ? 1 : 0, entityNumbers[relationship.owner], relationship.name)
    }
}
