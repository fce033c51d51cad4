public import ManagedObjectModels
public import PersistentStores
import SQLiteAccess

/// Finds the objects of a to-many relationship, in order.
public struct RelationshipLinks: Sendable {
    /// The destination's table with the alias `d`, and the join table with the alias `j`, if there is one.
    private let source: String
    private let ownerColumn: String
    private let order: String

    /// Finds the links of a relationship; nil if the store lacks the column or table.
    public init?(_ relationship: ResolvedRelationship, in layout: StoreLayout) {
        guard let table = layout.table(ofEntity: relationship.destination) else { return nil }
        let destination = SQLiteIdentifier.quoted(table.name) + " AS d"
        func column(_ role: EntityColumn.Role) -> String? {
            layout.column(role).map { "d." + SQLiteIdentifier.quoted($0.name) }
        }
        switch relationship.storage {
        case .toOne: return nil
        case .inverseToOne:
            guard let inverse = relationship.inverse, let owner = column(.toOne(inverse.key)) else { return nil }
            source = destination
            ownerColumn = owner
            order = (column(.toOneOrder(inverse.key)).map { $0 + ", " } ?? "") + "d.Z_PK"
        case .unidirectional:
            guard let owner = column(.unidirectional(relationship.key)) else { return nil }
            source = destination
            ownerColumn = owner
            order = (column(.unidirectionalOrder(relationship.key)).map { $0 + ", " } ?? "") + "d.Z_PK"
        case .joinTable:
            guard let join = layout.joinTable(of: relationship.key) else { return nil }
            let side = join.side(of: relationship.key)
            source =
                "\(SQLiteIdentifier.quoted(join.name)) AS j JOIN \(destination)"
                + " ON d.Z_PK = j.\(SQLiteIdentifier.quoted(side.destination))"
            ownerColumn = "j." + SQLiteIdentifier.quoted(side.owner)
            order = (side.order.map { "j.\(SQLiteIdentifier.quoted($0)), " } ?? "") + "d.Z_PK"
        }
    }

    /// Returns a SELECT of a value for each object, in order; the alias of the destination's table is `d`.
    ///
    /// - Parameters:
    ///   - value: the value in SQL, over the destination `d`.
    ///   - function: the SQL name of a function that is called with the value; nil for the value itself.
    ///   - owner: the primary key of the object that has the relationship, in SQL.
    public func select(_ value: String, by function: String? = nil, of owner: String) -> String {
        "SELECT \(function.map { "\($0)(d.\(value))" } ?? "d.\(value)") FROM \(source) WHERE \(ownerColumn) = \(owner) ORDER BY \(order)"
    }

    /// Returns a SELECT of an owner's objects: `related` is a primary key, `position` the position in the list.
    func positions(of owner: String) -> String {
        "SELECT d.Z_PK AS related, row_number() OVER (ORDER BY \(order)) AS position "
            + "FROM \(source) WHERE \(ownerColumn) = \(owner)"
    }

    /// A SELECT of all pairs: `owner` and `related` are primary keys, `position` is the position in the owner's list.
    var pairs: String {
        "SELECT \(ownerColumn) AS owner, d.Z_PK AS related, "
            + "row_number() OVER (PARTITION BY \(ownerColumn) ORDER BY \(order)) AS position "
            + "FROM \(source) WHERE \(ownerColumn) IS NOT NULL"
    }
}
