import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreImport

/// What tells the objects of each entity apart, in a model and in the data of a store.
struct ObjectKeys {
    private let store: SQLiteStore
    private let layout: StoreLayout
    private var known: [Int: [String]] = [:]

    init(store: SQLiteStore, layout: StoreLayout) {
        self.store = store
        self.layout = layout
    }

    /// The attributes whose values are there and differ for all objects of an entity and its subentities; empty for
    /// none.
    ///
    /// A uniqueness constraint counts first, then attributes by what they are called and by their type.
    mutating func key(of slot: Int) throws -> [String] {
        if let key = known[slot] { return key }
        let entity = layout.model.entities[slot]
        var candidates = layout.model.uniquenessConstraints(of: slot).map(\.properties)
        candidates += entity.attributes.filter { Self.canBeKey($0) }
            .sorted { Self.rank($0) < Self.rank($1) }.map { [$0.name] }
        let key = try candidates.first { try isUnique($0, entity) } ?? []
        known[slot] = key
        return key
    }

    private static func canBeKey(_ attribute: ResolvedAttribute) -> Bool {
        guard attribute.isStored, !attribute.isDerived else { return false }
        switch attribute.type {
        case .uuid, .string, .uri, .integer16, .integer32, .integer64: return true
        default: return false
        }
    }

    private static func rank(_ attribute: ResolvedAttribute) -> Int {
        let name = attribute.name.lowercased()
        if ["id", "identifier", "uuid", "guid", "code", "key"].contains(where: { name == $0 }) { return 0 }
        if name.hasSuffix("id") || name.hasSuffix("identifier") || attribute.type == .uuid { return 1 }
        if attribute.type == .string || attribute.type == .uri { return name == "name" || name == "title" ? 2 : 3 }
        return 4
    }

    private func isUnique(_ names: [String], _ entity: ResolvedEntity) throws -> Bool {
        guard let table = layout.table(ofEntity: entity.slot) else { return false }
        var columns: [String] = []
        for name in names {
            guard let attribute = entity.attribute(named: name), Self.canBeKey(attribute),
                let column = layout.column(.attribute(attribute.key))
            else { return false }
            columns.append(SQLiteIdentifier.quoted(column.name))
        }
        let numbers = entity.subtree.map { "\(layout.entityNumbers[$0])" }.joined(separator: ", ")
        let rows = "FROM \(SQLiteIdentifier.quoted(table.name)) WHERE Z_ENT IN (\(numbers))"
        // Texts that only their ends tell apart, and empty ones, are not usable as keys: imports trim and take them for
        // NULL.
        let empty = columns.map { "ifnull(trim(CAST(\($0) AS TEXT), ' \t\r\n'), '') = ''" }.joined(separator: " OR ")
        guard try store.connection.value("SELECT 1 \(rows) AND (\(empty)) LIMIT 1").isNull else { return false }
        let list = columns.joined(separator: ", ")
        return try store.connection.value(
            "SELECT 1 FROM (SELECT 1 \(rows) GROUP BY \(list) HAVING count(*) > 1 LIMIT 1)"
        ).isNull
    }

    /// A text that is in no value of an attribute, to separate values by.
    func separator(of slot: Int, _ name: String) throws -> String? {
        let entity = layout.model.entities[slot]
        guard let attribute = entity.attribute(named: name), let column = layout.column(.attribute(attribute.key)),
            let table = layout.table(ofEntity: slot)
        else { return nil }
        let (source, text) = (SQLiteIdentifier.quoted(table.name), SQLiteIdentifier.quoted(column.name))
        return try ["|", ";", "/", "~", "^"].first { candidate in
            try store.connection.value(
                "SELECT 1 FROM \(source) WHERE instr(CAST(\(text) AS TEXT), ?1) > 0 LIMIT 1",
                [.string(candidate)]
            ).isNull
        }
    }
}
