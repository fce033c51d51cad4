import Foundation
import GeneratedStores
import KeyedArchives
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreConversion
import TestSupport
import Testing

/// What a converted store has of the old one, so that it can take its place: the UUID, the keys, the kind of vacuum.
@Suite struct IdentityTests {
    private let directory: TemporaryDirectory
    private let model: ResolvedModel

    init() throws {
        directory = try TemporaryDirectory()
        model = try ResolvedModel(
            ManagedObjectModel(entities: [
                entity(
                    "Team", [attribute("name")],
                    [relationship("members", to: "Person", inverse: "team", many: true, ordered: true)]),
                entity(
                    "Person", [attribute("name")],
                    [
                        relationship("team", to: "Team", inverse: "members"),
                        relationship("partner", to: "Person", inverse: "admirer"),
                        relationship("admirer", to: "Person", inverse: "partner"),
                    ]),
            ]))
    }

    /// Two teams and five people with the ids that an XML store gives to objects of all entities together.
    private func xmlStore() throws -> String {
        func links(_ name: String, _ ids: String) -> String {
            "<relationship name=\"\(name)\" type=\"0/0\" destination=\"X\" idrefs=\"\(ids)\"></relationship>"
        }
        func object(_ type: String, _ id: Int, _ rest: String) -> String {
            "<object type=\"\(type)\" id=\"z\(id)\"><attribute name=\"name\" type=\"string\">\(type)\(id)</attribute>"
                + rest + "</object>"
        }
        let objects = [
            object("PERSON", 110, links("team", "z105")), object("TEAM", 105, links("members", "z110 z103")),
            object("PERSON", 103, links("team", "z105")), object("PERSON", 102, links("team", "z109")),
            object("TEAM", 109, links("members", "z107 z102")), object("PERSON", 107, links("team", "z109")),
            object("PERSON", 120, ""),
        ]
        return try directory.write(
            """
            <?xml version="1.0" standalone="yes"?>
            <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

            <database><databaseInfo><version>134481920</version><UUID>0D2D4E2B-6BB7-4C1E-8C43-77AE2F5D0B5C</UUID>
            <nextObjectID>120</nextObjectID><metadata></metadata></databaseInfo>\(objects.joined())</database>
            """, to: "a.xml")
    }

    private func texts(_ path: String, _ sql: String) throws -> [String] {
        try Connection(path: path, access: .readOnly).rows(sql).map { row in
            row.map { $0.string ?? $0.literal }.joined(separator: "|")
        }
    }

    @Test(arguments: NewStoreWriter.allCases)
    func objectsOfAnXMLStoreGetKeysFromOneInEachTable(writer: NewStoreWriter) throws {
        let path = try xmlStore()
        let result = directory.file("a.sqlite")
        let map = directory.file("map.csv")
        let report = try convert([path], to: .sqlite, result, model) {
            $0.writer = writer
            $0.idMap = map
        }
        #expect(!report.hasWarnings && !report.keepsKeys)
        #expect(report.findings.map(\.code) == [.keysChanged])
        #expect(
            try texts(result, "SELECT Z_PK, ZNAME, ZTEAM FROM ZPERSON ORDER BY Z_PK") == [
                "1|PERSON102|2", "2|PERSON103|1", "3|PERSON107|2", "4|PERSON110|1", "5|PERSON120|NULL",
            ])
        #expect(try texts(result, "SELECT Z_PK, ZNAME FROM ZTEAM ORDER BY Z_PK") == ["1|TEAM105", "2|TEAM109"])
        #expect(try texts(result, "SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1") == ["Person|5", "Team|2"])
        #expect(try ObjectListing(of: result, model: model) == ObjectListing(of: path, model: model))
        let pairs = try String(contentsOfFile: map, encoding: .utf8).split(separator: "\n").dropFirst().map {
            $0.split(separator: ",").dropFirst().joined(separator: " ")
        }
        #expect(
            pairs.sorted() == [
                "Person 102 1", "Person 103 2", "Person 107 3", "Person 110 4", "Person 120 5", "Team 105 1",
                "Team 109 2",
            ])
    }

    @Test func theNumbersOfTheFileStayWhereThatIsAskedFor() throws {
        let result = directory.file("a.sqlite")
        let report = try convert([try xmlStore()], to: .sqlite, result, model) { $0.keepsIDs = true }
        #expect(report.keepsKeys && report.findings.isEmpty)
        #expect(try texts(result, "SELECT Z_PK FROM ZTEAM ORDER BY 1") == ["105", "109"])
        #expect(try texts(result, "SELECT DISTINCT Z_MAX FROM Z_PRIMARYKEY") == ["120"])
    }

    @Test func objectsOfSeveralXMLStoresFollowEachOtherWithoutGaps() throws {
        let path = try xmlStore()
        let result = directory.file("both.sqlite")
        try convert([path, path], to: .sqlite, result, model)
        #expect(try texts(result, "SELECT Z_PK FROM ZPERSON ORDER BY 1") == (1...10).map(String.init))
        #expect(
            try texts(result, "SELECT Z_PK, ZNAME, ZTEAM FROM ZPERSON WHERE Z_PK > 7 ORDER BY Z_PK") == [
                "8|PERSON107|4", "9|PERSON110|3", "10|PERSON120|NULL",
            ])
    }

    /// A reference to an object that is not there must not become one to the object that gets its number.
    @Test func aDanglingReferenceOfAnXMLStoreStaysOne() throws {
        let text = try String(contentsOfFile: xmlStore(), encoding: .utf8)
        let path = try directory.write(text.replacing("\"z109\"></rel", with: "\"z2\"></rel"), to: "b.xml")
        let result = directory.file("b.sqlite")
        let report = try convert([path], to: .sqlite, result, model)
        #expect(report.findings.map(\.code).contains(.oneSidedRelationship) || report.hasWarnings)
        #expect(try texts(result, "SELECT count(*) FROM ZPERSON WHERE ZTEAM NOT IN (1, 2)") == ["0"])
        #expect(try texts(result, "SELECT ZTEAM FROM ZPERSON WHERE Z_PK = 4") == ["1"])
    }

    @Test func twoObjectsOfAHierarchyWithOneIDAreAnError() throws {
        let text = try String(contentsOfFile: xmlStore(), encoding: .utf8)
        let path = try directory.write(text.replacing("id=\"z120\"", with: "id=\"z110\""), to: "b.xml")
        let error = #expect(throws: ConversionError.self) {
            try convert([path], to: .sqlite, directory.file("b.sqlite"), model)
        }
        #expect(error?.code == .duplicateKey(entity: "Person", key: 110))
    }

    @Test func theUUIDStaysUnlessANewOneIsAskedFor() throws {
        let path = try xmlStore()
        var previous = path
        for (type, name) in [
            (PersistentStoreType.sqlite, "b.sqlite"), (.sqlite, "c.sqlite"), (.binary, "d.bin"), (.xml, "e.xml"),
        ] {
            let report = try convert([previous], to: type, directory.file(name), model)
            previous = directory.file(name)
            #expect(report.uuid == "0D2D4E2B-6BB7-4C1E-8C43-77AE2F5D0B5C", "\(name)")
            #expect(try PersistentStoreRegistry.standard.metadata(at: previous).uuid == report.uuid, "\(name)")
        }
        let fresh = try convert([path], to: .sqlite, directory.file("new.sqlite"), model) { $0.givesNewUUID = true }
        #expect(fresh.uuid != "0D2D4E2B-6BB7-4C1E-8C43-77AE2F5D0B5C" && fresh.uuid.count == 36)
        let merged = try convert([path, path], to: .sqlite, directory.file("merged.sqlite"), model)
        #expect(merged.uuid != "0D2D4E2B-6BB7-4C1E-8C43-77AE2F5D0B5C")
    }

    @Test(arguments: [0, 1, 2], NewStoreWriter.allCases)
    func theKindOfVacuumStays(level: Int, writer: NewStoreWriter) throws {
        let path = directory.file("a.sqlite")
        try convert([try xmlStore()], to: .sqlite, path, model)
        let connection = try Connection(path: path, access: .readWrite)
        _ = try connection.value("PRAGMA journal_mode = DELETE")
        try connection.execute("PRAGMA auto_vacuum = \(level); VACUUM")
        try connection.close()
        let result = directory.file("b.sqlite")
        let report = try convert([path], to: .sqlite, result, model) { $0.writer = writer }
        #expect(!report.hasWarnings)
        #expect(try texts(result, "PRAGMA auto_vacuum") == ["\(level)"])
        let noted = try SQLiteStore(path: result).metadata.entries["_NSAutoVacuumLevel"]
        #expect(noted == .string("\(level)"))
        let asked = directory.file("c.sqlite")
        let incremental = try StorePragmas([("auto_vacuum", "incremental")])
        try convert([path], to: .sqlite, asked, model) {
            $0.writer = writer
            $0.pragmas = incremental
        }
        #expect(try texts(asked, "PRAGMA auto_vacuum") == ["2"])
    }

    @Test(arguments: NewStoreWriter.allCases)
    func aLinkOfWhichOneDirectionIsNullIsNotFilledInWithoutAWord(writer: NewStoreWriter) throws {
        let path = directory.file("a.sqlite")
        try convert([try xmlStore()], to: .sqlite, path, model)
        try Connection(path: path, access: .readWrite).execute("UPDATE ZPERSON SET ZPARTNER = 2 WHERE Z_PK = 1")
        let result = directory.file("b.sqlite")
        let report = try convert([path], to: .sqlite, result, model) { $0.writer = writer }
        #expect(report.findings.map(\.code) == [.oneSidedRelationship])
        #expect(report.findings.map(\.subject) == ["Person.admirer"])
        #expect(report.hasWarnings)
    }

    @Test(arguments: [PersistentStoreType.xml, .binary])
    func aLinkOfWhichOneDirectionIsNullHasBothInOtherTypes(type: PersistentStoreType) throws {
        let path = directory.file("a.sqlite")
        try convert([try xmlStore()], to: .sqlite, path, model)
        try Connection(path: path, access: .readWrite).execute("UPDATE ZPERSON SET ZPARTNER = 2 WHERE Z_PK = 1")
        let other = directory.file("b.other")
        let report = try convert([path], to: type, other, model)
        #expect(report.findings.map(\.code).contains(.oneSidedRelationship))
        #expect(report.hasWarnings)
        // Nothing is left for the way back.
        let back = try convert([other], to: .sqlite, directory.file("c.sqlite"), model)
        #expect(!back.findings.map(\.code).contains(.oneSidedRelationship))
    }
}
