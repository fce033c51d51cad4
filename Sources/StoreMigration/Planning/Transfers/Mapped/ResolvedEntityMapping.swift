import MappingModels
import PersistentStores

/// An entity mapping with resolved names: its source rows, and the keys of its objects.
///
/// The relation between source rows and destination objects is a rule, and never a table in memory: the source's key
/// plus a number or, if sources with equal values become one object, a table on disk.
struct ResolvedEntityMapping: Sendable {
    enum Keys: Sendable, Hashable {
        /// The source's key plus a number.
        case offset(Int64)
        /// The keys are in a table of `KeyTables`; the number determines its first key.
        case identity(table: String, offset: Int64)
        /// The associations are in a table of the new file that is removed with the policies, because only the policy
        /// knows them. The first object of a source has the source's key plus the number.
        case associated(table: String, offset: Int64)
    }

    let mapping: EntityMapping
    /// The slots of both entities.
    let source: Int
    let destination: Int
    let keys: Keys
    /// The implementation that creates the objects; nil if the mapping alone does.
    var policy: PolicyImplementation?

    var name: String { mapping.name }
    var place: MappingModelPlace { MappingModelPlace(entityMapping: mapping.name) }

    var offset: Int64 {
        switch keys {
        case .offset(let offset), .identity(_, let offset), .associated(_, let offset): offset
        }
    }
}
