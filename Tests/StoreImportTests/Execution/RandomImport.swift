import ImportMappings
import ImportTestSupport
import PersistentStores
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

extension RandomImport {
    /// Imports the files into the store of a fixture with the model; the store is sound then.
    ///
    /// - Parameter isJudged: whether the checker looks at it, too.
    func run(_ options: ImportOptions, in fixture: ImportFixture, isJudged: Bool) throws -> ImportReport {
        let report = try fixture.run(written(to: fixture), plan(), options: options)
        #expect(try fixture.rows("PRAGMA integrity_check") == ["ok"])
        if isJudged { #expect(try fixture.faults() == []) }
        return report
    }

    /// Imports several of them at once and in shards, which make the same file.
    ///
    /// - Parameter size: the records of a batch.
    static func expectShardsOfOneFile(size: Int) throws {
        var assembled = 0
        for seed in RandomNumbers.seeds(10) {
            var random = RandomNumbers(seed: UInt64(size * 1000 + seed))
            let scenario = Self(&random)
            let options = ImportOptions(assembling: size, &random)
            let fixture = try ImportFixture(entities: scenario.entities)
            let report = try fixture.checkShards(
                size % 5 + 1, scenario.written(to: fixture), scenario.plan(), options: options,
                "seed \(seed)\n\(scenario.mapping)"
            ).whole
            if report.writer == .builder { assembled += 1 }
        }
        #expect(TestSettings.isFast || assembled > 0)
    }

    private func plan() throws -> ImportRun.Plan { .mapping(try ImportMapping(yaml: mapping)) }

    private func written(to fixture: ImportFixture) throws -> [String] {
        try files.map { try fixture.write($0.text, as: $0.name) }
    }
}
