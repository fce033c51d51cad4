import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The links that policies set. They are recorded in a table, and created at the end, after those of the mappings. Then
/// the table is removed.
final class PolicyLinks {
    private let layout: StoreLayout
    /// The connection to the new file, with which links are recorded and created.
    var connection: Connection
    /// All stored relationships. A row of the table refers to a relationship by its index here.
    private let relationships: [ResolvedRelationship]
    private var places: [PropertyKey: Int] = [:]
    private var insert: Statement?
    private static let table = "FERRY_LINKS"

    init(_ layout: StoreLayout, _ connection: Connection) throws {
        self.layout = layout
        self.connection = connection
        relationships = layout.model.entities.flatMap { $0.declaredRelationships.filter(\.isStored) }
        for (index, relationship) in relationships.enumerated() { places[relationship.key] = index }
    }

    private func statement() throws -> Statement {
        if let insert { return insert }
        try connection.execute(
            "CREATE TABLE IF NOT EXISTS main.\(Self.table) (relationship INTEGER, owner INTEGER, ownerEntity INTEGER, destination INTEGER, "
                + "destinationEntity INTEGER)")
        let statement = try connection.prepare(
            "INSERT INTO main.\(Self.table) VALUES (?1, ?2, ?3, ?4, ?5)", persistent: true)
        insert = statement
        return statement
    }

    func record(
        _ name: String, of object: DestinationObject, to destinations: [ManagedObjectID], replacing: Bool
    ) throws {
        let entity = object.writer.entity
        guard let relationship = entity.relationship(named: name), let place = places[relationship.key] else {
            throw PolicyError("\(entity.name) has no stored relationship \"\(name)\"")
        }
        if !relationship.isToMany, destinations.count > 1 || !replacing {
            throw PolicyError("\(entity.name).\(name) leads to one object; relate it to one")
        }
        let statement = try statement()
        func note(_ destination: Int64?, _ number: Int) throws {
            try statement.bindInteger(Int64(place), at: 1)
            try statement.bindInteger(object.key, at: 2)
            try statement.bindInteger(Int64(object.writer.entityNumber), at: 3)
            if let destination { try statement.bindInteger(destination, at: 4) } else { try statement.bindNull(at: 4) }
            try statement.bindInteger(Int64(number), at: 5)
            try statement.run()
        }
        // A row without a destination means that the previous links of the owner are removed.
        if replacing { try note(nil, 0) }
        for id in destinations {
            guard let slot = layout.model.slot(named: id.entityName),
                layout.model.isKind(slot, of: relationship.destination)
            else {
                throw PolicyError(
                    "\(entity.name).\(name) leads to objects of \(layout.model.entities[relationship.destination].name), and "
                        + "\(id.uri) is not one of them")
            }
            try note(id.primaryKey, layout.entityNumbers[slot])
        }
    }

    /// Creates the links, one relationship after the other.
    func apply() throws {
        insert = nil
        let tables = "SELECT 1 FROM main.sqlite_master WHERE name = '\(Self.table)'"
        guard try connection.value(tables) != .null else { return }
        try connection.execute("CREATE INDEX main.\(Self.table)_OWNER ON \(Self.table) (relationship, owner)")
        let used = try connection.rows("SELECT DISTINCT relationship FROM main.\(Self.table) ORDER BY 1")
        for place in used.compactMap({ $0[0].integer }) { try apply(Int(place)) }
        try connection.execute("DROP TABLE main.\(Self.table)")
    }

    private func apply(_ place: Int) throws {
        let relationship = relationships[place]
        // Links that were recorded before the last replacement of an owner's links are ignored.
        try connection.execute(
            "DELETE FROM main.\(Self.table) AS l WHERE relationship = \(place) AND EXISTS (SELECT 1 FROM main.\(Self.table) m "
                + "WHERE m.relationship = \(place) AND m.owner = l.owner AND m.destination IS NULL AND m.rowid > l.rowid)"
        )
        let links = "FROM main.\(Self.table) WHERE relationship = \(place)"
        let replaced = "SELECT owner \(links) AND destination IS NULL"
        switch relationship.storage {
        case .toOne: try applyToOne(relationship, links)
        case .inverseToOne:
            guard let inverse = relationship.inverse else { return }
            try applyKeys(
                relationship, .toOne(inverse.key), .toOneEntity(inverse.key), .toOneOrder(inverse.key), links, replaced)
        case .unidirectional:
            let key = relationship.key
            try applyKeys(
                relationship, .unidirectional(key), .unidirectionalEntity(key), .unidirectionalOrder(key), links,
                replaced)
        case .joinTable: try applyPairs(relationship, links, replaced)
        }
    }

    private func applyToOne(_ relationship: ResolvedRelationship, _ links: String) throws {
        guard let table = layout.table(ofEntity: relationship.owner),
            let column = layout.column(.toOne(relationship.key))
        else { return }
        let (name, key) = (SQLiteIdentifier.bare(table.name), SQLiteIdentifier.bare(column.name))
        let number = layout.column(.toOneEntity(relationship.key)).map { SQLiteIdentifier.bare($0.name) }
        if let inverse = relationship.inverse, !inverse.isToMany, let back = layout.column(.toOne(inverse.key)),
            let other = layout.table(ofEntity: relationship.destination), !relationship.isSelfInverse
        {
            // In a one-to-one relationship, neither side keeps its previous destination.
            let (otherName, backKey) = (SQLiteIdentifier.bare(other.name), SQLiteIdentifier.bare(back.name))
            try connection.execute(
                "UPDATE main.\(otherName) SET \(backKey) = NULL WHERE \(backKey) IN (SELECT owner \(links))")
            try connection.execute(
                "UPDATE main.\(name) SET \(key) = NULL WHERE \(key) IN (SELECT destination \(links)) AND Z_PK NOT IN "
                    + "(SELECT owner \(links))")
            let backNumber =
                layout.column(.toOneEntity(inverse.key)).map { ", \(SQLiteIdentifier.bare($0.name)) = p.e" } ?? ""
            try connection.execute(
                "UPDATE main.\(otherName) SET \(backKey) = p.o\(backNumber) FROM (SELECT destination AS d, max(rowid), "
                    + "owner AS o, ownerEntity AS e \(links) AND destination NOT NULL GROUP BY destination) AS p "
                    + "WHERE \(otherName).Z_PK = p.d")
        }
        try connection.execute(
            "UPDATE main.\(name) SET \(key) = p.d\(number.map { ", \($0) = p.e" } ?? "") FROM (SELECT owner AS o, max(rowid), "
                + "destination AS d, nullif(destinationEntity, 0) AS e \(links) GROUP BY owner) AS p WHERE \(name).Z_PK = p.o"
        )
    }

    /// Creates links in the rows to which a to-many relationship leads.
    private func applyKeys(
        _ relationship: ResolvedRelationship, _ key: EntityColumn.Role, _ number: EntityColumn.Role,
        _ order: EntityColumn.Role, _ links: String, _ replaced: String
    ) throws {
        guard let table = layout.table(ofEntity: relationship.destination), let column = layout.column(key) else {
            return
        }
        let (name, key) = (SQLiteIdentifier.bare(table.name), SQLiteIdentifier.bare(column.name))
        try connection.execute("UPDATE main.\(name) SET \(key) = NULL WHERE \(key) IN (\(replaced))")
        var assignments = "\(key) = p.o"
        if let number = layout.column(number) { assignments += ", \(SQLiteIdentifier.bare(number.name)) = p.e" }
        if let order = layout.column(order) { assignments += ", \(SQLiteIdentifier.bare(order.name)) = p.n" }
        try connection.execute(
            "UPDATE main.\(name) SET \(assignments) FROM (SELECT destination AS d, max(rowid) AS n, owner AS o, "
                + "ownerEntity AS e \(links) AND destination NOT NULL GROUP BY destination) AS p WHERE \(name).Z_PK = p.d"
        )
    }

    private func applyPairs(_ relationship: ResolvedRelationship, _ links: String, _ replaced: String) throws {
        guard let table = layout.joinTable(of: relationship.key) else { return }
        let side = table.side(of: relationship.key)
        let (name, owner) = (SQLiteIdentifier.bare(table.name), SQLiteIdentifier.bare(side.owner))
        let destination = SQLiteIdentifier.bare(side.destination)
        func forget(_ column: String) throws {
            try connection.execute("DELETE FROM main.\(name) WHERE \(column) IN (\(replaced))")
        }
        func add(_ first: String, _ second: String) throws {
            let order = side.order.map(SQLiteIdentifier.bare)
            try connection.execute(
                "INSERT OR IGNORE INTO main.\(name) (\(owner), \(destination)\(order.map { ", \($0)" } ?? "")) "
                    + "SELECT \(first), \(second)\(order == nil ? "" : ", rowid") \(links) AND destination NOT NULL ORDER BY rowid"
            )
        }
        try forget(owner)
        if table.isSelfInverse { try forget(destination) }
        try add("owner", "destination")
        if table.isSelfInverse { try add("destination", "owner") }
    }
}
