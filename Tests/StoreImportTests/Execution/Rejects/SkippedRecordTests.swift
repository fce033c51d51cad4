import Foundation
import ImportTestSupport
import PersistentStores
import StoreImport
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources

/// Records that are skipped since their object's record is rejected: they are imported again with it, and the store is that
/// of a clean import, held against a plain model of both.
@Suite struct SkippedRecordTests {
    private static let model =
        PersonModel.entity(
            PersonModel.numbered,
            more: """
                <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="persons" \
                inverseEntity="Tag"/>
                <relationship name="main" optional="YES" maxCount="1" destinationEntity="Tag" inverseName="mains" \
                inverseEntity="Tag"/>
                """) + """
            <entity name="Tag"><attribute name="code" attributeType="String"/>
            <relationship name="persons" optional="YES" toMany="YES" destinationEntity="Person" inverseName="tags" \
            inverseEntity="Person"/>
            <relationship name="mains" optional="YES" toMany="YES" destinationEntity="Person" inverseName="main" \
            inverseEntity="Person"/></entity>
            """

    private enum Fault: CaseIterable {
        case none, noName, unreadableKey, lateBoss
    }

    private struct Person {
        let num: Int
        var fault = Fault.none

        var good: String { "\(num),n\(num),\n" }

        var line: String {
            switch fault {
            case .none: good
            case .noName: "\(num),,\n"
            case .unreadableKey: "x\(num),n\(num),\n"
            case .lateBoss: "\(num),n\(num),4711\n"
            }
        }
    }

    private struct Link {
        let num: Int
        let tag: String
        var line: String { "\(num),\(tag)\n" }
    }

    private static let persons = """
          - files: people*.csv
            entity: Person
            key: num
            attributes: [num, name]
            relationships: {boss: {by: num, from: boss, onMissing: error}}

        """

    private static let links = """
          - files: links*.csv
            entity: Person
            key: num
            onMissing: skip
            attributes: [num]
            relationships: {tags: {by: code, from: tag, add: true, onMissing: create}}

        """

    private static let linked = """
        SELECT p.ZNUM, t.ZCODE FROM Z_1TAGS j JOIN ZPERSON p ON p.Z_PK = j.Z_1PERSONS JOIN ZTAG t ON t.Z_PK = j.Z_2TAGS
        ORDER BY 1, 2
        """

    private func text(_ header: String, _ lines: [String]) -> String { header + "\n" + lines.joined() }

    private func run(
        _ fixture: ImportFixture, _ sources: [String], isLinkFirst: Bool, rows: Int, _ writer: NewStoreWriter,
        rejects: String? = nil
    ) throws -> ImportReport {
        let parts = isLinkFirst ? Self.links + Self.persons : Self.persons + Self.links
        return try fixture.run(
            sources, .mapping(try ImportMapping(yaml: "import: 1\nsources:\n" + parts)),
            options: ImportOptions(rows: rows, writer, rejects: rejects))
    }

    private func lines(of path: String) throws -> [String] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst().map { "\($0)\n" }
    }

    @Test(arguments: RandomNumbers.seeds(15), [false, true])
    func mendedRecordsMakeTheStoreOfACleanImport(seed: Int, isThere: Bool) throws {
        for rows in [1, 2, 3, 7, 1000] {
            var random = RandomNumbers(seed: UInt64(seed))
            let isLinkFirst = Int.random(in: 0..<4, using: &random) == 0
            let writer: NewStoreWriter = Bool.random(using: &random) ? .sqlite : .auto
            let numbers = Array(1...8).shuffled(using: &random)
            let old = isThere ? Array(numbers.prefix(2)) : []
            let persons = numbers.dropFirst(old.count).prefix(5).map { number in
                Person(num: number, fault: Fault.allCases.randomElement(using: &random) ?? .none)
            }
            let links = (0..<Int.random(in: 1...8, using: &random)).map { index in
                Link(num: Int.random(in: 1...8, using: &random), tag: "t\(index)")
            }
            let fixture = try ImportFixture(entities: Self.model)
            let before = try fixture.write(text("num,name,boss", old.map { Person(num: $0).good }), as: "people0.csv")
            if isThere { _ = try run(fixture, [before], isLinkFirst: isLinkFirst, rows: rows, .auto) }
            let folder = fixture.directory.file("rejects")
            let sources = [
                try fixture.write(text("num,name,boss", persons.map(\.line)), as: "people.csv"),
                try fixture.write(text("num,tag", links.map(\.line)), as: "links.csv"),
            ]
            let report = try run(
                fixture, sources, isLinkFirst: isLinkFirst, rows: rows, writer, rejects: folder)

            let context = "seed \(seed), \(rows) rows, \(persons.map(\.line)), \(links.map(\.line)), \(isLinkFirst)"
            let accepted = Set(old + (isLinkFirst ? [] : persons.filter { $0.fault == .none }.map(\.num)))
            let skipped = links.filter { !accepted.contains($0.num) }
            #expect(report.rejected == persons.count { $0.fault != .none }, "\(context)")
            #expect(
                report.entities.first { $0.entity == "Person" }?.skipped ?? 0 == skipped.count, "\(context)")
            // What comes before the rejected records is skipped in a clean import, too.
            let rejected = isLinkFirst ? [] : persons.filter { $0.fault != .none }
            let lost = skipped.filter { link in
                rejected.contains { $0.num == link.num || $0.fault == .unreadableKey }
            }
            #expect(try lines(of: folder + "/links.unlinked.csv") == lost.map(\.line), "\(context)")
            if !persons.allSatisfy({ $0.fault == .none }) {
                let log = try String(contentsOfFile: folder + "/rejects.ndjson", encoding: .utf8)
                #expect(log.components(separatedBy: "\"skippedRecord\"").count == lost.count + 1, "\(context)")
            }
            #expect(
                try fixture.rows(Self.linked)
                    == links.filter { accepted.contains($0.num) }.map { "\($0.num)|\($0.tag)" }.sorted(), "\(context)")

            let rest = ["people.rejected.csv", "links.unlinked.csv"].map { folder + "/" + $0 }
                .filter { FileManager.default.fileExists(atPath: $0) }
            var mended: [String: String] = [:]
            for person in persons { mended[person.line] = person.good }
            for path in rest {
                let header = path.contains("people") ? "num,name,boss" : "num,tag"
                let found = try lines(of: path).map { mended[$0] ?? $0 }
                try Data(text(header, found).utf8).write(to: URL(fileURLWithPath: path))
            }
            if !rest.isEmpty { _ = try run(fixture, rest, isLinkFirst: isLinkFirst, rows: rows, writer) }
            let all = Set(old + persons.map(\.num))
            let known = isLinkFirst ? Set(old) : all
            let wanted = links.filter { known.contains($0.num) }
            #expect(
                try fixture.rows(Self.linked) == wanted.map { "\($0.num)|\($0.tag)" }.sorted(), "\(context)")
            #expect(
                try fixture.rows("SELECT ZNUM, ZNAME, ZBOSS FROM ZPERSON ORDER BY 1")
                    == all.sorted().map { "\($0)|n\($0)|NULL" }, "\(context)")
            #expect(try fixture.rows("SELECT ZCODE FROM ZTAG ORDER BY 1") == wanted.map(\.tag).sorted(), "\(context)")
            if rows == 3 { #expect(try fixture.faults() == [], "\(context)") }
        }
    }

    /// What a rejected record names in a to-one would have been made as well; those of lists are made when all are read.
    @Test(arguments: [1, 2, 3, 7, 1000])
    func aRecordOfAnObjectThatARejectedOneNamesIsKeptToo(rows: Int) throws {
        let fixture = try ImportFixture(entities: Self.model)
        let folder = fixture.directory.file("rejects")
        let mapping = """
            import: 1
            sources:
              - files: people*.csv
                entity: Person
                key: num
                attributes: [num, name]
                relationships:
                  main: {by: code, from: main, onMissing: create}
                  tags: {by: code, from: tags, separator: ;, onMissing: create}
              - {files: tags*.csv, entity: Tag, key: code, onMissing: skip, attributes: [code]}
            """
        let sources = [
            try fixture.write("num,name,main,tags\n1,,a,b;d\n2,n2,c,\n", as: "people.csv"),
            try fixture.write("code\na\nb\nc\nd\n", as: "tags.csv"),
        ]
        let report = try fixture.run(
            sources, .mapping(try ImportMapping(yaml: mapping)), options: ImportOptions(rows: rows, rejects: folder))
        #expect(report.rejected == 1)
        #expect(try lines(of: folder + "/tags.unlinked.csv") == ["a\n"])
        let log = try String(contentsOfFile: folder + "/rejects.csv", encoding: .utf8)
        #expect(log.contains("no object has the code"))
    }

    /// What the first part of an import rejected counts for the second one as well.
    ///
    /// - Parameter commits: after so many the import stops, with what it has written behind the last one.
    @Test(arguments: 0...6)
    func recordsAreKeptWhereAnImportGoesOn(commits: Int) throws {
        let fixture = try ImportFixture(entities: Self.model)
        let folder = fixture.directory.file("rejects")
        let sources = [
            try fixture.write(text("num,name,boss", ["1,,\n", "2,n2,\n", "3,,\n"]), as: "people.csv"),
            try fixture.write(text("num,tag", ["1,a\n", "2,b\n", "3,c\n"]), as: "links.csv"),
        ]
        let mapping = try ImportMapping(yaml: "import: 1\nsources:\n" + Self.persons + Self.links)
        var options = ImportOptions(rows: 1, rejects: folder)
        options.commit = .batch
        var left = commits
        options.onCheckpoint = { if $0 == "batch written" { left -= 1 } }
        options.isCancelled = { left < 0 }
        #expect(throws: ImportError.cancelledBetweenBatches) {
            try fixture.run(sources, .mapping(mapping), options: options)
        }
        options.onCheckpoint = nil
        options.isCancelled = nil
        options.isResuming = true
        #expect(try fixture.run(sources, .mapping(mapping), options: options).rejected == 2)
        #expect(try lines(of: folder + "/links.unlinked.csv") == ["1,a\n", "3,c\n"])
        #expect(try fixture.rows(Self.linked) == ["2|b"])
    }
}
