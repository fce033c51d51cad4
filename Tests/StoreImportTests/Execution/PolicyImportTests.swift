import ImportMappings
import ImportTestSupport
import PersistentStores
import RecordSources
import StoreImport
import TestSupport
import Testing

/// What becomes of objects that are there and of records without one, in all combinations, against a model of the
/// rules.
@Suite struct PolicyImportTests {
    private struct Item: Equatable {
        var name: String?
        var note: String?
    }

    private struct Outcome: Equatable {
        var items: [String: Item] = [:]
        /// Inserted, updated, unchanged, skipped, rejected.
        var counts: [Int64] = [0, 0, 0, 0, 0]

        mutating func take(_ code: String, _ record: Item, _ match: MatchPolicy, _ missing: MissingPolicy) {
            guard let item = items[code] else {
                switch missing {
                case .create:
                    items[code] = record
                    counts[0] += 1
                case .skip: counts[3] += 1
                case .error: counts[4] += 1
                }
                return
            }
            switch match {
            case .skip: counts[3] += 1
            case .error: counts[4] += 1
            case .update, .fill:
                let filled = Item(name: item.name ?? record.name, note: item.note ?? record.note)
                let changed = match == .update ? record : filled
                items[code] = changed
                counts[changed == item ? 2 : 1] += 1
            }
        }
    }

    private static let records: [(code: String, item: Item)] = [
        ("a", Item(name: "new", note: "x")), ("b", Item(name: "new", note: nil)), ("c", Item(name: "same", note: "s")),
        ("b", Item(name: "later", note: "y")), ("d", Item(name: nil, note: "z")), ("a", Item(name: "last", note: "x")),
        ("d", Item(name: nil, note: "z")), ("b", Item(name: "later", note: "y")),
    ]

    @Test(
        .long,
        arguments: MatchPolicy.allCases.flatMap { match in MissingPolicy.allCases.map { (match, $0) } }, [true, false])
    func eachCombinationDoesWhatTheRulesSayWhateverTheBatches(
        policies: (MatchPolicy, MissingPolicy), hasStore: Bool
    ) throws {
        let (match, missing) = policies
        var expected = Outcome()
        if hasStore { expected.items = ["a": Item(name: "old", note: nil), "c": Item(name: "same", note: "s")] }
        for (code, item) in Self.records { expected.take(code, item, match, missing) }
        for rows in [1, 3, 1000] {
            let fixture = try ImportFixture(
                entities: DraftFixture.entity("Item", "code", "name", "note", more: DraftFixture.unique("code")))
            if hasStore {
                try fixture.run(
                    [try fixture.write("code,name,note\na,old,\nc,same,s\n", as: "old.csv")],
                    .mapping(try ImportMapping(yaml: Self.mapping(.update, .create))))
            }
            let lines = Self.records.map { "\($0.code),\($0.item.name ?? ""),\($0.item.note ?? "")\n" }
            let report = try fixture.run(
                [try fixture.write("code,name,note\n" + lines.joined(), as: "items.csv")],
                .mapping(try ImportMapping(yaml: Self.mapping(match, missing))),
                options: ImportOptions(limits: RecordBatch.Limits(rows: rows)))
            let entity = report.entities.first { $0.entity == "Item" } ?? ImportReport.EntityReport(entity: "Item")
            var found = Outcome()
            found.counts = [entity.inserted, entity.updated, entity.unchanged, entity.skipped, report.rejected]
            for row in try fixture.rows("SELECT ZCODE, ifnull(ZNAME, ''), ifnull(ZNOTE, '') FROM ZITEM") {
                let values = row.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
                found.items[values[0]] = Item(
                    name: values[1].isEmpty ? nil : values[1], note: values[2].isEmpty ? nil : values[2])
            }
            #expect(found == expected, "\(rows) rows a batch")
        }
    }

    /// Records that leave fields out say nothing of them: what one of a batch does not mention a later one still fills.
    @Test(arguments: [1, 2, 3, 7, 1000])
    func recordsWithoutSomeFieldsFillWhatIsEmpty(rows: Int) throws {
        for seed in RandomNumbers.seeds(40) {
            var random = RandomNumbers(seed: UInt64(rows * 1000 + seed))
            func value() -> String? { ["x", "y", nil].randomElement(using: &random) ?? nil }
            var items: [String: Item] = [:]
            var counts: [Int64] = [0, 0, 0]
            func text(_ fields: [(String, String??)]) -> String {
                "{"
                    + fields.compactMap { name, value in
                        value.map { "\"\(name)\": " + ($0.map { "\"\($0)\"" } ?? "null") }
                    }.joined(separator: ", ") + "}\n"
            }
            func records(_ count: Int) -> String {
                (0..<count).map { _ in
                    let code = ["a", "b", "c", "d", "e", "f"].randomElement(using: &random) ?? "a"
                    let name: String?? = Bool.random(using: &random) ? .some(value()) : nil
                    let note: String?? = Bool.random(using: &random) ? .some(value()) : nil
                    let old = items[code]
                    let new = Item(name: old?.name ?? name ?? nil, note: old?.note ?? note ?? nil)
                    counts[old == nil ? 0 : old == new ? 2 : 1] += 1
                    items[code] = new
                    return text([("code", code), ("name", name), ("note", note)])
                }.joined()
            }
            let fixture = try ImportFixture(
                entities: DraftFixture.entity("Item", "code", "name", "note", more: DraftFixture.unique("code")))
            let mapping = try ImportMapping(
                yaml: """
                    import: 1
                    entity: Item
                    key: code
                    onMatch: fill
                    attributes: [code, name, note]
                    """)
            var found: [Int64] = [0, 0, 0]
            for part in 0..<2 {
                var options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
                // The second time the store is there.
                options.writer = seed.isMultiple(of: 2) || part == 1 ? .sqlite : .auto
                let source = try fixture.write(records(Int.random(in: 0..<20, using: &random)), as: "\(part).json")
                let report = try fixture.run([source], .mapping(mapping), options: options)
                for entity in report.entities {
                    found[0] += entity.inserted
                    found[1] += entity.updated
                    found[2] += entity.unchanged
                }
            }
            let expected = items.sorted { $0.key < $1.key }.map { "\($0)|\($1.name ?? "NULL")|\($1.note ?? "NULL")" }
            let stored = try fixture.rows("SELECT ZCODE, ZNAME, ZNOTE FROM ZITEM ORDER BY ZCODE")
            #expect(stored == expected, "seed \(seed)")
            #expect(found == counts, "seed \(seed)")
            let raised = try fixture.rows("SELECT total(Z_OPT) - count(*) = \(counts[1]) FROM ZITEM")
            #expect(raised == ["1"], "seed \(seed)")
        }
    }

    private static func mapping(_ match: MatchPolicy, _ missing: MissingPolicy) -> String {
        """
        import: 1
        header: true
        entity: Item
        key: code
        onMatch: \(match.rawValue)
        onMissing: \(missing.rawValue)
        attributes: [code, name, note]
        """
    }

    @Test(arguments: [(1000, 1 << 20, 1), (7, 1 << 20, 15), (1000, 400, 8)])
    func aBatchIsFullByItsRecordsOrByItsBytes(rows: Int, bytes: Int, batches: Int) throws {
        let fixture = try ImportFixture(
            entities: DraftFixture.entity("Item", "code", "name", more: DraftFixture.unique("code")))
        var options = ImportOptions(limits: RecordBatch.Limits(rows: rows, bytes: bytes))
        var count = 0
        options.onCheckpoint = { if $0 == "batch imported" { count += 1 } }
        let lines = (0..<100).map { "\(1000 + $0)," + String(repeating: "n", count: 24) + "\n" }
        let source = try fixture.write("code,name\n" + lines.joined(), as: "items.csv")
        try fixture.run([source], .entity(EntityRequest(entity: "Item")), options: options)
        #expect(count == batches)
        #expect(try fixture.rows("SELECT count(*), sum(ZCODE) FROM ZITEM") == ["100|104950"])
    }
}
