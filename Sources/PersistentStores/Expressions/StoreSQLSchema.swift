public import ManagedObjectModels
public import PredicateExpressions
public import SQLiteAccess

/// The tables of a store as the expression compiler sees them; entities are given by their slots.
public struct StoreSQLSchema: SQLSchema {
    /// The tables and columns of the store, and its model.
    public let layout: StoreLayout
    private let objectIDs: StoreObjectIDs
    private let tableName: @Sendable (String) -> String

    /// Describes the tables of a store to the expression compiler.
    /// - Parameters:
    ///   - layout: the tables and columns of the store, and its model.
    ///   - storeUUID: the UUID of the store whose object IDs can be resolved; nil for none.
    ///   - siblingUUIDs: the UUIDs of stores that are fetched from together with this one, as for `StoreObjectIDs`.
    ///   - tableName: returns the name of a table in the statement, quoted.
    public init(
        layout: StoreLayout, storeUUID: String? = nil, siblingUUIDs: Set<String> = [],
        tableName: @escaping @Sendable (String) -> String = { SQLiteIdentifier.quoted($0) }
    ) {
        self.layout = layout
        self.tableName = tableName
        objectIDs = StoreObjectIDs(
            model: layout.model, storeUUID: storeUUID, siblingUUIDs: siblingUUIDs)
    }

    /// Returns the object that a URI names, or why it does not name one.
    public func object(at uri: String) -> Result<ObjectReference, EvaluationFault> { objectIDs.object(at: uri) }

    /// Returns the table of an entity, which all entities with the same root entity share.
    public func table(of entity: Int) -> SQLTable {
        SQLTable(name: tableName(layout.table(ofEntity: entity)?.name ?? ""), primaryKey: "Z_PK")
    }

    /// Returns the SQL form of an attribute or relationship; nil if the entity does not have it.
    public func property(_ name: String, of entity: Int) -> SQLProperty? {
        let entity = layout.model.entities[entity]
        if let attribute = entity.attribute(named: name) { return property(attribute) }
        guard let relationship = entity.relationship(named: name) else { return nil }
        guard relationship.isStored else {
            return .inaccessible(reason: "\(name) is transient: it is not in the store")
        }
        switch relationship.storage {
        case .toOne:
            guard let column = layout.column(.toOne(relationship.key)) else { return missing(name) }
            return .toOne(column: SQLiteIdentifier.quoted(column.name), destination: relationship.destination)
        case .inverseToOne:
            guard let inverse = relationship.inverse, let column = layout.column(.toOne(inverse.key)) else {
                return missing(name)
            }
            return .toMany(
                inverseColumn: SQLiteIdentifier.quoted(column.name), destination: relationship.destination,
                order: layout.column(.toOneOrder(inverse.key)).map { SQLiteIdentifier.quoted($0.name) })
        case .unidirectional:
            guard let column = layout.column(.unidirectional(relationship.key)) else { return missing(name) }
            return .toMany(
                inverseColumn: SQLiteIdentifier.quoted(column.name), destination: relationship.destination,
                order: layout.column(.unidirectionalOrder(relationship.key)).map { SQLiteIdentifier.quoted($0.name) })
        case .joinTable:
            guard let table = layout.joinTable(of: relationship.key) else { return missing(name) }
            let side = table.side(of: relationship.key)
            return .manyToMany(
                table: tableName(table.name), ownColumn: SQLiteIdentifier.quoted(side.owner),
                otherColumn: SQLiteIdentifier.quoted(side.destination), destination: relationship.destination,
                order: side.order.map(SQLiteIdentifier.quoted))
        }
    }

    private func property(_ attribute: ResolvedAttribute) -> SQLProperty {
        let name = attribute.name
        if attribute.type == .composite { return .composite }
        guard attribute.isStored else { return .inaccessible(reason: "\(name) is transient: it is not in the store") }
        if attribute.description.hasExternalData {
            return .inaccessible(reason: "\(name) may be in a separate file, and can only be copied unchanged")
        }
        guard let column = layout.column(.attribute(attribute.key)) else { return missing(name) }
        guard let kind = Self.kind(of: attribute.type) else {
            return .inaccessible(reason: "\(name) is of type \(attribute.type.name)")
        }
        return .attribute(
            column: SQLiteIdentifier.quoted(column.name), kind, bounds: attribute.type.integerRange)
    }

    private func missing(_ name: String) -> SQLProperty {
        .inaccessible(reason: "\(name) has no column in this store")
    }

    /// Returns how the values of a type are stored; nil for types that expressions do not support.
    public static func kind(of type: AttributeType) -> SQLValueKind? {
        switch type {
        case .integer16, .integer32, .integer64: .integer
        case .boolean: .boolean
        case .double, .float: .real
        case .decimal: .decimal
        case .string: .string
        case .uri: .url
        case .date: .date
        case .uuid: .uuid
        case .binaryData, .transformable: .data
        case .undefined, .objectID, .composite: nil
        }
    }
}
