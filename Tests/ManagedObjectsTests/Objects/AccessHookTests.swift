import ManagedObjectModels
import ManagedObjects
import Testing

/// Hooks of each access: who hears of what, and when.
@Suite struct AccessHookTests {
    class Listener: ManagedObject {
        static let lastName = AttributeKey<String>("lastName")
        static let department = ToOneKey<ManagedObject>("department")
        static let projects = ToManyKey<ManagedObject>("projects")
        static let settings = TransformableKey<[UInt8]>("settings")
        var log: [String] = []

        override class var observesAccess: Bool { true }
        override func willAccessValue(forKey name: String) { log.append("?\(name)") }
        override func didAccessValue(forKey name: String) { log.append("\(name)?") }
        override func willChangeValue(forKey name: String) { log.append("!\(name) \(primitive(name))") }
        override func didChangeValue(forKey name: String) { log.append("\(name)! \(primitive(name))") }

        func heard() -> [String] {
            defer { log = [] }
            return log
        }

        private func primitive(_ name: String) -> String {
            guard case .string(let text)? = try? primitiveValue(forKey: name) else { return "-" }
            return text
        }
    }

    /// Does not ask for them.
    final class Deaf: Listener {
        override class var observesAccess: Bool { false }
    }

    private func stack(_ type: ManagedObject.Type) throws -> Stack {
        try Stack { options in
            options.classes = options.classes.registering(type, for: "Employee")
                .registering(Listener.self, for: "Badge")
        }
    }

    @Test func readingIsHeard() throws {
        let stack = try stack(Listener.self)
        let context = stack.context()
        let employee = try #require(context.make("Employee", ["lastName": .string("A")]) as? Listener)
        try context.save()
        _ = employee.heard()
        #expect(employee[Listener.lastName] == "A" && employee.heard() == ["?lastName", "lastName?"])
        // Each time, and of a fault as well.
        #expect(employee[Listener.lastName] == "A" && employee.heard() == ["?lastName", "lastName?"])
        try context.refresh(employee, mergeChanges: false)
        #expect(try employee.value(forKey: "lastName") == .attribute(.string("A")))
        #expect(employee.heard() == ["?lastName", "lastName?"])
        #expect(employee[Listener.department] == nil && employee.heard() == ["?department", "department?"])
        #expect(employee[Listener.projects] == [] && employee.heard() == ["?projects", "projects?"])
        _ = try employee.value(of: Listener.settings)
        #expect(employee.heard() == ["?settings", "settings?"])
        _ = try employee.primitiveValue(forKey: "lastName")
        #expect(employee.heard() == [])
        #expect(throws: ManagedObjectError.self) { try employee.value(forKey: "nothing") }
        #expect(employee.heard() == ["?nothing", "nothing?"])
        withExtendedLifetime(stack) {}
    }

    @Test func changesAreHeard() throws {
        let context = try stack(Listener.self).context()
        context.undoManager = ContextUndoManager()
        let employee = try #require(context.make("Employee", ["lastName": .string("A")]) as? Listener)
        #expect(employee.heard() == ["!lastName ?", "lastName! A"])
        try context.processPendingChanges()
        employee[Listener.lastName] = "B"
        #expect(employee.heard() == ["!lastName A", "lastName! B"])
        // What changes nothing is no change.
        employee[Listener.lastName] = "B"
        #expect(employee.heard() == [])
        try employee.setPrimitiveValue(.string("C"), forKey: "lastName")
        #expect(employee.heard() == [])
        try employee.setPrimitiveValue(.string("B"), forKey: "lastName")
        try context.processPendingChanges()
        try context.undoManager?.undo()
        #expect(employee.heard().last == "lastName! A" && employee[Listener.lastName] == "A")
    }

    /// The other side of a relationship follows, and hears of it.
    @Test func inversesAreHeard() throws {
        let context = try stack(Listener.self).context()
        let employee = try #require(context.make("Employee") as? Listener)
        let badge = try #require(context.make("Badge") as? Listener)
        let (department, project) = (try context.make("Department"), try context.make("Project"))
        _ = employee.heard()
        try badge.set("owner", to: employee)
        #expect(employee.heard() == ["!badge -", "badge! -"] && badge.heard() == ["!owner -", "owner! -"])
        try department.add(employee, to: "employees")
        #expect(employee.heard() == ["!department -", "department! -"])
        try employee.add(project, to: "projects")
        #expect(employee.heard() == ["!projects -", "projects! -"])
        try project.remove(employee, from: "members")
        #expect(employee.heard() == ["!projects -", "projects! -"])
    }

    @Test func whoDoesNotAskHearsNothing() throws {
        let context = try stack(Deaf.self).context()
        let employee = try #require(context.make("Employee", ["lastName": .string("A")]) as? Deaf)
        employee[Listener.lastName] = "B"
        #expect(employee[Listener.lastName] == "B")
        #expect(try employee.value(forKey: "lastName") == .attribute(.string("B")))
        try employee.set("department", to: try context.make("Department"))
        #expect(employee.log == [])
    }
}
