import ManagedObjectModels
import PersistentStores

/// The relationships that the mappings contain, numbered in the order of the mappings.
struct MappedLinks {
    /// A relationship, with the columns that the first mapping which contains it uses.
    struct Mapping {
        let relationship: ResolvedRelationship
        /// The slot of the root entity of the objects that have the relationship.
        let root: Int
        /// The columns of the destination's key and entity, if the relationship is to-one.
        let column: String?
        let entityColumn: String?
    }

    private(set) var mappings: [Mapping] = []
    private var numbers: [PropertyKey: Int64] = [:]

    mutating func number(of relationship: ResolvedRelationship, in object: CompiledObject) -> Int64 {
        if let known = numbers[relationship.key] { return known }
        let number = Int64(mappings.count)
        let compiled = object.toOnes.first { $0.relationship.key == relationship.key }
        mappings.append(
            Mapping(
                relationship: relationship, root: object.table.root, column: compiled?.column,
                entityColumn: compiled?.entityColumn))
        numbers[relationship.key] = number
        return number
    }

    /// Returns the number of a relationship; nil if no mapping contains it.
    func number(of relationship: PropertyKey) -> Int64? { numbers[relationship] }

    subscript(number: Int64) -> Mapping { mappings[Int(number)] }
}
