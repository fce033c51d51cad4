import ManagedObjectModels
import ManagedObjects
import Testing

/// What may not be saved, and how it is said.
@Suite struct ValidationTests {
    final class Driver: ManagedObject {
        override func validateConsistency() throws {
            if try number("salary") == 12, try value(of: AttributeKey<Bool>("isActive")) == true {
                throw ObjectValidationError(code: 1700, self, "too young for a licence")
            }
        }
    }

    private func errors(_ body: () throws -> Void) -> [Int] {
        do {
            try body()
            return []
        } catch let several as ObjectValidationErrors {
            return several.detailedErrors.map { ($0 as? ObjectValidationError)?.code ?? 0 }
        } catch {
            return [(error as? ObjectValidationError)?.code ?? 0]
        }
    }

    @Test func oneFaultIsItselfAndSeveralAreAList() throws {
        let stack = try Stack()
        let before = try stack.content()
        let context = stack.context()
        let employee = try context.make("Employee", ["salary": .integer(1001)])
        let error = #expect(throws: ObjectValidationError.self) { try context.save() }
        #expect(error?.code == 1610 && error?.key == "salary" && error?.value == .integer(1001))
        #expect(error?.objectID == employee.objectID && error?.entity == "Employee")
        try employee.set("lastName", nil)
        let department = try context.make("Department", ["name": .string(String(repeating: "x", count: 21))])
        let errors = #expect(throws: ObjectValidationErrors.self) { try context.save() }
        #expect(ObjectValidationErrors.number == 1560)
        #expect(
            errors?.detailedErrors.compactMap { ($0 as? ObjectValidationError)?.code }.sorted() == [1570, 1610, 1660])
        #expect(try stack.content() == before)
        // What is wrong for a while does no harm.
        try employee.set("lastName", .string("A"))
        try employee.set("salary", .integer(5))
        try department.set("name", .string("B"))
        try context.save()
    }

    /// Rules for objects as a whole need no class, and say what they are about.
    @Test func rulesForObjectsNeedNoClass() throws {
        let stack = try Stack {
            $0.validators = ObjectValidators()
                .validating("Person") { person in
                    if try person.text("firstName") == person.text("lastName") {
                        throw ObjectValidationError(code: 1701, person, "the names are equal")
                    }
                }
                .validating("Employee", on: [.insert]) { person in
                    if try person.number("salary") == 7 {
                        throw ObjectValidationError(code: 1702, person, "new, and 7")
                    }
                }
                .validating("Employee", on: [.delete]) { person in
                    if try person.number("salary") == 7 { throw ObjectValidationError(code: 1703, person, "7 stays") }
                }
        }
        let context = stack.context()
        let manager = try context.make(
            "Manager", ["firstName": .string("A"), "lastName": .string("A"), "salary": .integer(7)])
        // Rules of superentities come first, and values before both.
        #expect(errors { try context.save() } == [1701, 1702])
        #expect(errors { try context.validate(manager) } == [1701, 1702])
        try manager.set("salary", .integer(2000))
        #expect(errors { try context.save() } == [1610, 1701])
        try manager.set("salary", .integer(1))
        try manager.set("firstName", .string("B"))
        try context.save()
        try manager.set("salary", .integer(7))
        try context.save()
        let before = try stack.content()
        try context.delete(manager)
        #expect(errors { try context.save() } == [1703])
        #expect(try stack.content() == before)
    }

    @Test func valuesCanBeAskedFor() throws {
        let stack = try Stack()
        let context = stack.context()
        let employee = try context.make("Employee")
        #expect(errors { _ = try context.validated(.integer(-1), forKey: "salary", of: employee) } == [1620])
        #expect(errors { _ = try context.validated(nil, forKey: "lastName", of: employee) } == [1570])
        #expect(errors { _ = try context.validated(.integer(1), forKey: "salary", of: employee) } == [])
        var value: AttributeValue? = .integer(-1)
        #expect(errors { try employee.validate(&value, forKey: "salary") } == [1620])
        value = .integer(1)
        #expect(errors { try employee.validate(&value, forKey: "salary") } == [])
        #expect(errors { try context.validate(employee) } == [])
    }

    /// 0 is allowed as long as the relationship is optional; otherwise the number must be in the range.
    @Test(arguments: [(0, []), (1, [1580]), (2, []), (3, []), (4, [1590])]) func numbersOfObjects(
        count: Int, codes: [Int]
    ) throws {
        let stack = try Stack(Staff(staff: 2...3))
        let context = stack.context()
        let department = try context.make("Department")
        for _ in 0..<count { try department.add(context.make("Employee"), to: "employees") }
        #expect(errors { try context.save() } == codes)
    }

    @Test(arguments: [false, true]) func insertsAndUpdatesHaveOneConsistency(isUpdate: Bool) throws {
        let stack = try Stack { $0.classes = $0.classes.registering(Driver.self, for: "Employee") }
        let context = stack.context()
        let driver = try context.insert(Driver.self)
        if isUpdate {
            try driver.set("salary", .integer(30))
            try context.save()
        }
        try driver.set("salary", .integer(12))
        #expect(errors { try context.save() } == [1700])
        try driver.set("isActive", .boolean(false))
        #expect(errors { try context.save() } == [])
    }

    /// The rules of the model and those of the object are reported together.
    @Test func allFaultsOfAnObjectAreReported() throws {
        let stack = try Stack { $0.classes = $0.classes.registering(Driver.self, for: "Employee") }
        let context = stack.context()
        let driver = try context.insert(Driver.self)
        try driver.set("salary", .integer(12))
        try driver.set("lastName", nil)
        #expect(errors { try context.save() } == [1570, 1700])
    }

    @Test func closuresSeeAndChangeValues() throws {
        let stack = try Stack { options in
            options.validators = options.validators
                .validating("Person", "firstName") { value, object in
                    guard value != nil else { return }
                    if case .string(let text)? = value, text.hasPrefix(" ") {
                        value = .string(String(text.dropFirst()))
                    }
                    if value == .string("bad") {
                        throw ObjectValidationError(code: 1999, object, key: "firstName", value: value, "bad")
                    }
                }
        }
        let context = stack.context()
        let employee = try context.make("Employee", ["firstName": .string("   Ida")])
        try context.save()
        // As long as it changes, it is asked again.
        #expect(try employee.text("firstName") == "Ida")
        #expect(try stack.rows("SELECT ZFIRSTNAME FROM ZPERSON") == ["'Ida'"])
        try employee.set("firstName", .string(" bad"))
        #expect(errors { try context.save() } == [1999])
    }

    @Test func aClosureThatNeverRestsIsAnError() throws {
        let stack = try Stack { options in
            options.validators = options.validators.validating("Employee", "salary") { value, _ in
                value = value == .integer(1) ? .integer(2) : .integer(1)
            }
        }
        let context = stack.context()
        try context.make("Employee")
        #expect(throws: ManagedObjectError.self) { try context.save() }
    }
}
