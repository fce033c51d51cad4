@testable import ManagedObjects
import ManagedObjectModels
import TestSupport
import Testing

/// Ordered relationships, in memory and in the store.
@Suite struct OrderTests {
    /// A department with A, B, C, read anew.
    private func company() throws -> (stack: Stack, context: ManagedObjectContext, department: ManagedObject) {
        let stack = try Stack(Staff(isOrdered: true))
        let first = stack.context()
        let department = try first.make("Department")
        for name in ["A", "B", "C"] {
            try department.add(first.make("Employee", ["lastName": .string(name)]), to: "employees")
        }
        try first.save()
        #expect(try stack.rows("SELECT Z_FOK_DEPARTMENT FROM ZPERSON ORDER BY Z_PK") == ["2048", "3072", "4096"])
        let context = stack.context()
        return (stack, context, try context.existingObject(with: department.objectID))
    }

    private func read(_ stack: Stack) throws -> [String] {
        let context = stack.context()
        return try context.fetch("Department")[0].names("employees")
    }

    @Test func insertionBetweenTwo() throws {
        let (stack, context, department) = try company()
        let new = try context.make("Employee", ["lastName": .string("N")])
        try department.insert(new, into: "employees", at: 1)
        #expect(try department.names("employees") == ["A", "N", "B", "C"])
        try context.save()
        #expect(try department.names("employees") == ["A", "N", "B", "C"] && read(stack) == ["A", "N", "B", "C"])
        // The others stay where they are.
        #expect(
            try stack.rows("SELECT Z_FOK_DEPARTMENT, Z_OPT FROM ZPERSON ORDER BY Z_PK")
                == ["2048|1", "3072|1", "4096|1", "2560|1"])
        #expect(try stack.faults() == [])
    }

    @Test func moving() throws {
        let (stack, context, department) = try company()
        try department.insert(department.many("employees")[2], into: "employees", at: 0)
        try context.save()
        #expect(try read(stack) == ["C", "A", "B"])
        try department.setValue(.objects(department.many("employees").reversed()), forKey: "employees")
        try context.save()
        #expect(try read(stack) == ["B", "A", "C"])
        #expect(try stack.faults() == [])
    }

    @Test func whatComesBackIsTheLast() throws {
        let (stack, context, department) = try company()
        let first = try department.many("employees")[0]
        try first.set("department", to: nil)
        try first.set("department", to: department)
        try context.save()
        #expect(try department.names("employees") == ["B", "C", "A"] && read(stack) == ["B", "C", "A"])
    }

    /// Nobody reads the list: new objects come behind the last one of the store.
    @Test func appendingToAListThatWasNotRead() throws {
        let (stack, context, department) = try company()
        try context.make("Employee", ["lastName": .string("N")]).set("department", to: department)
        #expect(try department.isRelationshipFault("employees"))
        try context.save()
        #expect(try read(stack) == ["A", "B", "C", "N"])
        #expect(try stack.rows("SELECT max(Z_FOK_DEPARTMENT) FROM ZPERSON") == ["5120"])
    }

    @Test func manyToMany() throws {
        let stack = try Stack(Staff(isOrdered: true))
        let context = stack.context()
        let employee = try context.make("Employee")
        let projects = try ["A", "B", "C"].map { try context.make("Project", ["title": .string($0)]) }
        try employee.setValue(.objects([projects[2], projects[0]]), forKey: "projects")
        try context.save()
        try employee.insert(projects[1], into: "projects", at: 1)
        try context.save()
        let other = stack.context()
        let titles = try other.fetch("Employee")[0].many("projects").map { try $0.text("title") }
        #expect(titles == ["C", "B", "A"])
        #expect(try stack.faults() == [])
    }

    /// Whatever the old keys are: new ones rise, and those that can stay do.
    @Test(arguments: 0..<200) func keysRise(seed: UInt64) {
        var numbers = RandomNumbers(seed: seed)
        let count = Int.random(in: 0..<12, using: &numbers)
        let old: [Int64?] = (0..<count).map { _ in
            Bool.random(using: &numbers)
                ? nil : Int64.random(in: seed.isMultiple(of: 2) ? 2048...2060 : 0...Int64.max, using: &numbers)
        }
        let new = OrderAssignment.assign(old)
        #expect(new.count == count && new.first.map { $0 > 0 } ?? true)
        #expect(zip(new, new.dropFirst()).allSatisfy { $0 < $1 })
        let isRising =
            zip(old, old.dropFirst()).allSatisfy { ($0 ?? 0) < ($1 ?? 0) } && old.allSatisfy { ($0 ?? 0) > 1024 }
        if isRising { #expect(new == old.compactMap { $0 }) }
    }
}
