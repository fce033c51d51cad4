import MappingModels
import PersistentStores

/// An entity mapping with its names resolved: which source rows take part, and which keys their objects get.
///
/// Which destination object belongs to a source row is a rule, never a table in memory: the source's key plus a number,
/// or, where sources with equal values make one object, a table on disk.
struct ResolvedEntityMapping: Sendable {
    enum Keys: Sendable, Hashable {
        /// The source's key plus a number.
        case offset(Int64)
        /// The keys stand in a table of `KeyTables`, whose first key is the number's.
        case identity(table: String, offset: Int64)
        /// The pairs stand in a table of the new file that goes with the policies: only the policy knows. The first
        /// object of a source has the source's key plus the number.
        case associated(table: String, offset: Int64)
    }

    let mapping: EntityMapping
    /// The slots of both entities.
    let source: Int
    let destination: Int
    let keys: Keys
    /// Who makes the objects; nil if the mapping alone does.
    var policy: PolicyImplementation?

    var name: String { mapping.name }
    var place: MappingModelPlace { MappingModelPlace(entityMapping: mapping.name) }

    var offset: Int64 {
        switch keys {
        case .offset(let offset), .identity(_, let offset), .associated(_, let offset): offset
        }
    }
}
