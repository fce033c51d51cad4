import Foundation
import ImportTestSupport
import PersistentStores
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// Spools that are missing, foreign, or not as they were written make no store.
@Suite struct SpoolSafetyTests {
    private static let mapping = """
        import: 1
        sources:
          - files: '*.json'
            entity: Person
            key: number
            attributes: [number, name]
            relationships:
              team: {by: code, from: team, onMissing: create}
              projects: {by: code, from: 'projects[*]', onMissing: create}
        """

    private let fixture: ImportFixture
    private let source: String

    init() throws {
        fixture = try ImportFixture(entities: ShardScenario.entities)
        let records = (0..<60).map {
            "{\"number\": \($0 % 50), \"name\": \"name \($0)\", \"team\": \"t\($0 % 3)\", \"projects\": [\"p\($0 % 7)\", \"q\"]}"
        }
        source = try fixture.write(records.joined(separator: "\n") + "\n{\"number\": 99999}\n", as: "people.json")
    }

    private func spool(_ number: Int, of count: Int, to folder: String, rows: Int = 1000) throws -> String {
        let plan = ImportRun.Plan.mapping(try ImportMapping(yaml: Self.mapping))
        let options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        return try ImportRun(target: fixture.target, sources: [source], plan: plan, options: options)
            .spool(to: fixture.directory.file(folder), #require(ImportShard(number, of: count))).path
    }

    private func assemble(_ folders: [String]) throws {
        _ = try ImportSpools(folders.map { fixture.directory.file($0) })
            .assemble(into: fixture.store, uuid: UUID().uuidString, options: ImportOptions())
    }

    private var isStoreThere: Bool { FileManager.default.fileExists(atPath: fixture.store) }

    @Test func shardsThatAreMissingAreNamed() throws {
        for number in [1, 4] { _ = try spool(number, of: 4, to: "s\(number)") }
        #expect(throws: SpoolError.missingShards([2, 3], count: 4)) { try assemble(["s1", "s4"]) }
        try FileManager.default.createDirectory(atPath: fixture.directory.file("s2"), withIntermediateDirectories: true)
        #expect(throws: SpoolError.noShards(folder: fixture.directory.file("s2"))) { try assemble(["s1", "s2"]) }
        #expect(!isStoreThere)
    }

    @Test func aShardThatIsThereTwiceIsRefused() throws {
        let paths = try [spool(1, of: 2, to: "a"), spool(2, of: 2, to: "b"), spool(2, of: 2, to: "c")]
        #expect(throws: SpoolError.doubleShard(2, paths[1], paths[2])) { try assemble(["a", "b", "c"]) }
        #expect(throws: SpoolError.doubleShard(1, paths[0], paths[0])) { try assemble(["a", "a", "b"]) }
        #expect(!isStoreThere)
    }

    @Test func shardsOfAnotherImportAreRefused() throws {
        let first = try spool(1, of: 2, to: "a")
        try Data((try String(contentsOfFile: source, encoding: .utf8) + "{\"number\": 7}\n").utf8)
            .write(to: URL(fileURLWithPath: source))
        let second = try spool(2, of: 2, to: "b")
        #expect(throws: SpoolError.foreign(second, first, difference: "the source \(source)")) {
            try assemble(["a", "b"])
        }
        // Its folder is that of another import now.
        #expect(throws: SpoolError.otherImport(first)) { try spool(1, of: 2, to: "a") }
        #expect(throws: SpoolError.foreign(second, first, difference: "the source \(source)")) {
            try assemble(["a", "b"])
        }
        #expect(!isStoreThere)
    }

    @Test func otherDivisionsAreRefused() throws {
        let first = try spool(1, of: 2, to: "a")
        let second = try spool(2, of: 3, to: "b")
        #expect(throws: SpoolError.otherCount(second, 3, first, 2)) { try assemble(["a", "b"]) }
    }

    @Test(arguments: [1, 3, 5, .max] as [UInt64]) func spoolsOfAnotherVersionAreRefused(version: UInt64) throws {
        let path = try spool(1, of: 1, to: "a")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        withUnsafeBytes(of: version.littleEndian) { bytes.replaceSubrange(8..<16, with: $0) }
        try bytes.write(to: URL(fileURLWithPath: path))
        let error = SpoolError.otherVersion(path, version: version)
        #expect(throws: error) { try assemble(["a"]) }
        #expect("\(error)".contains("another version of Ferry (format \(version)); spool the records again"))
        #expect(!isStoreThere)
    }

    /// Hashes of keys are looked at where no record names an object by its number.
    @Test func forgedKeysAreErrorsOrStores() throws {
        let records = (0..<60).map { "\($0 * 7),\"name, \($0)\",t\($0 % 3)\n" }
        let source = try fixture.write("number,name,team\n" + records.joined(), as: "people.csv")
        let mapping = """
            import: 1
            files: '*.csv'
            entity: Person
            key: number
            attributes: [number, name]
            relationships:
              team: {by: code, from: team, onMissing: create}
            """
        var options = ImportOptions(limits: RecordBatch.Limits(rows: 20))
        options.fixedLimits.spools.keysOfRun = 30
        options.fixedLimits.spools.keysOfBlock = 7
        let path = try ImportRun(
            target: fixture.target, sources: [source], plan: .mapping(try ImportMapping(yaml: mapping)),
            options: options
        ).spool(to: fixture.directory.file("a"), #require(ImportShard(1, of: 1))).path
        try forge(path)
    }

    @Test func aStoreThatIsThereStays() throws {
        _ = try spool(1, of: 1, to: "a")
        try Data("mine".utf8).write(to: URL(fileURLWithPath: fixture.store))
        #expect(throws: SpoolError.storeExists(fixture.store)) { try assemble(["a"]) }
        #expect(try Data(contentsOf: URL(fileURLWithPath: fixture.store)) == Data("mine".utf8))
    }

    @Test func damagedSpoolsAreErrors() throws {
        let path = try spool(1, of: 1, to: "a", rows: 7)
        let good = try Data(contentsOf: URL(fileURLWithPath: path))
        var places = Array(0..<64) + Array(good.count - 64..<good.count)
        places += Array(stride(from: 64, to: good.count - 64, by: good.count / 150))
        for place in places {
            var bad = good
            bad[place] ^= 0x10
            try bad.write(to: URL(fileURLWithPath: path))
            #expect(throws: SpoolError.self, "byte \(place)") { try assemble(["a"]) }
            try good.prefix(place).write(to: URL(fileURLWithPath: path))
            #expect(throws: SpoolError.self, "\(place) bytes") { try assemble(["a"]) }
        }
        #expect(!isStoreThere)
        try good.write(to: URL(fileURLWithPath: path))
        try assemble(["a"])
        #expect(isStoreThere)
    }

    /// Blocks whose checksums are right, and whose content is anything: an error or a store, never a trap.
    @Test func forgedBlocksAreErrorsOrStores() throws {
        try forge(spool(1, of: 1, to: "a", rows: 20))
    }

    /// Fields of flat records are looked at where a record is rejected: here, one in three is.
    @Test func forgedFieldsAreErrorsOrStores() throws {
        let records = (0..<60).map { "\($0),\"name, \($0)\",t\($0 % 3),\($0 % 3 == 0 ? 900 : $0 - 1)\n" }
        let source = try fixture.write("number,name,team,boss\n" + records.joined(), as: "people.csv")
        let mapping = """
            import: 1
            files: '*.csv'
            entity: Person
            key: number
            attributes: [number, name]
            relationships:
              team: {by: code, from: team, onMissing: create}
              boss: {by: number, from: boss, onMissing: error}
            """
        try forge(
            ImportRun(
                target: fixture.target, sources: [source], plan: .mapping(try ImportMapping(yaml: mapping)),
                options: ImportOptions(limits: RecordBatch.Limits(rows: 20))
            ).spool(to: fixture.directory.file("a"), #require(ImportShard(1, of: 1))).path)
    }

    private func forge(_ path: String) throws {
        let reader = try SpoolReader(path)
        var blocks: [(kind: SpoolBlock, content: [UInt8])] = []
        while let block = try reader.next() { blocks.append((block.kind, block.content)) }
        let folder = fixture.directory.file("forged")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let forged = folder + "/forged.ferryspool"
        var refused = 0
        for seed in RandomNumbers.seeds(400) {
            var random = RandomNumbers(seed: UInt64(seed))
            var copy = blocks
            let index = Int.random(in: 0..<copy.count, using: &random)
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0..<copy[index].content.count, using: &random)
                copy[index].content[place] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &random) ?? 0
            }
            var writer = try SpoolWriter(forged, replacing: true)
            for block in copy.dropLast() { try writer.append(block.kind, block.content) }
            try writer.finish(copy[copy.count - 1].content)
            do {
                try assemble(["forged"])
                try FileManager.default.removeItem(atPath: fixture.store)
            } catch {
                refused += 1
            }
            #expect(!isStoreThere)
        }
        #expect(refused > 0)
    }

    @Test func aMappingWithTheMomentNeedsOne() throws {
        let mapping = try ImportMapping(
            yaml:
                "import: 1\nfiles: '*.json'\nentity: Team\nattributes: {code: {expression: 'CAST(now(), \"NSNumber\")'}}\n"
        )
        let run = ImportRun(
            target: fixture.target, sources: [source], plan: .mapping(mapping), options: ImportOptions())
        let shard = try #require(ImportShard(1, of: 2))
        let folder = fixture.directory.file("moment")
        #expect(throws: SpoolError.momentNeeded) { try run.spool(to: folder, shard) }
        #expect(!FileManager.default.fileExists(atPath: folder))
        _ = try run.spool(to: folder, shard, hasMoment: true)
    }

    @Test func standardInputIsNotDivisible() throws {
        let run = ImportRun(
            target: fixture.target, sources: ["-"], plan: .mapping(try ImportMapping(yaml: Self.mapping)),
            options: ImportOptions())
        #expect(throws: SpoolError.notDivisible("-")) {
            try run.spool(to: fixture.directory.file("a"), #require(ImportShard(1, of: 2)))
        }
    }
}
