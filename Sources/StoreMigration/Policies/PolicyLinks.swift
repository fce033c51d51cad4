import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder
import StoreAssembly

/// The links that policies set. They are created at the end, after those of the mappings.
///
/// Until then, they are recorded in a sorter if the new file is built with them. If another run may continue, or if
/// SQLite creates the links, they are recorded in a table of the file with the objects.
final class PolicyLinks {
    private let layout: StoreLayout
    /// Tuples of a relationship, an owner, the number of the link with the sign reversed, whether there is a
    /// destination, its key, and the entity numbers of the owner and the destination; nil if a table has the links.
    private let sorter: TupleSorter?
    private let memory: SpoolMemory?
    private var count: Int64 = 0
    /// Whether the links have been created, so that no others can be recorded.
    var isClosed = false
    /// The connection to the file with the objects, with which links are recorded, and created by SQLite.
    var connection: Connection
    /// All stored relationships. A recorded link refers to its relationship by its index here.
    private let relationships: [ResolvedRelationship]
    private var places: [PropertyKey: Int] = [:]
    private var insert: Statement?
    private static let table = "FERRY_LINKS"

    /// - Parameters:
    ///   - memory: the memory in which the links are sorted; nil if SQLite creates them.
    ///   - isResumable: whether another run may continue with the links.
    init(_ layout: StoreLayout, _ connection: Connection, _ memory: SpoolMemory?, isResumable: Bool) {
        self.layout = layout
        self.memory = memory
        sorter = isResumable ? nil : memory.map { TupleSorter(width: 7, $0) }
        self.connection = connection
        relationships = layout.model.entities.flatMap { $0.declaredRelationships.filter(\.isStored) }
        for (index, relationship) in relationships.enumerated() { places[relationship.key] = index }
    }

    /// Whether links are recorded in a table.
    var needsFile: Bool { sorter == nil }

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
        guard !isClosed else {
            throw PolicyError("\(entity.name).\(name): the relationships have been set before objects are validated")
        }
        let statement = try sorter == nil ? statement() : nil
        func note(_ destination: Int64?, _ number: Int) throws {
            count += 1
            let tuple: [7 of Int64] = [
                Int64(place), object.key, -count, destination == nil ? 0 : 1, destination ?? 0,
                Int64(object.writer.entityNumber), Int64(number),
            ]
            try sorter?.add(tuple.span)
            guard let statement else { return }
            try statement.bindInteger(Int64(place), at: 1)
            try statement.bindInteger(object.key, at: 2)
            try statement.bindInteger(Int64(object.writer.entityNumber), at: 3)
            if let destination { try statement.bindInteger(destination, at: 4) } else { try statement.bindNull(at: 4) }
            try statement.bindInteger(Int64(number), at: 5)
            try statement.run()
        }
        // A row without a destination means that the previous links of the owner are removed. In a to-one relationship,
        // the last link replaces them anyway, but for the other side of a one-to-one relationship.
        used.insert(place)
        let isReplaced = relationship.storage == .toOne && relationship.inverse?.isToMany ?? true
        if replacing, !isReplaced || destinations.isEmpty { try note(nil, 0) }
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

    // MARK: A file that is built

    /// What changes if the links of a relationship do.
    private enum Target {
        case toOne(ChangedLinks, back: ChangedLinks?)
        case rows(ChangedLinks)
        case pairs(LinkPairs, LinkPairs.Side)
    }

    /// Returns the join tables whose links change.
    func joinTables() throws(SQLiteError) -> [JoinTable] {
        let used = needsFile ? try recorded() : used.sorted()
        return used.compactMap { layout.joinTable(of: relationships[$0].key) }
    }

    /// The relationships of the links in the sorter.
    private var used: Set<Int> = []

    /// Returns the relationships of the links in the table.
    private func recorded() throws(SQLiteError) -> [Int] {
        let tables = "SELECT 1 FROM main.sqlite_master WHERE name = '\(Self.table)'"
        guard try connection.value(tables) != .null else { return [] }
        return try connection.rows("SELECT DISTINCT relationship FROM main.\(Self.table) ORDER BY 1").compactMap {
            $0[0].integer.map { Int($0) }
        }
    }

    /// Sorts the links in the table.
    private func sorted(_ memory: SpoolMemory) throws -> TupleCursor? {
        guard try !recorded().isEmpty else { return nil }
        let sorter = TupleSorter(width: 7, memory)
        let select = try connection.prepare(
            "SELECT relationship, owner, -rowid, destination IS NOT NULL, destination, ownerEntity, destinationEntity "
                + "FROM main.\(Self.table)")
        while try select.step() { try sorter.add((0..<7).map { select.integer($0) }) }
        return try sorter.sorted()
    }

    /// Lets the file that is built have the links, one relationship after the other.
    ///
    /// - Parameters:
    ///   - build: the file.
    ///   - pairs: the rows of a join table.
    ///   - checkpoint: called once in a while.
    func change(
        _ build: NewStoreBuild, _ pairs: (JoinTable) throws -> LinkPairs?, _ checkpoint: () throws -> Void
    ) throws {
        guard let sorted = try sorter?.sorted() ?? memory.flatMap({ try self.sorted($0) }) else { return }
        var (place, owner, isReplaced) = (nil as Int64?, nil as Int64?, false)
        var target: Target?
        func endRelationship() throws {
            if case .pairs(let pairs, let side) = target { try pairs.change(side, checkpoint) }
        }
        while try sorted.advance() {
            let link = sorted
            if link[0] != place {
                try endRelationship()
                (place, owner) = (link[0], nil)
                target = try self.target(relationships[Int(link[0])], build, pairs)
            }
            if link[1] != owner { (owner, isReplaced) = (link[1], false) }
            // Links that were recorded before the last replacement of an owner's links are ignored.
            guard !isReplaced, let target else { continue }
            isReplaced = link[3] == 0
            try Self.change(
                target, owner: (link[1], link[5]), to: isReplaced ? nil : (link[4], link[6]), number: -link[2])
        }
        try endRelationship()
    }

    private func target(
        _ relationship: ResolvedRelationship, _ build: NewStoreBuild, _ pairs: (JoinTable) throws -> LinkPairs?
    ) throws -> Target? {
        func links(_ columns: ChangedLinks.Columns?, ofEntity slot: Int) throws -> ChangedLinks? {
            guard let table = layout.table(ofEntity: slot), let columns else { return nil }
            return try build.links(ofTable: table.name, in: columns)
        }
        func toOne(_ key: PropertyKey, ofEntity slot: Int) throws -> ChangedLinks? {
            try links(layout.linkColumns(ofToOne: key), ofEntity: slot)
        }
        func rows(_ links: ChangedLinks?) -> Target? {
            links?.beginRemovals()
            links?.beginReplacements()
            return links.map { .rows($0) }
        }
        switch relationship.storage {
        case .toOne:
            guard let own = try toOne(relationship.key, ofEntity: relationship.owner) else { return nil }
            var back: ChangedLinks?
            if let inverse = relationship.inverse, !inverse.isToMany, !relationship.isSelfInverse {
                back = try toOne(inverse.key, ofEntity: relationship.destination)
            }
            // In a one-to-one relationship, neither side keeps its previous destination.
            back?.beginRemovals()
            own.beginRemovals()
            back?.beginReplacements()
            own.beginReplacements()
            return .toOne(own, back: back)
        case .inverseToOne:
            return rows(
                try relationship.inverse.flatMap { try toOne($0.key, ofEntity: relationship.destination) })
        case .unidirectional:
            return rows(
                try links(
                    layout.linkColumns(ofUnidirectional: relationship.key), ofEntity: relationship.destination))
        case .joinTable:
            guard let table = layout.joinTable(of: relationship.key), let pairs = try pairs(table) else { return nil }
            return .pairs(pairs, relationship.key == table.relationship ? .owners : .destinations)
        }
    }

    /// - Parameter destination: the key and the entity number of the destination; nil if the owner's links are removed.
    private static func change(
        _ target: Target, owner: (key: Int64, entity: Int64), to destination: (key: Int64, entity: Int64)?,
        number: Int64
    ) throws(BuildError) {
        switch target {
        case .toOne(let own, let back):
            try own.replace(owner.key, by: destination.map { ($0.key, $0.entity) }, number: number)
            guard let back else { return }
            guard let destination else { return try back.remove(linksTo: owner.key) }
            try own.remove(linksTo: destination.key)
            try back.replace(destination.key, by: (owner.key, owner.entity), number: number)
        case .rows(let links):
            guard let destination else { return try links.remove(linksTo: owner.key) }
            try links.replace(destination.key, by: (owner.key, owner.entity), place: number, number: number)
        case .pairs(let pairs, _):
            guard let destination else { return try pairs.remove(linksOf: owner.key) }
            try pairs.add(owner.key, destination.key, number: number)
        }
    }

    // MARK: A file that SQLite writes

    /// Creates the links, one relationship after the other.
    func apply() throws {
        insert = nil
        let used = try recorded()
        if !used.isEmpty {
            try connection.execute("CREATE INDEX main.\(Self.table)_OWNER ON \(Self.table) (relationship, owner)")
            for place in used { try apply(place) }
        }
        // It may be empty, too.
        try connection.execute("DROP TABLE IF EXISTS main.\(Self.table)")
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
            try applyKeys(relationship, layout.linkColumns(ofToOne: inverse.key), links, replaced)
        case .unidirectional:
            try applyKeys(relationship, layout.linkColumns(ofUnidirectional: relationship.key), links, replaced)
        case .joinTable: try applyPairs(relationship, links, replaced)
        }
    }

    private func applyToOne(_ relationship: ResolvedRelationship, _ links: String) throws {
        guard let table = layout.table(ofEntity: relationship.owner),
            let own = layout.linkColumns(ofToOne: relationship.key)
        else { return }
        let name = SQLiteIdentifier.bare(table.name)
        if let inverse = relationship.inverse, !inverse.isToMany, !relationship.isSelfInverse,
            let back = layout.linkColumns(ofToOne: inverse.key),
            let other = layout.table(ofEntity: relationship.destination)
        {
            // In a one-to-one relationship, neither side keeps its previous destination.
            try removeLinks(of: other.name, back, to: "SELECT owner \(links)")
            try removeLinks(of: table.name, own, to: "SELECT destination \(links)")
            let otherName = SQLiteIdentifier.bare(other.name)
            try connection.execute(
                "UPDATE main.\(otherName) SET \(SQLiteIdentifier.bare(back.key)) = p.o\(back.setting(.entity, "p.e")) "
                    + "FROM (SELECT destination AS d, max(rowid), owner AS o, ownerEntity AS e \(links) "
                    + "AND destination NOT NULL GROUP BY destination) AS p WHERE \(otherName).Z_PK = p.d")
        }
        let place = own.order.map { "iif(p.d IS NULL, NULL, \(SQLiteIdentifier.bare($0)))" } ?? ""
        try connection.execute(
            "UPDATE main.\(name) SET \(SQLiteIdentifier.bare(own.key)) = p.d\(own.setting(.entity, "p.e"))"
                + "\(own.setting(.order, place)) FROM (SELECT owner AS o, max(rowid), destination AS d, "
                + "nullif(destinationEntity, 0) AS e \(links) GROUP BY owner) AS p WHERE \(name).Z_PK = p.o")
    }

    /// Removes links of rows to some objects.
    private func removeLinks(of table: String, _ columns: ChangedLinks.Columns, to objects: String) throws {
        let key = SQLiteIdentifier.bare(columns.key)
        try connection.execute(
            "UPDATE main.\(SQLiteIdentifier.bare(table)) SET \(key) = NULL\(columns.setting(.entity, "NULL"))"
                + "\(columns.setting(.order, "NULL")) WHERE \(key) IN (\(objects))")
    }

    /// Creates links in the rows to which a to-many relationship leads.
    private func applyKeys(
        _ relationship: ResolvedRelationship, _ columns: ChangedLinks.Columns?, _ links: String, _ replaced: String
    ) throws {
        guard let table = layout.table(ofEntity: relationship.destination), let columns else { return }
        let name = SQLiteIdentifier.bare(table.name)
        try removeLinks(of: table.name, columns, to: replaced)
        try connection.execute(
            "UPDATE main.\(name) SET \(SQLiteIdentifier.bare(columns.key)) = p.o\(columns.setting(.entity, "p.e"))"
                + "\(columns.setting(.order, "p.n")) FROM (SELECT destination AS d, max(rowid) AS n, owner AS o, "
                + "ownerEntity AS e \(links) AND destination NOT NULL GROUP BY destination) AS p "
                + "WHERE \(name).Z_PK = p.d")
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
