import ManagedObjectModels
import ManagedObjects
import PersistentStores
import StoreFetching
import Synchronization
import Testing

/// What contexts have stores do is told, once it is done.
@Suite struct ContextEventTests {
    private final class Log: Sendable {
        private let events = Mutex<[ContextEvent]>([])

        func note(_ event: ContextEvent) { events.withLock { $0.append(event) } }

        /// What was told since the last call.
        func take() -> [ContextEvent.Work] {
            events.withLock { events in
                defer { events = [] }
                #expect(events.allSatisfy { $0.duration >= .zero })
                return events.map(\.work)
            }
        }
    }

    @Test func everyLookIntoAStoreIsTold() throws {
        let log = Log()
        let stack = try Stack { $0.onEvent = { log.note($0) } }
        let context = stack.context()
        let departments = try ["Sales", "Marketing"].map { try context.make("Department", ["name": .string($0)]) }
        for number in 0..<6 {
            try context.make("Employee", ["salary": .integer(1)]).set("department", to: departments[number % 2])
        }
        try context.save()
        #expect(log.take() == [.save(inserted: 8, updated: 0, deleted: 0)])
        var limits = ContextLimits()
        limits.rowsPerBlock = 4
        let other = stack.context(limits: limits)
        var options = ObjectFetchOptions()
        options.includesPropertyValues = false
        let employees = try other.fetch(FetchRequest(entityName: "Employee"), options: options)
        #expect(log.take() == [.fetch(entity: "Employee", count: 6)])
        #expect(try employees.map { try $0.number("salary") } == [1, 1, 1, 1, 1, 1])
        #expect(log.take() == [.fault(entity: "Person", count: 4), .fault(entity: "Person", count: 2)])
        let sales = try #require(try other.fetch("Department", where: "name == 'Sales'").first)
        #expect(try sales.many("employees").count == 3)
        #expect(
            log.take() == [
                .fetch(entity: "Department", count: 1),
                .links(entity: "Department", relationship: "employees", count: 1),
            ])
        #expect(try other.count(FetchRequest(entityName: "Employee")) == 6)
        #expect(log.take() == [.fetch(entity: "Employee", count: 6)])
        try employees[0].set("weight", .real(2))
        try other.delete(employees[5])
        try other.save()
        // The department has lost a link.
        #expect(log.take().last == .save(inserted: 0, updated: 2, deleted: 1))
        let child = ManagedObjectContext(parent: other)
        #expect(try child.fetch("Department").count == 2)
        #expect(log.take() == [.fetch(entity: "Department", count: 2)])
    }

    @Test func whatFailsIsNotTold() throws {
        let log = Log()
        let stack = try Stack { $0.onEvent = { log.note($0) } }
        let context = stack.context()
        let own = try context.make("Department", ["name": .string("a")])
        try context.save()
        try own.set("name", .string("b"))
        try stack.execute("UPDATE ZDEPARTMENT SET ZNAME = 'c', Z_OPT = 2")
        _ = log.take()
        #expect(throws: MergeConflictError.self) { try context.save() }
        #expect(!log.take().contains { if case .save = $0 { true } else { false } })
    }
}
