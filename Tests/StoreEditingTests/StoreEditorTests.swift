import Foundation
import GeneratedStores
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreEditing
import TestSupport
import Testing

/// Each kind of step, held against what plain SQL reads.
@Suite struct StoreEditorTests {
    /// Two departments, three employees, of whom 1 is the manager of 2 and 3, and two badges.
    private static let rows = """
        INSERT INTO ZDEPARTMENT (Z_PK, Z_ENT, Z_OPT, ZCODE, ZNAME) VALUES (1, 2, 1, 10, 'A'), (2, 2, 1, 20, 'B');
        INSERT INTO ZEMPLOYEE (Z_PK, Z_ENT, Z_OPT, ZSALARY, ZDEPARTMENT, ZMANAGER, ZBADGE) VALUES \
        (1, 3, 1, 500, 1, NULL, 1), (2, 3, 4, 5, 1, 1, NULL), (3, 3, 1, 8, 2, 1, NULL);
        INSERT INTO ZBADGE (Z_PK, Z_ENT, Z_OPT, ZNUMBER, ZOWNER) VALUES (1, 1, 1, 1, 1), (2, 1, 1, 2, NULL);
        INSERT INTO ZPROJECT (Z_PK, Z_ENT, Z_OPT, ZNUMBER) VALUES (1, 4, 1, 1), (2, 4, 1, 2);
        """

    private func store(
        _ staff: StaffModel = StaffModel(), history: Bool = false, and more: String = ""
    ) throws -> TemporaryStore {
        try TemporaryStore(staff.model, rows: Self.rows + more, keepsHistory: history)
    }

    @Test func valuesAreExpressionsOverWhatTheObjectHolds() throws {
        let store = try store()
        let report = try store.edit(
            .update("Employee", where: "salary < 10", set: [EditAssignment("salary", "salary * 2")]))
        #expect(report.updated.mapValues(\.count) == ["Employee": 2])
        #expect(report.updated["Employee"]?.objects == [store.uri("Employee", 2), store.uri("Employee", 3)])
        #expect(try store.rows("SELECT Z_PK, Z_OPT, ZSALARY FROM ZEMPLOYEE") == ["1|1|500", "2|5|10", "3|2|16"])
    }

    /// 2 gets what 1 had, and 1 what nobody has: the order of the rows plays no part.
    @Test func otherObjectsHaveTheirOldValuesToo() throws {
        let store = try store()
        try store.edit(
            .update("Employee", where: "TRUEPREDICATE", set: [EditAssignment("salary", "manager.salary + 1")]))
        #expect(try store.rows("SELECT ZSALARY FROM ZEMPLOYEE") == ["NULL", "501", "501"])
    }

    @Test func equalValuesChangeNothing() throws {
        let store = try store()
        let before = try store.content()
        let report = try store.edit(
            .update("Employee", where: "TRUEPREDICATE", set: [EditAssignment("salary", "salary * 1")]))
        #expect(!report.isChange)
        #expect(try store.content() == before)
    }

    @Test func aDryRunReportsAndChangesNothing() throws {
        let store = try store(history: true)
        let before = try store.content()
        let report = try store.edit(.delete("Department", where: "code = 10")) { $0.isDryRun = true }
        #expect(report.deleted["Department"]?.count == 1 && report.updated["Employee"]?.count == 2)
        #expect(try store.content() == before)
    }

    // MARK: Delete rules

    @Test(arguments: [true, false])
    func denyRefusesWhileObjectsAreThere(isEmpty: Bool) throws {
        let store = try store(
            StaffModel(departmentRule: .deny), and: isEmpty ? "UPDATE ZEMPLOYEE SET ZDEPARTMENT = 2;" : "")
        let before = try store.content()
        let report = try store.edit(.delete("Department", where: "code = 10"))
        #expect(report.isValid == isEmpty)
        if !isEmpty {
            #expect(report.faults.map(\.code) == [1600] && report.faults[0].objects == [store.uri("Department", 1)])
            #expect(try store.content() == before)
        }
    }

    @Test func cascadesTakeAlong() throws {
        let store = try store(StaffModel(departmentRule: .cascade))
        let report = try store.edit(.delete("Department", where: "code = 10"))
        #expect(report.deleted.mapValues(\.count) == ["Department": 1, "Employee": 2, "Badge": 1])
        #expect(try store.rows("SELECT Z_PK, ZMANAGER FROM ZEMPLOYEE") == ["3|NULL"])
        #expect(try store.rows("SELECT Z_PK FROM ZBADGE") == ["2"])
    }

    /// Nothing of a number is cut off: neither a fraction nor what is beyond the range, also of the widest type.
    @Test(arguments: [
        ("Employee", "salary", "salary / 3.0", 1550), ("Employee", "salary", "-0.5", 1550),
        ("Badge", "number", "1e19", 1610), ("Badge", "number", "-1e300", 1620),
        ("Project", "number", "number * 1e300", 1610),
        ("Employee", "salary", "salary * CAST('0.3', 'NSDecimalNumber')", 1550),
    ])
    func aNumberThatDoesNotFitIsAFault(_ entity: String, _ attribute: String, _ expression: String, _ code: Int) throws
    {
        let store = try store()
        let before = try store.content()
        let report = try store.edit(
            .update(entity, where: "TRUEPREDICATE", set: [EditAssignment(attribute, expression)]))
        #expect(report.faults.map(\.code) == [code] && report.faults.map(\.property) == [attribute])
        #expect(try store.content() == before)
        try store.edit(.update("Employee", where: "salary = 8", set: [EditAssignment("salary", "salary / 2.0")]))
        #expect(try store.rows("SELECT ZSALARY FROM ZEMPLOYEE WHERE Z_PK = 3") == ["4"])
    }

    @Test func aRequiredLinkMayNotBecomeEmpty() throws {
        let store = try store(StaffModel(needsDepartment: true))
        let before = try store.content()
        let report = try store.edit(
            .delete("Department", where: "code = 10"),
            .update("Employee", where: "salary = 8", set: [EditAssignment("salary", "5000")]))
        #expect(report.faults.map(\.code) == [1610, 1570])
        #expect(report.faults.last?.objects == [store.uri("Employee", 1), store.uri("Employee", 2)])
        #expect(try store.content() == before)
    }

    @Test func noActionLeavesWhatLeadsToTheObject() throws {
        let store = try store(StaffModel(departmentRule: .noAction))
        let report = try store.edit(.delete("Department", where: "code = 10"))
        #expect(report.isValid && report.notes.count == 1)
        #expect(try store.rows("SELECT ZDEPARTMENT FROM ZEMPLOYEE") == ["1", "1", "2"])
    }

    @Test func aDepartmentMayNotHaveTooFewEmployees() throws {
        let store = try store(StaffModel(minimumStaff: 2))
        let report = try store.edit(.delete("Employee", where: "salary = 5"))
        #expect(report.faults.map(\.code) == [1580] && report.faults[0].objects == [store.uri("Department", 1)])
        // 20 has had too few before, and nobody has touched it.
        #expect(report.faults[0].count == 1)
    }

    // MARK: Inserting and linking

    @Test func anInsertedObjectHasTheNextKey() throws {
        let store = try store()
        let report = try store.edit(
            .insert(
                "Employee", set: [EditAssignment("salary", "1 + 2")], link: [EditLink("department", to: "code = 20")]))
        #expect(report.inserted["Employee"]?.objects == [store.uri("Employee", 4)])
        #expect(
            try store.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZSALARY, ZDEPARTMENT FROM ZEMPLOYEE WHERE Z_PK > 3")
                == ["4|3|1|3|2"])
        #expect(try store.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Employee'") == ["4"])
    }

    @Test func aOneToOneLinkReplacesBothOldOnes() throws {
        let store = try store(
            and: "UPDATE ZEMPLOYEE SET ZBADGE = 2 WHERE Z_PK = 2; UPDATE ZBADGE SET ZOWNER = 2 WHERE Z_PK = 2;")
        try store.edit(
            .relate("Badge", relationship: "owner", where: "number = 1", to: "SELF = \"\(store.uri("Employee", 2))\""))
        #expect(try store.rows("SELECT Z_PK, ZBADGE FROM ZEMPLOYEE ORDER BY 1") == ["1|NULL", "2|1", "3|NULL"])
        #expect(try store.rows("SELECT Z_PK, ZOWNER FROM ZBADGE ORDER BY 1") == ["1|2", "2|NULL"])
    }

    @Test func linksOfAnOrderedRelationshipComeLast() throws {
        let store = try store(
            StaffModel(ordered: true), and: "UPDATE ZEMPLOYEE SET Z_FOK_DEPARTMENT = 3072 WHERE Z_PK = 3;")
        try store.edit(.relate("Department", relationship: "employees", where: "code = 20", to: "TRUEPREDICATE"))
        #expect(
            try store.rows("SELECT Z_PK, ZDEPARTMENT, Z_FOK_DEPARTMENT FROM ZEMPLOYEE")
                == ["1|2|4096", "2|2|5120", "3|2|3072"])
    }

    /// Behind the highest order key there is none: the links are refused, or all get new keys, but none is rounded.
    @Test func orderKeysStayIntegersAtTheEndOfTheirRange() throws {
        let store = try store(
            StaffModel(ordered: true),
            and: "UPDATE ZEMPLOYEE SET ZDEPARTMENT = 2, Z_FOK_DEPARTMENT = 9223372036854775806 WHERE Z_PK = 3;")
        do {
            try store.edit(.relate("Department", relationship: "employees", where: "code = 20", to: "TRUEPREDICATE"))
        } catch {
            #expect(try store.rows("SELECT ZDEPARTMENT FROM ZEMPLOYEE") == ["1", "1", "2"])
            return
        }
        #expect(try store.rows("SELECT DISTINCT typeof(Z_FOK_DEPARTMENT) FROM ZEMPLOYEE") == ["integer"])
        #expect(try store.rows("SELECT Z_PK FROM ZEMPLOYEE ORDER BY Z_FOK_DEPARTMENT") == ["3", "1", "2"])
    }

    @Test func manyToManyLinksAreThereOnce() throws {
        let store = try store()
        for _ in 1...2 {
            try store.edit(.relate("Employee", relationship: "projects", where: "salary < 10", to: "TRUEPREDICATE"))
        }
        let table = try #require(
            try store.rows("SELECT name FROM sqlite_master WHERE name GLOB 'Z_[0-9]*' AND type = 'table'").first)
        let name = table.replacingOccurrences(of: "'", with: "")
        #expect(try store.rows("SELECT count(*) FROM \(name)") == ["4"])
        let report = try store.edit(
            .unrelate("Project", relationship: "members", where: "number = 1", to: "salary = 5"))
        #expect(report.updated.mapValues(\.count) == ["Employee": 1, "Project": 1])
        #expect(try store.rows("SELECT count(*) FROM \(name)") == ["3"])
    }

    @Test func aToOneRelationshipNeedsOneDestination() throws {
        let store = try store()
        let before = try store.content()
        #expect(throws: EditError.self) {
            try store.edit(.relate("Employee", relationship: "department", where: "salary < 10", to: "TRUEPREDICATE"))
        }
        #expect(throws: EditError.self) {
            try store.edit(.relate("Department", relationship: "employees", where: "TRUEPREDICATE", to: "salary = 5"))
        }
        #expect(try store.content() == before)
    }

    // MARK: Uniqueness, history, files

    @Test func valuesMayBeEqualForAMoment() throws {
        let store = try store(and: "INSERT INTO ZDEPARTMENT (Z_PK, Z_ENT, Z_OPT, ZCODE) VALUES (3, 2, 1, 30);")
        let report = try store.edit(
            .update("Department", where: "TRUEPREDICATE", set: [EditAssignment("code", "code + 10")]))
        #expect(report.isValid)
        #expect(try store.rows("SELECT ZCODE FROM ZDEPARTMENT") == ["20", "30", "40"])
        #expect(try store.rows("SELECT count(*) FROM sqlite_master WHERE sql LIKE 'CREATE UNIQUE INDEX%'") == ["1"])
    }

    @Test func valuesThatStayEqualAreNamed() throws {
        let store = try store()
        let before = try store.content()
        let report = try store.edit(
            .update("Department", where: "TRUEPREDICATE", set: [EditAssignment("code", "7")]),
            .update("Employee", where: "salary = 8", set: [EditAssignment("salary", "5000")]))
        #expect(Set(report.faults.map(\.code)) == [133021, 1610])
        #expect(try store.content() == before)
    }

    @Test func numbersThatDoNotFitAreRefused() throws {
        let report = try store().edit(
            .update("Department", where: "code = 10", set: [EditAssignment("code", "code * 10000")]))
        #expect(report.faults.map(\.property) == ["code"] && report.faults[0].message.contains("Integer 16"))
    }

    @Test func historyHasInsertsUpdatesAndDeletions() throws {
        let store = try store(history: true)
        try store.edit(
            .delete("Department", where: "code = 10"), .insert("Project", set: [], link: []))
        #expect(
            try store.rows("SELECT ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID FROM ACHANGE ORDER BY 1, 2, 3")
                == ["0|4|3|1", "1|3|1|1", "1|3|2|1", "2|2|1|1"])
        #expect(
            try store.rows("SELECT ZNAME FROM ATRANSACTION t JOIN ATRANSACTIONSTRING s ON t.ZAUTHORTS = s.Z_PK") == [
                "'ferry'"
            ])
        #expect(try store.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000") == ["4", "1", "1"])
    }

    @Test(arguments: [true, false])
    func filesOfDeletedObjectsGo(isDryRun: Bool) throws {
        let name = "AAAAAAAA-0000-4000-8000-000000000001"
        let hex = "02" + name.utf8.map { String($0, radix: 16) }.joined() + "00"
        let store = try store(and: "UPDATE ZEMPLOYEE SET ZPHOTO = x'\(hex)' WHERE Z_PK = 2;")
        let folder = StoreFiles(store.path).externalDataDirectory
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("photo".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
        try store.edit(.delete("Employee", where: "salary = 5")) { $0.isDryRun = isDryRun }
        #expect(FileManager.default.fileExists(atPath: folder + "/" + name) == isDryRun)
    }

    // MARK: What has no meaning

    @Test(arguments: [
        EditStep.update("Nobody", where: "TRUEPREDICATE", set: [EditAssignment("code", "1")]),
        .update("Department", where: "nick = 1", set: [EditAssignment("code", "1")]),
        .update("Department", where: "TRUEPREDICATE", set: [EditAssignment("nick", "1")]),
        .update("Department", where: "TRUEPREDICATE", set: [EditAssignment("employees", "1")]),
        .update("Department", where: "TRUEPREDICATE", set: [EditAssignment("code", "name")]),
        .update("Department", where: "TRUEPREDICATE", set: [EditAssignment("code", "code +")]),
        .update("Department", where: "SELF = \"hello\"", set: [EditAssignment("code", "1")]),
        .delete("Department", where: "SELF = \"x-coredata://OTHER/Department/p1\""),
        .relate("Department", relationship: "name", where: "TRUEPREDICATE", to: "TRUEPREDICATE"),
    ])
    func aStepWithoutMeaningIsAnError(step: EditStep) throws {
        let store = try store()
        let before = try store.content()
        #expect(throws: EditError.self) { try store.edit(.delete("Project", where: "TRUEPREDICATE"), step) }
        #expect(try store.content() == before)
    }
}
