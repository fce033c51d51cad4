import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// Writes the objects of a new SQLite store. References may lead to later objects, because rows store keys.
///
/// Only sums are kept in memory.
final class SQLiteObjectWriter: ObjectWriter {
    let layout: StoreLayout
    let connection: Connection
    let findings: ConversionFindings
    let path: String

    /// Whether the links of rows are left unchanged.
    var keepsFaults = false
    private let forms: ObjectForms
    let rows: any NewStoreRows
    /// The relationships, by slot and index.
    private var relationships: [[LinkPlan.Relationship]]
    var plan: LinkPlan
    private var sums: [(LinkSum, LinkSum)]
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
        relationships = forms.entities.map { form in form.relationships.compactMap { plan.relationships[$0.key] } }
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
        case .listed: try rows.append(links, of: object.key, toListOf: relationship.key)
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
                let links = object.links(at: place)
                if !links.isEmpty { try rows.append(links, of: object.key, toListOf: relationship.key) }
            }
        } catch let error as SQLiteError {
            throw StoreError(error, path: path)
        }
    }

    func finish() throws {
        do {
            try rows.finish()
            if let final = rows.renumbering {
                highestKeys = final.highest
                hasProvenLinks = final.areLinksResolved
            }
            try LinkCompletion(self).run()
        } catch let error as SQLiteError {
            throw StoreError(error, path: path)
        }
    }
}
