import Foundation
import ManagedObjectModels
import ModelLinting
import TestSupport
import Testing

/// Shipped hashes that a file keeps.
@Suite struct FrozenVersionsTests {
    private static let entity =
        "<entity name=\"A\"><attribute name=\"a\" optional=\"YES\" attributeType=\"String\"/>"
        + "<attribute name=\"b c\" optional=\"YES\" attributeType=\"Date\"/></entity>"

    private func file(_ frozen: FrozenVersions, in directory: TemporaryDirectory) throws -> FrozenVersions {
        try FrozenVersions(path: directory.write(frozen.text, to: "frozen"))
    }

    private func frozen(_ versions: [(name: String, entities: String)]) throws -> FrozenVersions {
        let folder = try ModelFolder(versions)
        return try withExtendedLifetime(folder) { try FrozenVersions(folder.versions().versions) }
    }

    private func findings(_ now: ModelFolder, _ frozen: FrozenVersions) throws -> [LintFinding] {
        try withExtendedLifetime(now) { ModelLinter.findings(in: try now.versions(), frozen: frozen) }
    }

    @Test func theTextKeepsEverything() throws {
        let directory = try TemporaryDirectory()
        let models = try ModelFolder([("One", Self.entity), ("Two 2", Self.entity.replacing("Date", with: "UUID"))])
        let frozen = try withExtendedLifetime(models) { try FrozenVersions(models.versions().versions) }
        #expect(try file(frozen, in: directory).versions == frozen.versions)
        #expect(frozen.versions[0].entities[0].properties.keys.sorted() == ["a", "b c"])
        #expect(try findings(models, frozen).isEmpty)
    }

    @Test(arguments: [
        ("\"String\"", "\"Integer 16\"", ["A.a"]),
        ("<attribute name=\"a\" optional=\"YES\"", "<attribute name=\"a\"", ["A.a"]),
        ("name=\"b c\"", "name=\"d\"", ["A.b c", "A.d"]), ("name=\"A\"", "name=\"B\"", ["A", "B"]),
        ("name=\"A\"", "name=\"A\" isAbstract=\"YES\"", ["A"]),
        ("attributeType=\"Date\"", "attributeType=\"Date\" versionHashModifier=\"x\"", ["A.b c"]),
    ])
    func theDeclarationThatChangedIsNamed(_ text: String, _ other: String, _ subjects: [String]) throws {
        let directory = try TemporaryDirectory()
        let frozen = try file(try frozen([("One", Self.entity), ("Two", Self.entity)]), in: directory)
        let now = try ModelFolder([("One", Self.entity.replacing(text, with: other)), ("Two", Self.entity)])
        let findings = try findings(now, frozen)
        #expect(findings.compactMap(\.subject).sorted() == subjects)
        #expect(findings.allSatisfy { $0.code == .shippedVersionChanged })
        // An entity that is gone has no line.
        #expect(
            findings.filter { $0.line == nil }.map(\.message)
                == (other == "name=\"B\"" ? ["the entity was shipped in this version and is gone"] : []))
    }

    @Test func aVersionThatIsGoneOrBrokenIsAFinding() throws {
        let frozen = try frozen([("One", Self.entity), ("Two", Self.entity)])
        let gone = try findings(try ModelFolder([("One", Self.entity)]), frozen)
        #expect(gone.map(\.code) == [.shippedVersionRemoved])
        let broken = try ModelFolder([("One", Self.entity), ("Two", "<entity name=\"A\" parentEntity=\"B\"/>")])
        #expect(try findings(broken, frozen).map(\.code) == [.unknownParent])
    }

    @Test(arguments: [
        ("", 1), ("version One\n", 1), ("# a\nferry freeze 1\nentity A \(String(repeating: "0", count: 64))\n", 3),
        ("ferry freeze 1\nversion One\n  entity A 00\n", 3), ("ferry freeze 1\nversion One\nversion One\n", 3),
        ("ferry freeze 1\nversion\n", 2), ("ferry freeze 1\nnonsense here\n", 2), ("ferry freeze 2\n", 1),
    ])
    func aDamagedFileIsRefusedWithItsLine(_ text: String, _ line: Int) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(text, to: "frozen")
        let error = try #require(throws: (any Error).self) { try FrozenVersions(path: path) }
        #expect("\(error)".hasPrefix("\(path):\(line):"), "\(error)")
    }

    @Test func versionsAreAddedAndChangesToldApart() throws {
        let one = try frozen([("One", Self.entity)])
        let both = try frozen([("One", Self.entity.replacing("Date", with: "UUID")), ("Two", Self.entity)])
        #expect(one.changed(in: both) == ["One"])
        #expect(one.adding(both).versions.map(\.name) == ["One", "Two"])
        #expect(one.adding(both).changed(in: both).isEmpty)
    }
}
