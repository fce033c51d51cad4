public import ImportMappings
import ManagedObjectModels
import RecordSources

/// A mapping for a source whose columns have the names of one entity's attributes, and how it is found.
struct ColumnMatching {
    /// The columns that belong to no attribute, for messages.
    private(set) var surplusColumns: [String] = []
    private(set) var mapping: SourceMapping

    /// A column, or the values of one name in the records of a nested source.
    private struct Column {
        let name: String
        /// The name in the mapping.
        let path: String
    }

    /// Matches the columns of a flat source.
    ///
    /// - Throws: `ImportPlanError` if no column belongs to an attribute, or if two columns belong to the same one.
    init(source: String, columns: [String], request: EntityRequest, model: ResolvedModel) throws(ImportPlanError) {
        let entity = try Self.entity(of: request, in: model)
        let columns = columns.map { Column(name: $0, path: $0) }
        mapping = SourceMapping(name: source, objects: [])
        let attributes = try match(columns, with: entity)
        mapping.objects = [Self.object(attributes, request)]
    }

    /// Matches the fields of a JSON or XML file, whose first records show where the records are and what they contain.
    ///
    /// - Throws: `SourceError`, `ImportPlanError`.
    init(nested path: String, request: EntityRequest, model: ResolvedModel) throws {
        let entity = try Self.entity(of: request, in: model)
        mapping = SourceMapping(name: path, objects: [])
        var attributes: [AttributeMapping] = []
        // A pipe can be read only once.
        if let found = try EntityRecordFinding(path: path, entity: entity) {
            mapping.format = found.sample.format
            let fields = found.sample.records.fields
            if !fields.isEmpty {
                attributes = try match(fields.map { Column(name: $0.name, path: $0.step) }, with: entity)
            }
        }
        // Later records may have fields that the first ones lack. The order is that of the model, so that files with
        // different first records have the same mapping.
        let matched = Dictionary(attributes.map { ($0.attribute, $0) }, uniquingKeysWith: { first, _ in first })
        attributes = Self.attributes(of: entity).map {
            matched[$0.name] ?? AttributeMapping(attribute: $0.name, value: .column($0.name))
        }
        mapping.objects = [Self.object(attributes, request)]
    }

    private static func entity(of request: EntityRequest, in model: ResolvedModel) throws(ImportPlanError)
        -> ResolvedEntity
    {
        guard let entity = model.entity(named: request.entity) else {
            throw ImportPlanError(.unknownEntity(request.entity, known: model.entities.map(\.name)))
        }
        if entity.isAbstract { throw ImportPlanError(.abstractEntity(entity.name)) }
        return entity
    }

    private static func attributes(of entity: ResolvedEntity) -> [ResolvedAttribute] {
        entity.attributes.filter { $0.isStored && !$0.isDerived }
    }

    private static func object(_ attributes: [AttributeMapping], _ request: EntityRequest) -> ObjectMapping {
        ObjectMapping(
            entity: request.entity, key: request.key, onMatch: request.onMatch, onMissing: request.onMissing,
            attributes: attributes)
    }

    private mutating func match(
        _ columns: [Column], with entity: ResolvedEntity
    ) throws(ImportPlanError) -> [AttributeMapping] {
        let attributes = Self.attributes(of: entity)
        let byName = Dictionary(
            attributes.map { (Self.folded($0.name), $0.name) }, uniquingKeysWith: { first, _ in first })
        var mapped: [AttributeMapping] = []
        for (place, column) in columns.enumerated() {
            guard
                let name = attributes.first(where: { $0.name == column.name })?.name ?? byName[Self.folded(column.name)]
            else {
                surplusColumns.append(column.name.isEmpty ? "\"\" (column \(place + 1))" : column.name)
                continue
            }
            if mapped.contains(where: { $0.attribute == name }) {
                throw ImportPlanError(.twoColumns(name), source: mapping.name, entity: entity.name, property: name)
            }
            mapped.append(AttributeMapping(attribute: name, value: .column(column.path)))
        }
        if mapped.isEmpty {
            throw ImportPlanError(
                .noColumnMatches(columns.map(\.name), attributes: attributes.map(\.name)), source: mapping.name,
                entity: entity.name)
        }
        return mapped
    }

    /// Returns the number of fields in a sample that have the names of attributes.
    static func likeness(_ records: SampledPart, _ entity: ResolvedEntity) -> Int {
        let names = Set(attributes(of: entity).map { folded($0.name) })
        return records.fields.filter { names.contains(folded($0.name)) }.count
    }

    /// Returns a normalized name: names that differ only in case, `_`, `-` or spaces are equal, and so are an XML
    /// attribute and an element.
    private static func folded(_ name: String) -> String {
        let local = name.drop { $0 == "@" }.split(separator: ":").last ?? ""
        return local.lowercased().filter { !$0.isWhitespace && $0 != "_" && $0 != "-" && $0 != "\u{FEFF}" }
    }
}

/// An import into one entity without a mapping file.
public struct EntityRequest: Sendable, Equatable, Codable {
    /// The name of the entity.
    public var entity: String
    /// The attributes that identify objects; empty for the model's uniqueness constraint.
    public var key: [String]
    /// What is done with an existing object that has the record's key.
    public var onMatch: MatchPolicy
    /// What is done with a record whose key no object has.
    public var onMissing: MissingPolicy

    /// Creates a request for objects of an entity.
    public init(
        entity: String, key: [String] = [], onMatch: MatchPolicy = .update, onMissing: MissingPolicy = .create
    ) {
        self.entity = entity
        self.key = key
        self.onMatch = onMatch
        self.onMissing = onMissing
    }
}
