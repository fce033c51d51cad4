import ManagedObjectModels
import ManagedObjects
import PersistentStores
import Testing

/// Objects that a save would make equal under a uniqueness constraint: what is left, policy by policy.
@Suite struct ConstraintConflictTests {
    private static let settling = MergePolicy.allCases.filter { $0 != .error }

    private static func isTrump(_ policy: MergePolicy) -> Bool {
        policy == .overwrite || policy == .mergeByPropertyObjectTrump
    }

    /// Departments with an employee each; the names of both are those of the list, and codes count from 1.
    private struct Fixture {
        let stack: Stack
        let context: ManagedObjectContext
        let departments: [ManagedObject]

        init(_ names: [String], _ policy: MergePolicy, _ staff: Staff = Staff(isNameUnique: true)) throws {
            stack = try Stack(staff)
            let first = stack.context()
            for (index, name) in names.enumerated() {
                try Self.make(name, code: index + 1, employee: name.lowercased(), in: first)
            }
            try first.save()
            context = stack.context()
            context.mergePolicy = policy
            departments = try context.fetch("Department")
        }

        @discardableResult
        func make(_ name: String, code: Int, employee: String) throws -> ManagedObject {
            try Self.make(name, code: code, employee: employee, in: context)
        }

        @discardableResult
        static func make(
            _ name: String, code: Int, employee: String, in context: ManagedObjectContext
        ) throws -> ManagedObject {
            let department = try context.make("Department", ["name": .string(name), "code": .integer(Int64(code))])
            try context.make("Employee", ["lastName": .string(employee)]).set("department", to: department)
            return department
        }

        /// Each department with its employees, by its key.
        var stored: [String] {
            get throws {
                try stack.rows(
                    """
                    SELECT d.Z_PK, ZNAME, ZCODE, (SELECT group_concat(ZLASTNAME, '+') FROM \
                    (SELECT ZLASTNAME FROM ZPERSON WHERE ZDEPARTMENT = d.Z_PK ORDER BY 1)) FROM ZDEPARTMENT d \
                    ORDER BY 1
                    """
                ).map { $0.replacing("'", with: "") }
            }
        }
    }

    // MARK: - Error

    @Test func aNewObjectLikeAStoredOneIsListed() throws {
        let fixture = try Fixture(["A"], .error)
        let new = try fixture.make("A", code: 5, employee: "x")
        let before = try fixture.stack.content()
        let error = #expect(throws: ConstraintConflictError.self) { try fixture.context.save() }
        #expect(ConstraintConflictError.number == 133021 && error?.conflictList.count == 1)
        let conflict = try #require(error?.conflictList.first)
        #expect(conflict.entityName == "Department" && conflict.constraint == ["name"])
        #expect(conflict.constraintValues.attributes == ["name": .string("A")])
        #expect(conflict.databaseObject == fixture.departments[0].objectID)
        #expect(conflict.databaseSnapshot?.attributes["code"] == .integer(1))
        #expect(conflict.conflictingObjects == [new.objectID])
        #expect(conflict.conflictingValues.map { $0.attributes["code"] } == [.integer(5)])
        #expect(try fixture.stack.content() == before)
        #expect(new.isInserted && new.objectID.isTemporary && !fixture.departments[0].hasChanges)
        try new.set("name", .string("B"))
        try fixture.context.save()
        #expect(try fixture.stored == ["1|A|1|a", "2|B|5|x"])
    }

    @Test func newObjectsOfOneSaveAreListed() throws {
        let fixture = try Fixture([], .error)
        let objects = try (1...3).map { try fixture.make("A", code: $0, employee: "x\($0)") }
        let error = #expect(throws: ConstraintConflictError.self) { try fixture.context.save() }
        #expect(error?.conflictList.count == 1)
        #expect(error?.conflictList.first?.databaseObject == nil && error?.conflictList.first?.databaseSnapshot == nil)
        #expect(error?.conflictList.first?.conflictingObjects == objects.map(\.objectID))
        #expect(try fixture.stored == [])
    }

    @Test func allConflictsAreListed() throws {
        let fixture = try Fixture(["A", "B", "C"], .error)
        for (object, name) in zip(fixture.departments.dropFirst(), ["A", "B"]) { try object.set("name", .string(name)) }
        try fixture.make("B", code: 9, employee: "x")
        let error = #expect(throws: ConstraintConflictError.self) { try fixture.context.save() }
        let lists = error?.conflictList.map {
            [$0.databaseObject?.primaryKey ?? 0] + $0.conflictingObjects.map(\.primaryKey)
        }
        // What had the name B changes, too.
        #expect(lists?.count == 2 && lists?.last == [1, 2] && lists?.first?.first == 0)
        #expect(try fixture.stored == ["1|A|1|a", "2|B|2|b", "3|C|3|c"])
    }

    // MARK: - The other policies

    /// Employees of both lead to the one that is left.
    @Test(arguments: settling) func aNewObjectLikeAStoredOne(policy: MergePolicy) throws {
        let fixture = try Fixture(["A", "B"], policy)
        let new = try fixture.make("A", code: 5, employee: "x")
        let note = try fixture.context.make("Note", ["text": .string("n")])
        try new.add(note, to: "notes")
        try fixture.context.save()
        #expect(try fixture.stored == [Self.isTrump(policy) ? "1|A|5|a+x" : "1|A|1|a+x", "2|B|2|b"])
        #expect(!fixture.context.hasChanges)
        #expect(try fixture.departments[0].number("code") == (Self.isTrump(policy) ? 5 : 1))
        #expect(try fixture.departments[0].names("employees").sorted() == ["a", "x"])
        #expect(try fixture.departments[0].many("notes") == (policy == .rollback ? [] : [note]))
        // Another object stands for it.
        #expect(throws: ManagedObjectError.self) { try new.text("name") }
        #expect(try fixture.stack.faults() == [])
    }

    /// Somebody else has made the object since.
    @Test(arguments: settling) func anObjectThatAnotherContextHasMade(policy: MergePolicy) throws {
        let fixture = try Fixture([], policy)
        try fixture.make("A", code: 5, employee: "x")
        let other = fixture.stack.context()
        try Fixture.make("A", code: 1, employee: "a", in: other)
        try other.save()
        try fixture.context.save()
        #expect(try fixture.stored == [Self.isTrump(policy) ? "1|A|5|a+x" : "1|A|1|a+x"])
        #expect(try fixture.stack.faults() == [])
    }

    @Test(arguments: settling, [2, 3]) func newObjectsOfOneSave(policy: MergePolicy, count: Int) throws {
        let fixture = try Fixture([], policy)
        let objects = try (1...count).map { try fixture.make("A", code: $0, employee: "x\($0)") }
        try fixture.context.save()
        let employees = (1...count).map { "x\($0)" }.joined(separator: "+")
        #expect(try fixture.stored == ["1|A|\(Self.isTrump(policy) ? count : 1)|\(employees)"])
        #expect(try objects[0].text("name") == "A" && !objects[0].objectID.isTemporary)
        #expect(try fixture.stack.faults() == [])
    }

    @Test(arguments: settling) func aStoredObjectBecomesLikeAnother(policy: MergePolicy) throws {
        let fixture = try Fixture(["A", "B"], policy)
        try fixture.departments[1].set("name", .string("A"))
        try fixture.departments[1].set("code", .integer(5))
        try fixture.context.save()
        let expected: [MergePolicy: [String]] = [
            .mergeByPropertyStoreTrump: ["1|A|1|a", "2|B|5|b"], .mergeByPropertyObjectTrump: ["2|A|5|a+b"],
            .overwrite: ["2|A|5|a+b"], .rollback: ["1|A|1|a", "2|B|2|b"],
        ]
        #expect(try fixture.stored == expected[policy])
        #expect(!fixture.context.hasChanges)
        #expect(try fixture.stack.faults() == [])
    }

    /// What is given back to one is what the next one wants.
    @Test(arguments: settling, [2, 7]) func conflictsFollowFromConflicts(policy: MergePolicy, count: Int) throws {
        let names = (0..<count).map { "N\($0)" }
        let fixture = try Fixture(names, policy)
        for index in (1..<count).reversed() { try fixture.departments[index].set("name", .string(names[index - 1])) }
        try fixture.context.save()
        let stored = try fixture.stack.rows("SELECT Z_PK, ZNAME FROM ZDEPARTMENT ORDER BY 1")
        if Self.isTrump(policy) {
            #expect(stored == (1..<count).map { "\($0 + 1)|'N\($0 - 1)'" })
        } else {
            #expect(stored == (0..<count).map { "\($0 + 1)|'N\($0)'" })
        }
        #expect(try fixture.stack.rows("SELECT count(*) FROM ZPERSON WHERE ZDEPARTMENT NOT NULL") == ["\(count)"])
        #expect(try fixture.stack.faults() == [])
    }

    @Test(arguments: settling) func twoConstraints(policy: MergePolicy) throws {
        var staff = Staff(isNameUnique: true)
        staff.uniqueness.departments = [["code"]]
        let fixture = try Fixture(["A", "B"], policy, staff)
        try fixture.make("A", code: 2, employee: "x")
        try fixture.context.save()
        #expect(try fixture.stored == (Self.isTrump(policy) ? ["1|A|2|a+b+x"] : ["1|A|1|a+x", "2|B|2|b"]))
        #expect(try fixture.stack.faults() == [])
    }

    /// The last one's entity is that of the object that is left, with all its values.
    @Test(arguments: settling) func objectsOfTwoEntities(policy: MergePolicy) throws {
        var staff = Staff()
        staff.uniqueness.people = [["lastName"]]
        let fixture = try Fixture(["A"], policy, staff)
        let manager = try fixture.context.make("Manager", ["lastName": .string("a"), "bonus": .integer(9)])
        try fixture.context.make("Employee", ["lastName": .string("r")]).set("manager", to: manager)
        try fixture.context.save()
        let rows = try fixture.stack.rows("SELECT Z_ENT, ZLASTNAME, ZBONUS FROM ZPERSON WHERE ZLASTNAME = 'a'")
        #expect(rows == [Self.isTrump(policy) ? "6|'a'|9" : "5|'a'|NULL"])
        let leads = "SELECT m.ZLASTNAME FROM ZPERSON r JOIN ZPERSON m ON m.Z_PK = r.ZMANAGER WHERE r.ZLASTNAME = 'r'"
        #expect(try fixture.stack.rows(leads) == ["'a'"])
        #expect(try fixture.stack.faults() == [])
    }

    @Test(arguments: settling) func relationshipsInConstraints(policy: MergePolicy) throws {
        var staff = Staff()
        staff.uniqueness.employees = [["department", "lastName"]]
        let fixture = try Fixture(["A", "B"], policy, staff)
        for department in fixture.departments {
            let new = try fixture.context.make("Employee", ["lastName": .string("b"), "salary": .integer(5)])
            try new.set("department", to: department)
        }
        try fixture.context.save()
        let rows = try fixture.stack.rows("SELECT ZDEPARTMENT, ZLASTNAME, ZSALARY FROM ZPERSON ORDER BY 1, 2")
        #expect(rows == ["1|'a'|NULL", "1|'b'|5", "2|'b'|\(Self.isTrump(policy) ? "5" : "NULL")"])
        #expect(try fixture.stack.faults() == [])
    }

    // MARK: - What is no conflict

    @Test(arguments: MergePolicy.allCases) func valuesThatAreGivenUpInTheSameSave(policy: MergePolicy) throws {
        let fixture = try Fixture(["A", "B"], policy)
        try fixture.context.delete(fixture.departments[0])
        try fixture.departments[1].set("name", .string("C"))
        try fixture.make("A", code: 5, employee: "x")
        try fixture.make("B", code: 6, employee: "y")
        try fixture.context.save()
        #expect(try fixture.stored == ["2|C|2|b", "3|A|5|x", "4|B|6|y"])
        #expect(try fixture.stack.faults() == [])
    }

    @Test(arguments: MergePolicy.allCases) func missingValuesAreEqualToNothing(policy: MergePolicy) throws {
        let fixture = try Fixture([], policy)
        for _ in 0..<3 { try fixture.context.make("Department") }
        try fixture.context.save()
        #expect(try fixture.stored.count == 3)
    }

    // MARK: - What else takes part

    @Test func whatIsLeftIsValidated() throws {
        let fixture = try Fixture(["A"], .mergeByPropertyObjectTrump, Staff(staff: 1...1, isNameUnique: true))
        let before = try fixture.stack.content()
        try fixture.make("A", code: 5, employee: "x")
        let error = #expect(throws: ObjectValidationError.self) { try fixture.context.save() }
        #expect(error?.code == 1590)
        #expect(try fixture.stack.content() == before)
        fixture.context.rollback()
        #expect(try fixture.departments[0].number("code") == 1)
    }

    @Test func announcementsNameWhatWasWritten() async throws {
        let (stream, id) = try {
            let fixture = try Fixture(["A"], .overwrite)
            let stream = fixture.context.notifications()
            try fixture.context.make("Department", ["name": .string("A"), "code": .integer(5)])
            try fixture.context.save()
            return (stream, fixture.departments[0].objectID)
        }()
        var saves: [ContextDidSave] = []
        for await notification in stream {
            if case .didSave(let saved) = notification { saves.append(saved) }
        }
        #expect(saves == [ContextDidSave(updated: [id])])
    }

    @Test func whatIsGoneIsNotUndone() throws {
        let fixture = try Fixture(["A"], .overwrite)
        let undo = ContextUndoManager()
        fixture.context.undoManager = undo
        try fixture.make("A", code: 5, employee: "x")
        try fixture.context.save()
        try undo.undo()
        try fixture.context.save()
        #expect(try fixture.stored == ["1|A|5|a"])
        #expect(try fixture.stack.faults() == [])
    }
}
