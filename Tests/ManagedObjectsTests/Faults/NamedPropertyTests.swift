import ManagedObjectModels
import ManagedObjects
import PersistentStores
import PredicateExpressions
import StoreFetching
import Testing

/// Objects are fetched with the properties that a request names; the rest of their rows is read when it is asked for.
@Suite struct NamedPropertyTests {
    private let stack: Stack

    init() throws {
        stack = try Stack()
        let context = stack.context()
        let departments = try ["Sales", "Marketing"].map { try context.make("Department", ["name": .string($0)]) }
        for number in 0..<6 {
            let employee = try context.make(
                number == 5 ? "Manager" : "Employee",
                ["lastName": .string("n\(number)"), "salary": .integer(Int64(number))])
            if number != 4 { try employee.set("department", to: departments[number % 2]) }
        }
        try context.save()
    }

    private func request(_ properties: String...) -> FetchRequest {
        var request = FetchRequest(entityName: "Employee")
        request.propertiesToFetch = properties.map { FetchedProperty(.keyPath($0)) }
        return request
    }

    @Test(arguments: [1, 2, 3, 7, 256]) func namedPropertiesAreReadAlong(size: Int) throws {
        var limits = ContextLimits()
        limits.rowsPerBlock = size
        let context = stack.context(limits: limits)
        let employees = try context.fetch(request("salary", "department"))
        #expect(employees.allSatisfy { $0.isFault } && context.storeReadCount == 1)
        #expect(try employees.map { try $0.number("salary") } == [0, 1, 2, 3, 4, 5])
        let departments = try employees.map { try $0.one("department") }
        #expect(context.storeReadCount == 1)
        #expect(departments.map { $0 == nil } == [false, false, false, false, true, false])
        #expect(try employees.map { try $0.text("lastName") } == (0..<6).map { "n\($0)" })
        #expect(context.storeReadCount == 1 + (6 + size - 1) / size)
        #expect(employees[5].entityName == "Manager")
        for employee in employees { try employee.set("weight", .real(1)) }
        try context.save()
        #expect(
            try stack.rows("SELECT ZLASTNAME, ZSALARY, ZWEIGHT, Z_OPT FROM ZPERSON ORDER BY Z_PK")
                == (0..<6).map { "'n\($0)'|\($0)|1.0|2" })
        #expect(try stack.faults() == [])
    }

    @Test func whatChangesBeforeTheRestIsReadIsAConflict() throws {
        let context = stack.context()
        let employees = try context.fetch(request("salary"))
        try stack.execute("UPDATE ZPERSON SET ZSALARY = 9, ZLASTNAME = 'new', Z_OPT = 2 WHERE ZSALARY = 1")
        #expect(try employees[1].text("lastName") == "new" && employees[1].number("salary") == 1)
        try employees[1].set("weight", .real(1))
        let before = try stack.content()
        let error = #expect(throws: MergeConflictError.self) { try context.save() }
        #expect(error?.conflictList.map(\.objectID) == [employees[1].objectID])
        #expect(try stack.content() == before)
    }

    /// Objects that the context has keep what they have, or get what was read now.
    @Test(arguments: [false, true]) func objectsThatAreThereKeepTheirValues(refreshes: Bool) throws {
        let context = stack.context()
        let employees = try context.fetch("Employee")
        #expect(try employees[0].number("salary") == 0)
        try employees[1].set("salary", .integer(7))
        try stack.execute("UPDATE ZPERSON SET ZSALARY = 9, Z_OPT = 2 WHERE ZSALARY < 2")
        var options = ObjectFetchOptions()
        options.refreshesRefetchedObjects = refreshes
        #expect(try context.fetch(request("salary"), options: options).count == 6)
        #expect(try employees[0].number("salary") == (refreshes ? 9 : 0))
        #expect(try employees[1].number("salary") == 7)
        #expect(try employees[0].text("lastName") == "n0")
    }

    @Test func childrenReadAlongInTheirParent() throws {
        let context = stack.context()
        let child = ManagedObjectContext(parent: context)
        let employees = try child.fetch(request("salary"))
        #expect(try employees.map { try $0.number("salary") } == [0, 1, 2, 3, 4, 5])
        #expect(try employees[0].text("lastName") == "n0")
    }

    @Test(arguments: ["department.name", "projects", "absent", "namesakes"])
    func whatIsNoColumnOfTheObjectIsAnError(name: String) throws {
        #expect(throws: ManagedObjectError.self) { try stack.context().fetch(request(name)) }
    }

    @Test func aggregatesAreNoPropertiesOfObjects() throws {
        var request = request("salary")
        request.propertiesToFetch.append(FetchedProperty(.count, of: nil))
        #expect(throws: ManagedObjectError.self) { try stack.context().fetch(request) }
    }

    /// Transient attributes have no column: nothing is read for them.
    @Test func attributesThatAreNotStoredCanBeNamed() throws {
        let context = stack.context()
        let employees = try context.fetch(request("fullName"))
        #expect(try employees.map { try $0.text("fullName") } == [String?](repeating: nil, count: 6))
    }
}
