import ImportMappings
import ManagedObjectModels
import PersistentStores
import RecordSources

/// A compiled object mapping.
struct CompiledObject {
    /// The index among the source's object mappings.
    let index: Int
    let id: String?
    let slot: Int
    let entityName: String
    let entityNumber: Int
    let table: EntityTable
    /// The index of the object mapping whose parts of the record contain the parts of this one.
    let parent: Int?
    let records: RecordPath?
    /// The filter that selects parts.
    let filter: CompiledFilter?
    /// The indexes in `attributes` and `toOnes` of the key's components; attributes come first.
    let keyAttributes: [Int]
    let keyRelationships: [Int]
    /// The columns whose values identify the objects, in the order of the key. For an attribute, this is its column.
    /// For a relationship, these are its column followed by each of the columns by which its destination is found, or
    /// its column alone if the destination is an object of the same record without a key.
    var keyPaths: [String] = []
    /// The values by which other records refer to its objects, if the model has no attributes for them; otherwise
    /// empty.
    let sourceKey: [CompiledKeyTarget.Part]
    let onMatch: MatchPolicy
    let onMissing: MissingPolicy
    /// Whether objects that are in no record are deleted.
    let mirrors: Bool
    let attributes: [CompiledAttribute]
    let toOnes: [CompiledRelationship]
    let toManys: [CompiledRelationship]
    /// The attributes of new objects that no mapping sets: column and stored value.
    let defaults: [(column: String, value: ConvertedDefault)]
    /// The names of required attributes without mapping and default value; if there are any, every new object is
    /// rejected.
    let unfilled: [String]

    /// Whether its objects are created from parts of the record, of which there may be any number.
    var isPart: Bool { records != nil || parent != nil || filter != nil }

    var hasKey: Bool { !keyAttributes.isEmpty || !keyRelationships.isEmpty }

    /// Returns whether records of the mapping may find objects of another mapping, which identifies its objects in
    /// another way.
    func mayFind(_ other: CompiledObject, in model: ResolvedModel) -> Bool {
        if other.hasKey { return model.areRelated(other.slot, slot) }
        // Until an object without a key is found, it has only the values of its record and the defaults.
        let known = other.attributes.map(\.column) + other.defaults.map(\.column)
        return model.isKind(other.slot, of: slot) && keyAttributes.allSatisfy { known.contains(attributes[$0].column) }
    }

    /// Whether its attributes alone identify an object, so that it can be looked up before other objects are written.
    var isFoundByAttributes: Bool { hasKey && keyRelationships.isEmpty }

    /// Whether an existing object can be found, but only when it is about to be written.
    var isFoundWhenWritten: Bool { !isFoundByAttributes && (hasKey || isPart) }

    /// Whether the result depends on which of several mappings creates an object; it does not if they only set its key.
    var saysMoreThanItsKey: Bool {
        attributes.count > keyAttributes.count || toOnes.count > keyRelationships.count || !toManys.isEmpty
            || onMatch == .error || onMissing != .create
    }

    /// Whether the key consists of a single attribute.
    var hasPlainKey: Bool { keyAttributes.count == 1 && keyRelationships.isEmpty }
}
