import Foundation
import GeneratedStores
import ImportMappings
import ImportTestSupport
import PersistentStores
import SQLiteAccess
import StoreImport
import TestSupport
import Testing

/// A random import into a new store.
protocol RandomImport {
    init(_ random: inout RandomNumbers)

    /// The entities of the model as XML.
    var entities: String { get }
    /// The mapping as YAML.
    var mapping: String { get }
    var files: [(name: String, text: String)] { get }
}

/// A random import, and the random options that assemble its store.
struct RandomImportCase<Scenario: RandomImport> {
    let scenario: Scenario
    let seed: Int
    var options: ImportOptions
    var random: RandomNumbers

    /// What a failure says of the import.
    var context: String { "seed \(seed)\n\(scenario.mapping)\n\(scenario.files)\n\(options)" }
    /// Whether the store that SQLite writes is there already.
    var isThere: Bool { seed % 2 == 1 }
    /// Whether the checker looks at the store, too: it takes long.
    var isJudged: Bool { seed % 10 == 0 }

    /// Imports the files again, and expects that the store which is built from a working file holds what that holds
    /// which SQLite writes.
    func requireWhatSQLiteWrites() throws {
        func made(_ writer: NewStoreWriter) throws -> (content: [String: [[SQLiteValue]]], report: ImportReport) {
            let fixture = try ImportFixture(entities: scenario.entities)
            var options = options
            options.writer = writer
            options.onReject = nil
            if options.rejectsDirectory != nil { options.rejectsDirectory = fixture.directory.file("rejects") }
            let report = try scenario.run(options, in: fixture, isJudged: false)
            return (try fixture.content(), report)
        }
        let (found, expected) = (try made(.auto), try made(.sqlite))
        #expect(found.report.writer == .builder && expected.report.writer == .sqlite)
        try #require(found.content == expected.content, "\(context)")
        #expect(found.report.entities == expected.report.entities, "\(context)")
        #expect(found.report.rejections == expected.report.rejections, "\(context)")
        #expect(found.report.unresolvedLinks == expected.report.unresolvedLinks, "\(context)")
    }
}

extension RandomImport {
    /// The uniqueness constraints of an entity as XML, each given by its attributes.
    static func uniqueness(_ constraints: [[String]]) -> String {
        guard !constraints.isEmpty else { return "" }
        let all = constraints.map { attributes in
            let values = attributes.map { "<constraint value=\"\($0)\"/>" }.joined()
            return "<uniquenessConstraint>\(values)</uniquenessConstraint>"
        }
        return "<uniquenessConstraints>\(all.joined())</uniquenessConstraints>"
    }

    /// Calls a check with random imports.
    ///
    /// - Parameters:
    ///   - count: how many; fewer in a fast run.
    ///   - size: the records of a batch.
    ///   - tenths: of ten imports, those that make the store page by page at least.
    ///   - check: imports and returns the report of the run whose writer is chosen by the import.
    static func forEachCase(
        _ count: Int, size: Int, assembledTenths tenths: Double,
        check: (inout RandomImportCase<Self>) throws -> ImportReport
    ) throws {
        var assembled = 0
        var reasons: Set<String> = []
        let seeds = RandomNumbers.seeds(count)
        for seed in seeds {
            var random = RandomNumbers(seed: UInt64(size * 1000 + seed))
            let scenario = Self(&random)
            let options = ImportOptions(assembling: size, &random)
            var randomCase = RandomImportCase(scenario: scenario, seed: seed, options: options, random: random)
            let report = try check(&randomCase)
            reasons.formUnion(report.lookupReasons ?? [])
            if report.isAssembled { assembled += 1 }
            if report.lookupReasons?.isEmpty == false { try randomCase.requireWhatSQLiteWrites() }
        }
        #expect(TestSettings.isFast || Double(assembled * 10) >= Double(seeds.count) * tenths, "\(reasons)")
    }

    /// Imports the files into the store of a fixture with the model; the store is sound then.
    ///
    /// - Parameter isJudged: whether the checker looks at it, too.
    func run(_ options: ImportOptions, in fixture: ImportFixture, isJudged: Bool) throws -> ImportReport {
        let report = try fixture.run(written(to: fixture), plan(), options: options)
        // The import lets go of all its files, some of which its threads have until they end.
        #expect(StagedFiles.openBytes(beside: fixture.store) == 0)
        #expect(try fixture.rows("PRAGMA integrity_check") == ["ok"])
        if isJudged {
            let faults = try fixture.faults()
            #expect(faults == [], "\(mapping)\n\(files)")
        }
        return report
    }

    /// Imports the files as `run` does, by a writer.
    ///
    /// - Parameter isThere: whether the store that SQLite writes is there already, without objects.
    /// - Returns: the report, and the file and line of each record that was rejected.
    func runNamingRejects(
        _ writer: NewStoreWriter, _ options: ImportOptions, in fixture: ImportFixture, isJudged: Bool,
        isThere: Bool = false
    ) throws -> (report: ImportReport, rejected: [String]) {
        var options = options
        options.writer = writer
        if isThere, writer == .sqlite {
            try fixture.run(try files.map { try fixture.write("", as: $0.name) }, plan(), options: options)
        }
        var rejected: [String] = []
        options.onReject = { rejection, _ in
            rejected.append("\(URL(fileURLWithPath: rejection.source).lastPathComponent):\(rejection.line)")
        }
        return (try run(options, in: fixture, isJudged: isJudged), rejected)
    }

    /// Imports several of them at once and in shards, which make the same file.
    ///
    /// - Parameter size: the records of a batch.
    static func expectShardsOfOneFile(size: Int) throws {
        var assembled = 0
        var reasons: Set<String> = []
        for seed in RandomNumbers.seeds(10) {
            var random = RandomNumbers(seed: UInt64(size * 1000 + seed))
            let scenario = Self(&random)
            let options = ImportOptions(assembling: size, &random)
            let fixture = try ImportFixture(entities: scenario.entities)
            let report = try fixture.checkShards(
                size % 5 + 1, scenario.written(to: fixture), scenario.plan(), options: options,
                "seed \(seed)\n\(scenario.mapping)"
            ).whole
            reasons.formUnion(report.lookupReasons ?? [])
            if report.isAssembled { assembled += 1 }
        }
        #expect(TestSettings.isFast || assembled > 0, "\(reasons)")
    }

    private func plan() throws -> ImportRun.Plan { .mapping(try ImportMapping(yaml: mapping)) }

    private func written(to fixture: ImportFixture) throws -> [String] {
        try files.map { try fixture.write($0.text, as: $0.name) }
    }
}

/// A record of numbers that is an object of JSON.
protocol NumberRecord {
    /// By field, nil for null.
    var fields: [(name: String, value: Int?)] { get }
}

extension NumberRecord {
    subscript(_ name: String) -> Int?? { fields.first { $0.name == name }.map(\.value) }

    var line: String {
        let parts = fields.map { "\"\($0.name)\": \($0.value.map { "\($0)" } ?? "null")" }
        return "{" + parts.joined(separator: ", ") + "}\n"
    }
}

extension ImportFixture {
    /// Ends the test if the rows of a query, in any order, are not those that are expected.
    ///
    /// - Parameter expected: the rows, sorted.
    func requireRows(_ query: String, _ expected: [String], _ context: String) throws {
        let differences = try rows(query).sorted().difference(from: expected).map { "\($0)" }
        try #require(differences.isEmpty, "\(differences) \(context)")
    }
}
