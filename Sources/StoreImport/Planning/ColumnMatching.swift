import ManagedObjectModels

/// Makes the mapping of a source whose columns have the names of one entity's attributes.
struct ColumnMatching {
    /// Columns that are no attribute's.
    private(set) var surplusColumns: [String] = []
    private(set) var mapping: SourceMapping

    /// - Parameter columns: nil for a nested source, whose records are asked for every attribute.
    /// - Throws: `ImportPlanError` where no column is an attribute's, or two are the same one's.
    init(
        source: String, columns: [String]?, request: EntityRequest, model: ResolvedModel
    ) throws(ImportPlanError) {
        guard let entity = model.entity(named: request.entity) else {
            throw ImportPlanError(.unknownEntity(request.entity))
        }
        let attributes = entity.attributes.filter { $0.isStored && !$0.isDerived }
        var mapped: [AttributeMapping] = []
        if let columns {
            let byName = Dictionary(attributes.map { (Self.folded($0.name), $0.name) }, uniquingKeysWith: { first, _ in first })
            for column in columns {
                guard let name = attributes.first(where: { $0.name == column })?.name ?? byName[Self.folded(column)] else {
                    surplusColumns.append(column)
                    continue
                }
                if mapped.contains(where: { $0.attribute == name }) {
                    throw ImportPlanError(.twoColumns(name), source: source, entity: entity.name, property: name)
                }
                mapped.append(AttributeMapping(attribute: name, value: .column(column)))
            }
            if mapped.isEmpty {
                throw ImportPlanError(
                    .noColumnMatches(columns, attributes: attributes.map(\.name)), source: source, entity: entity.name)
            }
        } else {
            mapped = attributes.map { AttributeMapping(attribute: $0.name, value: .column($0.name)) }
        }
        mapping = SourceMapping(
            name: source,
            objects: [
                ObjectMapping(
                    entity: request.entity, key: request.key, onMatch: request.onMatch, onMissing: request.onMissing,
                    attributes: mapped)
            ])
    }

    /// Names that differ in case, `_`, `-` or spaces are the same column.
    private static func folded(_ name: String) -> String {
        name.lowercased().filter { !$0.isWhitespace && $0 != "_" && $0 != "-" && $0 != "\u{FEFF}" }
    }
}

/// An import into one entity without a mapping file.
public struct EntityRequest: Sendable, Equatable {
    public var entity: String
    /// The attributes that tell objects apart; empty for the model's uniqueness constraint.
    public var key: [String]
    public var onMatch: MatchPolicy
    public var onMissing: MissingPolicy

    public init(
        entity: String, key: [String] = [], onMatch: MatchPolicy = .update, onMissing: MissingPolicy = .create
    ) {
        self.entity = entity
        self.key = key
        self.onMatch = onMatch
        self.onMissing = onMissing
    }
}
