import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import SQLiteAccess
import TestSupport
import Testing

@testable import StoreFetching

/// A request to several stores gives what one store with the rows of all of them would give.
@Suite struct FetchUnionTests {
    private let samples: [OpenedSample]

    init() throws {
        samples = try [UInt64(1), 2, 3].map { try OpenedSample.fixture("Company", rows: 30, seed: $0) }
        // What only the order of the stores tells apart, what one store has alone, and NULL.
        try samples[0].change("UPDATE ZPERSON SET ZVACATIONDAYS = 7, ZRATING = 2.5 WHERE Z_PK % 3 = 0")
        try samples[1].change("UPDATE ZPERSON SET ZLASTNAME = NULL WHERE Z_PK % 4 = 0")
        try samples[2].change("UPDATE ZPERSON SET ZLASTNAME = upper(ZLASTNAME), ZBIRTHDAY = NULL WHERE Z_PK % 2 = 0")
    }

    private var stores: [FetchedStore] { samples.map { FetchedStore($0.store, $0.layout) } }

    /// The URIs of all employees, by a statement over one table with the rows of all stores.
    private func wanted(_ order: String, _ limit: Int, _ offset: Int) throws -> [String] {
        let all = try Connection(path: ":memory:", access: .create)
        try all.execute("CREATE TABLE p (store, uri, pk, lastName, days, birthday, rating)")
        let insertion = try all.prepare("INSERT INTO p VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
        for (index, sample) in samples.enumerated() {
            let rows = try sample.store.connection.rows(
                "SELECT 'x-coredata://' || Z_UUID || '/' || Z_NAME || '/p' || Z_PK, Z_PK, ZLASTNAME, ZVACATIONDAYS, "
                    + "ZBIRTHDAY, ZRATING FROM ZPERSON JOIN Z_PRIMARYKEY USING (Z_ENT), Z_METADATA "
                    + "WHERE Z_NAME IN ('Employee', 'Manager')")
            for row in rows {
                insertion.reset()
                try insertion.bind([.integer(Int64(index))] + row)
                try insertion.run()
            }
        }
        return try all.rows("SELECT uri FROM p ORDER BY \(order) LIMIT \(limit == 0 ? -1 : limit) OFFSET \(offset)")
            .compactMap { $0[0].string }
    }

    private func request(_ sort: [FetchSortDescriptor], _ limit: Int = 0, _ offset: Int = 0) -> FetchRequest {
        var request = FetchRequest(entityName: "Employee")
        request.sortDescriptors = sort
        request.fetchLimit = limit
        request.fetchOffset = offset
        return request
    }

    static let orders: [(sort: [FetchSortDescriptor], sql: String)] = [
        ([], "store, pk"),
        ([.init(keyPath: "lastName")], "lastName, store, pk"),
        (
            [.init(keyPath: "vacationDays", isAscending: false), .init(keyPath: "lastName")],
            "days DESC, lastName, store, pk"
        ),
        (
            [.init(keyPath: "birthday"), .init(keyPath: "rating", isAscending: false)],
            "birthday, rating DESC, store, pk"
        ),
    ]

    @Test(arguments: orders.indices, [(0, 0), (1, 0), (7, 3), (40, 55), (0, 100), (5, 500)])
    func resultsAreThoseOfOneTable(index: Int, part: (limit: Int, offset: Int)) throws {
        let order = Self.orders[index]
        var request = request(order.sort, part.limit, part.offset)
        request.resultType = .objectIDs
        let union = try FetchUnion(request, to: stores)
        var found: [String] = []
        while let cursor = try union.next() { found.append(cursor.statement.string(0)) }
        let wanted = try wanted(order.sql, part.limit, part.offset)
        #expect(found == wanted)
        request.resultType = .count
        let count = try FetchUnion(request, to: stores)
        let number = try count.next()?.statement.integer(0)
        #expect(number == Int64(wanted.count))
        #expect(try count.next() == nil)
    }

    /// The writers of three stores take turns within a block, and where the widths of a table are not known yet.
    @Test(arguments: RandomNumbers.limitSizes) func blocksOfAnySizeAreTheSameText(size: Int) throws {
        var request = request([.init(keyPath: "firstName"), .init(keyPath: "vacationDays")])
        request.resultType = .dictionaries
        request.propertiesToFetch = ["firstName", "SELF"].map { FetchedProperty(.keyPath($0)) }
        request.propertiesToFetch[1] = FetchedProperty(name: "object", .expression(.evaluatedObject))
        func texts(_ limits: FetchLimits) throws -> [String] {
            var texts: [String] = []
            func write<Writer: RecordWriter>(_ writer: (FetchCursor, OutputBuffer) throws -> Writer) throws {
                var bytes: [UInt8] = []
                let output = OutputBuffer(limits: limits) { bytes += $0 }
                let count = try FetchUnion(request, to: stores).writeAll { try writer($0, output) }
                #expect(count == 180)
                texts.append(String(decoding: bytes, as: UTF8.self))
            }
            try write { CSVWriter($1, for: $0) }
            try write { try JSONWriter($1, for: $0, isLines: true) }
            try write { try JSONWriter($1, for: $0, isLines: false) }
            try write { try XMLWriter($1, for: $0, elements: .init(around: ["all"], record: "one")) }
            return texts
        }
        var limits = FetchLimits()
        limits.block = size
        let small = try texts(limits)
        #expect(try small == texts(FetchLimits()))
        let uris = try samples.reduce(into: Set<String>()) { uris, sample in
            uris.formUnion(
                try sample.rows("SELECT 'x-coredata://' || Z_UUID || '/' FROM Z_METADATA"))
        }
        for uri in uris { #expect(small.allSatisfy { $0.split(separator: uri).count == 61 }) }
        #expect(small[2].hasPrefix("[\n{") && small[2].hasSuffix("}\n]\n") && !small[2].contains("}\n{"))
    }

    @Test(arguments: [2, 500]) func aTableNamesTheStores(measured: Int) throws {
        var limits = FetchLimits()
        limits.measuredRows = measured
        var request = request([.init(keyPath: "lastName")])
        request.resultType = .objectIDs
        let uuids = samples.map(\.store.metadata.uuid)
        let names = Dictionary(uniqueKeysWithValues: zip(uuids, ["A", "B", "C"]))
        var bytes: [UInt8] = []
        try FetchUnion(request, to: stores).writeAll {
            TextTableWriter(OutputBuffer(limits: limits) { bytes += $0 }, for: $0, storeNames: names)
        }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        let wanted = try wanted("lastName, store, pk", 0, 0).map { uri in
            let parts = uri.split(separator: "/").map(String.init)
            return [names[parts[1]] ?? "", parts[2], parts[3]].joined(separator: "/")
        }
        #expect(Array(lines.dropFirst(2)) == wanted)
    }

    /// Objects of the other stores have IDs, and are not this store's.
    @Test func objectsAreTheirStoresOwn() throws {
        let uris = try samples.map { try $0.values(id(of: 5, in: $0))[0][0].string ?? "" }
        var request = FetchRequest(entityName: "Employee", predicate: try Predicate(format: "SELF == '\(uris[1])'"))
        request.resultType = .objectIDs
        #expect(try found(request) == [uris[1]])
        #expect(
            try found(FetchRequest(objectIDs: [uris[2], uris[0]], entityName: nil, in: stores)) == [uris[0], uris[2]])
        request.predicate = try Predicate(format: "SELF != '\(uris[1])'")
        request.resultType = .count
        #expect(try FetchUnion(request, to: stores).next()?.statement.integer(0) == 179)
        #expect(throws: EvaluationError.self) {
            try FetchUnion(
                FetchRequest(
                    entityName: "Employee", predicate: Predicate(format: "SELF == 'x-coredata://A/Employee/p1'")),
                to: stores)
        }
    }

    private func id(of days: Int, in sample: OpenedSample) -> FetchRequest {
        var request = FetchRequest(entityName: "Employee")
        request.fetchOffset = days
        request.fetchLimit = 1
        request.resultType = .objectIDs
        return request
    }

    private func found(_ original: FetchRequest) throws -> [String] {
        var request = original
        request.resultType = .objectIDs
        let union = try FetchUnion(request, to: stores)
        var found: [String] = []
        while let cursor = try union.next() { found.append(cursor.statement.string(0)) }
        return found
    }

    @Test func groupsAreOfOneStore() throws {
        var request = FetchRequest(entityName: "Employee")
        request.resultType = .dictionaries
        request.propertiesToGroupBy = [.keyPath("lastName")]
        #expect(throws: FetchError(.notOverStores("groups and aggregates"))) {
            try FetchUnion(request, to: stores)
        }
        #expect(try FetchUnion(request, to: [stores[0]]).next() != nil)
    }

    /// As ORDER BY has them.
    @Test func valuesHaveTheOrderOfSQLite() throws {
        let connection = try Connection(path: ":memory:", access: .create)
        let literals = [
            "NULL", "0", "-0.0", "1", "0.5", "-0.5", "9007199254740993", "9007199254740992.0", "9223372036854775807",
            "9223372036854775807.0", "-9223372036854775808", "-9223372036854775808.0", "1e308", "9e999", "-9e999", "''",
            "'a'", "'b'", "'aa'", "'é'", "'𝄞'", "'~'", "x''", "x'00'", "x'ff'", "x'0001'",
        ]
        let values = try literals.map { try connection.value("SELECT \($0)") }
        for (left, value) in zip(literals, values) {
            for (right, other) in zip(literals, values) {
                // Of values that are neither before the other.
                let first = try connection.value(
                    "SELECT group_concat(n) FROM (SELECT n FROM (SELECT 1 AS n, \(left) AS v UNION ALL SELECT 2, \(right)) "
                        + "ORDER BY v DESC, n)")
                let second = try connection.value(
                    "SELECT group_concat(n) FROM (SELECT n FROM (SELECT 1 AS n, \(left) AS v UNION ALL SELECT 2, \(right)) "
                        + "ORDER BY v, n)")
                let wanted = second.string == "2,1" ? 1 : first.string == "2,1" ? -1 : 0
                #expect(value.sortOrder(to: other).signum() == wanted, "\(left) \(right)")
            }
        }
    }
}

extension OpenedSample {
    /// Changes the store by statements, over a connection of their own.
    fileprivate func change(_ sql: String) throws {
        try Connection(path: store.files.path, access: .readWrite).execute(sql)
    }
}
