import KeyedArchives
import ManagedObjectModels
import ManagedObjects
import PersistentStores
import PredicateExpressions
import StoreFetching
import Testing

/// When the values of objects are read, and how often the store is asked.
@Suite struct FaultTests {
    /// Six employees of three departments.
    private func company() throws -> Stack {
        let stack = try Stack()
        let context = stack.context()
        var departments: [String: ManagedObject] = [:]
        for name in ["Sales", "Marketing", "Engineering"] {
            departments[name] = try context.make("Department", ["name": .string(name)])
        }
        for (name, department) in [
            ("Jack", "Sales"), ("Jill", "Marketing"), ("Benjy", "Sales"), ("Gillian", "Sales"),
            ("Hector", "Engineering"), ("Michelle", "Marketing"),
        ] {
            try context.make("Employee", ["lastName": .string(name)]).set("department", to: departments[department])
        }
        try context.save()
        return stack
    }

    @Test func theFirstValueRealizesAFaultAndNothingElseDoes() throws {
        let stack = try company()
        let context = stack.context()
        let object = try context.fetch("Department")[0]
        #expect(object.isFault)
        _ = (
            object.objectID, object.entityName, object.isDeleted, object.hasChanges, object.hashValue, object == object
        )
        #expect(object.isFault)
        _ = try object.text("name")
        #expect(!object.isFault)
    }

    @Test func relatedObjectsBeginAsFaults() throws {
        let stack = try company()
        let context = stack.context()
        let employee = try context.fetch("Employee")[0]
        let department = try #require(try employee.one("department"))
        #expect(department.isFault && !employee.isFault)
        #expect(try employee.isRelationshipFault("reports"))
        _ = try employee.many("reports")
        #expect(try !employee.isRelationshipFault("reports"))
    }

    /// One look for the employees and one for each department, as long as these are held; with prefetching one for all.
    @Test(arguments: [false, true]) func prefetchingSavesLooksIntoTheStore(isPrefetching: Bool) throws {
        let stack = try company()
        let context = stack.context()
        context.retainsRegisteredObjects = !isPrefetching
        var request = FetchRequest(entityName: "Employee")
        if isPrefetching { request.relationshipKeyPathsForPrefetching = ["department"] }
        let employees = try context.fetch(request)
        let departments = try employees.compactMap { try $0.one("department") }
        #expect(departments.allSatisfy { $0.isFault })
        let names = try departments.map { try $0.text("name") ?? "" }
        #expect(names == ["Sales", "Marketing", "Sales", "Sales", "Engineering", "Marketing"])
        #expect(context.storeReadCount == (isPrefetching ? 2 : 4))
    }

    @Test func faultsAreRealizedTogether() throws {
        let stack = try company()
        let context = stack.context()
        let employees = try context.fetch("Employee")
        let departments = try employees.compactMap { try $0.one("department") }
        let before = context.storeReadCount
        try context.realize(departments)
        #expect(context.storeReadCount == before + 1)
        #expect(departments.allSatisfy { !$0.isFault })
    }

    @Test(arguments: [1, 2, 3, 7, 256]) func valuesThatAreNotFetchedAreReadInBatches(size: Int) throws {
        var limits = ContextLimits()
        limits.rowsPerBlock = size
        limits.keysPerStatement = size
        let stack = try company()
        let context = stack.context(limits: limits)
        var options = ObjectFetchOptions()
        options.includesPropertyValues = false
        let employees = try context.fetch(FetchRequest(entityName: "Employee"), options: options)
        #expect(context.storeReadCount == 1)
        #expect(
            try employees.map { try $0.text("lastName") } == ["Jack", "Jill", "Benjy", "Gillian", "Hector", "Michelle"])
        #expect(context.storeReadCount == 1 + (6 + size - 1) / size)
    }

    @Test func objectsCanComeRealized() throws {
        let stack = try company()
        let context = stack.context()
        var options = ObjectFetchOptions()
        options.returnsObjectsAsFaults = false
        let employees = try context.fetch(FetchRequest(entityName: "Employee"), options: options)
        #expect(employees.allSatisfy { !$0.isFault } && context.storeReadCount == 1)
    }

    @Test func theFaultOfADeletedRecordCannotBeFulfilled() throws {
        let stack = try company()
        let context = stack.context()
        let departments = try context.fetch("Department")
        let lost = try context.object(with: departments[0].objectID)
        var options = ObjectFetchOptions()
        options.includesPropertyValues = false
        let other = stack.context()
        let fault = try other.fetch(FetchRequest(entityName: "Department"), options: options)[0]
        try context.delete(lost)
        try context.save()
        let error = #expect(throws: ManagedObjectError.self) { try fault.text("name") }
        #expect(error?.number == 133000)
        // What cannot throw has no value, and the save says why.
        #expect(fault[AttributeKey<String>("name")] == nil)
        #expect(throws: ManagedObjectError.self) { try other.save() }
        #expect(throws: ManagedObjectError.self) { try lost.text("name") }
        let missing = #expect(throws: ManagedObjectError.self) { try other.existingObject(with: fault.objectID) }
        #expect(missing?.number == 133000)
        #expect(try other.count(FetchRequest(entityName: "Department")) == 2)
    }

    // MARK: - Refreshing

    /// Another context gives the person the first name Fiona, this one the last name Jones.
    @Test func aRefreshMergesWhatHasChangedHere() throws {
        let stack = try Stack()
        let first = stack.context()
        let person = try first.make("Employee", ["firstName": .string("Sarit"), "lastName": .string("Smith")])
        try first.save()
        let context = stack.context()
        let own = try context.existingObject(with: person.objectID)
        try person.set("firstName", .string("Fiona"))
        try first.save()
        try own.set("lastName", .string("Jones"))
        try own.set("fullName", .string("Sarit Jones"))
        try context.refresh(own, mergeChanges: true)
        #expect(try own.text("firstName") == "Fiona")
        #expect(try own.text("lastName") == "Jones")
        #expect(try own.text("fullName") == "Sarit Jones")
        #expect(own.changedKeys == ["lastName"])
        try context.save()
        #expect(try stack.rows("SELECT ZFIRSTNAME, ZLASTNAME, Z_OPT FROM ZPERSON") == ["'Fiona'|'Jones'|3"])
    }

    @Test func aRefreshWithoutMergingMakesAFault() throws {
        let stack = try company()
        let context = stack.context()
        let department = try context.fetch("Department", where: "name == 'Sales'")[0]
        try department.set("name", .string("Other"))
        try context.refresh(department, mergeChanges: false)
        #expect(department.isFault && !context.hasChanges)
        #expect(try department.text("name") == "Sales")
    }

    @Test func valuesThatWereReadAreNotReplacedByAFetch() throws {
        let stack = try company()
        let context = stack.context()
        let department = try context.fetch("Department", where: "name == 'Sales'")[0]
        #expect(try department.text("name") == "Sales")
        try stack.execute("UPDATE ZDEPARTMENT SET ZNAME = 'New', Z_OPT = 2 WHERE ZNAME = 'Sales'")
        #expect(try context.fetch("Department", where: "name == 'New'") == [department])
        #expect(try department.text("name") == "Sales")
        var options = ObjectFetchOptions()
        options.refreshesRefetchedObjects = true
        _ = try context.fetch(FetchRequest(entityName: "Department"), options: options)
        #expect(try department.text("name") == "New")
    }
}
