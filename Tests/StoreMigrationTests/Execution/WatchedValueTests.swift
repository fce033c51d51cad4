import GeneratedStores
import ManagedObjectModels
import MappingModels
import PersistentStores
import Synchronization
import TestSupport
import Testing

@testable import StoreMigration

/// Values that are looked at as they are written come to the same as those that are looked at before: the same findings
/// in the same order, the same refusals, the same files.
@Suite struct WatchedValueTests {
    private static let names = ["Item", "Piece"]
    private static let old = names.map {
        entity(
            $0,
            [
                attribute("digits"), attribute("double", .double), attribute("medium", .integer32), attribute("name"),
                attribute("small", .integer16),
                attribute("text"), attribute("whole", .integer64),
            ])
    }
    private static let new = names.map {
        entity(
            $0,
            [
                attribute("count", .integer32), attribute("flag", .boolean), attribute("label"),
                attribute("medium", .integer32),
                attribute("name", optional: false), attribute("price", .decimal), attribute("single", .float),
                attribute("small", .integer16), attribute("sum", .double),
            ])
    }

    /// What is wrong with an object, as an assignment; each of them is a fault of some expression below.
    private static let faults = [
        "ZTEXT = 'x'", "ZTEXT = '1e300'", "ZTEXT = '2.5'", "ZDOUBLE = 1e308", "ZDOUBLE = 0.25", "ZWHOLE = 2147483647",
        "ZWHOLE = 9223372036854775807", "ZNAME = NULL", "ZSMALL = 70000", "ZSMALL = 2.5", "ZSMALL = 'y'",
        "ZMEDIUM = 2147483648", "ZMEDIUM = -2147483649", "ZSMALL = -32769",
        "ZDIGITS = '1.234567890123456789012345'",
    ]

    /// By attribute, expressions that SQL evaluates, and others that Swift does.
    private static let expressions: [(name: String, texts: [String])] = [
        ("count", ["$source.whole + 1", "CAST($source.text, 'NSNumber')", "$source.double * 2", "3.5"]),
        ("flag", ["TERNARY($source.small > 7, 1, 0)", "CAST($source.text, 'NSNumber') - 11", "$source.double - 1"]),
        ("label", ["$source.name", "TERNARY($source.whole > 100, 5, $source.text)"]),
        ("medium", ["$source.medium", "$source.whole"]),
        ("name", ["$source.name", "lowercase:($source.name)", "$source.name + '!'", "$source.text"]),
        ("price", ["CAST($source.digits, 'NSDecimalNumber')", "$source.double", "$source.whole"]),
        ("single", ["$source.double * 2", "CAST($source.text, 'NSNumber') * 2"]),
        ("small", ["$source.small", "$source.whole", "$source.small * 3"]),
        ("sum", ["$source.double * 10", "CAST($source.text, 'NSNumber') * 1", "$source.whole"]),
    ]

    private static func mapping(_ choose: (String, [String]) -> String) -> MappingModel {
        MappingModel(
            entityMappings: names.map { entity in
                EntityMapping(
                    name: entity + "s", type: .undefined, sourceEntityName: entity, destinationEntityName: entity,
                    attributeMappings: expressions.map {
                        PropertyMapping(name: $0.name, valueExpression: choose($0.name, $0.texts))
                    })
            })
    }

    private static func rows(_ keys: [Int64], of number: Int) -> String {
        keys.map { key in
            "INSERT INTO Z\(names[number].uppercased()) (Z_PK, Z_ENT, Z_OPT, ZDIGITS, ZDOUBLE, ZNAME, ZSMALL, ZTEXT, "
                + "ZWHOLE) VALUES (\(key), \(number + 1), 1, '1.5', 1.5, 'n\(key)', 7, '12', 5);\n"
        }.joined()
    }

    private static func fault(_ assignment: String, at key: Int64, of number: Int) -> String {
        "UPDATE Z\(names[number].uppercased()) SET \(assignment) WHERE Z_PK = \(key);\n"
    }

    private static func plan(
        _ store: TestStore, _ mapping: MappingModel, _ invalid: InvalidObjectPolicy, to path: String, looksAhead: Bool
    ) throws -> MigrationPlan {
        var options = MigrationPlanner.Options(placement: .output(path))
        options.mapping =
            MappingCompletion(
                source: store.source.model, destination: store.destination.model, sourceHashes: store.source.hashes,
                destinationHashes: store.destination.hashes
            ).completed(mapping)
        options.invalidObjects = invalid
        options.looksAhead = looksAhead
        return try MigrationPlanner(
            store: SQLiteStore(path: store.path), from: store.source, to: store.destination, options: options
        ).plan()
    }

    private static func execute(
        _ plan: MigrationPlan, of store: TestStore, _ options: MigrationOptions
    ) throws -> MigrationReport {
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
        return try MigrationManager(options: options).execute(plan, unchangedSince: fingerprint)
    }

    /// Migrates with values looked at before and meanwhile, and compares.
    private static func compare(
        _ store: TestStore, _ mapping: MappingModel, _ invalid: InvalidObjectPolicy, _ options: MigrationOptions,
        _ context: String
    ) throws {
        let (first, second) = (store.directory.file("first.sqlite"), store.directory.file("second.sqlite"))
        let ahead = try plan(store, mapping, invalid, to: first, looksAhead: true)
        let watching = try plan(store, mapping, invalid, to: second, looksAhead: false)
        let before = try FolderState(of: store.directory.path)
        let found = Result { try execute(watching, of: store, options) }
        let changed = try FolderState(of: store.directory.path).byteDifferences(from: before)
        try #require(changed.allSatisfy { $0 == "second.sqlite" }, "\(changed)\n\(context)")
        if ahead.isRefused {
            let error = try #require(#expect(throws: MigrationError.self) { _ = try found.get() }, "\(context)")
            try #require(error.code == .refused(ahead.findings), "\(error)\n\(context)")
            try #require(watching.isRefused || error.plan?.findings == ahead.findings, "\(context)")
            try #require(!FileSystem.exists(second), "\(context)")
            return
        }
        let wanted = Result { try execute(ahead, of: store, options) }
        switch (wanted, found) {
        case (.success(let wanted), .success(let found)):
            try #require(wanted.findings == found.findings, "\(context)")
            try #require(wanted.entities.map(\.written) == found.entities.map(\.written), "\(context)")
            try #require(try databaseContent(first) == databaseContent(second), "\(context)")
        case (.failure(let wanted as MigrationError), .failure(let found as MigrationError)):
            try #require(wanted.code == found.code, "\(wanted)\n\(found)\n\(context)")
            try #require((found.plan ?? watching).findings == ahead.findings, "\(context)")
            try #require(!FileSystem.exists(second), "\(context)")
        default: Issue.record("\(wanted)\n\(found)\n\(context)")
        }
    }

    private func check(seed: UInt64, size: Int?) throws {
        var random = RandomNumbers(seed: seed)
        let mapping = Self.mapping { _, texts in texts.randomElement(using: &random) ?? "" }
        var rows = ""
        for number in Self.names.indices {
            let keys = (1...Int64(30)).filter { _ in Int.random(in: 0..<4, using: &random) > 0 }.map { $0 * 2 }
            rows += Self.rows(keys, of: number)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                if let key = keys.randomElement(using: &random), let fault = Self.faults.randomElement(using: &random) {
                    rows += Self.fault(fault, at: key, of: number)
                }
            }
        }
        let options = MigrationOptions.limited(size, &random)
        let invalid: InvalidObjectPolicy = Bool.random(using: &random) ? .refuse : .report
        try Self.compare(
            TestStore(from: Self.old, to: Self.new, rows: rows), mapping, invalid, options,
            "seed \(seed), \(invalid), \(options.writer), \(options.readers), \(rows.suffix(300))")
    }

    @Test(arguments: RandomNumbers.limitSizes, RandomNumbers.seeds(40))
    func theFindingsAreTheSameWithAllLimitsOfOneSize(size: Int, seed: Int) throws {
        try check(seed: UInt64(size * 1000 + seed), size: size)
    }

    @Test(arguments: RandomNumbers.seeds(80))
    func theFindingsAreTheSameWithLimitsOfSeveralSizes(seed: Int) throws {
        try check(seed: UInt64(100_000 + seed), size: nil)
    }

    // MARK: - One fault

    struct Case: Sendable, CustomTestStringConvertible {
        let attribute: String
        let expression: String
        let fault: String
        let code: String
        var severity = MigrationFinding.Severity.error
        var testDescription: String { "\(attribute): \(expression), \(fault)" }
    }

    /// In the middle of a table, behind windows that are written already: nothing is left of them.
    @Test(
        arguments: [
            Case(
                attribute: "sum", expression: "CAST($source.text, 'NSNumber') * 2", fault: "ZTEXT = 'x'",
                code: "expression-fails"),
            Case(
                attribute: "count", expression: "$source.whole + 1", fault: "ZWHOLE = 9223372036854775807",
                code: "expression-fails"),
            Case(
                attribute: "count", expression: "CAST($source.text, 'NSNumber')", fault: "ZTEXT = '2147483648'",
                code: "value-out-of-range"),
            Case(
                attribute: "count", expression: "$source.whole + 1", fault: "ZWHOLE = 2147483647",
                code: "value-out-of-range"),
            Case(
                attribute: "single", expression: "$source.double * 2", fault: "ZDOUBLE = 1e308",
                code: "value-out-of-range"),
            Case(
                attribute: "small", expression: "$source.small", fault: "ZSMALL = 32768", code: "value-out-of-range"),
            Case(
                attribute: "medium", expression: "$source.medium", fault: "ZMEDIUM = -2147483649",
                code: "value-out-of-range"),
            Case(
                attribute: "name", expression: "$source.name", fault: "ZNAME = NULL",
                code: "missing-required-value"),
            Case(
                attribute: "name", expression: "lowercase:($source.name)", fault: "ZNAME = NULL",
                code: "missing-required-value"),
            Case(
                attribute: "count", expression: "CAST($source.text, 'NSNumber')", fault: "ZTEXT = '2.5'",
                code: "number-narrowed", severity: .warning),
            Case(
                attribute: "price", expression: "CAST($source.digits, 'NSDecimalNumber')",
                fault: "ZDIGITS = '1.234567890123456789012345'", code: "decimal-rounded", severity: .warning),
        ], [1, 2, 3, 4])
    func aFaultInTheMiddleIsFound(example: Case, readers: Int) throws {
        let store = try TestStore(
            from: Self.old, to: Self.new,
            rows: Self.rows(Array(1...60), of: 0) + Self.rows(Array(1...3), of: 1)
                + Self.fault(example.fault, at: 41, of: 0))
        let mapping = Self.mapping { name, _ in
            name == example.attribute ? example.expression : name == "name" ? "'fixed'" : "NULL"
        }
        let path = store.directory.file("new.sqlite")
        let plan = try Self.plan(store, mapping, .refuse, to: path, looksAhead: false)
        #expect(plan.findings.allSatisfy { $0.severity == .note })
        let rows = RowCounter()
        var options = MigrationOptions(limits: BatchLimits(rows: 3), onProgress: { rows.note($0.rowsDone) })
        options.readers = readers
        options.writer = .builder
        options.fixedLimits.block.rows = 2
        options.fixedLimits.windowsWorthThreads = 1
        let before = try FolderState(of: store.directory.path)
        let found: [MigrationFinding]
        if example.severity == .error {
            let error = #expect(throws: MigrationError.self) { _ = try Self.execute(plan, of: store, options) }
            guard case .refused(let findings) = error?.code else {
                Issue.record("\(String(describing: error))")
                return
            }
            found = findings.filter { $0.severity != .note }
            // What comes before was written.
            #expect(rows.most > 0 && rows.most < 60)
        } else {
            found = try Self.execute(plan, of: store, options).findings.filter { $0.severity != .note }
            #expect(try store.rows("SELECT count(*) FROM ZITEM", at: path) == ["60"])
        }
        let changed = try FolderState(of: store.directory.path).byteDifferences(from: before)
        #expect(changed == (example.severity == .error ? [] : ["new.sqlite"]))
        #expect(found.map(\.code) == [example.code] && found.map(\.severity) == [example.severity])
        #expect(found.map(\.examples) == [["x-coredata://\(TestStore.uuid)/Item/p41"]])
    }

    /// Where every value is as it should be, the source is not asked again, also at the bounds of the types.
    @Test(arguments: [
        ("ZSMALL = 32767, ZMEDIUM = 2147483647", false), ("ZSMALL = -32768, ZMEDIUM = -2147483648", false),
        ("ZSMALL = NULL, ZMEDIUM = NULL", false), ("ZSMALL = 0, ZMEDIUM = 1", false),
        ("ZSMALL = -129, ZMEDIUM = 8388608", false), ("ZTEXT = '2147483647'", false), ("ZSMALL = 32768", true),
        ("ZMEDIUM = -2147483649", true), ("ZTEXT = '2147483648'", true), ("ZNAME = NULL", true),
    ])
    func theSourceIsOnlyAskedOfWhatIsNot(values: String, isAsked: Bool) throws {
        let store = try TestStore(
            from: Self.old, to: Self.new,
            rows: Self.rows(Array(1...5), of: 0) + Self.fault(values, at: 3, of: 0))
        let mapping = Self.mapping { name, texts in
            name == "count" ? "CAST($source.text, 'NSNumber')" : name == "single" ? "NULL" : texts[0]
        }
        let plan = try Self.plan(
            store, mapping, .refuse, to: store.directory.file("new.sqlite"), looksAhead: false)
        let run = MigrationRun(options: MigrationOptions())
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
        let result = Result { try run.execute(plan, unchangedSince: fingerprint) }
        #expect((run.checked != nil) == isAsked)
        if isAsked { #expect(throws: MigrationError.self) { _ = try result.get() } } else { _ = try result.get() }
    }

    /// What SQLite writes is looked at before, also in a run that another one can go on with.
    @Test(arguments: [false, true])
    func whatTheBuilderDoesNotWriteIsLookedAtBefore(resumes: Bool) throws {
        let store = try TestStore(
            from: Self.old, to: Self.new,
            rows: Self.rows(Array(1...60), of: 0) + Self.fault("ZWHOLE = 2147483647", at: 41, of: 0))
        let mapping = Self.mapping { name, _ in
            name == "count" ? "$source.whole + 1" : name == "name" ? "'fixed'" : "NULL"
        }
        let path = store.directory.file("new.sqlite")
        let plan = try Self.plan(store, mapping, .refuse, to: path, looksAhead: false)
        let rows = RowCounter()
        var options = MigrationOptions(limits: BatchLimits(rows: 3), onProgress: { rows.note($0.rowsDone) })
        options.writer = .sqlite
        options.resumes = resumes
        let step = MigrationChain.Step(
            source: store.source, destination: store.destination, mapping: nil, reason: "a test")
        var chainOptions = MigrationPlanner.Options()
        chainOptions.now = 0
        let chain = ChainPlan(
            steps: [ChainPlan.Step(number: 1, step: step, plan: plan, isSketch: false)], options: chainOptions)
        let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
        let error = #expect(throws: MigrationError.self) {
            _ =
                try resumes
                ? MigrationManager(options: options).execute(chain, unchangedSince: fingerprint).rowsWritten
                : Self.execute(plan, of: store, options).rowsWritten
        }
        guard case .refused(let findings) = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(findings == (try Self.plan(store, mapping, .refuse, to: path, looksAhead: true)).findings)
        #expect(rows.most == 0 && !FileSystem.exists(path))
    }

    /// A later step of a chain is refused in the words of its plan, whenever its values are looked at.
    @Test func aLaterStepIsRefusedInTheSameWords() throws {
        let store = try TestStore(
            from: Self.old, to: Self.old + [entity("More")],
            rows: Self.rows(Array(1...60), of: 0) + Self.fault("ZWHOLE = 2147483647", at: 41, of: 0))
        let last = VersionedModel(
            name: "last", path: "last", model: try ResolvedModel(ManagedObjectModel(entities: Self.new)))
        let mapping = Self.mapping { name, _ in
            name == "count" ? "$source.whole + 1" : name == "name" ? "'fixed'" : "NULL"
        }
        let file = try MappingModelFile.read(bytes: Array(MappingModelWriter.yaml(mapping).utf8), name: "last.yaml")
        let chain = MigrationChain(steps: [
            MigrationChain.Step(source: store.source, destination: store.destination, mapping: nil, reason: "a test"),
            MigrationChain.Step(source: store.destination, destination: last, mapping: file, reason: "a test"),
        ])
        let codes = try [true, false].map { looksAhead in
            var options = MigrationPlanner.Options()
            options.looksAhead = looksAhead
            options.now = 0
            let plan = try ChainPlanner(store: SQLiteStore(path: store.path), chain: chain, options: options).plan()
            let fingerprint = StoreFingerprint(of: StoreFiles(followingLinks: store.path), isSettled: true)
            let before = try FolderState(of: store.directory.path)
            let error = #expect(throws: MigrationError.self) {
                _ = try MigrationManager().execute(plan, unchangedSince: fingerprint)
            }
            #expect(try FolderState(of: store.directory.path).byteDifferences(from: before) == [])
            return try #require(error).code
        }
        guard case .stepRefused(let step, let findings) = codes[0] else {
            Issue.record("\(codes)")
            return
        }
        #expect(step.hasPrefix("step 2 of 2") && findings.map(\.count).contains(1))
        #expect(codes[0] == codes[1])
    }
}

/// The most rows that progress has told of.
private final class RowCounter: Sendable {
    private let rows = Mutex<Int64>(0)

    func note(_ count: Int64) { rows.withLock { $0 = max($0, count) } }

    var most: Int64 { rows.withLock { $0 } }
}
