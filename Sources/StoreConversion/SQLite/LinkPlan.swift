import ManagedObjectModels
import PersistentStores

/// The place where a new SQLite store keeps the links of each relationship, and how the two directions are compared.
struct LinkPlan {
    /// How the links of a relationship are handled.
    enum Part: Sendable {
        case none
        /// The key is in the row; the sum is compared with the sum of the inverse.
        case toOne
        /// The links are rows of a join table.
        case join(Int)
        /// The links are stored for the inverse. Here they are only added to a sum, and examined again if the sums
        /// differ.
        case compared
        /// The links wait, with their order, in a table until all objects have been added.
        case listed
    }

    struct Relationship: Sendable {
        let key: PropertyKey
        var part: Part
        /// The number of the pair that the relationship forms with its inverse; nil if nothing is compared.
        let pair: Int?
        /// Whether its links are reversed before they are added to the sum.
        let isTurned: Bool
        let isSelfInverse: Bool
    }

    /// The relationships, by declaring entity and name.
    var relationships: [PropertyKey: Relationship] = [:]
    private(set) var pairs: [(PropertyKey, PropertyKey)] = []

    init(_ layout: StoreLayout) {
        var pairNumbers: [PropertyKey: Int] = [:]
        for entity in layout.model.entities {
            for relationship in entity.declaredRelationships where relationship.isStored {
                let key = relationship.key
                var pair: Int?
                if let inverse = relationship.inverse, !inverse.isTransient {
                    pair = pairNumbers[inverse.key] ?? pairs.count
                    if pair == pairs.count { pairs.append((key, inverse.key)) }
                    pairNumbers[key] = pair
                }
                relationships[key] = Relationship(
                    key: key, part: Self.part(of: relationship, layout), pair: pair,
                    isTurned: pair.map { pairs[$0].0 != key } ?? false, isSelfInverse: relationship.isSelfInverse)
            }
        }
    }

    private static func part(of relationship: ResolvedRelationship, _ layout: StoreLayout) -> Part {
        switch relationship.storage {
        case .toOne: return layout.column(.toOne(relationship.key)) == nil ? .none : .toOne
        case .inverseToOne:
            guard let inverse = relationship.inverse, layout.column(.toOne(inverse.key)) != nil else { return .none }
            return relationship.isOrdered ? .listed : .compared
        case .unidirectional: return layout.column(.unidirectional(relationship.key)) == nil ? .none : .listed
        case .joinTable:
            guard
                let index = layout.joinTables.firstIndex(where: {
                    $0.relationship == relationship.key || $0.inverse == relationship.key
                })
            else { return .none }
            if layout.joinTables[index].relationship == relationship.key { return .join(index) }
            return relationship.isOrdered ? .listed : .compared
        }
    }
}
