import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The key that objects of an entity are found by: attributes, own ones or some behind to-one relationships; or values
/// that only the sources have.
struct CompiledReferenceKey {
    struct Part {
        /// As the mapping calls it: `code`, or `country.code`.
        let name: String
        /// nil if only the sources have it.
        let attribute: ResolvedAttribute?
        /// The column of the table as SQL.
        let expression: String
    }

    private(set) var parts: [Part] = []
    /// The joins that lead to the tables of other entities, with the entity's own table as `t`.
    private(set) var joins = ""
    /// Columns of the entity's own table that are a part by themselves.
    private(set) var ownColumns: [String] = []
    /// Columns that an index should have, each list with its table.
    private(set) var indexedColumns: [(table: String, columns: [String])] = []
    private var joinCount = 0

    var isOwn: Bool { ownColumns.count == parts.count }

    /// Whether its values are those that only the sources have.
    private(set) var isSourceKey = false

    init() {}

    /// A key of values that only the sources have.
    init(sourceKeyOfParts count: Int) {
        isSourceKey = true
        parts = (0..<count).map {
            Part(name: "source key \($0)", attribute: nil, expression: "t.\(SourceKeys.column($0))")
        }
    }

    /// Adds an attribute.
    ///
    /// - Throws: `ImportPlanError` where the path leads to no stored attribute.
    mutating func add(_ path: String, of entity: ResolvedEntity, layout: StoreLayout) throws(ImportPlanError) {
        var (current, alias) = (entity, "t")
        var rest = path[...]
        while true {
            if let attribute = current.attribute(named: String(rest)), attribute.isStored,
                let column = layout.column(.attribute(attribute.key))?.name
            {
                parts.append(
                    Part(name: path, attribute: attribute, expression: "\(alias).\(SQLiteIdentifier.quoted(column))"))
                if alias == "t" { ownColumns.append(column) }
                if let table = layout.table(ofEntity: current.slot) { indexedColumns.append((table.name, [column])) }
                return
            }
            guard let point = rest.firstIndex(of: "."),
                let relationship = current.relationship(named: String(rest[..<point])), !relationship.isToMany,
                let column = layout.column(.toOne(relationship.key))?.name,
                let table = layout.table(ofEntity: relationship.destination)
            else { throw ImportPlanError(.unknownAttribute(path), entity: entity.name) }
            joinCount += 1
            let next = "t\(joinCount)"
            joins +=
                " JOIN \(SQLiteIdentifier.quoted(table.name)) AS \(next) "
                + "ON \(next).Z_PK = \(alias).\(SQLiteIdentifier.quoted(column))"
            if let table = layout.table(ofEntity: current.slot) { indexedColumns.append((table.name, [column])) }
            current = layout.model.entities[relationship.destination]
            alias = next
            rest = rest[rest.index(after: point)...]
        }
    }
}
