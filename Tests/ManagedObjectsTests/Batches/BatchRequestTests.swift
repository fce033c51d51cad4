import ManagedObjectModels
import ManagedObjects
import StoreConversion
import Testing

/// Changes of many objects without a context, and contexts that take them over.
@Suite struct BatchRequestTests {
    @Test(arguments: ["SQLite", "XML"]) func requestsChangeStoresAndAreMerged(type: String) throws {
        let stack = try Stack(type: PersistentStoreType(type))
        let context = stack.context()
        let made = try context.execute(
            .insert("Employee", objects: (1...5).map { ["lastName": .string("E\($0)"), "salary": .integer($0)] }))
        #expect(made.insertedObjectIDs.count == 5)
        let employees = try context.fetch("Employee")
        #expect(try employees.map { try $0.number("salary") } == [1, 2, 3, 4, 5])
        let changed = try context.execute(
            .update("Employee", where: "salary > 3", set: ["salary": "salary * 10", "firstName": "\"F\""]))
        #expect(changed.updatedObjectIDs == Set(employees[3...].map(\.objectID)))
        #expect(try employees[4].number("salary") == 5)
        try context.mergeChanges(from: changed.changes)
        #expect(try employees[4].number("salary") == 50 && employees[4].text("firstName") == "F")
        let deleted = try context.execute(.delete("Employee", where: "salary < 3"))
        #expect(deleted.deletedObjectIDs == Set(employees[..<2].map(\.objectID)))
        try context.mergeChanges(from: deleted.changes)
        #expect(throws: ManagedObjectError.self) { try employees[0].number("salary") }
        #expect(try context.fetch("Employee").count == 3)
        if type == "SQLite" { #expect(try stack.faults() == []) }
    }

    @Test func rulesHold() throws {
        let stack = try Stack(Staff(departmentRule: .deny))
        let context = stack.context()
        let department = try context.make("Department", ["name": .string("A")])
        for _ in 0..<2 { try context.make("Employee").set("department", to: department) }
        try context.save()
        let before = try stack.content()
        let denied = #expect(throws: ObjectValidationError.self) {
            try context.execute(.delete("Department", where: "TRUEPREDICATE"))
        }
        #expect(denied?.code == 1600)
        let several = #expect(throws: ObjectValidationErrors.self) {
            try context.execute(.update("Employee", where: "TRUEPREDICATE", set: ["salary": "5000"]))
        }
        #expect(several?.detailedErrors.count == 2)
        #expect(throws: ObjectValidationError.self) {
            try context.execute(.insert("Employee", objects: [["salary": .integer(1)], ["salary": .integer(-1)]]))
        }
        #expect(throws: (any Error).self) { try context.execute(.delete("Nobody", where: "TRUEPREDICATE")) }
        #expect(throws: (any Error).self) { try context.execute(.delete("Employee", where: "nothing = 1")) }
        #expect(try stack.content() == before)
    }
}
