import ManagedObjectModels
import ManagedObjects
import PersistentStores
import Testing

/// What contexts announce, and how others take it over.
@Suite struct MergingTests {
    /// All that is announced until the context is gone.
    private func heard(_ stream: AsyncStream<ContextNotification>) async -> [ContextNotification] {
        var result: [ContextNotification] = []
        for await notification in stream { result.append(notification) }
        return result
    }

    @Test func savesAreAnnouncedIfSomethingHasChanged() async throws {
        let stack = try Stack()
        var context: ManagedObjectContext? = stack.context()
        let stream = try #require(context?.notifications())
        let ids = try {
            guard let context else { return (nil, nil) as (ManagedObjectID?, ManagedObjectID?) }
            try context.save()
            let object = try context.make("Department", ["name": .string("A")])
            let temporary = object.objectID
            try context.save()
            try context.save()
            try object.set("name", .string("B"))
            try context.delete(context.make("Department"))
            try context.save()
            try context.delete(object)
            try context.save()
            return (temporary, object.objectID)
        }()
        context = nil
        let (temporary, id) = (try #require(ids.0), try #require(ids.1))
        let all = await heard(stream)
        let saves = all.compactMap { if case .didSave(let saved) = $0 { saved } else { nil } }
        #expect(
            saves == [
                ContextDidSave(inserted: [id]), ContextDidSave(updated: [id]), ContextDidSave(deleted: [id]),
            ])
        let changes = all.compactMap { if case .objectsDidChange(let changes) = $0 { changes } else { nil } }
        #expect(changes.map(\.inserted) == [[temporary], [], []])
        #expect(changes.map(\.updated) == [[], [id], []] && changes.map(\.deleted) == [[], [], [id]])
        #expect(all.contains(.didObtainPermanentIDs([temporary: id])))
    }

    @Test func nothingPropagatesByItself() throws {
        let stack = try Stack()
        let (one, two) = (stack.context(), stack.context())
        let object = try one.make("Department", ["name": .string("A")])
        try one.save()
        let own = try two.existingObject(with: object.objectID)
        try object.set("name", .string("B"))
        try one.save()
        #expect(try own.text("name") == "A")
        try two.mergeChanges(from: ContextDidSave(updated: [object.objectID]))
        #expect(try own.text("name") == "B")
    }

    @Test func mergingKeepsWhatHasChangedHere() throws {
        let stack = try Stack()
        let (one, two) = (stack.context(), stack.context())
        let object = try one.make("Department", ["name": .string("A"), "code": .integer(1)])
        let lost = try one.make("Department")
        try one.save()
        let own = try two.existingObject(with: object.objectID)
        let dead = try two.existingObject(with: lost.objectID)
        try own.set("code", .integer(5))
        try dead.set("code", .integer(5))
        try object.set("name", .string("B"))
        let (id, gone) = (object.objectID, lost.objectID)
        try one.delete(lost)
        try one.save()
        try two.mergeChanges(from: ContextDidSave(updated: [id], deleted: [gone]))
        #expect(try own.text("name") == "B" && own.number("code") == 5)
        #expect(two.updatedObjects == [own])
        #expect(throws: ManagedObjectError.self) { try dead.text("name") }
        // No conflict is left.
        try two.save()
        #expect(try stack.rows("SELECT ZNAME, ZCODE FROM ZDEPARTMENT") == ["'B'|5"])
    }

    @Test func relationshipsFollowAMerge() throws {
        let stack = try Stack()
        let (one, two) = (stack.context(), stack.context())
        let department = try one.make("Department")
        try one.save()
        let own = try two.existingObject(with: department.objectID)
        #expect(try own.many("employees") == [])
        let employee = try one.make("Employee")
        try employee.set("department", to: department)
        try one.save()
        try two.mergeChanges(from: ContextDidSave(inserted: [employee.objectID]))
        #expect(try own.many("employees").map(\.objectID) == [employee.objectID])
    }

    /// Each save says whose it is; texts stand once in their table.
    @Test func historySaysWhoHasSaved() throws {
        let stack = try Stack()
        try HistoryFixture.add(to: stack)
        let (one, two) = (stack.context(), stack.context())
        (one.transactionAuthor, one.name) = ("server", "it's one")
        for context in [one, two, one] {
            try context.make("Department")
            try context.save()
        }
        let texts = "(SELECT ZNAME FROM ATRANSACTIONSTRING s WHERE s.Z_PK ="
        #expect(
            try stack.rows(
                "SELECT Z_PK, \(texts) ZAUTHORTS), \(texts) ZCONTEXTNAMETS), \(texts) ZPROCESSIDTS) FROM ATRANSACTION"
            ) == ["1|'server'|'it''s one'|'ferry'", "2|'ferry'|NULL|'ferry'", "3|'server'|'it''s one'|'ferry'"])
        #expect(
            try stack.rows("SELECT Z_PK, ZNAME FROM ATRANSACTIONSTRING") == [
                "1|'server'", "2|'ferry'", "3|'it''s one'",
            ])
        #expect(try stack.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16003") == ["3"])
        // A context leaves out its own saves.
        let objects = try two.fetch("Department")
        try stack.execute("UPDATE ZDEPARTMENT SET ZNAME = 'x'")
        #expect(objects.count == 3)
        try two.mergeChanges(fromHistoryOf: stack.store, since: nil, exceptAuthor: "server")
        #expect(try objects.map { try $0.text("name") } == [nil, "x", nil])
    }

    /// Another program writes: history says what.
    @Test func persistentHistoryCanBeMerged() throws {
        let stack = try Stack()
        try HistoryFixture.add(to: stack)
        let (one, two) = (stack.context(), stack.context())
        let objects = try ["A", "B"].map { try one.make("Department", ["name": .string($0)]) }
        try one.save()
        let own = try objects.map { try two.existingObject(with: $0.objectID) }
        let token = try two.mergeChanges(fromHistoryOf: stack.store, since: nil)
        try objects[0].set("name", .string("C"))
        try one.delete(objects[1])
        try one.save()
        let next = try two.mergeChanges(fromHistoryOf: stack.store, since: token)
        #expect(next.transaction == token.transaction + 1)
        #expect(try own[0].text("name") == "C")
        #expect(throws: ManagedObjectError.self) { try own[1].text("name") }
        #expect(try two.mergeChanges(fromHistoryOf: stack.store, since: next) == next)
        try objects[0].set("name", .string("D"))
        try one.save()
        try two.mergeChanges(fromHistoryOf: stack.store, since: next, exceptAuthor: "ferry")
        #expect(try own[0].text("name") == "C")
    }
}
