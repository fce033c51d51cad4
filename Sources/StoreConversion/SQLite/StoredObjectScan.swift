import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// One table of a SQLite store, read in the order of its keys, with what each of its entities has where.
final class StoredObjectScan {
    /// Where an object's value is.
    struct Attribute {
        let column: Int32
        let type: AttributeType
        let isExternal: Bool
    }

    /// Where an object's links are.
    enum Links {
        case absent
        /// The key, and behind it whether that object is there.
        case toOne(column: Int32)
        case cursor(Int)
    }

    /// Looked at for every row.
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

    /// By entity number.
    @exclusivity(unchecked) private(set) var entities: [Int64: Entity] = [:]

    init(_ table: EntityTable, layout: StoreLayout, forms: ObjectForms, connection: Connection) throws(SQLiteError) {
        self.table = table
        var expressions = ["Z_PK", "Z_ENT"]
        var places: [EntityColumn.Role: Int32] = [:]
        for column in table.columns.dropFirst(3) {
            switch column.role {
            case .attribute:
                places[column.role] = Int32(expressions.count)
                expressions.append(SQLiteIdentifier.quoted(column.name))
            case .toOne(let key):
                places[column.role] = Int32(expressions.count)
                let name = SQLiteIdentifier.quoted(column.name)
                expressions += [name, Self.presence(of: name, through: key, layout: layout)]
            default: break
            }
        }
        statement = try connection.prepare(
            "SELECT \(expressions.joined(separator: ", ")) FROM \(SQLiteIdentifier.quoted(table.name)) ORDER BY Z_PK")
        for slot in layout.model.entities[table.root].subtree {
            let form = forms.entities[slot]
            var links: [Links] = []
            for relationship in form.relationships {
                links.append(try self.links(of: relationship, places: places, layout: layout, connection: connection))
            }
            entities[Int64(layout.entityNumbers[slot])] = Entity(
                form: form,
                attributes: form.attributes.map { attribute in
                    places[.attribute(attribute.key)].map {
                        Attribute(
                            column: $0, type: attribute.type,
                            isExternal: attribute.description.allowsExternalBinaryDataStorage)
                    }
                },
                links: links)
        }
    }

    private func links(
        of relationship: ResolvedRelationship, places: [EntityColumn.Role: Int32], layout: StoreLayout,
        connection: Connection
    ) throws(SQLiteError) -> Links {
        if relationship.storage == .toOne {
            return places[.toOne(relationship.key)].map { .toOne(column: $0) } ?? .absent
        }
        if let known = cursors.firstIndex(where: { $0.key == relationship.key }) { return .cursor(known) }
        guard let query = LinkQuery.text(of: relationship, layout: layout) else { return .absent }
        cursors.append(
            (
                relationship.key, LinkCursor(try connection.prepare(query)),
                // Of a to-one and its inverse the to-one's own table tells.
                relationship.storage != .inverseToOne
            ))
        return .cursor(cursors.count - 1)
    }

    /// An expression that tells whether the object of a key is there.
    static func presence(of column: String, through key: PropertyKey, layout: StoreLayout) -> String {
        guard let relationship = layout.model.entities[key.owner].relationship(named: key.name),
            let table = layout.table(ofEntity: relationship.destination)
        else { return "0" }
        // SQLite looks the key up in the table itself.
        return "\(column) IN (SELECT Z_PK FROM \(SQLiteIdentifier.quoted(table.name)))"
    }
}
