import ExternalPrograms
import Foundation
import GeneratedStores
import KeyedArchives
import ManagedObjectModels
import StoreEditing
import TestSupport
import Testing
import ValueTransformers

/// Values of transformable attributes that steps give as JSON.
@Suite struct EditJSONTests {
    private static func transformable(
        _ name: String, _ transformer: String? = nil, class className: String? = nil, optional: Bool = true,
        external: Bool = false
    ) -> AttributeDescription {
        AttributeDescription(
            name: name, type: .transformable, isOptional: optional, valueTransformerName: transformer,
            attributeValueClassName: className, allowsExternalBinaryDataStorage: external)
    }

    private func store() throws -> TemporaryStore {
        let model = ManagedObjectModel(entities: [
            entity(
                "Probe",
                [
                    attribute("number", .integer16), Self.transformable("label", "Label"),
                    Self.transformable("list", class: "NSArray"), Self.transformable("large", external: true),
                    Self.transformable("needed", optional: false),
                ])
        ])
        let archive = "CAST('archive' AS BLOB)"
        return try TemporaryStore(
            model,
            rows: "INSERT INTO ZPROBE (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZNEEDED) VALUES (1, 1, 1, 1, \(archive)), "
                + "(2, 1, 1, 2, \(archive))", keepsHistory: true)
    }

    /// What an attribute of an object holds, the tag of values that may be external taken away.
    private func value(_ column: String, _ key: Int, in store: TemporaryStore) throws -> PropertyListValue? {
        let text = try store.rows("SELECT hex(\(column)) FROM ZPROBE WHERE Z_PK = \(key)")[0].filter { $0 != "'" }
        var bytes: [UInt8] = []
        var rest = text[...]
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        if column == "ZLARGE", bytes.first == 1 { bytes.removeFirst() }
        guard !bytes.isEmpty else { return nil }
        return try KeyedArchive(bytes).rootValue().propertyList()
    }

    @Test func valuesBecomeKeyedArchives() throws {
        let store = try store()
        let report = try store.edit(
            .update(
                "Probe", where: "number = 1",
                set: [
                    EditAssignment("number", "number + 10"), EditAssignment("list", json: "[1, \"b\"]"),
                    EditAssignment("large", json: "{\"a\": {\"$date\": 5}}"),
                ]))
        #expect(report.isValid && report.updated["Probe"]?.count == 1)
        #expect(try value("ZLIST", 1, in: store) == .array([.integer(1), .string("b")]))
        var pairs = PropertyListDictionary()
        pairs["a"] = .date(5)
        #expect(try value("ZLARGE", 1, in: store) == .dictionary(pairs))
        #expect(
            try store.rows("SELECT ZNUMBER, Z_OPT, hex(substr(ZLARGE, 1, 1)) FROM ZPROBE") == ["11|2|'01'", "2|1|''"])
        let again = try store.edit(
            .update("Probe", where: "number = 11", set: [EditAssignment("list", json: " [1,\"b\"]")]))
        #expect(!again.isChange)
    }

    @Test func newObjectsHaveThemToo() throws {
        let store = try store()
        let report = try store.edit(
            .insert("Probe", set: [EditAssignment("needed", json: "7"), EditAssignment("number", "3")], link: []))
        #expect(report.isValid && report.inserted["Probe"]?.count == 1)
        #expect(try value("ZNEEDED", 3, in: store) == .integer(7))
    }

    @Test func nullTakesTheValueAway() throws {
        let store = try store()
        try store.edit(.update("Probe", where: "TRUEPREDICATE", set: [EditAssignment("list", json: "[]")]))
        try store.edit(.update("Probe", where: "number = 1", set: [EditAssignment("list", json: "null")]))
        #expect(try store.rows("SELECT ZLIST IS NULL FROM ZPROBE") == ["1", "0"])
        let before = try store.content()
        let report = try store.edit(
            .update("Probe", where: "number = 1", set: [EditAssignment("needed", json: "null")]))
        #expect(report.faults.map(\.code) == [1570])
        #expect(try store.content() == before)
    }

    @Test(arguments: [
        ("label", "\"x\"", "has the value transformer Label, which is not registered"),
        ("list", "{}", "has values of the class NSArray"), ("list", "[", "Probe.list: column 2 is not JSON"),
        ("number", "1", "Probe.number is of type"), ("nothing", "1", "Probe has no stored attribute nothing"),
    ])
    func whatHasNoBytesChangesNothing(attribute: String, json: String, reason: String) throws {
        let store = try store()
        let before = try store.content()
        let error = try #require(throws: EditError.self) {
            try store.edit(
                .update("Probe", where: "TRUEPREDICATE", set: [EditAssignment("number", "5")]),
                .update("Probe", where: "TRUEPREDICATE", set: [EditAssignment(attribute, json: json)]))
        }
        #expect("\(error)".contains(reason) && "\(error)".contains("JSON \(json)"), "\(error)")
        #expect(try store.content() == before)
    }

    @Test func anExpressionForOneNamesTheOtherWay() throws {
        let store = try store()
        let error = try #require(throws: EditError.self) {
            try store.edit(.update("Probe", where: "TRUEPREDICATE", set: [EditAssignment("list", "\"x\"")]))
        }
        #expect(error.reason.contains("give its value as JSON"), "\(error)")
    }

    /// The program is asked once for a step, however many objects get the value, and before the store is locked.
    @Test func programsMakeTheBytesOnceAndBeforeTheStoreIsLocked() throws {
        let store = try store()
        let directory = store.directory
        try directory.write(
            """
            cd '\(directory.path)'
            read -r greeting
            while read -r line; do
                echo "$line" >> asked
                sqlite3 store.sqlite 'BEGIN IMMEDIATE; UPDATE ZPROBE SET ZNUMBER = 8 WHERE Z_PK = 2; COMMIT' || exit 9
                echo '{"data":"AQID"}'
            done
            """, to: "label.sh")
        let program = try #require(ExternalProgram("sh '\(directory.file("label.sh"))'"))
        let report = try store.edit(
            .update("Probe", where: "TRUEPREDICATE", set: [EditAssignment("label", json: "{\"text\": \"new\"}")])
        ) {
            $0.transformers = $0.transformers.registering(ProgramTransformer(program, as: "Label"), as: "Label")
        }
        #expect(report.updated["Probe"]?.count == 2)
        #expect(try store.rows("SELECT hex(ZLABEL), ZNUMBER FROM ZPROBE") == ["'010203'|1", "'010203'|8"])
        let asked = try String(contentsOfFile: directory.file("asked"), encoding: .utf8)
        #expect(asked == "{\"transform\":{\"text\":\"new\"}}\n")
    }
}
