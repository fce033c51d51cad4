import ManagedObjectModels
import ManagedObjects
import PersistentStores
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

    /// As a save writes them: defaults, types, files of large values, derived attributes, history, keys.
    @Test func insertedRowsAreThoseOfASave() throws {
        let values: [[String: AttributeValue]] = [
            ["lastName": .string("A"), "salary": .integer(1), "weight": .integer(2), "rate": .real(1.5)],
            ["isActive": .integer(0), "photo": .binary([UInt8](repeating: 7, count: 200_000)), "hired": .date(5)],
            ["photo": .binary([1, 2]), "home": .string("a:b"), "tag": .uuid([UInt8](repeating: 1, count: 16))],
        ]
        var contents: [[String]] = []
        for isBatch in [true, false] {
            let stack = try Stack()
            try HistoryFixture.add(to: stack)
            let context = stack.context()
            if isBatch {
                let result = try context.execute(.insert("Manager", objects: values))
                #expect(result.insertedObjectIDs.map(\.primaryKey).sorted() == [1, 2, 3])
            } else {
                for one in values { try context.make("Manager", one) }
                try context.save()
            }
            let photo = try context.fetch("Manager")[1].value(forKey: "photo")
            #expect(photo == .attribute(.binary([UInt8](repeating: 7, count: 200_000))))
            contents.append(
                try stack.content().filter { line in
                    ["ZPERSON", "ACHANGE", "Z_PRIMARYKEY"].contains { line.hasPrefix($0) }
                }.map { $0.replacing(/X'02[0-9A-F]+'/, with: "file").replacing(/x'02[0-9a-f]+'/, with: "file") })
            #expect(try stack.faults() == [])
        }
        #expect(contents[0] == contents[1] && contents[0].count > 5)
    }

    @Test(arguments: ["nothing", "department", "fullName"]) func onlyStoredAttributesCanBeInserted(name: String) throws
    {
        let stack = try Stack()
        let before = try stack.content()
        #expect(throws: ManagedObjectError.self) {
            try stack.context().execute(.insert("Employee", objects: [[:], [name: .string("x")]]))
        }
        #expect(throws: ManagedObjectError.self) {
            try stack.context().execute(.insert("Employee", objects: [[:], ["salary": .string("x")]]))
        }
        #expect(throws: ManagedObjectError.self) { try stack.context().execute(.insert("Person", objects: [[:]])) }
        #expect(try stack.content() == before)
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
