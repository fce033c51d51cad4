import ManagedObjectModels
import ManagedObjects
import PersistentStores
import StoreFetching
import Testing

/// One object for each record and context, and how long it stays.
@Suite struct UniquingTests {
    @Test func everyWayLeadsToTheSameObject() throws {
        let stack = try Stack()
        let first = stack.context()
        let department = try first.make("Department", ["name": .string("A")])
        try first.make("Employee", ["lastName": .string("Abel")]).set("department", to: department)
        try first.save()

        let context = stack.context()
        let fetched = try context.fetch("Department")[0]
        let employee = try context.fetch("Employee")[0]
        #expect(try employee.one("department") === fetched)
        #expect(try fetched.many("employees")[0] === employee)
        #expect(try context.fetch("Department")[0] === fetched)
        #expect(try context.object(with: fetched.objectID) === fetched)
        #expect(try context.existingObject(with: fetched.objectID) === fetched)
        #expect(context.registeredObject(for: fetched.objectID) === fetched)
        #expect(try stack.context().object(with: fetched.objectID) !== fetched)
    }

    @Test func anObjectIsTheSameBeforeAndAfterItsSave() throws {
        let stack = try Stack()
        let context = stack.context()
        let object = try context.make("Department", ["name": .string("A")])
        let temporary = object.objectID
        #expect(temporary.isTemporary && temporary.uri.hasPrefix("x-coredata:///Department/t"))
        #expect(try context.object(with: temporary) === object)
        try context.save()
        #expect(!object.objectID.isTemporary && object.objectID.primaryKey == 1)
        #expect(object.objectID.uri == "x-coredata://\(stack.store.uuid)/Department/p1")
        #expect(try context.object(with: object.objectID) === object)
        #expect(try context.fetch("Department")[0] === object)
        #expect(stack.coordinator.objectID(forURI: object.objectID.uri) == object.objectID)
        #expect(stack.coordinator.objectID(forURI: "x-coredata://ANOTHER/Department/p1") == nil)
        #expect(stack.coordinator.objectID(forURI: "x-coredata://\(stack.store.uuid)/Nothing/p1") == nil)
    }

    @Test func permanentIDsCanBeHadBeforeTheSave() throws {
        let stack = try Stack()
        let context = stack.context()
        let object = try context.make("Department", ["name": .string("A")])
        let employee = try context.make("Employee")
        try employee.set("department", to: object)
        try context.obtainPermanentIDs(for: [object])
        let id = object.objectID
        #expect(!id.isTemporary && object.isInserted)
        #expect(try employee.one("department") === object)
        // Whoever else makes objects does not get the key.
        let other = stack.context()
        try other.make("Department")
        try other.save()
        try context.save()
        #expect(object.objectID == id)
        #expect(try stack.rows("SELECT Z_PK, ZNAME FROM ZDEPARTMENT ORDER BY 1") == ["1|'A'", "2|NULL"])
        #expect(try stack.rows("SELECT ZDEPARTMENT FROM ZPERSON") == ["1"])
        #expect(try stack.faults() == [])
    }

    @Test func objectsThatHaveNotChangedAreNotHeld() throws {
        let stack = try Stack()
        let first = stack.context()
        for name in ["A", "B"] { try first.make("Department", ["name": .string(name)]) }
        try first.save()
        #expect(first.registeredObjects.isEmpty)

        let context = stack.context()
        do {
            let objects = try context.fetch("Department")
            #expect(context.registeredObjects.count == 2)
            try objects[0].set("name", .string("C"))
        }
        // The changed one is held until it is saved.
        #expect(context.registeredObjects.count == 1)
        #expect(context.updatedObjects.count == 1)
        try context.save()
        #expect(context.registeredObjects.isEmpty)

        context.retainsRegisteredObjects = true
        _ = try context.fetch("Department")
        #expect(context.registeredObjects.count == 2)
        context.retainsRegisteredObjects = false
        #expect(context.registeredObjects.isEmpty)
    }

    @Test func objectsOfOtherContextsAreRefused() throws {
        let stack = try Stack()
        let one = stack.context()
        let other = stack.context()
        let department = try one.make("Department")
        let employee = try other.make("Employee")
        #expect(throws: ManagedObjectError.self) { try employee.set("department", to: department) }
        #expect(throws: ManagedObjectError.self) { try other.delete(department) }
        #expect(try employee.one("department") == nil)
    }

    @Test func aContextThatIsGoneLeavesItsObjectsAlone() throws {
        let stack = try Stack()
        var context: ManagedObjectContext? = stack.context()
        let object = try #require(try context?.make("Department", ["name": .string("A")]))
        context = nil
        #expect(object.managedObjectContext == nil)
        #expect(throws: ManagedObjectError.self) { try object.set("name", .string("B")) }
    }

    @Test func afterAResetObjectsAreNoOnes() throws {
        let stack = try Stack()
        let context = stack.context()
        let saved = try context.make("Department", ["name": .string("A")])
        try context.save()
        try saved.set("name", .string("B"))
        let new = try context.make("Department")
        context.reset()
        #expect(!context.hasChanges && context.registeredObjects.isEmpty)
        for object in [saved, new] {
            #expect(object.managedObjectContext == nil)
            #expect(throws: ManagedObjectError.self) { try object.text("name") }
        }
        #expect(try context.fetch("Department").map { try $0.text("name") } == ["A"])
    }
}
