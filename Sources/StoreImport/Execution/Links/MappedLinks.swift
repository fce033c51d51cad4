import ManagedObjectModels
import PersistentStores

/// The relationships that the mappings have, numbered in the order of the mappings.
struct MappedLinks {
    /// What the first mapping of a relationship says.
    struct Mapping {
        let relationship: ResolvedRelationship
        /// The root of the objects that have it.
        let root: Int
        /// The columns of a to-one.
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

    /// The number of a relationship; nil if no mapping has it.
    func number(of relationship: PropertyKey) -> Int64? { numbers[relationship] }

    subscript(number: Int64) -> Mapping { mappings[Int(number)] }
}
