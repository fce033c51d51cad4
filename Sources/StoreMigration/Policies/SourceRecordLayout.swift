import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The places of the values of a source entity's objects in a query. They are determined once, not for every row.
struct SourceRecordLayout: Sendable {
    struct Attribute: Sendable {
        let column: Int32
        let type: AttributeType
        let isExternal: Bool
    }

    struct Reference: Sendable {
        let column: Int32
        /// The column of the destination's entity number; nil if the destination has no subentities.
        let entityColumn: Int32?
        let destination: Int
    }

    /// A relationship whose links are not in the object's row. The query finds the keys and entity numbers of the
    /// destinations by the owner's key, in order.
    struct Collection: Sendable {
        let query: String
    }

    let entity: Int
    let entityName: String
    /// The selected expressions over the row `s`; the first one is its key.
    let columns: [String]
    /// The same expressions before their conversion to SQL.
    let values: [ColumnExpression]
    /// The names of the attributes, sorted, and the attributes in the same order.
    let attributeNames: [String]
    let attributes: [Attribute]
    let attributePositions: [String: Int]
    /// The names of the relationships, sorted.
    let relationshipNames: [String]
    let references: [String: Reference]
    let collections: [String: Collection]

    /// - Parameters:
    ///   - slot: the slot of the entity.
    ///   - layout: the tables and columns of the source.
    ///   - naming: the names of the source's tables in SQL.
    ///   - others: the expressions that precede these in the query, and are not repeated.
    init(entity slot: Int, of layout: StoreLayout, naming: SourceNaming, after others: [String] = []) {
        let entity = layout.model.entities[slot]
        var values = [ColumnExpression.column("Z_PK")]
        let known = Dictionary(zip(others, others.indices), uniquingKeysWith: { first, _ in first })
        func add(_ name: String) -> Int32 {
            let column = ColumnExpression.column(name)
            if let place = known[column.sql] { return Int32(place) }
            values.append(column)
            return Int32(others.count + values.count - 1)
        }
        var attributes: [String: Attribute] = [:]
        for attribute in entity.attributes where attribute.isStored {
            guard let column = layout.column(.attribute(attribute.key)) else { continue }
            attributes[attribute.name] = Attribute(
                column: add(column.name), type: attribute.type,
                isExternal: attribute.description.hasExternalData)
        }
        var references: [String: Reference] = [:]
        var collections: [String: Collection] = [:]
        for relationship in entity.relationships where relationship.isStored {
            if let column = layout.column(.toOne(relationship.key)), !relationship.isToMany {
                references[relationship.name] = Reference(
                    column: add(column.name),
                    entityColumn: layout.column(.toOneEntity(relationship.key)).map { add($0.name) },
                    destination: relationship.destination)
            } else if let query = Self.query(relationship, layout, naming) {
                collections[relationship.name] = Collection(query: query)
            }
        }
        self.entity = slot
        entityName = entity.name
        columns = values.map(\.sql)
        self.values = values
        let sorted = attributes.sorted { $0.key < $1.key }
        attributeNames = sorted.map(\.key)
        self.attributes = sorted.map(\.value)
        attributePositions = Dictionary(
            zip(attributeNames, attributeNames.indices), uniquingKeysWith: { first, _ in first })
        relationshipNames = (Array(references.keys) + collections.keys).sorted()
        self.references = references
        self.collections = collections
    }

    private static func query(
        _ relationship: ResolvedRelationship, _ layout: StoreLayout, _ naming: SourceNaming
    ) -> String? {
        guard let table = layout.table(ofEntity: relationship.destination) else { return nil }
        let start = "SELECT d.Z_PK, d.Z_ENT FROM \(naming.name(table.name)) d"
        func keyed(_ key: EntityColumn.Role, _ order: EntityColumn.Role) -> String? {
            guard let column = layout.column(key) else { return nil }
            let place = layout.column(order).map { "d.\(SQLiteIdentifier.bare($0.name)), " } ?? ""
            return "\(start) WHERE d.\(SQLiteIdentifier.bare(column.name)) = ?1 ORDER BY \(place)d.Z_PK"
        }
        switch relationship.storage {
        case .toOne: return nil
        case .inverseToOne:
            return relationship.inverse.flatMap { keyed(.toOne($0.key), .toOneOrder($0.key)) }
        case .unidirectional:
            return keyed(.unidirectional(relationship.key), .unidirectionalOrder(relationship.key))
        case .joinTable:
            guard let join = layout.joinTable(of: relationship.key) else { return nil }
            let side = join.side(of: relationship.key)
            let place = side.order.map { "j.\(SQLiteIdentifier.bare($0)), " } ?? ""
            return "\(start) JOIN \(naming.name(join.name)) j ON d.Z_PK = j.\(SQLiteIdentifier.bare(side.destination)) "
                + "WHERE j.\(SQLiteIdentifier.bare(side.owner)) = ?1 ORDER BY \(place)d.Z_PK"
        }
    }
}
