import Foundation
import ImportTestSupport
import TestSupport
import Testing

@testable import ImportMappings
@testable import RecordSources
@testable import StoreImport

/// Lists of a relationship that is its own inverse: the records that an import leaves out, once they are mended, and
/// those that lost a link make the store of a clean import. Links that other records named stay.
@Suite struct SelfInverseRejectTests {
    private static let model = PersonModel.entity(
        PersonModel.named,
        more: """
            <relationship name="friends" optional="YES" toMany="YES" destinationEntity="Person" inverseName="friends" \
            inverseEntity="Person"/>
            """)

    private struct Person {
        let name: String
        /// A value that its attribute does not take.
        var isBad = false
        /// A boss who must be there, and is not.
        var isLate = false
        var friends: [String] = []

        var line: String {
            "\(name),\(isBad ? "x" : "")7,\(isLate ? "gone" : ""),\(friends.joined(separator: ";"))\n"
        }
    }

    private static func run(
        _ fixture: ImportFixture, _ paths: [String], friends: String, rows: Int, rejects: String? = nil
    ) throws -> ImportReport {
        let mapping = try ImportMapping(
            yaml: """
                import: 1
                sources:
                  - files: people*.csv
                    entity: Person
                    key: name
                    attributes: [name, age]
                    relationships:
                      boss: {by: name, from: boss, onMissing: error}
                      friends: {by: name, from: friends, separator: ;, onMissing: \(friends)}
                """)
        return try fixture.run(paths, .mapping(mapping), options: ImportOptions(rows: rows, rejects: rejects))
    }

    private static func text(_ people: [Person]) -> String { "name,age,boss,friends\n" + people.map(\.line).joined() }

    private static func dump(_ fixture: ImportFixture) throws -> [String] {
        try fixture.rows(
            """
            SELECT a.ZNAME, a.ZAGE, (SELECT group_concat(n, ' ') FROM (SELECT b.ZNAME AS n FROM Z_1FRIENDS j JOIN ZPERSON b
            ON b.Z_PK = j.REFLEXIVE WHERE j.Z_1FRIENDS = a.Z_PK ORDER BY 1)) FROM ZPERSON a ORDER BY 1
            """)
    }

    /// Pairs that are linked after records all of which are imported, told plainly.
    private static func links(_ people: [Person], before: Set<Set<String>>) -> Set<Set<String>> {
        let named = Set(people.flatMap { person in person.friends.map { Set([person.name, $0]) } })
        let owners = Set(people.map(\.name))
        return before.filter { $0.isDisjoint(with: owners) }.union(named)
    }

    /// Imports people into a store in which others may be, then what was left out, mended.
    private func check(_ first: [Person], _ people: [Person], friends: String, rows: Int, _ context: String) throws {
        let fixture = try ImportFixture(entities: Self.model)
        if !first.isEmpty {
            let path = try fixture.write(Self.text(first), as: "people-0.csv")
            _ = try Self.run(fixture, [path], friends: friends, rows: 1000)
        }
        let folder = fixture.directory.file("rejects")
        let path = try fixture.write(Self.text(people), as: "people-1.csv")
        _ = try Self.run(fixture, [path], friends: friends, rows: rows, rejects: folder)
        let rest = ["people-1.rejected.csv", "people-1.unlinked.csv"].map { folder + "/" + $0 }
            .filter { FileManager.default.fileExists(atPath: $0) }
        for path in rest {
            let mended = try String(contentsOfFile: path, encoding: .utf8).replacing(",x7", with: ",7")
                .replacing("gone", with: "")
            try Data(mended.utf8).write(to: URL(fileURLWithPath: path))
        }
        if !rest.isEmpty { _ = try Self.run(fixture, rest, friends: friends, rows: rows) }
        let pairs = Self.links(people, before: Self.links(first, before: []))
        let names = Set((first + people).map(\.name)).union(pairs.joined())
        let described = Set((first + people).map(\.name))
        let wanted = names.sorted().map { name in
            let others = pairs.filter { $0.contains(name) }.map { $0.first { $0 != name } ?? name }.sorted()
            let list = others.isEmpty ? "NULL" : others.joined(separator: " ")
            return "\(name)|\(described.contains(name) ? "7" : "NULL")|\(list)"
        }
        let found = try Self.dump(fixture)
        #expect(found == wanted, "\(context)\n\(Self.text(first))\(Self.text(people))")
        #expect(try fixture.faults() == [])
    }

    @Test(arguments: [1, 2, 1000], ["skip", "create", "error"])
    func linksThatOtherRecordsNamedStay(rows: Int, friends: String) throws {
        let people = [
            Person(name: "a", friends: ["b", "x"]), Person(name: "b"), Person(name: "c", friends: ["a", "x"]),
            Person(name: "d", friends: ["c"]), Person(name: "x", isBad: true, friends: ["b"]),
        ]
        try check([], people, friends: friends, rows: rows, "new")
        // There, x has links that it names no more, and one that d names.
        let first =
            [Person(name: "x", friends: ["c", "d", "b"]), Person(name: "e", friends: ["x", "a"])] + people.prefix(0)
            + ["a", "b", "c", "d"].map { Person(name: $0) }
        var late = people
        late[4].isBad = false
        late[4].isLate = true
        late[3].friends.append("x")
        try check(first, late, friends: friends, rows: rows, "late")
        late[4].isBad = true
        try check(first, late, friends: friends, rows: rows, "there")
    }

    @Test(arguments: RandomNumbers.seeds(60))
    func soItIsWithAnyRecords(seed: Int) throws {
        var random = RandomNumbers(seed: UInt64(seed))
        let friends = ["skip", "create", "error"].randomElement(using: &random) ?? "skip"
        let names = (0..<Int.random(in: 2...7, using: &random)).map { "p\($0)" }
        func people(_ names: some Collection<String>, mayFail: Bool) -> [Person] {
            names.map { name in
                let fault = Int.random(in: 0..<(mayFail ? 6 : 1), using: &random)
                let list = names.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)).sorted()
                return Person(name: name, isBad: fault == 4, isLate: fault == 5, friends: list)
            }
        }
        let first = Bool.random(using: &random) ? people(names.prefix(5), mayFail: false) : []
        let later = people(names.shuffled(using: &random), mayFail: true)
        try check(first, later, friends: friends, rows: [1, 2, 3, 7, 1000][seed % 5], "seed \(seed), \(friends)")
    }
}
