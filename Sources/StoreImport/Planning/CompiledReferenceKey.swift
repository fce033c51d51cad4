import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The key by which objects of an entity are found: its own attributes, attributes that are reached over to-one
/// relationships, or values that only the sources have.
struct CompiledReferenceKey {
    struct Part {
        /// The name in the mapping: `code`, or `country.code`.
        let name: String
        /// The attribute; nil if only the sources have the value.
        let attribute: ResolvedAttribute?
        /// SQL for the column of the table.
        let expression: String
        /// The column, preceded by the columns of the relationships that lead to it: `ZCODE`, or `ZCOUNTRY.ZCODE`.
        let path: String
    }

    private(set) var parts: [Part] = []
    /// The joins with the tables of other entities; the entity's own table is called `t`.
    private(set) var joins = ""
    /// The columns of the entity's own table that are components of the key.
    private(set) var ownColumns: [String] = []
    /// Lists of columns that should have an index, with their tables.
    private(set) var indexedColumns: [(table: String, columns: [String])] = []
    private var joinCount = 0

    var isOwn: Bool { ownColumns.count == parts.count }

    /// Whether the values exist only in the sources.
    private(set) var isSourceKey = false

    init() {}

    /// Creates a key of values that exist only in the sources.
    init(sourceKeyOfParts count: Int) {
        isSourceKey = true
        parts = (0..<count).map {
            Part(
                name: "source key \($0)", attribute: nil, expression: "t.\(SourceKeys.column($0))",
                path: SourceKeys.column($0))
        }
    }

    /// Adds an attribute.
    ///
    /// - Throws: `ImportPlanError` if the path does not lead to a stored attribute.
    mutating func add(_ path: String, of entity: ResolvedEntity, layout: StoreLayout) throws(ImportPlanError) {
        var (current, alias) = (entity, "t")
        var rest = path[...]
        var columns = ""
        while true {
            if let attribute = current.attribute(named: String(rest)), attribute.isStored,
                let column = layout.column(.attribute(attribute.key))?.name
            {
                parts.append(
                    Part(
                        name: path, attribute: attribute, expression: "\(alias).\(SQLiteIdentifier.quoted(column))",
                        path: columns + column))
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
            columns += "\(column)."
            rest = rest[rest.index(after: point)...]
        }
    }
}
