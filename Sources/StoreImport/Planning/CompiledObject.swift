import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources

/// An object mapping made ready.
struct CompiledObject {
    /// Which of the source's object mappings it is.
    let index: Int
    let id: String?
    let slot: Int
    let entityName: String
    let entityNumber: Int
    let table: EntityTable
    /// The index of the object mapping in whose parts of the record this one's lie.
    let parent: Int?
    let records: RecordPath?
    /// Which parts count.
    let filter: CompiledFilter?
    /// Indexes into `attributes` and `toOnes` that make the key, attributes first.
    let keyAttributes: [Int]
    let keyRelationships: [Int]
    /// The values by which other records name its objects, and that the model has no attributes for; empty for none.
    let sourceKey: [CompiledKeyTarget.Part]
    let onMatch: MatchPolicy
    let onMissing: MissingPolicy
    /// Whether objects that no record has are deleted.
    let mirrors: Bool
    let attributes: [CompiledAttribute]
    let toOnes: [CompiledRelationship]
    let toManys: [CompiledRelationship]
    /// Attributes of new objects that no mapping fills: column and stored value.
    let defaults: [(column: String, value: ConvertedDefault)]
    /// Required attributes without mapping and default, by name: every new object is rejected.
    let unfilled: [String]

    /// Whether it is made of parts of the record, of which there may be none or many.
    var isPart: Bool { records != nil || parent != nil || filter != nil }

    var hasKey: Bool { !keyAttributes.isEmpty || !keyRelationships.isEmpty }

    /// Whether its attributes alone tell an object apart, so that it can be looked up before others are written.
    var isFoundByAttributes: Bool { hasKey && keyRelationships.isEmpty }

    /// Whether an object that is there can be found, but only when its turn comes to be written.
    var isFoundWhenWritten: Bool { !isFoundByAttributes && (hasKey || isPart) }

    /// Whether it matters which of several mappings makes an object: not where all are nothing but their keys.
    var saysMoreThanItsKey: Bool {
        attributes.count > keyAttributes.count || toOnes.count > keyRelationships.count || !toManys.isEmpty
            || onMatch == .error || onMissing != .create
    }

    /// Whether the key is the value of one attribute.
    var hasPlainKey: Bool { keyAttributes.count == 1 && keyRelationships.isEmpty }
}
