import KeyedArchives
import ManagedObjectModels
import ManagedObjects
import StoreFetching
import Testing
import ValueTransformers

/// When hooks of a class are called, and what they may do.
@Suite struct LifecycleTests {
    final class Log {
        var lines: [String] = []
    }

    class Person: ManagedObject {
        static let firstName = AttributeKey<String>("firstName")
        static let lastName = AttributeKey<String>("lastName")
        static let fullName = AttributeKey<String>("fullName")
        var log: [String] = []

        override func awakeFromInsert() {
            log.append("insert \(self[Self.lastName] ?? "nil")")
            self[Self.firstName] = "new"
        }

        override func awakeFromFetch() {
            log.append("fetch")
            self[Self.fullName] = "\(self[Self.firstName] ?? "") \(self[Self.lastName] ?? "")"
        }

        override func willTurnIntoFault() { log.append("willFault \((try? text("lastName")) ?? "nil")") }
        override func didTurnIntoFault() { log.append("fault") }
        override func willSave() { log.append("willSave") }
        override func didSave() { log.append("didSave") }
        override func prepareForDeletion() { log.append("delete") }

        override func validateForUpdate() throws {
            log.append("validate")
            try super.validateForUpdate()
        }
    }

    final class Employee: Person {
        static let department = ToOneKey<Department>("department")
        static let salary = AttributeKey<Int32>("salary")
    }

    final class Department: ManagedObject {
        static let employees = ToManyKey<Employee>("employees")
        static let name = AttributeKey<String>("name")
    }

    private func company() throws -> Stack {
        try Stack { options in
            options.classes = options.classes.registering(Person.self, for: "Person")
                .registering(Employee.self, for: "Employee").registering(Department.self, for: "Department")
        }
    }

    @Test func hooksComeInTheirOrder() throws {
        let stack = try company()
        let context = stack.context()
        let employee = try context.insert(Employee.self)
        // The defaults of the model come first.
        #expect(employee.log == ["insert ?"] && employee[Person.firstName] == "new")
        try context.save()
        #expect(employee.log == ["insert ?", "willSave", "didSave"])
        employee.log = []
        try context.refresh(employee, mergeChanges: false)
        #expect(employee.log == ["willFault ?", "fault"])
        #expect(employee[Person.fullName] == "new ?" && employee.log == ["willFault ?", "fault", "fetch"])
        #expect(!context.hasChanges)
        employee.log = []
        employee[Employee.salary] = 5
        try context.save()
        #expect(employee.log == ["validate", "willSave", "didSave"])
        employee.log = []
        try context.delete(employee)
        try context.save()
        #expect(employee.log == ["delete", "willSave", "willFault ?", "fault", "didSave"])
        // The class of a subentity that has none is that of its superentity.
        #expect(try context.insert("Manager") is Employee)
    }

    /// Has a value that is made of others, and counts what it hears.
    final class Listener: ManagedObject {
        static let firstName = AttributeKey<String>("firstName")
        static let fullName = AttributeKey<String>("fullName")
        var events: [SnapshotEvents] = []

        override func awakeFromSnapshotEvents(_ events: SnapshotEvents) {
            self.events.append(events)
            self[Self.fullName] = "\(self[Self.firstName] ?? "nil")!"
        }

        /// What was heard since the last time.
        func heard() -> [SnapshotEvents] {
            defer { events = [] }
            return events
        }
    }

    @Test func whateverReplacesValuesIsHeard() throws {
        let stack = try Stack { $0.classes = $0.classes.registering(Listener.self, for: "Employee") }
        let context = stack.context()
        context.undoManager = ContextUndoManager()
        let object = try context.insert(Listener.self)
        object[Listener.firstName] = "A"
        try context.save()
        #expect(object.heard() == [])
        object[Listener.firstName] = "B"
        try context.undoManager?.undo()
        #expect(object.heard() == [.undoUpdate] && object[Listener.fullName] == "A!")
        try context.undoManager?.redo()
        #expect(object.heard() == [.undoUpdate] && object[Listener.fullName] == "B!")
        context.rollback()
        #expect(object.heard() == [.rollback] && object[Listener.fullName] == "A!")
        try context.delete(object)
        try context.processPendingChanges()
        try context.undoManager?.undo()
        #expect(object.heard() == [.undoDeletion])
        #expect(!object.isDeleted)
        context.rollback()
        _ = object.heard()
        // Somebody else has another value.
        let other = stack.context()
        let theirs = try #require(try other.existingObject(with: object.objectID) as? Listener)
        theirs[Listener.firstName] = "C"
        try other.save()
        object[AttributeKey<Int>("salary")] = 5
        try context.refresh(object, mergeChanges: true)
        #expect(object.heard() == [.refresh] && object[Listener.fullName] == "C!")
        theirs[Listener.firstName] = "D"
        try other.save()
        context.mergePolicy = .mergeByPropertyObjectTrump
        try context.save()
        #expect(object.heard() == [.mergePolicy] && object[Listener.fullName] == "D!")
        #expect(try stack.rows("SELECT ZFIRSTNAME, ZSALARY FROM ZPERSON") == ["'D'|5"])
        #expect(theirs.heard() == [])
        // A new object that is undone is deleted.
        let new = try context.insert(Listener.self)
        try context.processPendingChanges()
        try context.undoManager?.undo()
        #expect(new.heard() == [.undoInsertion] && new.isDeleted)
    }

    @Test func aResetSaysSoWhileTheContextIsThere() throws {
        let stack = try company()
        let context = stack.context()
        let employee = try context.insert(Employee.self)
        try context.save()
        employee.log = []
        context.reset()
        #expect(employee.log == ["willFault ?", "fault"] && employee.managedObjectContext == nil)
    }

    @Test func typedAccess() throws {
        let stack = try company()
        let context = stack.context()
        let department = try context.insert(Department.self)
        let employee = try context.insert(Employee.self)
        employee[Employee.department] = department
        #expect(department[Department.employees] == [employee])
        department[Department.employees] = []
        #expect(employee[Employee.department] == nil)
        employee[Employee.salary] = 7
        #expect(employee[AttributeKey<Int>("salary")] == 7)
        #expect(throws: ManagedObjectError.self) { try employee.value(of: AttributeKey<String>("salary")) }
        employee[AttributeKey<String>("nothing")] = "x"
        #expect(context.accessError is ManagedObjectError)
        #expect(throws: ManagedObjectError.self) { try context.save() }
        try context.save()
        #expect(try context.fetch(Employee.self, .init(entityName: "Employee")) == [employee])
    }

    /// What `willSave` sets is saved, and does not have it called for ever.
    final class Stamped: ManagedObject {
        var calls = 0

        override func willSave() {
            calls += 1
            try? setPrimitiveValue(.integer(Int64(calls)), forKey: "number")
            if (try? primitiveValue(forKey: "title")) != .string("set") { self[AttributeKey<String>("title")] = "set" }
        }
    }

    final class Restless: ManagedObject {
        override func willSave() { self[AttributeKey<Int>("number")] = (self[AttributeKey<Int>("number")] ?? 0) + 1 }
    }

    @Test func willSaveMayChangeTheObject() throws {
        let stack = try Stack {
            $0.classes = $0.classes.registering(Stamped.self, for: "Project").registering(Restless.self, for: "Badge")
        }
        let context = stack.context()
        let project = try context.insert(Stamped.self)
        try context.save()
        #expect(project.calls == 2)
        #expect(try stack.rows("SELECT ZNUMBER, ZTITLE FROM ZPROJECT") == ["2|'set'"])
        try context.insert("Badge")
        let error = #expect(throws: ManagedObjectError.self) { try context.save() }
        #expect(error?.code == .unstable("Badge", rounds: context.limits.hookRounds))
    }

    @Test func primitiveValuesDoNotCountAsChanges() throws {
        let stack = try company()
        let context = stack.context()
        let employee = try context.insert(Employee.self)
        try context.save()
        try employee.setPrimitiveValue(.integer(3), forKey: "salary")
        #expect(!context.hasChanges && employee[Employee.salary] == 3)
        employee[Person.firstName] = "x"
        try context.save()
        #expect(try stack.rows("SELECT ZSALARY FROM ZPERSON") == ["3"])
    }

    // MARK: - Transformers

    struct Temperature: Sendable, Equatable {
        var degrees: Int
    }

    struct TemperatureTransformer: AttributeValueTransformer {
        func transformedValue(_ value: Temperature) throws -> [UInt8] { Array("\(value.degrees)".utf8) }
        func reverseTransformedValue(_ bytes: [UInt8]) throws -> Temperature {
            guard let degrees = Int(String(decoding: bytes, as: UTF8.self)) else {
                throw KeyedArchiveError(.notAKeyedArchive)
            }
            return Temperature(degrees: degrees)
        }
    }

    private func laboratory(registers: Bool) throws -> (TestDirectoryHolder, ManagedObjectContext) {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                name: "Probe",
                attributes: [
                    AttributeDescription(
                        name: "heat", type: .transformable, isOptional: true, valueTransformerName: "Temperature"),
                    AttributeDescription(
                        name: "list", type: .transformable, isOptional: true, attributeValueClassName: "NSArray"),
                ])
        ])
        var options = CoordinatorOptions()
        if registers {
            options.transformers = options.transformers.registering(TemperatureTransformer(), as: "Temperature")
        }
        let holder = try TestDirectoryHolder(model, options)
        return (holder, ManagedObjectContext(holder.coordinator))
    }

    @Test func registeredTransformersMapBothWays() throws {
        let (holder, context) = try laboratory(registers: true)
        let key = TransformableKey<Temperature>("heat")
        let probe = try context.insert("Probe")
        probe[key] = Temperature(degrees: 37)
        try context.save()
        #expect(try holder.rows("SELECT CAST(ZHEAT AS TEXT) FROM ZPROBE") == ["'37'"])
        let other = ManagedObjectContext(holder.coordinator)
        #expect(try other.fetch("Probe")[0].value(of: key) == Temperature(degrees: 37))
        #expect(throws: ManagedObjectError.self) { try probe.value(of: TransformableKey<String>("heat")) }
    }

    @Test func unregisteredTransformersAreErrorsAtTheAssignment() throws {
        let (_, context) = try laboratory(registers: false)
        let probe = try context.insert("Probe")
        #expect(throws: ManagedObjectError.self) {
            try probe.setValue(Temperature(degrees: 1), of: TransformableKey("heat"))
        }
    }

    @Test func valuesOfAnotherClassAreErrorsAtTheAssignment() throws {
        let (_, context) = try laboratory(registers: true)
        let key = TransformableKey<PropertyListValue>("list")
        let probe = try context.insert("Probe")
        try probe.setValue(.array([.string("a")]), of: key)
        #expect(throws: ManagedObjectError.self) { try probe.setValue(.string("a"), of: key) }
        #expect(try probe.value(of: key) == .array([.string("a")]))
    }
}
