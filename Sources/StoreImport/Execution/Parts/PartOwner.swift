import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The search for the existing objects of a mapping without a key, among the objects with which their owner is linked.
///
/// A part corresponds to the linked object with the same values. If the record contains all parts of its owner, and no
/// other object can be their owner, the remaining parts and objects are matched in order, and the objects are updated.
/// All other parts are new.
final class PartOwner {
    /// The object mapping of the owner.
    let owner: Int
    /// Whether the owner is written after its parts, because its row contains their key; it is then looked up
    /// beforehand.
    let isWrittenLater: Bool
    /// Whether parts with other values replace existing ones.
    let replaces: Bool

    private let connection: Connection
    private let statement: Statement
    private let claims: String
    private let claim: Statement
    /// A column that requires an index, with its table.
    let indexedColumn: (table: String, column: String)?

    private let fetchSize: Int

    /// Prepares the search; nil if the record contains no owner that can be found, or if the store had no such objects
    /// before.
    init?(
        of entity: EntityImport, _ keys: PrimaryKeyAllocator, connection: Connection, layout: StoreLayout,
        schema: String, limits: ImportLimits
    ) throws(SQLiteError) {
        fetchSize = limits.fetchedOwners
        let (object, writer) = (entity.object, entity.writer)
        let source = entity.source.compiled
        guard !object.hasKey, keys.hadObjects(inTableOf: object.table.root),
            let (link, place) = Self.link(to: entity.index, in: source, layout)
        else { return nil }
        owner = link.owner
        isWrittenLater = link.isWrittenLater
        replaces =
            !link.isReversed && !link.relationship.adds && Self.isExclusive(link.relationship.relationship, place)
        self.connection = connection
        claims = "\(schema).ferry_parts_\(entity.source.index)_\(entity.index)"
        try connection.execute("CREATE TABLE IF NOT EXISTS \(claims) (object INTEGER PRIMARY KEY)")
        claim = try connection.prepare("INSERT OR IGNORE INTO \(claims) VALUES (?1)", persistent: true)
        let (ownerColumn, tables) = Self.join(place, link.isReversed, ownerTable: source.objects[link.owner].table.name)
        let known = keys.firstNewKey(inTableOf: object.table.root)
        let columns = writer.foundColumnNames.map { "p.\($0)" } + [ownerColumn]
        let position = link.isReversed ? nil : place.order.map { (place.kind == .joinTable ? "j." : "p.") + $0 }
        let order = [ownerColumn, position, "p.Z_PK"]
        statement = try connection.prepare(
            "SELECT \(columns.joined(separator: ", ")) FROM \(writer.table) AS p\(tables) WHERE "
                + "\(KeyCondition.text([ownerColumn], keys: fetchSize)) AND p.Z_ENT IN (\(writer.numbers)) "
                + "AND p.Z_PK < \(known) AND p.Z_PK NOT IN (SELECT object FROM \(claims)) "
                + "ORDER BY \(order.compactMap { $0 }.joined(separator: ", "))", persistent: true)
        let isInPart = place.kind == .foreignKey && !link.isReversed || place.kind == .toOne && link.isReversed
        indexedColumn =
            isInPart
            ? (object.table.name, SQLiteIdentifier.unquoted(link.isReversed ? place.destination : place.owner)) : nil
    }

    private struct Link {
        let owner: Int
        let relationship: CompiledRelationship
        let isReversed: Bool
        /// Whether the owner's row contains the part's key, and is therefore written later.
        let isWrittenLater: Bool
    }

    /// Returns the first relationship from an owner to the mapping's objects, or else one from a part to the object
    /// that contains it.
    private static func link(to index: Int, in source: CompiledSource, _ layout: StoreLayout) -> (Link, LinkPlace)? {
        var links: [Link] = []
        for (owner, object) in source.objects.enumerated() where owner != index {
            for (slot, relationship) in (object.toOnes + object.toManys).enumerated() {
                guard case .object(index) = relationship.target else { continue }
                let isWrittenLater = slot < object.toOnes.count && !source.lateToOnes[owner].contains(slot)
                links.append(
                    Link(owner: owner, relationship: relationship, isReversed: false, isWrittenLater: isWrittenLater))
            }
        }
        let object = source.objects[index]
        if object.isPart {
            for relationship in object.toOnes + object.toManys {
                guard case .object(let owner) = relationship.target,
                    source.ancestors(of: index).dropFirst().contains(owner) || !source.objects[owner].isPart
                else { continue }
                links.append(Link(owner: owner, relationship: relationship, isReversed: true, isWrittenLater: false))
            }
        }
        for link in links {
            guard let place = LinkPlace(link.relationship.relationship, layout: layout) else { continue }
            let owner = source.objects[link.owner]
            // An owner that is written later must be found by its attributes, which are known immediately.
            let isFound = link.isWrittenLater ? owner.isFoundByAttributes : owner.hasKey || owner.isPart
            if isFound { return (link, place) }
        }
        return nil
    }

    /// Returns whether the existing objects of a mapping can be found: by their key, or through an owner that can be
    /// found.
    static func finds(_ index: Int, of source: CompiledSource, _ layout: StoreLayout) -> Bool {
        var current = index
        // Each owner has an owner, until one has a key; owners may form a cycle.
        for _ in source.objects.indices {
            if source.objects[current].hasKey { return true }
            guard let (link, _) = link(to: current, in: source, layout) else { return false }
            current = link.owner
        }
        return false
    }

    /// Returns whether an object can have only one owner.
    private static func isExclusive(_ relationship: ResolvedRelationship, _ place: LinkPlace) -> Bool {
        switch place.kind {
        case .foreignKey: true
        case .toOne: relationship.inverse.map { !$0.isToMany } ?? false
        case .joinTable: false
        }
    }

    /// Returns the column with the key of a part's owner, and the joined tables that lead to it.
    private static func join(
        _ place: LinkPlace, _ isReversed: Bool, ownerTable: String
    ) -> (column: String, tables: String) {
        let owner = SQLiteIdentifier.quoted(ownerTable)
        switch (place.kind, isReversed) {
        case (.foreignKey, false): return ("p.\(place.owner)", "")
        case (.toOne, true): return ("p.\(place.destination)", "")
        case (.toOne, false): return ("o.Z_PK", " JOIN \(owner) AS o ON o.\(place.destination) = p.Z_PK")
        case (.foreignKey, true): return ("o.Z_PK", " JOIN \(owner) AS o ON o.\(place.owner) = p.Z_PK")
        case (.joinTable, _):
            let (own, part) = isReversed ? (place.destination, place.owner) : (place.owner, place.destination)
            return ("j.\(own)", " JOIN \(place.table) AS j ON j.\(part) = p.Z_PK")
        }
    }

    /// Calls a closure with the objects with which owners are linked, in the order of their owners' keys.
    func forEach(
        of owners: [Int64], _ body: (_ owner: Int64, _ row: Statement) throws -> Void
    ) throws {
        var start = 0
        while start < owners.count {
            let end = min(start + fetchSize, owners.count)
            for index in 0..<fetchSize {
                if start + index < end {
                    try statement.bindInteger(owners[start + index], at: Int32(index + 1))
                } else {
                    try statement.bindNull(at: Int32(index + 1))
                }
            }
            while try statement.step() { try body(statement.integer(statement.columnCount - 1), statement) }
            statement.reset()
            start = end
        }
    }

    /// Assigns an object to a record, so that no other record of the import gets it if records add to existing objects.
    func take(_ primaryKey: Int64) throws(SQLiteError) {
        guard !replaces else { return }
        try claim.bindInteger(primaryKey, at: 1)
        try claim.run()
    }

    func close() throws(SQLiteError) {
        try connection.execute("DROP TABLE IF EXISTS \(claims)")
    }
}
