import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Writes the objects of a new SQLite store; references may lead forward, since keys are what the rows hold.
///
/// Nothing is held in memory but sums: lists whose order matters wait in a temporary table, on disk.
final class SQLiteObjectWriter: ObjectWriter {
    let layout: StoreLayout
    let connection: Connection
    let findings: ConversionFindings
    let path: String
    private let forms: ObjectForms
    private var inserters: [EntityInserter?]
    private var joinStatements: [Statement]
    private var listStatement: Statement?
    /// By slot and place.
    private var relationships: [[LinkPlan.Relationship]]
    private let joinHasOrder: [Bool]
    /// The number of each relationship in the table of lists.
    let listNumbers: [PropertyKey: Int64]
    var plan: LinkPlan
    private var sums: [(LinkSum, LinkSum)]

    /// - Parameter path: the store's path for messages.
    init(
        _ connection: Connection, layout: StoreLayout, forms: ObjectForms, externals: ExternalFiles,
        findings: ConversionFindings, path: String
    ) throws {
        self.connection = connection
        self.layout = layout
        self.forms = forms
        self.findings = findings
        self.path = path
        let plan = LinkPlan(layout)
        self.plan = plan
        sums = Array(repeating: (LinkSum(), LinkSum()), count: plan.pairs.count)
        try connection.execute(
            "CREATE TEMP TABLE ferry_links (list INTEGER, owner INTEGER, destination INTEGER, position INTEGER)")
        listStatement = try connection.prepare(
            "INSERT INTO temp.ferry_links VALUES (?1, ?2, ?3, ?4)", persistent: true)
        inserters = try forms.entities.map { form in
            form.slot < layout.model.entities.count && layout.table(ofEntity: form.slot) != nil
                ? try EntityInserter(
                    form, layout: layout, connection: connection, externals: externals, findings: findings) : nil
        }
        joinHasOrder = layout.joinTables.map { $0.orderColumn != nil }
        joinStatements = try layout.joinTables.map { join in
            let columns = [join.ownerColumn, join.destinationColumn] + [join.orderColumn].compactMap { $0 }
            let marks = columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
            return try connection.prepare(
                "INSERT OR IGNORE INTO \(SQLiteIdentifier.quoted(join.name)) "
                    + "(\(columns.map { SQLiteIdentifier.quoted($0) }.joined(separator: ", "))) VALUES (\(marks))",
                persistent: true)
        }
        relationships = forms.entities.map { form in form.relationships.compactMap { plan.relationships[$0.key] } }
        let keys = plan.relationships.keys.sorted { ($0.owner, $0.name) < ($1.owner, $1.name) }
        listNumbers = Dictionary(
            zip(keys, keys.indices.map(Int64.init)), uniquingKeysWith: { first, _ in first })
    }

    func append(_ object: borrowing StoredObject) throws {
        do {
            guard let inserter = inserters[object.slot] else {
                throw ConversionError(.otherLayout("no table for entity \(object.slot)"), path: path)
            }
            try inserter.insert(object)
            for (place, relationship) in relationships[object.slot].enumerated() {
                try append(object, place, relationship)
            }
        } catch let error as SQLiteError {
            // 1555 is SQLITE_CONSTRAINT_PRIMARYKEY.
            if error.code == 1555 || error.code == 2579 {
                throw ConversionError(
                    .duplicateKey(entity: forms.entities[object.slot].name, key: object.key), path: path)
            }
            throw StoreError(error, path: path)
        }
    }

    private func append(
        _ object: borrowing StoredObject, _ place: Int, _ relationship: LinkPlan.Relationship
    ) throws(SQLiteError) {
        let links = object.links(at: place)
        guard !links.isEmpty else { return }
        if let pair = relationship.pair {
            for link in links {
                if relationship.isTurned {
                    sums[pair].1.add(link, object.key)
                } else {
                    sums[pair].0.add(object.key, link)
                    if relationship.isSelfInverse { sums[pair].1.add(link, object.key) }
                }
            }
        }
        switch relationship.part {
        case .none, .toOne, .compared: break
        case .join(let index):
            let statement = joinStatements[index]
            try statement.bindInteger(object.key, at: 1)
            for (position, link) in links.enumerated() {
                try statement.bindInteger(link, at: 2)
                if joinHasOrder[index] { try statement.bindInteger(OrderKeys.key(at: Int64(position)), at: 3) }
                try statement.run()
            }
        case .listed: try list(object.key, links, relationship.key)
        }
    }

    private func list(
        _ owner: Int64, _ links: ArraySlice<Int64>, _ key: PropertyKey
    ) throws(SQLiteError) {
        guard let listStatement else { return }
        try listStatement.bindInteger(listNumbers[key] ?? -1, at: 1)
        try listStatement.bindInteger(owner, at: 2)
        for (position, link) in links.enumerated() {
            try listStatement.bindInteger(link, at: 3)
            try listStatement.bindInteger(Int64(position), at: 4)
            try listStatement.run()
        }
    }

    /// The relationships whose inverse keeps their links and does not agree with them: their lists are needed after
    /// all, by `appendLists(of:)` for every object once more.
    func relationshipsInDoubt() -> Set<PropertyKey> {
        var result: Set<PropertyKey> = []
        for (key, relationship) in plan.relationships {
            guard case .compared = relationship.part, let pair = relationship.pair, sums[pair].0 != sums[pair].1
            else { continue }
            result.insert(key)
        }
        return result
    }

    /// Whether both directions of a relationship named the same links.
    func agrees(_ pair: Int) -> Bool { sums[pair].0 == sums[pair].1 }

    func appendLists(of object: borrowing StoredObject, for keys: Set<PropertyKey>) throws {
        do throws(SQLiteError) {
            for (place, relationship) in relationships[object.slot].enumerated() where keys.contains(relationship.key) {
                try list(object.key, object.links(at: place), relationship.key)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    func finish() throws {
        // A connection with statements cannot be closed.
        (inserters, joinStatements, listStatement) = ([], [], nil)
        do throws(SQLiteError) {
            try LinkCompletion(self).run()
        } catch {
            throw StoreError(error, path: path)
        }
    }
}
