import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import StoreFetching

/// The attributes that identify the objects of each entity, according to a model and the data of its stores.
struct ObjectKeys {
    private let stores: [FetchedStore]
    /// The layout of the first store; entities are numbered by its slots.
    private let layout: StoreLayout
    private var known: [Int: [String]] = [:]

    /// - Parameter stores: at least one store; together their objects must have different keys.
    init(stores: [FetchedStore]) {
        self.stores = stores
        layout = stores[0].layout
    }

    /// Returns the attributes whose values exist and differ for all objects of an entity and its subentities; empty if
    /// there are none.
    ///
    /// Uniqueness constraints are preferred, then attributes are chosen by name and type.
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
        let holders = stores.filter { $0.holds(entity.name) }
        guard !holders.isEmpty else { return false }
        for member in holders {
            guard let own = member.layout.model.entity(named: entity.name),
                try isUnique(names, own, in: member.store, member.layout)
            else { return false }
        }
        return try holders.count == 1 || isUnique(names, entity.name, over: holders)
    }

    /// Returns whether no two stores have an object with the same values. The values are sorted, so that equal ones are
    /// adjacent.
    private func isUnique(_ names: [String], _ entity: String, over stores: [FetchedStore]) throws -> Bool {
        var request = FetchRequest(entityName: entity)
        request.resultType = .dictionaries
        request.propertiesToFetch = names.map { FetchedProperty(.keyPath($0)) }
        request.sortDescriptors = names.map { FetchSortDescriptor(keyPath: $0) }
        let union = try FetchUnion(request, to: stores)
        var former: [SQLiteValue]?
        while let cursor = try union.next() {
            let values = cursor.statementColumns.map { $0.map { cursor.statement.value($0) } ?? .null }
            if values == former { return false }
            former = values
        }
        return true
    }

    private func isUnique(
        _ names: [String], _ entity: ResolvedEntity, in store: SQLiteStore, _ layout: StoreLayout
    ) throws -> Bool {
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
        // Texts that are empty, or differ only in white space at their ends, cannot be keys, because imports trim texts
        // and read empty ones as NULL.
        let empty = columns.map { "ifnull(trim(CAST(\($0) AS TEXT), ' \t\r\n'), '') = ''" }.joined(separator: " OR ")
        guard try store.connection.value("SELECT 1 \(rows) AND (\(empty)) LIMIT 1").isNull else { return false }
        let list = columns.joined(separator: ", ")
        return try store.connection.value(
            "SELECT 1 FROM (SELECT 1 \(rows) GROUP BY \(list) HAVING count(*) > 1 LIMIT 1)"
        ).isNull
    }

    /// Returns a text that occurs in no value of an attribute, as a separator of values.
    func separator(of slot: Int, _ name: String) throws -> String? {
        let entity = layout.model.entities[slot].name
        guard layout.model.entities[slot].attribute(named: name) != nil else { return nil }
        let holders = stores.filter { $0.holds(entity) }
        return try ["|", ";", "/", "~", "^"].first { candidate in
            try holders.allSatisfy { try !isPart(candidate, ofValues: name, of: entity, in: $0) }
        }
    }

    /// Returns whether any object has a text as the value of an attribute.
    func hasValue(_ text: String, of slot: Int, _ name: String) throws -> Bool {
        let entity = layout.model.entities[slot].name
        return try stores.filter { $0.holds(entity) }.contains {
            try hasValue(where: { "CAST(\($0) AS TEXT) = ?1" }, text, name, of: entity, in: $0)
        }
    }

    private func isPart(
        _ text: String, ofValues name: String, of entity: String, in member: FetchedStore
    ) throws -> Bool {
        try hasValue(where: { "instr(CAST(\($0) AS TEXT), ?1) > 0" }, text, name, of: entity, in: member)
    }

    /// - Parameter condition: returns an SQL condition on a column, with the text as its parameter.
    private func hasValue(
        where condition: (String) -> String, _ text: String, _ name: String, of entity: String,
        in member: FetchedStore
    ) throws -> Bool {
        let layout = member.layout
        guard let entity = layout.model.entity(named: entity), let attribute = entity.attribute(named: name),
            let column = layout.column(.attribute(attribute.key)), let table = layout.table(ofEntity: entity.slot)
        else { return false }
        let (source, value) = (SQLiteIdentifier.quoted(table.name), SQLiteIdentifier.quoted(column.name))
        return try !member.store.connection.value(
            "SELECT 1 FROM \(source) WHERE \(condition(value)) LIMIT 1", [.string(text)]
        ).isNull
    }
}
