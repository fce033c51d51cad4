import ManagedObjectModels
import ManagedObjects
import PersistentStores
import Testing

/// What of an object differs from the store, and where its relationships lead.
@Suite struct ChangedValueTests {
    @Test func changedValuesAreThoseASaveWrites() throws {
        let stack = try Stack()
        let context = stack.context()
        let department = try context.make("Department", ["name": .string("A")])
        let employee = try context.make("Employee", ["salary": .integer(1), "firstName": .string("F")])
        #expect(employee.hasPersistentChangedValues)
        try context.save()
        #expect(!employee.hasPersistentChangedValues)
        #expect(try employee.changedValues().isEmpty)
        try employee.set("salary", .integer(2))
        try employee.set("firstName", nil)
        try employee.set("department", to: department)
        let changed = try employee.changedValues()
        #expect(changed.keys.sorted() == ["department", "firstName", "salary"])
        #expect(
            changed["salary"] == .some(.attribute(.integer(2))) && changed["department"] == .some(.object(department)))
        #expect(changed["firstName"] == .some(nil))
        #expect(try department.changedValues() == ["employees": .objects([employee])])
    }

    @Test func changesThatAreTakenBackAreNone() throws {
        let stack = try Stack()
        let context = stack.context()
        let employee = try context.make("Employee", ["salary": .integer(1)])
        try context.save()
        try employee.set("salary", .integer(2))
        try employee.set("salary", .integer(1))
        // A transient value is not the store's.
        try employee.set("fullName", .string("x"))
        #expect(employee.isUpdated && !employee.hasPersistentChangedValues)
        let version = try stack.rows("SELECT Z_OPT FROM ZPERSON")
        try context.save()
        #expect(try stack.rows("SELECT Z_OPT FROM ZPERSON") == version)
    }

    @Test func idsOfRelationshipsMakeNoFaults() throws {
        let stack = try Stack()
        let context = stack.context()
        let department = try context.make("Department")
        let employees = try (0..<3).map { _ in try context.make("Employee") }
        for employee in employees { try employee.set("department", to: department) }
        try context.save()
        let ids = employees.map(\.objectID)
        let other = stack.context()
        let own = try other.existingObject(with: department.objectID)
        #expect(try Set(own.objectIDs(of: "employees")) == Set(ids))
        #expect(other.registeredObjects == [own])
        let new = try other.make("Employee")
        try new.set("department", to: own)
        #expect(try own.objectIDs(of: "employees").contains(new.objectID))
        #expect(try new.objectIDs(of: "department") == [own.objectID])
        #expect(try new.objectIDs(of: "manager") == [])
        #expect(throws: ManagedObjectError.self) { try new.objectIDs(of: "salary") }
        #expect(throws: ManagedObjectError.self) { try new.objectIDs(of: "nothing") }
    }
}
