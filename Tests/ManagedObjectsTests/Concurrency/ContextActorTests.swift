import ManagedObjectModels
import ManagedObjects
import PersistentStores
import StoreFetching
import Testing

/// Several tasks on one store, each with a context of its own.
@Suite struct ContextActorTests {
    @Test func idsAndSnapshotsCross() async throws {
        let stack = try Stack()
        let (one, two) = (ContextActor(stack.coordinator), ContextActor(stack.coordinator))
        let id = try await one.perform { context in
            let object = try context.make("Employee", ["lastName": .string("A")])
            try object.set("department", to: context.make("Department", ["name": .string("D")]))
            try context.save()
            return object.objectID
        }
        let snapshot = try await two.perform { try $0.existingObject(with: id).snapshot(including: ["projects"]) }
        #expect(snapshot[AttributeKey<String>("lastName")] == "A" && snapshot.objectID == id)
        #expect(snapshot.toOne["department"]?.entityName == "Department" && snapshot.toMany == ["projects": []])
    }

    /// Nothing is lost, and every conflict is either settled or reported.
    @Test(arguments: [2, 8]) func tasksThatCountTogether(tasks: Int) async throws {
        let stack = try Stack()
        let id = try {
            let context = stack.context()
            let object = try context.make("Project", ["number": .integer(0)])
            try context.save()
            return object.objectID
        }()
        let coordinator = stack.coordinator
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<tasks {
                group.addTask {
                    let actor = ContextActor(coordinator)
                    for _ in 0..<10 {
                        try await actor.perform { context in
                            let object = try context.existingObject(with: id)
                            while true {
                                do {
                                    try object.set("number", .integer(Int64(try object.number("number") ?? 0) + 1))
                                    try context.save()
                                    return
                                } catch is MergeConflictError {
                                    try context.refresh(object, mergeChanges: false)
                                }
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try stack.rows("SELECT ZNUMBER, Z_OPT FROM ZPROJECT") == ["\(tasks * 10)|\(tasks * 10 + 1)"])
    }
}
