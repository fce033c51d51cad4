import ManagedObjectModels
import ManagedObjects
import Testing

/// Taking changes back, and making them again.
@Suite struct UndoTests {
    private func company(ordered: Bool = false) throws -> (
        stack: Stack, context: ManagedObjectContext, undo: ContextUndoManager
    ) {
        let stack = try Stack(Staff(isOrdered: ordered))
        let context = stack.context()
        let department = try context.make("Department", ["name": .string("A")])
        for name in ["X", "Y", "Z"] {
            try department.add(context.make("Employee", ["lastName": .string(name)]), to: "employees")
        }
        try context.save()
        let undo = ContextUndoManager()
        context.undoManager = undo
        return (stack, context, undo)
    }

    @Test func valuesComeBackStepByStep() throws {
        let (_, context, undo) = try company()
        let department = try context.fetch("Department")[0]
        for name in ["B", "C"] {
            try department.set("name", .string(name))
            try department.set("name", .string(name + "!"))
            try context.processPendingChanges()
        }
        try undo.undo()
        #expect(try department.text("name") == "B!")
        try undo.undo()
        #expect(try department.text("name") == "A" && !undo.canUndo)
        #expect(department.changedKeys == [])
        try undo.undo()
        try undo.redo()
        try undo.redo()
        #expect(try department.text("name") == "C!" && !undo.canRedo)
        try undo.undo()
        try department.set("code", .integer(1))
        #expect(!undo.canRedo)
    }

    @Test func groupsAreOneStep() throws {
        let (_, context, undo) = try company()
        let department = try context.fetch("Department")[0]
        try department.set("code", .integer(1))
        undo.beginGrouping()
        for code in 2...4 {
            try department.set("code", .integer(Int64(code)))
            try context.processPendingChanges()
        }
        undo.endGrouping()
        try undo.undo()
        #expect(try department.number("code") == 1)
    }

    @Test(arguments: [false, true]) func linksAndDeletionsComeBack(ordered: Bool) throws {
        let (stack, context, undo) = try company(ordered: ordered)
        let before = try stack.content()
        let department = try context.fetch("Department")[0]
        let employees = try department.many("employees")
        try employees[1].set("department", to: nil)
        try context.processPendingChanges()
        try context.delete(department)
        try context.processPendingChanges()
        #expect(try employees[0].one("department") == nil)
        try undo.undo()
        #expect(try employees[0].one("department") === department && !department.isDeleted)
        try undo.undo()
        #expect(try department.names("employees").sorted() == ["X", "Y", "Z"])
        if ordered { #expect(try department.many("employees") == employees) }
        try context.save()
        if !ordered {
            #expect(try stack.content().filter { $0.hasPrefix("ZPERSON") } == before.filter { $0.hasPrefix("ZPERSON") })
        }
        #expect(try stack.faults() == [])
    }

    @Test func newObjectsGoAndComeBack() throws {
        let (stack, context, undo) = try company()
        let department = try context.fetch("Department")[0]
        let new = try context.make("Employee", ["lastName": .string("N")])
        try new.set("department", to: department)
        try undo.undo()
        #expect(context.insertedObjects.isEmpty && !new.isInserted)
        #expect(try department.names("employees") == ["X", "Y", "Z"])
        try undo.redo()
        #expect(new.isInserted)
        #expect(try new.text("lastName") == "N" && department.names("employees") == ["X", "Y", "Z", "N"])
        try context.save()
        #expect(try stack.rows("SELECT count(*) FROM ZPERSON WHERE ZDEPARTMENT = 1") == ["4"])
        #expect(try stack.faults() == [])
    }

    @Test func aSaveDoesNotEndWhatCanBeUndone() throws {
        let (stack, context, undo) = try company()
        let department = try context.fetch("Department")[0]
        try department.set("name", .string("B"))
        try context.save()
        try undo.undo()
        #expect(try department.text("name") == "A" && department.isUpdated)
        try context.save()
        #expect(try stack.rows("SELECT ZNAME, Z_OPT FROM ZDEPARTMENT") == ["'A'|3"])
        let new = try context.make("Employee", ["lastName": .string("N")])
        try new.set("department", to: department)
        try context.save()
        try undo.undo()
        #expect(new.isDeleted)
        try context.save()
        #expect(try stack.rows("SELECT count(*) FROM ZPERSON") == ["3"])
        // It comes back as a new object with its values.
        try undo.undo()
        try context.delete(department)
        try context.save()
        try undo.undo()
        #expect(try department.text("name") == "A" && department.isInserted)
        #expect(try department.names("employees").sorted() == ["X", "Y", "Z"])
        try context.save()
        #expect(try stack.rows("SELECT Z_PK, ZNAME FROM ZDEPARTMENT") == ["2|'A'"])
        #expect(try stack.rows("SELECT ZDEPARTMENT FROM ZPERSON") == ["2", "2", "2"])
        #expect(try stack.faults() == [])
    }

    @Test func transientValuesTakePart() throws {
        let (_, context, undo) = try company()
        let employee = try context.fetch("Employee")[0]
        try employee.set("fullName", .string("F"))
        try undo.undo()
        #expect(try employee.text("fullName") == nil)
    }

    @Test func registrationCanBeOffAndARollbackForgets() throws {
        let (_, context, undo) = try company()
        let department = try context.fetch("Department")[0]
        try context.processPendingChanges()
        undo.disableRegistration()
        try department.set("name", .string("B"))
        try context.processPendingChanges()
        undo.enableRegistration()
        #expect(!undo.canUndo)
        try department.set("name", .string("C"))
        #expect(undo.canUndo)
        context.rollback()
        #expect(!undo.canUndo)
        #expect(try department.text("name") == "A")
    }

    @Test(arguments: [1, 2, 3, 7]) func asManyStepsAreKeptAsAreWanted(levels: Int) throws {
        let (_, context, undo) = try company()
        undo.levelsOfUndo = levels
        let department = try context.fetch("Department")[0]
        for code in 1...5 {
            try department.set("code", .integer(Int64(code)))
            try context.processPendingChanges()
        }
        while undo.canUndo { try undo.undo() }
        let code = 5 - min(levels, 5)
        #expect(try department.number("code") == (code == 0 ? nil : code))
    }
}
