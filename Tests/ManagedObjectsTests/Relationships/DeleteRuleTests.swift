import ManagedObjectModels
import ManagedObjects
import Testing

/// What becomes of the objects that a deleted one leads to.
@Suite struct DeleteRuleTests {
    /// A department with two employees, of whom the first has a badge.
    private func company(_ staff: Staff) throws -> (stack: Stack, context: ManagedObjectContext) {
        let stack = try Stack(staff)
        let context = stack.context()
        let department = try context.make("Department", ["name": .string("A")])
        let employees = try ["Abel", "Ek"].map { try context.make("Employee", ["lastName": .string($0)]) }
        for employee in employees { try employee.set("department", to: department) }
        try employees[0].set("badge", to: context.make("Badge", ["number": .integer(1)]))
        try context.save()
        context.reset()
        return (stack, context)
    }

    private func delete(_ staff: Staff) throws -> (stack: Stack, context: ManagedObjectContext) {
        let (stack, context) = try company(staff)
        try context.delete(context.fetch("Department")[0])
        return (stack, context)
    }

    @Test func deletionIsAMarkUntilTheSave() throws {
        let (stack, context) = try company(Staff())
        let before = try stack.content()
        let department = try context.fetch("Department")[0]
        try context.delete(department)
        #expect(department.isDeleted && context.deletedObjects == [department])
        #expect(try context.fetch("Department") == [] && stack.content() == before)
        try context.save()
        #expect(!department.isDeleted && department.managedObjectContext != nil)
        #expect(try stack.rows("SELECT count(*) FROM ZDEPARTMENT") == ["0"])
    }

    @Test func nullify() throws {
        let (stack, context) = try delete(Staff(departmentRule: .nullify))
        try context.save()
        #expect(try stack.rows("SELECT ZDEPARTMENT FROM ZPERSON") == ["NULL", "NULL"])
        #expect(try stack.faults() == [])
    }

    /// The objects that are left would have no department.
    @Test func nullifyValidatesWhatIsLeft() throws {
        let (stack, context) = try delete(Staff(needsDepartment: true))
        let before = try stack.content()
        let errors = #expect(throws: ObjectValidationErrors.self) { try context.save() }
        #expect(errors?.detailedErrors.compactMap { ($0 as? ObjectValidationError)?.code } == [1570, 1570])
        #expect(try stack.content() == before)
    }

    @Test func cascade() throws {
        let (stack, context) = try delete(Staff(departmentRule: .cascade))
        try context.processPendingChanges()
        #expect(Set(context.deletedObjects.map(\.entityName)) == ["Department", "Employee", "Badge"])
        try context.save()
        for table in ["ZDEPARTMENT", "ZPERSON", "ZBADGE"] {
            #expect(try stack.rows("SELECT count(*) FROM \(table)") == ["0"])
        }
    }

    @Test(arguments: [false, true]) func denyHoldsWhileOneIsLeft(isEmptied: Bool) throws {
        let (stack, context) = try delete(Staff(departmentRule: .deny))
        let before = try stack.content()
        if isEmptied { for employee in try context.fetch("Employee") { try context.delete(employee) } }
        if isEmptied {
            try context.save()
            #expect(try stack.rows("SELECT count(*) FROM ZDEPARTMENT") == ["0"])
        } else {
            let error = #expect(throws: ObjectValidationError.self) { try context.save() }
            #expect(error?.code == 1600 && error?.key == "employees")
            #expect(try stack.content() == before)
        }
    }

    /// The employees still lead to the department that is gone, and their faults cannot be fulfilled.
    @Test func noActionTouchesNothing() throws {
        let (stack, context) = try delete(Staff(departmentRule: .noAction))
        try context.save()
        #expect(try stack.rows("SELECT ZDEPARTMENT, Z_OPT FROM ZPERSON") == ["1|1", "1|1"])
        context.reset()
        let employee = try context.fetch("Employee")[0]
        let gone = try #require(try employee.one("department"))
        #expect(throws: ManagedObjectError.self) { try gone.text("name") }
        try employee.set("department", to: nil)
        try context.save()
        #expect(try stack.rows("SELECT ZDEPARTMENT FROM ZPERSON") == ["NULL", "1"])
    }

    /// A relationship that leads to a deleted object is none of its own: it dangles, and the save succeeds.
    @Test func oneWayRelationshipsDangle() throws {
        let stack = try Stack()
        let context = stack.context()
        let project = try context.make("Project", ["title": .string("P")])
        let employee = try context.make("Employee")
        try employee.set("favorite", to: project)
        try context.save()
        try context.delete(project)
        try context.save()
        #expect(!employee.isUpdated)
        #expect(try stack.rows("SELECT ZFAVORITE, Z_OPT FROM ZPERSON") == ["1|1"])
        try employee.set("favorite", to: nil)
        try context.save()
        #expect(try stack.faults() == [])
    }

    @Test func manyToManyLinksGoWithTheObject() throws {
        let stack = try Stack()
        let context = stack.context()
        let project = try context.make("Project")
        let employees = try (0..<2).map { _ in try context.make("Employee") }
        for employee in employees { try project.add(employee, to: "members") }
        try context.save()
        try context.delete(employees[0])
        try context.save()
        #expect(try project.many("members") == [employees[1]])
        #expect(try stack.rows("SELECT count(*) FROM Z_5PROJECTS") == ["1"])
        #expect(try stack.faults() == [])
    }
}
