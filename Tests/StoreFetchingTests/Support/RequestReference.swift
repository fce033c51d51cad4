import ManagedObjectModels
import PredicateExpressions
import SQLiteAccess
import StoreFetching

/// What a request must give, computed in Swift of all objects with their values.
struct RequestReference {
    private let request: FetchRequest
    private let sample: OpenedSample

    init(_ request: FetchRequest, _ sample: OpenedSample) {
        self.request = request
        self.sample = sample
    }

    func lines() throws -> [String] {
        let isGrouped = !request.propertiesToGroupBy.isEmpty || request.propertiesToFetch.contains(where: \.isOfGroup)
        var names =
            isGrouped
            ? request.propertiesToGroupBy.map(\.format) : request.propertiesToFetch.map(\.name)
        var rows: [[SQLiteValue]]
        if isGrouped {
            (names, rows) = try groups(names)
        } else {
            rows = try values(names)
            if request.returnsDistinctResults {
                var known = Set<[SQLiteValue]>()
                rows = rows.filter { known.insert($0).inserted }.sorted { Self.isBefore($0, $1) }
            }
        }
        let columns = request.sortDescriptors.compactMap { descriptor in
            names.firstIndex(of: descriptor.keyPath).map { ($0, descriptor.isAscending) }
        }
        // A stable sort: what is equal stays in its order.
        let sorted = rows.enumerated().sorted { first, second in
            for (column, isAscending) in columns {
                let order = Self.order(first.element[column], second.element[column])
                if order != 0 { return isAscending ? order < 0 : order > 0 }
            }
            return first.offset < second.offset
        }.map(\.element)
        var cut = Array(sorted.dropFirst(request.fetchOffset))
        if request.fetchLimit > 0 { cut = Array(cut.prefix(request.fetchLimit)) }
        return try cut.map(line)
    }

    /// The values of key paths for all objects, in the order of the primary keys; the predicate is evaluated in Swift.
    private func values(_ names: [String]) throws -> [[SQLiteValue]] {
        var plain = FetchRequest(entityName: request.entityName, predicate: request.predicate)
        plain.includesSubentities = request.includesSubentities
        plain.resultType = .dictionaries
        plain.propertiesToFetch = names.map { FetchedProperty(.keyPath($0)) }
        let cursor = try FetchCursor(sample.plan(plain, .inSwift), store: sample.store, layout: sample.layout)
        var rows: [[SQLiteValue]] = []
        while try cursor.next() { rows.append(names.indices.map { cursor.statement.value(Int32($0)) }) }
        return rows
    }

    private func groups(_ keys: [String]) throws -> ([String], [[SQLiteValue]]) {
        let attributes = request.propertiesToFetch.compactMap(\.aggregatedPath)
        let names = keys + attributes.prefix(1)
        var groups: [[SQLiteValue]: [[SQLiteValue]]] = [:]
        for row in try values(names) { groups[Array(row.prefix(keys.count)), default: []].append(row) }
        if keys.isEmpty, groups.isEmpty { groups[[]] = [] }
        var rows: [[SQLiteValue]] = []
        for key in groups.keys.sorted(by: { Self.isBefore($0, $1) }) {
            let members = groups[key] ?? []
            if request.havingPredicate != nil, members.count <= 1 { continue }
            var row = key + [.integer(Int64(members.count))]
            if !attributes.isEmpty {
                let numbers = members.compactMap { $0[keys.count].integer }
                row.append(.integer(numbers.reduce(0, +)))
                row.append(numbers.min().map { .integer($0) } ?? .null)
                row.append(numbers.max().map { .integer($0) } ?? .null)
            }
            rows.append(row)
        }
        return (keys + ["count"], rows)
    }

    // MARK: SQLite's order

    private static func isBefore(_ first: [SQLiteValue], _ second: [SQLiteValue]) -> Bool {
        for (one, other) in zip(first, second) {
            let order = order(one, other)
            if order != 0 { return order < 0 }
        }
        return false
    }

    /// NULL, then numbers, then texts by their bytes.
    private static func order(_ first: SQLiteValue, _ second: SQLiteValue) -> Int {
        func rank(_ value: SQLiteValue) -> Int { value.isNull ? 0 : value.real != nil ? 1 : 2 }
        guard rank(first) == rank(second) else { return rank(first) - rank(second) }
        if let one = first.integer, let other = second.integer { return one < other ? -1 : one == other ? 0 : 1 }
        if let one = first.real, let other = second.real { return one < other ? -1 : one == other ? 0 : 1 }
        guard case .text(let one) = first, case .text(let other) = second else { return 0 }
        return one == other ? 0 : one.lexicographicallyPrecedes(other) ? -1 : 1
    }

    private func line(_ row: [SQLiteValue]) throws -> String {
        "\(row)"
    }
}

extension FetchedProperty {
    fileprivate var isOfGroup: Bool {
        if case .aggregate = content { true } else { false }
    }

    fileprivate var aggregatedPath: String? {
        if case .aggregate(_, of: .keyPath(.evaluatedObject, let path)) = content { path } else { nil }
    }
}
