import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordConversion

/// A relationship's mapping made ready.
struct CompiledRelationship {
    enum Target {
        /// The index of another object mapping of the same source.
        case object(Int)
        case key(CompiledKeyTarget)
    }

    let relationship: ResolvedRelationship
    let target: Target
    /// To-one: the key column, the column of the entity number, and the column of the order in the inverse.
    let column: String?
    let entityColumn: String?
    let orderColumn: String?
    let name: String
    /// Whether links join those that are there, instead of replacing them.
    let adds: Bool
    /// What orders the objects of several records.
    let order: CompiledOrigin?

    /// Whether its destinations are found by a key.
    var isKeyed: Bool { if case .key = target { true } else { false } }
}

/// How the other object is found by key, made ready.
struct CompiledKeyTarget {
    /// One value of the key.
    struct Part {
        let origin: CompiledOrigin
        let conversion: ValueConversion
        /// What the source calls the value, for messages.
        let sourceName: String
    }

    /// The entity that is searched, with its subentities.
    let slot: Int
    let parts: [Part]
    let separator: [UInt8]?
    let missing: MissingTarget
    /// A required attribute that a new object would lack; nil if one can be made of its key.
    let unfilled: String?
    /// The index of the resolver for this entity and key.
    let resolver: Int

    var sourceName: String { parts.map(\.sourceName).joined(separator: ", ") }

    /// Whether an object is made where none has the key.
    var makesMissing: Bool { missing == .create && unfilled == nil }
}
