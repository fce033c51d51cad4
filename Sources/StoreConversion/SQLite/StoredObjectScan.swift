import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Reads a table of an SQLite store in the order of its keys, with the places of each entity's properties.
final class StoredObjectScan {
    /// The place of an object's value.
    struct Attribute {
        let column: Int32
        let type: AttributeType
        let isExternal: Bool
    }

    /// The place of an object's links.
    enum Links {
        case absent
        /// The column of the key, and the existing keys; if they are nil, the next column contains whether the object
        /// exists.
        case toOne(column: Int32, KeyBits?)
        case cursor(Int)
    }

    /// The columns of an entity; used for every row.
    final class Entity {
        let form: EntityForm
        let attributes: [Attribute?]
        let links: [Links]

        init(form: EntityForm, attributes: [Attribute?], links: [Links]) {
            self.form = form
            self.attributes = attributes
            self.links = links
        }
    }

    let table: EntityTable
    let statement: Statement
    @exclusivity(unchecked) private(set) var cursors: [(key: PropertyKey, cursor: LinkCursor, reportsDangling: Bool)] =
        []

    /// The entities, by entity number.
    @exclusivity(unchecked) private(set) var entities: [Int64: Entity] = [:]

    init(
        _ table: EntityTable, layout: StoreLayout, forms: ObjectForms, connection: Connection, keys: PresentKeys
    ) throws(SQLiteError) {
        self.table = table
        var expressions = ["Z_PK", "Z_ENT"]
        var places: [EntityColumn.Role: Int32] = [:]
        var bits: [EntityColumn.Role: KeyBits] = [:]
        for column in table.columns.dropFirst(3) {
            switch column.role {
            case .attribute:
                places[column.role] = Int32(expressions.count)
                expressions.append(SQLiteIdentifier.quoted(column.name))
            case .toOne(let key):
                places[column.role] = Int32(expressions.count)
                let name = SQLiteIdentifier.quoted(column.name)
                expressions.append(name)
                if let destination = Self.destination(of: key, layout: layout),
                    let known = try keys.bits(of: destination)
                {
                    bits[column.role] = known
                } else {
                    expressions.append(Self.presence(of: name, through: key, layout: layout))
                }
            default: break
            }
        }
        statement = try connection.prepare(
            "SELECT \(expressions.joined(separator: ", ")) FROM \(SQLiteIdentifier.quoted(table.name)) ORDER BY Z_PK")
        for slot in layout.model.entities[table.root].subtree {
            let form = forms.entities[slot]
            var links: [Links] = []
            for relationship in form.relationships {
                if relationship.storage == .toOne {
                    let role = EntityColumn.Role.toOne(relationship.key)
                    links.append(places[role].map { .toOne(column: $0, bits[role]) } ?? .absent)
                } else {
                    links.append(try self.links(of: relationship, layout: layout, connection: connection, keys: keys))
                }
            }
            entities[Int64(layout.entityNumbers[slot])] = Entity(
                form: form,
                attributes: form.attributes.map { attribute in
                    places[.attribute(attribute.key)].map {
                        Attribute(
                            column: $0, type: attribute.type,
                            isExternal: attribute.description.hasExternalData)
                    }
                },
                links: links)
        }
    }

    private func links(
        of relationship: ResolvedRelationship, layout: StoreLayout, connection: Connection, keys: PresentKeys
    ) throws(SQLiteError) -> Links {
        if let known = cursors.firstIndex(where: { $0.key == relationship.key }) { return .cursor(known) }
        var bits: KeyBits?
        if relationship.storage == .joinTable,
            let destination = Self.destination(of: relationship.key, layout: layout)
        {
            bits = try keys.bits(of: destination)
        }
        guard let query = LinkQuery.text(of: relationship, layout: layout, asksPresence: bits == nil) else {
            return .absent
        }
        cursors.append(
            (
                relationship.key, LinkCursor(try connection.prepare(query), keys: bits),
                // For a to-one relationship and its inverse, the table of the to-one is used.
                relationship.storage != .inverseToOne
            ))
        return .cursor(cursors.count - 1)
    }

    /// Returns the table of a relationship's destination.
    private static func destination(of key: PropertyKey, layout: StoreLayout) -> EntityTable? {
        layout.model.relationship(key).flatMap {
            layout.table(ofEntity: $0.destination)
        }
    }

    /// Returns an SQL expression for whether the object with a key exists.
    static func presence(of column: String, through key: PropertyKey, layout: StoreLayout) -> String {
        guard let table = destination(of: key, layout: layout) else { return "0" }
        // SQLite looks up the key in the table itself.
        return "\(column) IN (SELECT Z_PK FROM \(SQLiteIdentifier.quoted(table.name)))"
    }
}
