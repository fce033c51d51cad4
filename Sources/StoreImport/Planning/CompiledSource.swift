import ManagedObjectModels
import PersistentStores

/// A source mapping made ready for a loop: names resolved into slots.
struct CompiledSource {
    let name: String
    let filter: CompiledFilter?
    let objects: [CompiledObject]
    /// The order in which objects are written: what a to-one leads to comes first.
    let writeOrder: [Int]

    /// - Throws: `ImportPlanError` where to-ones of a record lead round in a circle.
    init(name: String, filter: CompiledFilter?, objects: [CompiledObject]) throws(ImportPlanError) {
        self.name = name
        self.filter = filter
        self.objects = objects
        var order: [Int] = []
        while order.count < objects.count {
            let next = objects.indices.first { index in
                !order.contains(index) && objects[index].toOnes.allSatisfy { relationship in
                    guard case .object(let other) = relationship.target else { return true }
                    return other == index || order.contains(other)
                }
            }
            guard let next else {
                throw ImportPlanError(
                    .badSetting("to-one relationships of a record's objects lead round in a circle; map one side only"),
                    source: name)
            }
            order.append(next)
        }
        writeOrder = order
    }
}

/// A condition on a record's fields.
indirect enum CompiledFilter {
    case isIn(field: Int, [[UInt8]])
    case isPresent(field: Int)
    case not(CompiledFilter)
    case all([CompiledFilter])
    case any([CompiledFilter])

    func accepts(_ record: Int, of batch: RecordBatch) -> Bool {
        switch self {
        case .isIn(let column, let values):
            let field = batch.field(column, of: record)
            guard !field.isAbsent else { return false }
            let bytes = batch.bytes(of: field)
            return values.contains { bytes.elementsEqual($0) }
        case .isPresent(let column):
            let field = batch.field(column, of: record)
            return !field.isAbsent && field.length > 0
        case .not(let filter): return !filter.accepts(record, of: batch)
        case .all(let filters): return filters.allSatisfy { $0.accepts(record, of: batch) }
        case .any(let filters): return filters.contains { $0.accepts(record, of: batch) }
        }
    }
}

/// Where a value of an instance comes from.
enum CompiledOrigin {
    /// A field of the record.
    case field(Int)
    /// A path from the instance's own node, or from the record's root.
    case path(RecordPath)
    case constant([UInt8])
    /// The first of several that has a value.
    case firstOf([CompiledOrigin])
    /// A text made of others; NULL where none of its columns has a value.
    case template([CompiledTemplatePart])
}

enum CompiledTemplatePart {
    case literal([UInt8])
    case value(CompiledOrigin)
}

struct CompiledAttribute {
    let attribute: ResolvedAttribute
    let column: String
    let origin: CompiledOrigin
    let conversion: ValueConversion
    let check: AttributeCheck
    /// The text that stands in for no value; nil to use `modelDefault`.
    let defaultText: [UInt8]?
    /// The model's default as it is stored, tag byte included; nil where there is none.
    let modelDefault: ConvertedDefault?
    /// What the source calls the value, for messages.
    let sourceName: String
    /// Whether the value carries the tag byte of external binary data.
    let isExternal: Bool
}

struct CompiledKeyTarget {
    /// The entity that is searched, with its heirs.
    let slot: Int
    let attribute: ResolvedAttribute
    let column: String
    let origin: CompiledOrigin
    let conversion: ValueConversion
    let separator: [UInt8]?
    let missing: MissingTarget
    let sourceName: String
    /// The index of the resolver for this entity and attribute.
    let resolver: Int
}

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
}

struct CompiledObject {
    let id: String?
    let slot: Int
    let entityName: String
    let entityNumber: Int
    let table: EntityTable
    let records: RecordPath?
    /// Indexes into `attributes` and `toOnes` that make the key, attributes first.
    let keyAttributes: [Int]
    let keyRelationships: [Int]
    let onMatch: MatchPolicy
    let onMissing: MissingPolicy
    let attributes: [CompiledAttribute]
    let toOnes: [CompiledRelationship]
    let toManys: [CompiledRelationship]
    /// Attributes of new objects that no mapping fills: column and stored value.
    let defaults: [(column: String, value: ConvertedDefault)]
    /// Required attributes without mapping and default, by name: every new object is rejected.
    let unfilled: [String]

    var hasKey: Bool { !keyAttributes.isEmpty || !keyRelationships.isEmpty }
}

/// A model default as it is bound.
enum ConvertedDefault {
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case blob([UInt8])
}
