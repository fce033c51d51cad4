import Foundation
import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreEditing
import TestSupport
import Testing

/// Each rule of a merge, held against what plain SQL reads.
@Suite struct StoreMergerTests {
    /// Departments 10 and 20; employees 1 and 2 in 10, of whom 1 has badge 1, and 3 in 20, managed by 1.
    private static let source = """
        INSERT INTO ZDEPARTMENT (Z_PK, Z_ENT, Z_OPT, ZCODE, ZNAME) VALUES (1, 2, 1, 10, 'A'), (2, 2, 1, 20, 'B');
        INSERT INTO ZEMPLOYEE (Z_PK, Z_ENT, Z_OPT, ZSALARY, ZDEPARTMENT, ZMANAGER, ZBADGE) VALUES \
        (1, 3, 5, 100, 1, NULL, 1), (2, 3, 5, 5, 1, 1, NULL), (3, 3, 5, 8, 2, 1, NULL);
        INSERT INTO ZBADGE (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZOWNER) VALUES (1, 1, 1, 71, 1);
        INSERT INTO ZPROJECT (Z_PK, Z_ENT, Z_OPT, ZNUMBER) VALUES (1, 4, 1, 1), (2, 4, 1, 2);
        INSERT INTO Z_3PROJECTS SELECT 1, 1 UNION SELECT 1, 2 UNION SELECT 3, 2;
        """

    /// Department 20 with employee 1, who has badge 71, and project 2.
    private static let destination = """
        INSERT INTO ZDEPARTMENT (Z_PK, Z_ENT, Z_OPT, ZCODE, ZNAME) VALUES (1, 2, 1, 20, 'old');
        INSERT INTO ZEMPLOYEE (Z_PK, Z_ENT, Z_OPT, ZSALARY, ZDEPARTMENT, ZMANAGER, ZBADGE) VALUES \
        (1, 3, 1, 500, 1, NULL, 1);
        INSERT INTO ZBADGE (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZOWNER) VALUES (1, 1, 1, 71, 1);
        INSERT INTO ZPROJECT (Z_PK, Z_ENT, Z_OPT, ZNUMBER) VALUES (1, 4, 1, 2);
        """

    private func stores(
        _ staff: StaffModel = StaffModel(), history: Bool = false, source more: String = "",
        destination other: String = ""
    ) throws -> (source: TemporaryStore, destination: TemporaryStore) {
        (
            try TemporaryStore(staff.model, rows: Self.source + more),
            try TemporaryStore(staff.model, rows: Self.destination + other, keepsHistory: history)
        )
    }

    private let employees = "SELECT Z_PK, Z_OPT, ZSALARY, ZDEPARTMENT, ZMANAGER, ZBADGE FROM ZEMPLOYEE ORDER BY 1"

    @Test func objectsWithoutAKeyAreNewAndReferencesAreFoundByKey() throws {
        let (source, destination) = try stores()
        let before = try source.content()
        let report = try destination.merge("Employee", from: source) { $0.predicate = "salary < 50" }
        // 10 is not there; the manager is not copied and has no key.
        #expect(
            try destination.rows(employees) == ["1|1|500|1|NULL|1", "2|1|5|NULL|NULL|NULL", "3|1|8|1|NULL|NULL"])
        #expect(report.inserted.mapValues(\.count) == ["Employee": 2])
        #expect(
            report.inserted["Employee"]?.objects == [destination.uri("Employee", 2), destination.uri("Employee", 3)])
        #expect(
            report.linksLeftOut == ["Employee.department": 1, "Employee.manager": 2, "Employee.projects": 1])
        #expect(try destination.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Employee'") == ["3"])
        #expect(try source.content() == before)
    }

    @Test func whatIsFollowedIsCopiedAndLinkedInBothDirections() throws {
        let (source, destination) = try stores()
        let report = try destination.merge("Employee", from: source) {
            $0.predicate = "salary = 8"
            $0.followedPaths = ["manager.projects", "department"]
            $0.onMatch = .skip
        }
        #expect(report.linksLeftOut == ["Employee.badge": 1, "Employee.department": 1, "Employee.manager": 1])
        #expect(try destination.rows(employees) == ["1|1|500|1|NULL|1", "2|1|100|NULL|NULL|NULL", "3|1|8|1|2|NULL"])
        #expect(try destination.rows("SELECT Z_PK, Z_OPT, ZNAME FROM ZDEPARTMENT") == ["1|1|'old'"])
        #expect(try destination.rows("SELECT * FROM Z_3PROJECTS ORDER BY 1, 2") == ["2|2", "2|3", "3|3"])
        #expect(report.skipped == ["Department": 1])
    }

    @Test(arguments: MergeOptions.OnMatch.allCases)
    func aMatchIsSkippedUpdatedOrAnError(action: MergeOptions.OnMatch) throws {
        let (source, destination) = try stores()
        let before = try destination.content()
        let report = try destination.merge("Department", from: source) { $0.onMatch = action }
        let names = try destination.rows("SELECT Z_PK, Z_OPT, ZCODE, ZNAME FROM ZDEPARTMENT ORDER BY 1")
        switch action {
        case .skip: #expect(names == ["1|1|20|'old'", "2|1|10|'A'"] && report.skipped == ["Department": 1])
        case .update: #expect(names == ["1|2|20|'B'", "2|1|10|'A'"] && report.updated["Department"]?.count == 1)
        case .error:
            #expect(report.faults.map(\.code) == [133021] && report.faults[0].objects == [source.uri("Department", 2)])
            #expect(try destination.content() == before)
        }
    }

    @Test func anUpdateWithEqualValuesChangesNothing() throws {
        let (source, destination) = try stores(destination: "UPDATE ZDEPARTMENT SET ZNAME = 'B';")
        let report = try destination.merge("Department", from: source) {
            $0.predicate = "code = 20"
            $0.onMatch = .update
        }
        #expect(report.updated.isEmpty && report.inserted.isEmpty && report.isValid)
    }

    @Test func anotherKeyCanBeNamed() throws {
        let (source, destination) = try stores()
        let report = try destination.merge("Badge", from: source) {
            $0.keys = ["Badge": ["number"]]
            $0.onMatch = .update
        }
        // Its owner is not copied and has no key: the link of the destination stays.
        #expect(report.linksLeftOut == ["Badge.owner": 1])
        #expect(try destination.rows("SELECT Z_PK, ZOWNER FROM ZBADGE") == ["1|1"])
    }

    /// Notes lead to tasks, and lists to notes, and neither leads back: only what is copied counts as the owner of a link.
    @Test func linksFromObjectsThatAreNotCopiedDoNotCount() throws {
        let model = ManagedObjectModel(entities: [
            entity(
                "List", [attribute("code", .integer16)], [relationship("notes", to: "Note", inverse: nil, many: true)]),
            entity(
                "Note", unique: [["code"]], [attribute("code", .integer16)],
                [relationship("task", to: "Task", inverse: nil)]),
            entity("Task", unique: [["code"]], [attribute("code", .integer16)], []),
        ])
        let source = try TemporaryStore(
            model,
            rows: """
                INSERT INTO ZLIST (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (1, 1, 1, 1);
                INSERT INTO ZTASK (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (1, 3, 1, 1), (2, 3, 1, 2);
                INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZCODE, ZTASK, Z1NOTES) VALUES (1, 2, 1, 1, 1, 1), (2, 2, 1, 2, 2, 1);
                """)
        func leftOut(_ entity: String, _ predicate: String = "TRUEPREDICATE") throws -> [String: Int64] {
            try TemporaryStore(model, rows: "").merge(entity, from: source) { $0.predicate = predicate }.linksLeftOut
        }
        #expect(try leftOut("Task") == [:])
        #expect(try leftOut("Note") == ["Note.task": 2])
        #expect(try leftOut("Note", "code = 1") == ["Note.task": 1])
        #expect(try leftOut("List") == ["List.notes": 2])
        // What is there and stays as it is gets no link of the source's object.
        let destination = try TemporaryStore(
            model, rows: "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (1, 2, 1, 1)")
        let report = try destination.merge("Note", from: source) {
            $0.followedPaths = ["task"]
            $0.onMatch = .skip
        }
        #expect(report.linksLeftOut == [:])
        #expect(try destination.rows("SELECT ZCODE, ZTASK IS NULL FROM ZNOTE ORDER BY 1") == ["1|1", "2|0"])
    }

    /// 71 belongs to employee 1 of the destination, and is only linked to.
    @Test func aLinkThatIsTakenIsLeftOut() throws {
        let (source, destination) = try stores()
        let report = try destination.merge("Employee", from: source) {
            $0.predicate = "salary = 100"
            $0.keys = ["Badge": ["number"], "Project": ["number"]]
        }
        #expect(report.linksLeftOut["Employee.badge"] == 1 && report.linksLeftOut["Badge.owner"] == nil)
        #expect(try destination.rows("SELECT Z_PK, Z_OPT, ZOWNER FROM ZBADGE") == ["1|1|1"])
        #expect(try destination.rows(employees) == ["1|1|500|1|NULL|1", "2|1|100|NULL|NULL|NULL"])
        #expect(try destination.rows("SELECT * FROM Z_3PROJECTS") == ["2|1"])
    }

    @Test func anUpdatedObjectWinsTheLinksOfItsSource() throws {
        let (source, destination) = try stores()
        let report = try destination.merge("Employee", from: source) {
            $0.predicate = "salary = 100"
            $0.cascades = true
            $0.keys = ["Badge": ["number"]]
            $0.onMatch = .update
        }
        #expect(report.isValid && report.linksLeftOut["Employee.badge"] == nil)
        #expect(try destination.rows("SELECT Z_PK, Z_OPT, ZOWNER FROM ZBADGE") == ["1|2|2"])
        #expect(try destination.rows(employees) == ["1|2|500|1|NULL|NULL", "2|1|100|NULL|NULL|1"])
    }

    @Test func orderedLinksComeLastInAListThatIsThere() throws {
        let (source, destination) = try stores(
            StaffModel(ordered: true), source: "UPDATE ZEMPLOYEE SET Z_FOK_DEPARTMENT = 9000 - Z_PK, ZDEPARTMENT = 2;",
            destination: "UPDATE ZEMPLOYEE SET Z_FOK_DEPARTMENT = 3072;")
        try destination.merge("Employee", from: source) { $0.keys = [:] }
        #expect(
            try destination.rows("SELECT ZSALARY, Z_FOK_DEPARTMENT FROM ZEMPLOYEE ORDER BY 2")
                == ["500|3072", "8|4096", "5|5120", "100|6144"])
    }

    @Test func whatIsMovedIsGoneFromTheSource() throws {
        let (source, destination) = try stores()
        let report = try destination.merge("Employee", from: source) {
            $0.predicate = "salary = 100"
            $0.cascades = true
            $0.moves = true
        }
        #expect(report.moved == ["Badge": 1, "Employee": 1])
        #expect(try source.rows(employees) == ["2|6|5|1|NULL|NULL", "3|6|8|2|NULL|NULL"])
        #expect(try source.rows("SELECT count(*) FROM ZBADGE") == ["0"])
        #expect(try source.rows("SELECT * FROM Z_3PROJECTS") == ["3|2"])
        #expect(try destination.rows(employees) == ["1|1|500|1|NULL|1", "2|1|100|NULL|NULL|2"])
    }

    @Test(arguments: [DeleteRule.deny, .cascade])
    func aMoveThatDeleteRulesForbidChangesNeitherStore(rule: DeleteRule) throws {
        let (source, destination) = try stores(StaffModel(departmentRule: rule))
        let before = (try source.content(), try destination.content())
        let report = try destination.merge("Department", from: source) {
            $0.predicate = "code = 10"
            $0.moves = true
        }
        #expect(report.faults.map(\.code) == [1600])
        #expect(try source.content() == before.0)
        #expect(try destination.content() == before.1)
    }

    @Test func aDryRunSaysWhatWouldBeAndChangesNeitherStore() throws {
        let (source, destination) = try stores(history: true)
        let before = (try source.content(), try destination.content())
        var editing = StoreEditor.Options()
        editing.isDryRun = true
        let map = destination.directory.file("map.csv")
        let report = try destination.merge(
            "Employee", from: source,
            {
                $0.cascades = true
                $0.moves = true
                $0.idMap = map
            }, editing: editing)
        #expect(report.inserted.mapValues(\.count) == ["Badge": 1, "Employee": 3] && report.moved["Employee"] == 3)
        #expect(try source.content() == before.0)
        #expect(try destination.content() == before.1)
        #expect(!FileManager.default.fileExists(atPath: map))
    }

    @Test func oldAndNewKeysAreWritten() throws {
        let (source, destination) = try stores()
        let map = destination.directory.file("map.csv")
        try destination.merge("Department", from: source) {
            $0.onMatch = .skip
            $0.idMap = map
        }
        let text = try String(contentsOfFile: map, encoding: .utf8)
        #expect(
            text == "store,entity,old,new\n\(source.path),Department,1,2\n\(source.path),Department,2,1\n")
    }

    @Test func historyHasTheNewObjects() throws {
        let (source, destination) = try stores(history: true)
        try destination.merge("Employee", from: source)
        #expect(
            try destination.rows("SELECT ZCHANGETYPE, ZENTITY, ZENTITYPK FROM ACHANGE ORDER BY Z_PK")
                == ["0|3|2", "0|3|3", "0|3|4"])
    }

    @Test func whatTheModelForbidsIsAllReported() throws {
        let (source, destination) = try stores(
            StaffModel(needsDepartment: true), source: "UPDATE ZEMPLOYEE SET ZSALARY = 5000 WHERE Z_PK = 3;")
        let before = try destination.content()
        let report = try destination.merge("Employee", from: source)
        #expect(Set(report.faults.map(\.code)) == [1570, 1610])
        #expect(try destination.content() == before)
    }

    @Test(arguments: [true, false])
    func aKeyThatIsThereTwiceIsAFault(inSource: Bool) throws {
        let rows = "INSERT INTO ZBADGE (Z_PK, Z_ENT, Z_OPT, ZNUMBER) VALUES (9, 1, 1, 71);"
        let (source, destination) = try stores(source: inSource ? rows : "", destination: inSource ? "" : rows)
        let report = try destination.merge("Badge", from: source) {
            $0.keys = ["Badge": ["number"]]
            $0.onMatch = .skip
        }
        #expect(report.faults.map(\.code) == [133021])
        #expect(report.faults.first?.message.contains(inSource ? "to merge" : "of the destination") == true)
    }

    @Test func largeValuesAreFilesOfTheirOwn() throws {
        let (source, destination) = try stores()
        let bytes = [UInt8](repeating: 7, count: ExternalData.largestInline + 5)
        let external = ExternalData(store: source.path, isDryRun: false)
        let stored = try #require(try external.stored(([1] + bytes)[...]))
        try external.forget()
        let connection = try Connection(path: source.path, access: .readWrite)
        try connection.execute("UPDATE ZEMPLOYEE SET ZPHOTO = ? WHERE Z_PK = 2", [.blob(stored)])
        try connection.execute("UPDATE ZEMPLOYEE SET ZPHOTO = x'010203' WHERE Z_PK = 3")
        try connection.close()
        try destination.merge("Employee", from: source)
        let name = try destination.rows(
            "SELECT CAST(substr(ZPHOTO, 2, 36) AS TEXT) FROM ZEMPLOYEE WHERE length(ZPHOTO) = 38")
        let file = try #require(name.first).trimmingCharacters(in: ["'"])
        let folder = StoreFiles(destination.path).externalDataDirectory
        let copy = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
        #expect(Array(copy) == bytes)
        #expect(try destination.rows("SELECT hex(ZPHOTO) FROM ZEMPLOYEE WHERE Z_PK = 4") == ["'010203'"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 1)
    }

    @Test func whatMakesNoSenseIsAnError() throws {
        let (source, destination) = try stores()
        #expect(throws: MergeError.unknownEntity("Planet")) { try destination.merge("Planet", from: source) }
        #expect(throws: MergeError.unknownProperty("moon", of: "Employee")) {
            try destination.merge("Employee", from: source) { $0.followedPaths = ["manager.moon"] }
        }
        #expect(throws: MergeError.unusableKey("photo", of: "Employee")) {
            try destination.merge("Employee", from: source) { $0.keys = ["Employee": ["photo"]] }
        }
        #expect(throws: MergeError.sameStore(source.path)) { try source.merge("Employee", from: source) }
    }
}
