import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
@testable import StoreEditing
import TestSupport
import Testing

/// What an edit reports does not depend on how much its parts take at once.
@Suite struct EditLimitTests {
    private static let names = (0..<9).map { "value\($0)" }

    private func store() throws -> TemporaryStore {
        let attributes = Self.names.map {
            AttributeDescription(
                name: $0, type: .integer32, isOptional: true,
                validation: AttributeValidation(minimum: .integer(-5), maximum: .integer(10)))
        }
        let model = ManagedObjectModel(entities: [entity("Sample", attributes, [])])
        return try TemporaryStore(
            model,
            rows: "INSERT INTO ZSAMPLE (Z_PK, Z_ENT, Z_OPT, ZVALUE0) VALUES (1, 1, 1, 1), (2, 1, 1, 2), (3, 1, 1, 3);")
    }

    /// 1, 2, 3 and 7 cross the eighteen rules of the table, with and without a rest.
    @Test(arguments: [1, 2, 3, 7, 400])
    func allRulesAreChecked(rules: Int) throws {
        let store = try store()
        let before = try store.content()
        let report = try store.edit(
            .update(
                "Sample", where: "value0 > 1",
                set: Self.names.enumerated().map { EditAssignment($0.element, $0.offset % 2 == 0 ? "11" : "-6") })
        ) {
            $0.fixedLimits.rules = rules
            $0.exampleLimit = 1
        }
        #expect(report.faults.map(\.property) == Self.names)
        #expect(report.faults.map(\.code) == Self.names.indices.map { $0 % 2 == 0 ? 1610 : 1620 })
        #expect(report.faults.allSatisfy { $0.count == 2 && $0.objects == [store.uri("Sample", 2)] })
        #expect(try store.content() == before)
    }

    /// Each column differs by itself in one object, and in the last object none.
    @Test(arguments: [1, 2, 3, 7, 500])
    func aMergeFindsTheDifferenceInEachColumn(columns: Int) throws {
        let names = Self.names.map { "Z\($0.uppercased())" }.joined(separator: ", ")
        func rows(_ differing: Bool) -> String {
            Self.names.indices.map { row in
                let values = Self.names.indices.map { $0 == 0 ? "\(row)" : differing && $0 == row ? "9" : "NULL" }
                return "INSERT INTO ZSAMPLE (Z_PK, Z_ENT, Z_OPT, \(names)) "
                    + "VALUES (\(row + 1), 1, 1, \(values.joined(separator: ", ")));"
            }.joined()
        }
        let attributes = Self.names.map { attribute($0, .integer32) }
        let model = ManagedObjectModel(entities: [entity("Sample", attributes, [])])
        let store = try TemporaryStore(model, rows: rows(false))
        let source = try TemporaryStore(model, rows: rows(true))
        var editing = StoreEditor.Options()
        editing.fixedLimits.comparedColumns = columns
        try store.merge(
            "Sample", from: source,
            {
                $0.keys = ["Sample": ["value0"]]
                $0.onMatch = .update
            }, editing: editing)
        let table = "SELECT \(names) FROM ZSAMPLE ORDER BY Z_PK"
        #expect(try store.rows(table) == source.rows(table))
        #expect(
            try store.rows("SELECT Z_OPT FROM ZSAMPLE ORDER BY Z_PK")
                == Self.names.indices.map { $0 == 0 ? "1" : "2" })
    }

    @Test(arguments: [0, 1, 2, 10])
    func objectsOfNumbersThatDoNotFitAreNamedUpToTheLimit(limit: Int) throws {
        let report = try store().edit(
            .update("Sample", where: "TRUEPREDICATE", set: [EditAssignment("value1", "3000000000")])
        ) { $0.exampleLimit = limit }
        #expect(report.faults.map(\.count) == [3])
        #expect(report.faults.map(\.objects.count) == [min(3, limit)])
    }

    /// SQLite makes a real number of what exceeds its integers.
    @Test func theHighestVersionOfAnObjectStays() throws {
        let store = try TemporaryStore(
            StaffModel().model,
            rows: """
                INSERT INTO ZDEPARTMENT (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (1, 2, \(Int64.max), 10);
                INSERT INTO ZEMPLOYEE (Z_PK, Z_ENT, Z_OPT, ZSALARY, ZDEPARTMENT) VALUES (1, 3, \(Int64.max), 5, 1);
                INSERT INTO ZPROJECT (Z_PK, Z_ENT, Z_OPT, ZNUMBER) VALUES (1, 4, \(Int64.max), 1);
                """)
        try store.edit(
            .update("Employee", where: "TRUEPREDICATE", set: [EditAssignment("salary", "6")]),
            .relate("Employee", relationship: "projects", where: "TRUEPREDICATE", to: "TRUEPREDICATE"),
            .unrelate("Employee", relationship: "department", where: "TRUEPREDICATE", to: nil),
            .relate("Employee", relationship: "department", where: "TRUEPREDICATE", to: "code = 10"))
        #expect(
            try store.rows("SELECT Z_OPT, ZSALARY, ZDEPARTMENT FROM ZEMPLOYEE") == ["\(Int64.max)|6|1"])
        #expect(try store.rows("SELECT Z_OPT FROM ZPROJECT") == ["\(Int64.max)"])
    }

    @Test(arguments: [true, false])
    func anInterruptedImportIsNotEditedInto(isKept: Bool) throws {
        let store = try store()
        let connection = try Connection(path: store.path, access: .readWrite)
        try connection.execute("CREATE TABLE \(InterruptedImport.table) (content BLOB)")
        try connection.close()
        let before = try store.content()
        let backup = store.directory.file("old")
        #expect(throws: StoreError(.importInterrupted, path: store.path)) {
            try store.edit(.delete("Sample", where: "TRUEPREDICATE")) { $0.backup = isKept ? backup : nil }
        }
        #expect(try store.content() == before)
        #expect(!FileSystem.exists(backup + "/store.sqlite"))
    }
}
