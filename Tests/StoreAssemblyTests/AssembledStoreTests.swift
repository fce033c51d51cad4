import SQLiteAccess
import SQLiteFileBuilder
import TestSupport
import Testing
import Threading

@testable import StoreAssembly

/// Random objects with keys, links by key, and what is only named: the built tables are those of a plain model.
@Suite struct AssembledStoreTests {
    private struct Row {
        var key: Int64?
        var value: Int64
        /// What the row says of the link: nil for nothing.
        var link: Int64?
        var isCreating = false
        var isRequired = false
    }

    private final class Client: AssemblyClient {
        var absent = 0
        var rejected = 0

        func absent(_ payload: Span<UInt8>, owner: Int64) throws { absent += 1 }
        func rejected(_ payload: Span<UInt8>, isMatch: Bool) throws { rejected += 1 }
        func checkpoint() throws {}
    }

    private static func bytes(of number: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> Int64($0 * 8)) }
    }

    /// What must come of the rows: by key, value and link; and rows without a key.
    private static func plain(_ rows: [Row], _ rule: ObjectForm.MatchRule) -> (objects: [String], rejected: Int) {
        var isRejected = [Bool](repeating: false, count: rows.count)
        while true {
            var order: [Int64] = []
            var values: [Int64: Int64] = [:]
            var links: [Int64: Int64] = [:]
            var loose: [String] = []
            let accepted = rows.indices.filter { !isRejected[$0] }
            for index in accepted {
                let row = rows[index]
                if row.isCreating, let link = row.link, !order.contains(link) { order.append(link) }
                if let key = row.key, !order.contains(key) { order.append(key) }
            }
            let failing = accepted.filter { index in
                guard rows[index].isRequired, let link = rows[index].link else { return false }
                return !order.contains(link)
            }
            if !failing.isEmpty {
                for index in failing { isRejected[index] = true }
                continue
            }
            // A creation is first where it is named first.
            var made = Set<Int64>()
            for index in accepted {
                let row = rows[index]
                if row.isCreating, let link = row.link { made.insert(link) }
                let target = row.link.flatMap { order.contains($0) ? $0 : nil }
                guard let key = row.key else {
                    loose.append("\(row.value)|\(target.map { "\($0)" } ?? "-")")
                    continue
                }
                let isFirst = made.insert(key).inserted
                if isFirst || rule == .update {
                    values[key] = row.value
                    links[key] = target
                } else if rule == .fill {
                    values[key] = values[key] ?? row.value
                    links[key] = links[key] ?? target
                }
            }
            let keyed = order.map { key in
                "\(key)|\(values[key].map { "\($0)" } ?? "-")|\(links[key].map { "\($0)" } ?? "-")"
            }
            return (keyed.sorted() + loose.sorted(), isRejected.filter { $0 }.count)
        }
    }

    private func assemble(_ rows: [Row], _ rule: ObjectForm.MatchRule, _ limits: AssemblyLimits) throws -> (
        objects: [String], rejected: Int, file: [[SQLiteValue]]
    ) {
        let directory = try TemporaryDirectory()
        let path = directory.file("assembled.sqlite")
        let connection = try Connection(path: path, access: .create)
        defer { try? connection.close() }
        try connection.execute(
            """
            CREATE TABLE thing (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, key INTEGER, value INTEGER, \
            link INTEGER); CREATE TABLE other (a TEXT); INSERT INTO other VALUES ('kept'); BEGIN
            """)
        let rebuild = try DatabaseRebuild.begin(
            connection, indexes: ["CREATE UNIQUE INDEX keys ON thing (key)", "CREATE INDEX links ON thing (link)"])
        let assembly = try StoreAssembly(rebuild, limits: limits)
        let table = try assembly.table("thing")
        let keys = try assembly.keySpace(of: table, .identity)
        let link = table.link(column: 5, entityColumn: nil, to: table, entity: 1)
        _ = table.begin(ObjectForm(columns: [4], links: [link], onMatch: rule))
        func begin(_ key: Int64?, _ value: Int64?) throws {
            table.builder.beginRow()
            for cell in [nil, 1, 1, key, value, nil] as [Int64?] {
                if let cell { table.builder.append(cell) } else { table.builder.appendNull() }
            }
        }
        for row in rows {
            if row.isCreating, let target = row.link {
                try begin(target, nil)
                let digest = assembly.digester.digest(of: Self.bytes(of: target).span)
                _ = try table.builder.withEncodedRow { (bytes) throws(BuildError) in
                    try keys.reserve(digest, row: bytes)
                }
            }
            let arrival = table.next
            try begin(row.key, row.value)
            try table.builder.endRow(arrival)
            table.take(upTo: arrival + 1)
            if let key = row.key {
                try keys.add(assembly.digester.digest(of: Self.bytes(of: key).span), row: arrival)
            }
            guard let target = row.link else { continue }
            try keys.refer(
                assembly.digester.digest(of: Self.bytes(of: target).span),
                from: LinkEnd(table, arrival: arrival, link: link, isRequired: row.isRequired, before: arrival),
                payload: Self.bytes(of: target).span)
        }
        let client = Client()
        try assembly.settle(client)
        try rebuild.finish()
        try connection.execute("COMMIT")
        #expect(try connection.rows("PRAGMA integrity_check") == [["ok"]])
        #expect(try connection.rows("SELECT * FROM other") == [["kept"]])
        let count = try connection.value("SELECT count(*) FROM thing").integer
        #expect(try connection.value("SELECT ifnull(max(Z_PK), 0) FROM thing").integer == count)
        #expect(table.objectCount == count)
        func lines(_ sql: String) throws -> [String] {
            try connection.rows(sql).map { row in
                row.map { $0.integer.map { "\($0)" } ?? "-" }.joined(separator: "|")
            }.sorted()
        }
        let objects =
            try lines(
                "SELECT t.key, t.value, o.key FROM thing t LEFT JOIN thing o ON o.Z_PK = t.link WHERE t.key IS NOT NULL"
            )
            + lines("SELECT t.value, o.key FROM thing t LEFT JOIN thing o ON o.Z_PK = t.link WHERE t.key IS NULL")
        return (objects, client.rejected, try connection.rows("SELECT * FROM thing ORDER BY Z_PK"))
    }

    private static func rows(_ random: inout RandomNumbers) -> [Row] {
        let keys = [3, 20, 500].randomElement(using: &random) ?? 20
        let hasRequirements = Bool.random(using: &random)
        return (0..<Int.random(in: 0..<60, using: &random)).map { index in
            var row = Row(key: Int64.random(in: 0..<Int64(keys), using: &random), value: Int64(index % 7))
            if index % 9 == 8 { row.key = nil }
            guard index % 3 > 0 else { return row }
            row.link = Int64.random(in: 0..<Int64(keys), using: &random)
            if hasRequirements { row.isRequired = index % 2 == 0 } else { row.isCreating = index % 4 == 1 }
            return row
        }
    }

    /// Rows of many entities with one key are told apart, and so are links to them. A row that names the key before the row
    /// with it has come is rejected if the destination must be there, whatever else it lacks.
    @Test(arguments: [1, 2, 1000])
    func rowsOfManyEntitiesAreToldApart(keysInMemory: Int) throws {
        let directory = try TemporaryDirectory()
        let connection = try Connection(path: directory.file("entities.sqlite"), access: .create)
        defer { try? connection.close() }
        let columns = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, link INTEGER, mark INTEGER"
        try connection.execute("CREATE TABLE thing (\(columns)); BEGIN")
        let rebuild = try DatabaseRebuild.begin(connection, indexes: [])
        var limits = AssemblyLimits()
        limits.keysInMemory = keysInMemory
        let assembly = try StoreAssembly(rebuild, limits: limits)
        let table = try assembly.table("thing")
        let count = 1100
        let keys = try assembly.keySpace(
            of: table, .identity, finds: (0..<count).map { one in (0..<count).map { $0 == one } },
            numbers: (0..<count).map { Int64($0) })
        let link = table.link(column: 3, entityColumn: nil, to: table, entity: 1)
        _ = table.begin(ObjectForm(columns: [], links: [link], onMatch: .update))
        func digest(_ key: Int64) -> KeyDigest { assembly.digester.digest(of: Self.bytes(of: key).span) }
        func append(entity: Int, mark: Int? = nil) throws -> Int64 {
            let arrival = table.next
            table.builder.beginRow()
            table.builder.appendNull()
            table.builder.append(Int64(entity))
            table.builder.append(Int64(1))
            table.builder.appendNull()
            if let mark { table.builder.append(Int64(mark)) } else { table.builder.appendNull() }
            try table.builder.endRow(arrival)
            table.take(upTo: arrival + 1)
            return arrival
        }
        let entities = [0, 1, 1023, 1024, 1025, count - 2]
        for entity in entities {
            let arrival = try append(entity: entity)
            try keys.add(digest(7), row: arrival, entity: entity)
            // Its own row has come, the next one's has not.
            let named = [(entity, true, 2 * entity), (entity + 1, false, 2 * entity + 1), (entity + 1, true, -1)]
            for (other, needsEarlier, mark) in named {
                let owner = try append(entity: 0, mark: mark)
                let end = LinkEnd(
                    table, arrival: owner, link: link, isRequired: needsEarlier, needsEarlier: needsEarlier,
                    before: owner)
                let payload = Self.bytes(of: owner)
                try keys.refer(digest(7), as: other, from: end, payload: payload.span)
                if mark < 0 { try keys.add(digest(-owner), conditionalRow: owner, payload: payload.span) }
            }
        }
        let client = Client()
        try assembly.settle(client)
        try rebuild.finish()
        try connection.execute("COMMIT")
        let found = try connection.rows(
            """
            SELECT t.mark, o.Z_ENT FROM thing t LEFT JOIN thing o ON o.Z_PK = t.link WHERE t.mark IS NOT NULL ORDER BY 1
            """
        ).map { $0.map { $0.integer ?? -1 } }
        let expected = entities.flatMap { entity -> [[Int64]] in
            let next = entities.contains(entity + 1) ? entity + 1 : -1
            return [[Int64(2 * entity), Int64(entity)], [Int64(2 * entity + 1), Int64(next)]]
        }
        #expect(found == expected)
        #expect(client.rejected == entities.count && client.absent == entities.count { !entities.contains($0 + 1) })
    }

    @Test func tablesWithLinksToThemselvesAndToEachOtherAreReleased() throws {
        let directory = try TemporaryDirectory()
        weak var released: AssembledTable?
        do {
            let connection = try Connection(path: directory.file("assembled.sqlite"), access: .create)
            defer { try? connection.close() }
            try connection.execute(
                "CREATE TABLE a (Z_PK INTEGER PRIMARY KEY, a, b); CREATE TABLE b (Z_PK INTEGER PRIMARY KEY, a); BEGIN")
            let assembly = try StoreAssembly(try DatabaseRebuild.begin(connection, indexes: []))
            let tables = (try assembly.table("a"), try assembly.table("b"))
            _ = tables.0.link(column: 1, entityColumn: nil, to: tables.0, entity: 1)
            _ = tables.0.link(column: 2, entityColumn: nil, to: tables.1, entity: 2)
            _ = tables.1.link(column: 1, entityColumn: nil, to: tables.0, entity: 1)
            released = tables.0
            #expect(released != nil)
        }
        #expect(released == nil)
    }

    @Test func withoutOtherThreadsTheFileIsTheSame() throws {
        for seed in RandomNumbers.seeds(20) {
            var random = RandomNumbers(seed: UInt64(seed))
            // Each key has one row, and rows change in their links only.
            let rows = (0..<50).map { index in
                Row(key: Int64(index), value: 1, link: index % 4 == 0 ? nil : Int64.random(in: 0..<60, using: &random))
            }
            var limits = AssemblyLimits()
            limits.linkedRows = 7
            let found = try assemble(rows, .update, limits)
            let alone = try WorkerThread.$isRefused.withValue(true) { try assemble(rows, .update, limits) }
            #expect(alone.file == found.file)
            #expect(found.objects == Self.plain(rows, .update).objects)
        }
    }

    @Test(arguments: [1, 2, 3, 7, 1000])
    func objectsAreThoseOfThePlainModelWhateverTheLimits(size: Int) throws {
        for seed in RandomNumbers.seeds(60) {
            var random = RandomNumbers(seed: UInt64(size * 1000 + seed))
            let rows = Self.rows(&random)
            let rule = [ObjectForm.MatchRule.update, .fill, .skip].randomElement(using: &random) ?? .update
            var limits = AssemblyLimits()
            limits.keysInMemory = size
            limits.entriesPerPart = size
            limits.waitingEntries = size
            // On this thread, or on another one.
            limits.entriesAside = seed % 2 * size
            limits.sortMemory = size * 40
            limits.linkedRows = size
            limits.linkedBytes = seed % 3 * 100
            let (plain, rejected) = Self.plain(rows, rule)
            let found = try assemble(rows, rule, limits)
            try #require(found.objects == plain, "seed \(seed), \(rule)\n\(rows)")
            try #require(found.rejected == rejected, "seed \(seed)")
            // Secret numbers and limits show in nothing.
            #expect(try assemble(rows, rule, AssemblyLimits()).file == found.file)
        }
    }
}
