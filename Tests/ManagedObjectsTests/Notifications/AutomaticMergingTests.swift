import ManagedObjectModels
import ManagedObjects
import PersistentStores
import StoreFetching
import TestSupport
import Testing

/// Contexts that take over by themselves what others have saved.
@Suite struct AutomaticMergingTests {
    private func follower(_ stack: Stack) -> ManagedObjectContext {
        let context = stack.context()
        context.automaticallyMergesChangesFromParent = true
        return context
    }

    @Test func changesOfOthersComeWithTheNextFetch() throws {
        let stack = try Stack()
        let (one, two) = (stack.context(), follower(stack))
        let object = try one.make("Department", ["name": .string("A"), "code": .integer(1)])
        let lost = try one.make("Department", ["name": .string("L")])
        try one.save()
        let own = try two.existingObject(with: object.objectID)
        let dead = try two.existingObject(with: lost.objectID)
        #expect(try own.many("employees") == [])
        try own.set("code", .integer(5))
        try object.set("name", .string("B"))
        try one.make("Employee").set("department", to: object)
        try one.delete(lost)
        try one.save()
        // Nothing changes under the hands of the task.
        #expect(try own.text("name") == "A" && dead.text("name") == "L")
        #expect(try two.fetch("Department") == [own])
        #expect(try own.text("name") == "B" && own.number("code") == 5)
        #expect(try own.many("employees").count == 1)
        #expect(throws: ManagedObjectError.self) { try dead.text("name") }
        // What was changed here stays, over the new values, and is saved without a conflict.
        try two.save()
        #expect(try stack.rows("SELECT ZNAME, ZCODE FROM ZDEPARTMENT") == ["'B'|5"])
    }

    @Test func countsAndPendingChangesMergeToo() throws {
        let stack = try Stack()
        let (one, two) = (stack.context(), follower(stack))
        let object = try one.make("Department", ["name": .string("A")])
        try one.save()
        let own = try two.existingObject(with: object.objectID)
        try object.set("name", .string("B"))
        try one.save()
        #expect(try two.count(.init(entityName: "Project")) == 0)
        #expect(try own.text("name") == "B")
        try object.set("name", .string("C"))
        try one.save()
        try two.processPendingChanges()
        #expect(try own.text("name") == "C")
        two.automaticallyMergesChangesFromParent = false
        try object.set("name", .string("D"))
        try one.save()
        _ = try two.fetch("Department")
        #expect(try own.text("name") == "C")
    }

    /// Otherwise a save would write over what no one has seen.
    @Test func aSaveFindsTheConflictsThatAreThere() throws {
        let stack = try Stack()
        let (one, two) = (stack.context(), follower(stack))
        let object = try one.make("Department", ["name": .string("A")])
        try one.save()
        let own = try two.existingObject(with: object.objectID)
        try own.set("name", .string("C"))
        try object.set("name", .string("B"))
        try one.save()
        #expect(throws: MergeConflictError.self) { try two.save() }
        #expect(try stack.rows("SELECT ZNAME FROM ZDEPARTMENT") == ["'B'"])
    }

    @Test func ownSavesAreNotMerged() throws {
        let stack = try Stack()
        let context = follower(stack)
        let object = try context.make("Department", ["name": .string("A")])
        try context.save()
        _ = try context.fetch("Department")
        #expect(!object.isFault)
    }

    /// A context that follows and another one, each with its object of a department that a third one has deleted.
    private func withoutDepartment(
        _ stack: Stack
    ) throws -> (ManagedObjectContext, ManagedObjectContext, ManagedObject, ManagedObject) {
        let (one, two, three) = (stack.context(), follower(stack), stack.context())
        let object = try one.make("Department", ["name": .string("A")])
        try one.save()
        let own = try two.existingObject(with: object.objectID)
        let other = try three.existingObject(with: object.objectID)
        try one.delete(object)
        try one.save()
        return (two, three, own, other)
    }

    /// An object that was deleted, and that a policy has saved again, is there.
    @Test func whatIsSavedAgainIsThere() throws {
        let stack = try Stack()
        let (two, three, own, other) = try withoutDepartment(stack)
        three.mergePolicy = .overwrite
        try other.set("name", .string("B"))
        try three.save()
        #expect(try two.fetch("Department") == [own])
        #expect(try own.text("name") == "B")
    }

    /// Also where the deletion was heard before: what is gone stays gone, and there is another object for the record.
    @Test func whatIsSavedAgainAfterItWasGoneIsAnotherObject() throws {
        let stack = try Stack()
        let (two, three, own, other) = try withoutDepartment(stack)
        #expect(try two.fetch("Department").isEmpty)
        three.mergePolicy = .overwrite
        try other.set("name", .string("B"))
        try three.save()
        let found = try #require(try two.fetch("Department").first)
        #expect(try found !== own && found.text("name") == "B")
        #expect(throws: ManagedObjectError.self) { try own.text("name") }
    }

    @Test func childrenHearWhatOthersSaveToTheirParent() throws {
        let stack = try Stack()
        let parent = stack.context()
        let object = try parent.make("Department", ["name": .string("A")])
        try parent.save()
        let (one, two) = (ManagedObjectContext(parent: parent), ManagedObjectContext(parent: parent))
        two.automaticallyMergesChangesFromParent = true
        let own = try two.existingObject(with: object.objectID)
        let others = try one.existingObject(with: object.objectID)
        try others.set("name", .string("B"))
        try one.make("Employee", ["lastName": .string("N")]).set("department", to: others)
        try one.save()
        #expect(try own.text("name") == "A")
        #expect(try two.fetch("Department") == [own])
        #expect(try own.text("name") == "B" && own.names("employees") == ["N"])
        #expect(parent.hasChanges && !two.hasChanges)
    }

    @Test func tasksSeeEachOthersSaves() async throws {
        let stack = try Stack()
        let (writer, reader) = (ContextActor(stack.coordinator), ContextActor(stack.coordinator))
        let id = try await writer.perform { context in
            let object = try context.make("Project", ["number": .integer(0)])
            try context.save()
            return object.objectID
        }
        try await reader.perform { context in
            context.automaticallyMergesChangesFromParent = true
            context.retainsRegisteredObjects = true
            _ = try context.existingObject(with: id)
        }
        for number in 1...20 {
            try await writer.perform { context in
                try context.existingObject(with: id).set("number", .integer(Int64(number)))
                try context.save()
            }
            let seen = try await reader.perform { try $0.fetch("Project").map { try $0.number("number") } }
            #expect(seen == [number])
        }
    }

    /// Whatever others do, a fetch gives what the rows are, to objects that were there before as well.
    @Test(arguments: 0..<UInt64(TestSettings.triesEverySeed ? 60 : 12))
    func fetchesGiveWhatTheStoreHas(seed: UInt64) throws {
        var numbers = RandomNumbers(seed: seed)
        let stack = try Stack()
        let writers = [stack.context(), stack.context()]
        let reader = follower(stack)
        reader.retainsRegisteredObjects = true
        for writer in writers { writer.mergePolicy = .overwrite }
        for turn in 0..<60 {
            let writer = writers[Int.random(in: 0..<2, using: &numbers)]
            let all = try writer.fetch("Project")
            switch Int.random(in: 0..<4, using: &numbers) {
            case 0: try writer.make("Project", ["number": .integer(Int64(turn))])
            case 1: if let object = all.randomElement(using: &numbers) { try writer.delete(object) }
            default:
                if let object = all.randomElement(using: &numbers) { try object.set("number", .integer(Int64(-turn))) }
            }
            if Bool.random(using: &numbers) { try writer.save() }
            guard Int.random(in: 0..<3, using: &numbers) == 0 else { continue }
            let seen = try reader.fetch("Project").map { object in
                "\(object.objectID.primaryKey)|\(try object.number("number").map { "\($0)" } ?? "NULL")"
            }
            #expect(try seen == stack.rows("SELECT Z_PK, ZNUMBER FROM ZPROJECT ORDER BY Z_PK"))
        }
    }
}
