import Foundation
import PersistentStores
import StoreImport
import TestSupport
import Testing

@testable import RecordSources

/// Records of one key, of which some are rejected at once and others when all are read: their file has them in the order of
/// the source, so that the last one counts when they are mended.
@Suite struct RejectOrderTests {
    private static let model = PersonModel.entity(PersonModel.named)

    private static let mapping = """
        sources:
          - files: people*.csv
            entity: Person
            key: name
            attributes: [name, age]
            relationships: {boss: {by: name, from: boss, onMissing: error}}

        """

    private enum Kind: CaseIterable {
        case assembled, sqlite, there
    }

    private func run(
        _ fixture: ImportFixture, _ lines: [String], as name: String, rows: Int, _ kind: Kind, rejects: String? = nil
    ) throws -> ImportReport {
        var options = ImportOptions(limits: RecordBatch.Limits(rows: rows))
        options.rejectsDirectory = rejects
        if kind == .sqlite { options.writer = .sqlite }
        return try fixture.run(
            "name,age,boss\n" + lines.map { $0 + "\n" }.joined(), as: name, mapping: Self.mapping, options: options)
    }

    @Test(arguments: RandomNumbers.seeds(15))
    func theFileOfRejectedRecordsIsInTheOrderOfTheSource(seed: Int) throws {
        for kind in Kind.allCases {
            for rows in [1, 2, 3, 7, 1000] {
                var random = RandomNumbers(seed: UInt64(seed))
                var lines: [String] = []
                var bad: [Int: String] = [:]
                var ages: [String: Int] = [:]
                for index in 0..<Int.random(in: 2...12, using: &random) {
                    let name = "p\(Int.random(in: 0..<3, using: &random))"
                    let fault = Int.random(in: 0..<3, using: &random)
                    // All records of a key are rejected, or none: else an accepted one would be older than it was.
                    let isBad = name != "p0"
                    ages[name] = index
                    lines.append(
                        !isBad
                            ? "\(name),\(index),"
                            : fault == 0
                                ? "\(name),x\(index)," : fault == 1 ? "\(name),\(index),gone" : "x\(name),y\(index),")
                    if isBad { bad[index] = "\(name),\(index)," }
                }
                let fixture = try ImportFixture(entities: Self.model)
                if kind == .there { _ = try run(fixture, ["z,1,"], as: "people0.csv", rows: rows, .assembled) }
                let folder = fixture.directory.file("rejects")
                let report = try run(fixture, lines, as: "people.csv", rows: rows, kind, rejects: folder)
                let context = "seed \(seed), \(kind), \(rows) rows, \(lines)"
                #expect(report.rejected == bad.count, "\(context)")
                #expect(
                    report.entities.first { $0.entity == "Person" }?.rejected ?? 0 == bad.count, "\(context)")
                guard !bad.isEmpty else { continue }
                let text = try String(contentsOfFile: folder + "/people.rejected.csv", encoding: .utf8)
                let places = bad.keys.sorted()
                let rejected = text.split(separator: "\n").dropFirst().map(String.init)
                #expect(rejected == places.map { lines[$0] }, "\(context)")
                let log = try String(contentsOfFile: folder + "/rejects.ndjson", encoding: .utf8)
                let numbers = log.split(separator: "\n").map { line in
                    line.components(separatedBy: "\"record\":").last?.prefix { $0.isNumber } ?? ""
                }
                // A record may have several faults.
                let distinct = numbers.indices.filter { $0 == 0 || numbers[$0] != numbers[$0 - 1] }.map { numbers[$0] }
                #expect(distinct == places.map { "\($0 + 1)" }, "\(context)")
                let first = report.firstFaults?.map(\.line) ?? []
                #expect(first == places.map { $0 + 2 }, "\(context)")

                _ = try run(
                    fixture, places.compactMap { bad[$0] }, as: "people.rejected.csv", rows: rows, kind)
                if kind == .there { ages["z"] = 1 }
                #expect(
                    try fixture.rows("SELECT ZNAME, ZAGE FROM ZPERSON ORDER BY 1")
                        == ages.sorted { $0.key < $1.key }.map { "\($0.key)|\($0.value)" }, "\(context)")
            }
        }
    }

    /// Who has a value that no two may have is known when all are read, where a store is assembled: such records come
    /// between those that are rejected at once.
    @Test(arguments: RandomNumbers.seeds(15), [NewStoreWriter.builder, .sqlite])
    func recordsWithTheValueOfAnotherOneAreInTheOrderOfTheSource(seed: Int, writer: NewStoreWriter) throws {
        let model = PersonModel.entity(
            PersonModel.named,
            more: """
                <attribute name="code" optional="YES" attributeType="Integer 16"/><uniquenessConstraints>
                <uniquenessConstraint><constraint value="code"/></uniquenessConstraint></uniquenessConstraints>
                """)
        for rows in [1, 2, 3, 7, 1000] {
            var random = RandomNumbers(seed: UInt64(seed))
            var (lines, bad, codes) = ([String](), [Int](), Set<Int>())
            for index in 0..<Int.random(in: 2...12, using: &random) {
                let code = Int.random(in: 0..<5, using: &random)
                let isBad = Int.random(in: 0..<3, using: &random) == 0
                lines.append("p\(index),\(isBad ? "x" : "")\(index),\(code)")
                if isBad || !codes.insert(code).inserted { bad.append(index) }
            }
            let fixture = try ImportFixture(entities: model)
            let folder = fixture.directory.file("rejects")
            let report = try fixture.run(
                "name,age,code\n" + lines.map { $0 + "\n" }.joined(), as: "people.csv",
                mapping: "entity: Person\nkey: name\nattributes: [name, age, code]\n",
                options: ImportOptions(rows: rows, writer, rejects: folder))
            let context = "seed \(seed), \(rows) rows, \(lines)"
            #expect(report.writer == writer && report.rejected == bad.count, "\(context)")
            #expect(report.firstFaults?.map(\.line) ?? [] == bad.map { $0 + 2 }, "\(context)")
            guard !bad.isEmpty else { continue }
            let text = try String(contentsOfFile: folder + "/people.rejected.csv", encoding: .utf8)
            #expect(text.split(separator: "\n").dropFirst().map(String.init) == bad.map { lines[$0] }, "\(context)")
        }
    }
}
