import Foundation
import ImportTestSupport
import PersistentStores
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// Files of one source: what they share, and what each has for itself.
@Suite struct ManyFilesTests {
    private let fixture: ImportFixture

    private static let mapping = """
        import: 1
        files: p*
        entity: Person
        key: name
        attributes: [name, age]
        relationships: {boss: {by: name, from: boss, onMissing: error}}
        """

    init() throws {
        fixture = try ImportFixture(
            entities: """
                <entity name="Person"><attribute name="name" attributeType="String"/>
                <attribute name="age" optional="YES" attributeType="Integer 16"/>
                <attribute name="photo" optional="YES" attributeType="Binary"/>
                <relationship name="boss" optional="YES" maxCount="1" destinationEntity="Person" inverseName="reports" \
                inverseEntity="Person"/>
                <relationship name="reports" optional="YES" toMany="YES" destinationEntity="Person" inverseName="boss" \
                inverseEntity="Person"/></entity>
                """)
    }

    /// How many sources the importer makes of files.
    private func sourceCount(_ paths: [String], _ plan: ImportRun.Plan) throws -> Int {
        let newStore = NewStore(
            model: fixture.model, hashes: [:], digest: "", checksum: "", uuid: "00000000-0000-0000-0000-000000000001")
        let run = ImportRun(
            target: .init(path: fixture.store, model: fixture.model, newStore: newStore), sources: paths, plan: plan,
            options: ImportOptions())
        let opening = SourceOpening()
        var findings: [String] = []
        let inputs = try run.inputs(opening, &findings)
        var mapping = ImportMapping(sources: inputs.mappings.map(\.source))
        if case .mapping(let written) = plan { mapping = written }
        var compiler = ImportCompiler(layout: newStore.layout, mapping: mapping, now: 0)
        let catalogs = try run.compile(inputs, opening, with: &compiler)
        #expect(compiler.compiled.files.count == paths.count && catalogs.count == compiler.compiled.sources.count)
        return catalogs.count
    }

    @Test func filesWithTheSameColumnsShareWhatTheyAreReadBy() throws {
        let mapping = try ImportMapping(yaml: Self.mapping)
        var paths = try (0..<5).map { try fixture.write("name,age,boss\na\($0),1,\n", as: "p\($0).csv") }
        #expect(try sourceCount(paths, .mapping(mapping)) == 1)
        paths.append(try fixture.write("age,boss,name\n1,,b\n", as: "p-other.csv"))
        #expect(try sourceCount(paths, .mapping(mapping)) == 2)
        #expect(try sourceCount(Array(paths.prefix(5)), .entity(EntityRequest(entity: "Person"))) == 1)
        // What the first records of these files have differs, and what they may have does not.
        let nested = try ["{\"name\": \"x\"}", "{\"age\": 2, \"name\": \"y\"}", "{\"age\": 3}"].enumerated().map {
            try fixture.write("[\($0.element)]", as: "n\($0.offset).json")
        }
        #expect(try sourceCount(nested, .entity(EntityRequest(entity: "Person"))) == 1)
    }

    @Test(arguments: [false, true])
    func filesInSeveralFoldersShareItUnlessTheFolderSaysWhereValuesLie(readsFiles: Bool) throws {
        let paths = try ["a", "b", "c"].map { folder in
            try FileManager.default.createDirectory(
                atPath: fixture.directory.file(folder), withIntermediateDirectories: true)
            _ = try fixture.write("photo of \(folder)", as: "\(folder)/face")
            return try fixture.write("name,photo\n\(folder),\(readsFiles ? "face" : "QQ==")\n", as: "\(folder)/p.csv")
        }
        let photo = readsFiles ? "{from: photo, binary: file}" : "photo"
        let mapping = try ImportMapping(
            yaml: "import: 1\nfiles: p.csv\nentity: Person\nkey: name\nattributes: {name: name, photo: \(photo)}\n")
        #expect(try sourceCount(paths, .mapping(mapping)) == (readsFiles ? 3 : 1))
        try fixture.run(paths, .mapping(mapping))
        #expect(
            try fixture.rows("SELECT ZNAME, CAST(ZPHOTO AS TEXT) FROM ZPERSON ORDER BY 1")
                == ["a", "b", "c"].map { "\($0)|\(readsFiles ? "photo of \($0)" : "A")" })
    }

    /// Records of people, some of them the same person, some with a boss in another file, some with none anywhere.
    private func people(_ count: Int, _ random: inout RandomNumbers) -> [String] {
        (0..<count).map { _ in
            let boss = Int.random(in: 0..<4, using: &random) == 0 ? "p\(Int.random(in: 0..<20, using: &random))" : ""
            return "p\(Int.random(in: 0..<18, using: &random)),\(Int.random(in: 0..<40000, using: &random)),\(boss)"
        }
    }

    private func options(_ random: inout RandomNumbers, rejects: String) -> ImportOptions {
        var options = ImportOptions(limits: RecordBatch.Limits(rows: Int.random(in: 1...5, using: &random)))
        options.fixedLimits.openRejectFiles = Int.random(in: 1...3, using: &random)
        options.rejectsDirectory = fixture.directory.file(rejects)
        return options
    }

    private let all = """
        SELECT p.ZNAME, p.ZAGE, b.ZNAME FROM ZPERSON AS p LEFT JOIN ZPERSON AS b ON b.Z_PK = p.ZBOSS ORDER BY 1
        """

    /// The links of both sides count in the order of the records, the files first.
    @Test(arguments: [NewStoreWriter.builder, .sqlite])
    func theLastOfMoreFilesThanABytesNumberCounts(writer: NewStoreWriter) throws {
        let mapping = try ImportMapping(
            yaml: """
                import: 1
                files: p*
                entity: Person
                key: name
                attributes: [name]
                relationships:
                  boss: {by: name, from: boss}
                  reports: {by: name, from: report}
                """)
        let paths = try (0..<300).map { number in
            let report = number == 0 ? "" : number % 2 == 0 ? "p0" : "p1"
            let padded = String("00\(number)".suffix(3))
            return try fixture.write("name,boss,report\np\(number),,\(report)\n", as: "p\(padded).csv")
        }
        var options = ImportOptions()
        options.writer = writer
        try fixture.run(paths, .mapping(mapping), options: options)
        let owned = "SELECT p.ZNAME, b.ZNAME FROM ZPERSON AS p JOIN ZPERSON AS b ON b.Z_PK = p.ZBOSS ORDER BY 1"
        #expect(try fixture.rows(owned) == ["p0|p298", "p1|p299"])
    }

    @Test(arguments: RandomNumbers.seeds(12))
    func manyFilesGiveWhatOneFileWithTheirRecordsGives(seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let records = people(24, &random)
        let header = "name,age,boss\n"
        let mapping = ImportRun.Plan.mapping(try ImportMapping(yaml: Self.mapping))
        let whole = try fixture.write(header + records.map { $0 + "\n" }.joined(), as: "people.csv")
        let one = try fixture.run([whole], mapping, options: options(&random, rejects: "one"))
        let expected = try fixture.rows(all)
        for name in try fixture.directory.names() where name.hasPrefix("store") {
            try FileManager.default.removeItem(atPath: fixture.directory.file(name))
        }
        var paths: [String] = []
        var rest = records[...]
        while !rest.isEmpty {
            let part = rest.prefix(Int.random(in: 1...4, using: &random))
            rest = rest.dropFirst(part.count)
            paths.append(
                try fixture.write(header + part.map { $0 + "\n" }.joined(), as: "p\(paths.count).csv"))
        }
        let many = try fixture.run(paths, mapping, options: options(&random, rejects: "many"))
        #expect(try fixture.rows(all) == expected)
        #expect(many.entities == one.entities && many.rejected == one.rejected)
        #expect(try fixture.faults() == [])
        // The records that were rejected are in the files of their sources.
        func rejected(_ folder: String) throws -> [String] {
            guard one.rejected > 0 else { return [] }
            return try fixture.directory.names(in: folder).filter { $0.contains(".rejected.") }.flatMap {
                try fixture.directory.text("\(folder)/\($0)").split(separator: "\n").dropFirst().map(String.init)
            }
        }
        #expect(try rejected("many").sorted() == rejected("one").sorted())
    }

    @Test func filesOfRejectedRecordsAreWholeThoughFewAreOpenAtATime() throws {
        let mapping = ImportRun.Plan.mapping(try ImportMapping(yaml: Self.mapping))
        // Late rejections go through the files once more.
        let paths = try (0..<6).map {
            try fixture.write(
                "[{\"name\": \"a\($0)\", \"age\": 99999}, {\"name\": \"b\($0)\", \"age\": 1, \"boss\": \"nobody\"}]",
                as: "p\($0).json")
        }
        var options = ImportOptions()
        options.fixedLimits.openRejectFiles = 2
        options.rejectsDirectory = fixture.directory.file("rejects")
        let report = try fixture.run(paths, mapping, options: options)
        #expect(report.rejected == 12)
        for index in 0..<6 {
            #expect(
                try fixture.directory.text("rejects/p\(index).rejected.json")
                    == "[\n{\"name\": \"a\(index)\", \"age\": 99999},\n"
                    + "{\"name\": \"b\(index)\", \"age\": 1, \"boss\": \"nobody\"}\n]\n")
        }
    }

    private struct Stop: Error {}

    @Test(arguments: [1, 2, 4, 7, 11, 16])
    func anImportOfManyFilesGoesOnWhereItWasInterrupted(commits: Int) throws {
        var random = RandomNumbers(seed: UInt64(commits))
        let mapping = ImportRun.Plan.mapping(try ImportMapping(yaml: Self.mapping))
        let paths = try (0..<7).map { index in
            try fixture.write(
                "name,age,boss\n" + people(3, &random).map { $0 + "\n" }.joined(), as: "p\(index).csv")
        }
        var whole = options(&random, rejects: "clean")
        // As batches that are durable one by one: there a record that names nobody is imported where a later one of the
        // same person names somebody.
        whole.writer = .sqlite
        let clean = try fixture.run(paths, mapping, options: whole)
        let expected = try fixture.rows(all)
        for name in try fixture.directory.names() where name.hasPrefix("store") {
            try FileManager.default.removeItem(atPath: fixture.directory.file(name))
        }
        var batched = options(&random, rejects: "resumed")
        batched.limits.rows = 2
        batched.commit = .batch
        var committed = 0
        var isStopped = false
        batched.onCheckpoint = { name in
            if name == "batch committed" { committed += 1 }
            isStopped = committed > commits
        }
        batched.isCancelled = { isStopped }
        #expect(throws: ImportError.cancelledBetweenBatches) { try fixture.run(paths, mapping, options: batched) }
        batched.isResuming = true
        batched.onCheckpoint = nil
        batched.isCancelled = nil
        let resumed = try fixture.run(paths, mapping, options: batched)
        #expect(try fixture.rows(all) == expected)
        #expect(resumed.entities == clean.entities)
        #expect(resumed.sources.map(\.name) == paths)
        #expect(resumed.sources.map(\.rejected) == clean.sources.map(\.rejected))
        #expect(try fixture.rows("SELECT name FROM sqlite_master WHERE name LIKE '%ferry%'") == [])
        if clean.rejected > 0 {
            #expect(try fixture.directory.names(in: "resumed") == fixture.directory.names(in: "clean"))
            for name in try fixture.directory.names(in: "clean") {
                #expect(try fixture.directory.text("resumed/\(name)") == fixture.directory.text("clean/\(name)"))
            }
        }
    }

    @Test func aReportOfMoreSourcesThanLinesShowsTheRestTogether() throws {
        let mapping = ImportRun.Plan.mapping(try ImportMapping(yaml: Self.mapping))
        let paths = try (10..<33).map {
            try fixture.write("name,age,boss\na\($0),1,\nb\($0),99999,\n", as: "p\($0).csv")
        }
        let report = try fixture.run(paths, mapping)
        #expect(report.sources.count == 23)
        #expect(report.description.contains("p29.csv: 2 records, 1 rejected\n3 other sources: 6 records, 3 rejected\n"))
        #expect(!report.description.contains("p30.csv: 2"))
    }
}
