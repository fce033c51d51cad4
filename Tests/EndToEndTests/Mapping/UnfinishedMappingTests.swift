import Foundation
import SQLiteAccess
import TestSupport
import Testing

/// What `ferry infer --output` writes where inference refuses: it is refused until it is completed, and works then.
@Suite struct UnfinishedMappingTests {
    private static let old = """
        <entity name="Person">
        <attribute name="age" optional="YES" attributeType="String"/>
        <relationship name="pets" optional="YES" toMany="YES" destinationEntity="Pet" inverseName="owner"/>
        </entity>
        """
    private static let new = """
        <entity name="Person">
        <attribute name="age" optional="YES" attributeType="Integer 32"/>
        <relationship name="pets" optional="YES" maxCount="1" destinationEntity="Pet" inverseName="owner"/>
        </entity>
        """
    private static let pet = """
        <entity name="Pet">
        <relationship name="owner" optional="YES" maxCount="1" destinationEntity="Person" inverseName="pets"/>
        </entity>
        """

    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        for (name, entities) in [("Old", Self.old), ("New", Self.new)] {
            let folder = "M.xcdatamodeld/\(name).xcdatamodel"
            try FileManager.default.createDirectory(
                atPath: directory.file(folder), withIntermediateDirectories: true)
            try directory.write("<model>\(entities + Self.pet)</model>", to: folder + "/contents")
        }
    }

    private func ferry(_ words: String...) throws -> ToolProcess.Result {
        try ToolProcess.ferry(words, in: directory.path)
    }

    @Test func theFileIsRefusedUntilItIsCompleted() throws {
        let made = try ferry(
            "fixture", "-m", "M.xcdatamodeld", "--version", "Old", "--rows", "5", "-o", "a.sqlite")
        #expect(made.status == 0, "\(made.summary)")
        let store = directory.file("a.sqlite")
        let connection = try Connection(path: store, access: .readWrite)
        try connection.execute("UPDATE ZPERSON SET ZAGE = Z_PK * 10; UPDATE ZPET SET ZOWNER = 6 - Z_PK")
        try connection.close()
        let inferred = try ferry(
            "infer", "-m", "M.xcdatamodeld", "--from", "Old", "--to", "New", "-o", "map.yaml")
        #expect(inferred.status == 2 && inferred.errors.contains("map.yaml: complete what"), "\(inferred.summary)")
        var text = try String(contentsOfFile: directory.file("map.yaml"), encoding: .utf8)
        let age = "      age: $source.valueForKey:(\"age\")\n"
        let above = "      # the attribute's type changes from String to Integer 32; "
        #expect(text.contains(above) && text.contains(age), "\(text)")
        #expect(text.contains("      # the relationship changes from to-many to to-one; "))
        func migrate() throws -> ToolProcess.Result {
            try ferry("migrate", "a.sqlite", "-m", "M.xcdatamodeld", "--to", "New", "--mapping", "map.yaml")
        }
        let first = try migrate()
        #expect(first.status == 2 && first.errors.contains("CAST($source.valueForKey:(\"age\"), \"NSNumber\")"))
        text = text.replacing(age, with: "      age: CAST($source.age, \"NSNumber\")\n")
        try directory.write(text, to: "map.yaml")
        let second = try migrate()
        #expect(second.status == 2 && second.errors.contains("choose: first"), "\(second.summary)")
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("      pets: ") })
        let value = line.dropFirst("      pets: ".count)
        try directory.write(
            text.replacing(line, with: "      pets:\n        value: \(value)\n        choose: first"), to: "map.yaml")
        let third = try migrate()
        #expect(third.status == 0, "\(third.summary)")
        let rows = try StoreRows.of(store, "SELECT ZAGE FROM ZPERSON ORDER BY Z_PK").map { $0[0] }
        #expect(rows == ["10", "20", "30", "40", "50"])
    }
}
