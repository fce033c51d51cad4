import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordConversion

/// The compiled mapping of a relationship.
struct CompiledRelationship {
    enum Target {
        /// The index of another object mapping of the same source.
        case object(Int)
        case key(CompiledKeyTarget)
    }

    let relationship: ResolvedRelationship
    let target: Target
    /// For a to-one relationship: the column of the key, of the entity number, and of the order in the inverse.
    let column: String?
    let entityColumn: String?
    let orderColumn: String?
    let name: String
    /// Whether links are added to existing ones, instead of replacing them.
    let adds: Bool
    /// The value by which the objects of several records are ordered.
    let order: CompiledOrigin?

    /// Whether its destinations are found by a key.
    var isKeyed: Bool { if case .key = target { true } else { false } }
}

/// The compiled form of a relationship's destination that is found by its key.
struct CompiledKeyTarget {
    /// A component of the key.
    struct Part {
        let origin: CompiledOrigin
        let conversion: ValueConversion
        /// The name of the value in the source, for messages.
        let sourceName: String
    }

    /// The entity that is searched, including its subentities.
    let slot: Int
    let parts: [Part]
    let separator: [UInt8]?
    let missing: MissingTarget
    /// A required attribute that a new object would lack; nil if an object can be created from its key alone.
    let unfilled: String?
    /// The unique values that an object which is created may share with another object.
    let clash: Clash
    /// The index of the resolver for this entity and key.
    let resolver: Int

    enum Clash {
        case none
        /// Its key, which an object of another entity may have.
        case key
        /// Values other than its key.
        case others
    }

    var sourceName: String { parts.map(\.sourceName).joined(separator: ", ") }

    /// Whether an object is created if none has the key.
    var makesMissing: Bool { missing == .create && unfilled == nil }
}
