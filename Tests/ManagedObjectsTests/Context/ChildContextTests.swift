import ManagedObjectModels
import ManagedObjects
import PersistentStores
import StoreFetching
import Testing

/// A context whose saves go to another one.
@Suite struct ChildContextTests {
    private func family() throws -> (stack: Stack, parent: ManagedObjectContext, child: ManagedObjectContext) {
        let stack = try Stack()
        let parent = stack.context()
        let department = try parent.make("Department", ["name": .string("A")])
        for name in ["X", "Y"] {
            try parent.make("Employee", ["lastName": .string(name)]).set("department", to: department)
        }
        try parent.save()
        return (stack, parent, ManagedObjectContext(parent: parent))
    }

    @Test func savesReachTheParentOnly() throws {
        let (stack, parent, child) = try family()
        let before = try stack.content()
        let own = try child.fetch("Department")[0]
        try own.set("name", .string("B"))
        let new = try child.make("Employee", ["lastName": .string("N")])
        try new.set("department", to: own)
        try child.delete(child.fetch("Employee", where: "lastName == 'X'")[0])
        #expect(!parent.hasChanges)
        try child.save()
        #expect(!child.hasChanges && parent.hasChanges)
        #expect(try stack.content() == before)
        let department = try parent.fetch("Department")[0]
        #expect(try department.text("name") == "B" && department.names("employees") == ["Y", "N"])
        #expect(new.objectID.isTemporary)
        try parent.save()
        #expect(try stack.rows("SELECT ZLASTNAME, ZDEPARTMENT FROM ZPERSON ORDER BY Z_PK") == ["'Y'|1", "'N'|1"])
        // The child's object has the ID that it was saved with.
        #expect(!new.objectID.isTemporary)
        #expect(try own.names("employees") == ["Y", "N"] && new.text("lastName") == "N")
        #expect(try stack.faults() == [])
    }

    @Test func aChildSeesWhatTheParentHasNotSaved() throws {
        let (_, parent, child) = try family()
        try parent.fetch("Department")[0].set("name", .string("P"))
        let new = try parent.make("Employee", ["lastName": .string("N"), "photo": .binary([9])])
        try new.set("department", to: parent.fetch("Department")[0])
        #expect(try child.fetch("Department", where: "name == 'P'").count == 1)
        let own = try child.fetch("Employee", where: "lastName == 'N'")[0]
        #expect(own.objectID == new.objectID && own !== new)
        #expect(try own.one("department")?.text("name") == "P")
        #expect(try own.value(forKey: "photo") == .attribute(.binary([9])))
        #expect(try child.fetch("Department")[0].names("employees") == ["X", "Y", "N"])
        #expect(try child.count(FetchRequest(entityName: "Employee")) == 3)
        try own.set("lastName", .string("M"))
        try child.save()
        #expect(try new.text("lastName") == "M" && new.isInserted)
    }

    @Test func aChildCanBeThrownAway() throws {
        let (stack, parent, child) = try family()
        let before = try stack.content()
        try child.fetch("Department")[0].set("name", .string("B"))
        try child.make("Department")
        child.rollback()
        try child.save()
        #expect(!parent.hasChanges)
        try parent.save()
        #expect(try stack.content() == before)
    }

    @Test func whatAChildMakesAndDeletesOfItsParentGoes() throws {
        let (stack, parent, child) = try family()
        let own = try child.make("Department", ["name": .string("N")])
        try child.save()
        try child.delete(own)
        try child.save()
        #expect(try parent.fetch("Department").count == 1 && parent.insertedObjects.isEmpty)
        try parent.save()
        #expect(try stack.rows("SELECT count(*) FROM ZDEPARTMENT") == ["1"])
    }

    @Test func childrenValidateToo() throws {
        let (_, parent, child) = try family()
        try child.fetch("Employee")[0].set("salary", .integer(5000))
        #expect(throws: ObjectValidationError.self) { try child.save() }
        #expect(!parent.hasChanges)
    }
}
