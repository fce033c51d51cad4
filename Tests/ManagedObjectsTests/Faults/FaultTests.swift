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

    private func faults(_ context: ManagedObjectContext) throws -> [ManagedObject] {
        var options = ObjectFetchOptions()
        options.includesPropertyValues = false
        return try context.fetch(FetchRequest(entityName: "Employee"), options: options)
    }

    /// Columns are read alone, then the rest of the row: whatever the limits are, the values are those of the store.
    @Test(arguments: [0, 1, 2, 3, 7], [1, 2, 3, 7, 256])
    func columnsThatAreAskedForLaterAreReadLater(columns: Int, size: Int) throws {
        let stack = try company()
        let first = stack.context()
        for (number, employee) in try first.fetch("Employee").enumerated() {
            try employee.set("salary", .integer(Int64(number)))
            try employee.set("photo", .binary([UInt8](repeating: 7, count: number)))
            if number == 3 { try employee.set("weight", .real(2.5)) }
        }
        try first.save()
        var limits = ContextLimits()
        (limits.columnsPerPart, limits.rowsPerBlock) = (columns, size)
        let context = stack.context(limits: limits)
        let employees = try faults(context)
        #expect(try employees.map { try $0.number("salary") } == [0, 1, 2, 3, 4, 5])
        // One look for each block where a row was read whole, two where it was read in parts.
        let looks = (6 + size - 1) / size
        #expect(context.storeReadCount == 1 + looks)
        #expect(try employees.map { try $0.text("lastName") ?? "" }.last == "Michelle")
        #expect(context.storeReadCount == 1 + (columns == 0 ? looks : 2 * looks))
        #expect(try employees.compactMap { try $0.value(of: AttributeKey<Double>("weight")) } == [2.5])
        #expect(try employees.map { try $0.value(of: AttributeKey<[UInt8]>("photo"))?.count } == [0, 1, 2, 3, 4, 5])
        let names = try employees.map { try $0.one("department")?.text("name") ?? "" }
        #expect(names == ["Sales", "Marketing", "Sales", "Sales", "Engineering", "Marketing"])
        for employee in employees { try employee.set("salary", .integer(9)) }
        try context.save()
        #expect(
            try stack.rows("SELECT ZSALARY, length(ZPHOTO) - 1, ZWEIGHT, Z_OPT FROM ZPERSON ORDER BY Z_PK")
                == (0..<6).map { "9|\($0)|\($0 == 3 ? "2.5" : "NULL")|3" })
        #expect(try stack.faults() == [])
    }

    /// What was read of an object stays as it was read; that somebody has changed it since is a conflict.
    @Test(arguments: [0, 2, 7]) func aRowThatChangesBetweenTwoReadsIsAConflict(columns: Int) throws {
        let stack = try company()
        var limits = ContextLimits()
        limits.columnsPerPart = columns
        let context = stack.context(limits: limits)
        let employees = try faults(context)
        #expect(try employees[0].text("lastName") == "Jack")
        try stack.execute("UPDATE ZPERSON SET ZLASTNAME = 'Jim', ZSALARY = 5, Z_OPT = 2 WHERE ZLASTNAME = 'Jack'")
        try stack.execute("UPDATE ZPERSON SET ZSALARY = 6, Z_OPT = 2 WHERE ZLASTNAME = 'Jill'")
        #expect(try employees.prefix(2).map { try $0.number("salary") } == (columns == 0 ? [nil, nil] : [5, 6]))
        #expect(try employees[0].text("lastName") == "Jack")
        for employee in employees.prefix(2) { try employee.set("weight", .real(1)) }
        let before = try stack.content()
        let error = #expect(throws: MergeConflictError.self) { try context.save() }
        // Of the second one nothing had been seen before it changed.
        let conflicts = error?.conflictList.map(\.objectID) ?? []
        #expect(conflicts == employees.prefix(columns == 0 ? 2 : 1).map(\.objectID))
        #expect(error?.conflictList.first?.changedKeys.contains("lastName") == true)
        #expect(try stack.content() == before)
        context.mergePolicy = .mergeByPropertyObjectTrump
        try context.save()
        #expect(
            try stack.rows("SELECT ZLASTNAME, ZSALARY, ZWEIGHT FROM ZPERSON ORDER BY Z_PK LIMIT 2")
                == ["'Jim'|5|1.0", "'Jill'|6|1.0"])
        #expect(try employees[0].text("lastName") == "Jim")
    }

    @Test func theRestOfARowThatIsGoneCannotBeRead() throws {
        let stack = try company()
        let context = stack.context()
        let employees = try faults(context)
        #expect(try employees[0].text("lastName") == "Jack")
        try stack.execute("DELETE FROM ZPERSON WHERE ZLASTNAME = 'Jack'")
        let error = #expect(throws: ManagedObjectError.self) { try employees[0].number("salary") }
        #expect(error?.number == 133000)
        #expect(throws: ManagedObjectError.self) { try employees[0].set("salary", .integer(1)) }
        #expect(try employees[1].number("salary") == nil)
        #expect(!context.hasChanges)
    }

    /// Links come to objects of which only a column was read.
    @Test func linksOfRowsThatWereReadInPartAreSaved() throws {
        let stack = try company()
        let context = stack.context()
        let employees = try faults(context)
        #expect(try employees[0].text("lastName") == "Jack")
        let department = try context.make("Department", ["name": .string("New")])
        try department.setValue(.objects(Array(employees.prefix(2))), forKey: "employees")
        try context.save()
        #expect(
            try stack.rows("SELECT d.ZNAME FROM ZPERSON p JOIN ZDEPARTMENT d ON d.Z_PK = p.ZDEPARTMENT ORDER BY p.Z_PK")
                == ["'New'", "'New'", "'Sales'", "'Sales'", "'Engineering'", "'Marketing'"])
        #expect(try stack.faults() == [])
    }

    /// Keys below 0 are unusual, and possible: such an object is as saved as any other.
    @Test func aKeyBelowZeroIsThatOfASavedObject() throws {
        let stack = try company()
        try stack.execute(
            "INSERT INTO ZDEPARTMENT (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT -7, Z_ENT, 1, 'Minus' FROM ZDEPARTMENT LIMIT 1")
        try stack.execute("UPDATE ZPERSON SET ZDEPARTMENT = -7, Z_OPT = 2 WHERE ZLASTNAME = 'Jack'")
        let context = stack.context()
        let employee = try context.fetch("Employee", where: "lastName == 'Jack'")[0]
        let department = try #require(try employee.one("department"))
        #expect(try department.text("name") == "Minus")
        #expect(!department.objectID.isTemporary && department.objectID.primaryKey == -7)
        #expect(try department.many("employees") == [employee])
        let child = ManagedObjectContext(parent: context)
        let own = try child.existingObject(with: employee.objectID)
        #expect(try own.one("department")?.text("name") == "Minus")
        try department.set("name", .string("Changed"))
        try context.make("Employee").set("department", to: department)
        try context.save()
        #expect(try stack.rows("SELECT ZNAME, Z_OPT FROM ZDEPARTMENT WHERE Z_PK = -7") == ["'Changed'|2"])
        #expect(try stack.rows("SELECT count(*) FROM ZPERSON WHERE ZDEPARTMENT = -7") == ["2"])
        try context.delete(department)
        try context.save()
        #expect(try stack.rows("SELECT count(*) FROM ZDEPARTMENT WHERE Z_PK < 0") == ["0"])
    }

    /// A link to a key that an unsaved object might have leads to no unsaved object, however a fetch asks.
    @Test func unsavedObjectsAreOthersThanThoseWithKeysBelowZero() throws {
        let stack = try company()
        try stack.execute(
            "INSERT INTO ZDEPARTMENT (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT -7, Z_ENT, 1, 'Minus' FROM ZDEPARTMENT LIMIT 1")
        let context = stack.context()
        let saved = try context.fetch("Department")
        var unsaved: [ManagedObject] = []
        for number in 0..<3 { unsaved.append(try context.make("Department", ["code": .integer(Int64(number))])) }
        for object in unsaved {
            let id = try #require(object.objectID.uri.split(separator: "/").last)
            // Behind the letter and the UUID of the process.
            let key = -(try #require(Int64(id.dropFirst(37))))
            // What the row would be, and a link to it.
            try stack.execute(
                "INSERT OR REPLACE INTO ZDEPARTMENT (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT \(key), Z_ENT, 1, 'Minus' "
                    + "FROM ZDEPARTMENT LIMIT 1; UPDATE ZPERSON SET ZDEPARTMENT = \(key), Z_OPT = Z_OPT + 1")
            let other = stack.context()
            for text in ["department = \"\(object.objectID.uri)\"", "department IN {\"\(object.objectID.uri)\"}"] {
                #expect(try context.fetch("Employee", where: text) == [])
                #expect(try other.fetch("Employee", where: text) == [])
                #expect(try other.fetch("Employee", where: "NOT (\(text))").count == 6)
            }
            #expect(try other.fetch("Department", where: "SELF = \"\(object.objectID.uri)\"") == [])
            #expect(try context.fetch("Department", where: "SELF = \"\(object.objectID.uri)\"") == [object])
        }
        #expect(Set(unsaved.map(\.objectID)).isDisjoint(with: saved.map(\.objectID)))
    }

    @Test(arguments: [1, 2, 3, 7, 1024]) func prefetchedRowsAreKnown(rows: Int) throws {
        let stack = try company()
        var limits = ContextLimits()
        (limits.knownRows, limits.rowsPerBlock) = (rows, 2)
        let context = stack.context(limits: limits)
        var request = FetchRequest(entityName: "Employee")
        request.relationshipKeyPathsForPrefetching = ["department"]
        for _ in 0..<3 {
            let employees = try context.fetch(request)
            let looks = context.storeReadCount
            // They are held: a prefetched row serves one object.
            let departments = try employees.map { try $0.one("department") }
            let names = try departments.map { try $0?.text("name") ?? "" }
            #expect(names == ["Sales", "Marketing", "Sales", "Sales", "Engineering", "Marketing"])
            #expect(context.storeReadCount == looks)
        }
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
