import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Writes the objects of a new SQLite store. References may lead to later objects, because rows store keys.
///
/// Only sums are kept in memory; lists whose order matters wait on disk.
final class SQLiteObjectWriter: ObjectWriter {
    let layout: StoreLayout
    let connection: Connection
    let findings: ConversionFindings
    let path: String

    /// Whether the links of rows are left unchanged.
    var keepsFaults = false
    private let forms: ObjectForms
    let rows: any NewStoreRows
    private var listStatement: Statement?
    /// The relationships, by slot and index.
    private var relationships: [[LinkPlan.Relationship]]
    /// The number of each relationship in the table of lists.
    let listNumbers: [PropertyKey: Int64]
    var plan: LinkPlan
    private var sums: [(LinkSum, LinkSum)]
    /// For each number, whether the relationship has lists.
    private var isListed: [Bool]
    /// Whether it is known that every link leads to an object of the destination's hierarchy.
    var hasProvenLinks = false
    /// The highest key in each table, by the slot of its root entity.
    private(set) var highestKeys: [Int64]

    /// - Parameters:
    ///   - rows: the writer of the rows of all tables.
    ///   - path: the store's path, for messages.
    init(
        _ connection: Connection, layout: StoreLayout, forms: ObjectForms, rows: any NewStoreRows,
        findings: ConversionFindings, path: String
    ) throws {
        self.rows = rows
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
        relationships = forms.entities.map { form in form.relationships.compactMap { plan.relationships[$0.key] } }
        let keys = plan.relationships.keys.sorted { ($0.owner, $0.name) < ($1.owner, $1.name) }
        listNumbers = Dictionary(
            zip(keys, keys.indices.map(Int64.init)), uniquingKeysWith: { first, _ in first })
        isListed = Array(repeating: false, count: keys.count)
        highestKeys = Array(repeating: 0, count: forms.entities.count)
    }

    func append(_ object: borrowing StoredObject) throws {
        do {
            try rows.append(object)
            let root = forms.entities[object.slot].root
            if object.key > highestKeys[root] { highestKeys[root] = object.key }
            for (place, relationship) in relationships[object.slot].enumerated() {
                try append(object, place, relationship)
            }
        } catch let error as SQLiteError {
            throw StoreError(error, path: path)
        }
    }

    private func append(
        _ object: borrowing StoredObject, _ place: Int, _ relationship: LinkPlan.Relationship
    ) throws {
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
        case .join(let index): try rows.append(links, of: object.key, toJoinTable: index)
        case .listed: try list(object.key, links, relationship.key)
        }
    }

    private func list(_ owner: Int64, _ links: ArraySlice<Int64>, _ key: PropertyKey) throws {
        guard let listStatement, let number = listNumbers[key], !links.isEmpty else { return }
        isListed[Int(number)] = true
        if try rows.append(links, of: owner, toListOf: key) { return }
        try listStatement.bindInteger(number, at: 1)
        try listStatement.bindInteger(owner, at: 2)
        for (position, link) in links.enumerated() {
            try listStatement.bindInteger(link, at: 3)
            try listStatement.bindInteger(Int64(position), at: 4)
            try listStatement.run()
        }
    }

    /// Returns the relationships whose links are stored for the inverse, but differ from it. Their lists must then be
    /// added with `appendLists(of:)`, in another pass over all objects.
    func relationshipsInDoubt() -> Set<PropertyKey> {
        var result: Set<PropertyKey> = []
        for (key, relationship) in plan.relationships {
            guard case .compared = relationship.part, let pair = relationship.pair, sums[pair].0 != sums[pair].1
            else { continue }
            result.insert(key)
        }
        return result
    }

    /// Returns whether both directions of a relationship have the same links.
    func agrees(_ pair: Int) -> Bool { sums[pair].0 == sums[pair].1 }

    func appendLists(of object: borrowing StoredObject, for keys: Set<PropertyKey>) throws {
        do {
            for (place, relationship) in relationships[object.slot].enumerated() where keys.contains(relationship.key) {
                try list(object.key, object.links(at: place), relationship.key)
            }
        } catch let error as SQLiteError {
            throw StoreError(error, path: path)
        }
    }

    /// Returns whether a relationship has lists that wait.
    func hasList(_ key: PropertyKey) -> Bool { listNumbers[key].map { isListed[Int($0)] } ?? false }

    /// Replaces the keys in the waiting lists with the final keys of the rows.
    private func renumberLists(_ final: FinalKeys) throws {
        let update = try connection.prepare(
            "UPDATE temp.ferry_links SET owner = ?1, destination = ?2 WHERE rowid = ?3", persistent: true)
        for key in listNumbers.keys where hasList(key) && rows.list(of: key) == nil {
            guard let number = listNumbers[key],
                let relationship = layout.model.entities[key.owner].relationship(named: key.name)
            else { continue }
            let lists = try connection.prepare(
                "SELECT rowid, owner, destination FROM temp.ferry_links WHERE list = \(number)")
            while try lists.step() {
                try update.bindInteger(final.newKey(of: lists.integer(1), entity: relationship.owner, layout), at: 1)
                try update.bindInteger(
                    final.newKey(of: lists.integer(2), entity: relationship.destination, layout), at: 2)
                try update.bindInteger(lists.integer(0), at: 3)
                try update.run()
            }
        }
    }

    func finish() throws {
        // A connection with open statements cannot be closed.
        listStatement = nil
        do {
            try rows.finish()
            if let final = rows.renumbering {
                highestKeys = final.highest
                hasProvenLinks = final.areLinksResolved
                try renumberLists(final)
            }
            try LinkCompletion(self).run()
        } catch let error as SQLiteError {
            throw StoreError(error, path: path)
        }
    }
}
