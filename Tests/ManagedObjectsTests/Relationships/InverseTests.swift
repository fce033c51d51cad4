import ManagedObjectModels
import ManagedObjects
import Testing

/// Whatever side is set, the other one follows, also where nobody has looked at it, and the store has both.
@Suite struct InverseTests {
    @Test(arguments: [false, true]) func oneToMany(fromTheManySide: Bool) throws {
        let stack = try Stack()
        let context = stack.context()
        let (old, new) = (try context.make("Department"), try context.make("Department"))
        let employee = try context.make("Employee")
        try employee.set("department", to: old)
        try context.save()
        if fromTheManySide { try new.add(employee, to: "employees") } else { try employee.set("department", to: new) }
        #expect(try employee.one("department") === new)
        #expect(try new.many("employees") == [employee] && old.many("employees") == [])
        try context.save()
        #expect(try stack.rows("SELECT ZDEPARTMENT, Z_OPT FROM ZPERSON") == ["2|2"])
        try new.remove(employee, from: "employees")
        #expect(try employee.one("department") == nil)
        try context.save()
        #expect(try stack.rows("SELECT ZDEPARTMENT, Z_OPT FROM ZPERSON") == ["NULL|3"])
        #expect(try stack.faults() == [])
    }

    @Test func oneToOneLosesBothFormerPartners() throws {
        let stack = try Stack()
        let context = stack.context()
        let (one, two) = (try context.make("Employee"), try context.make("Employee"))
        let (first, second) = (try context.make("Badge"), try context.make("Badge"))
        try one.set("badge", to: first)
        try second.set("owner", to: two)
        try context.save()
        try one.set("badge", to: second)
        #expect(try second.one("owner") === one && two.one("badge") == nil && first.one("owner") == nil)
        try context.save()
        #expect(try stack.rows("SELECT ZBADGE FROM ZPERSON ORDER BY Z_PK") == ["2", "NULL"])
        #expect(try stack.rows("SELECT ZOWNER FROM ZBADGE ORDER BY Z_PK") == ["NULL", "1"])
        #expect(try stack.faults() == [])
    }

    @Test(arguments: [false, true]) func manyToMany(isOrdered: Bool) throws {
        let stack = try Stack(Staff(isOrdered: isOrdered))
        let context = stack.context()
        let employees = try (0..<3).map { _ in try context.make("Employee") }
        let project = try context.make("Project")
        try project.setValue(.objects(employees), forKey: "members")
        #expect(try employees.allSatisfy { try $0.many("projects") == [project] })
        try context.save()
        #expect(try stack.rows("SELECT count(*) FROM Z_5PROJECTS") == ["3"])
        try employees[1].remove(project, from: "projects")
        #expect(try project.many("members") == [employees[0], employees[2]])
        try context.save()
        #expect(try stack.rows("SELECT count(*) FROM Z_5PROJECTS") == ["2"])
        #expect(try stack.faults() == [])
    }

    @Test func itsOwnInverse() throws {
        let stack = try Stack()
        let context = stack.context()
        let (one, two) = (try context.make("Project"), try context.make("Project"))
        try one.add(two, to: "related")
        try one.add(one, to: "related")
        #expect(try two.many("related") == [one])
        try context.save()
        #expect(try stack.rows("SELECT * FROM Z_7RELATED ORDER BY 1, 2") == ["1|1", "1|2", "2|1"])
        try two.remove(one, from: "related")
        try context.save()
        #expect(try stack.rows("SELECT * FROM Z_7RELATED ORDER BY 1, 2") == ["1|1"])
        #expect(try stack.faults() == [])
    }

    @Test func withoutAnInverse() throws {
        let stack = try Stack()
        let context = stack.context()
        let (one, two) = (try context.make("Department"), try context.make("Department"))
        let note = try context.make("Note")
        try one.add(note, to: "notes")
        try context.save()
        #expect(try stack.rows("SELECT Z2NOTES FROM ZNOTE") == ["1"])
        // A note is in one department's list.
        try two.add(note, to: "notes")
        #expect(try one.many("notes") == [] && two.many("notes") == [note])
        try context.save()
        #expect(try stack.rows("SELECT Z2NOTES FROM ZNOTE") == ["2"])
        try context.delete(note)
        try context.save()
        #expect(try two.many("notes") == [])
        #expect(try stack.faults() == [])
    }

    /// Nobody reads the relationship to change its other side.
    @Test func relationshipsThatWereNotReadFollow() throws {
        let stack = try Stack()
        let first = stack.context()
        let department = try first.make("Department")
        for _ in 0..<3 { try first.make("Employee").set("department", to: department) }
        try first.save()
        let context = stack.context()
        let own = try context.object(with: department.objectID)
        let new = try context.make("Employee")
        try new.set("department", to: own)
        try context.fetch("Employee").first.map { try $0.set("department", to: nil) }
        #expect(try own.isRelationshipFault("employees"))
        #expect(try own.many("employees").count == 3)
        #expect(try own.many("employees").last === new)
        try context.save()
        #expect(try own.many("employees").count == 3)
        #expect(try stack.faults() == [])
    }

    @Test func whatDoesNotFitIsRefused() throws {
        let stack = try Stack()
        let context = stack.context()
        let (employee, badge) = (try context.make("Employee"), try context.make("Badge"))
        #expect(throws: ManagedObjectError.self) { try employee.set("department", to: badge) }
        #expect(throws: ManagedObjectError.self) { try employee.set("nothing", to: badge) }
        #expect(throws: ManagedObjectError.self) { try employee.set("salary", .string("a")) }
        #expect(throws: ManagedObjectError.self) { try employee.set("salary", .integer(1 << 40)) }
        #expect(throws: ManagedObjectError.self) { try employee.setValue(.objects([]), forKey: "department") }
        #expect(throws: ManagedObjectError.self) { try context.insert("Person") }
        #expect(throws: ManagedObjectError.self) { try context.insert("Nobody") }
        // A subentity's object fits.
        try context.make("Employee").set("manager", to: context.make("Manager"))
        try context.save()
        #expect(try stack.faults() == [])
    }
}
