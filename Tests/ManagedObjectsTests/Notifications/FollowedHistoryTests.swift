import ManagedObjectModels
import ManagedObjects
import PersistentStores
import SQLiteAccess
import StoreEditing
import StoreFetching
import Testing

/// Contexts that take over by themselves what other programs write; another program is an edit, or plain SQL.
@Suite struct FollowedHistoryTests {
    private func stack() throws -> (stack: Stack, context: ManagedObjectContext, own: [ManagedObject]) {
        let stack = try Stack()
        try HistoryFixture.add(to: stack)
        let first = stack.context()
        for name in ["A", "B", "C"] { try first.make("Department", ["name": .string(name)]) }
        try first.save()
        let context = stack.context()
        let own = try context.fetch("Department")
        try context.realize(own)
        return (stack, context, own)
    }

    private func edit(_ stack: Stack, _ steps: EditStep...) throws {
        let report = try StoreEditor(path: stack.path, model: stack.model).run(steps)
        try #require(report.isValid)
    }

    @Test func whatOthersWriteComesWithTheNextFetch() throws {
        let (stack, context, own) = try stack()
        try context.followHistory(of: stack.store)
        try edit(
            stack, .update("Department", where: "name = 'A'", set: [EditAssignment("name", "'X'")]),
            .delete("Department", where: "name = 'C'"))
        // Nothing changes while the program works on objects.
        #expect(try own.map { try $0.text("name") } == ["A", "B", "C"])
        _ = try context.count(.init(entityName: "Badge"))
        #expect(try own[0].text("name") == "X" && own[1].text("name") == "B")
        #expect(throws: ManagedObjectError.self) { try own[2].text("name") }
        try edit(stack, .update("Department", where: "name = 'B'", set: [EditAssignment("name", "'Y'")]))
        try context.processPendingChanges()
        #expect(try own[1].text("name") == "Y")
        // What has changed here stays over what others write.
        try own[1].set("code", .integer(5))
        try edit(stack, .update("Department", where: "name = 'Y'", set: [EditAssignment("name", "'Z'")]))
        try context.processPendingChanges()
        #expect(try own[1].text("name") == "Z" && own[1].number("code") == 5)
        try context.save()
        #expect(try stack.rows("SELECT ZNAME, ZCODE FROM ZDEPARTMENT") == ["'X'|NULL", "'Z'|5"])
    }

    /// Where no one writes, history is not read: the store is looked at for what a fetch needs, and nothing else.
    @Test func withoutChangesNothingIsRead() throws {
        let (stack, context, own) = try stack()
        try context.followHistory(of: stack.store)
        _ = try context.fetch("Department")
        // A change without a transaction in the history is none.
        try stack.execute("UPDATE ZDEPARTMENT SET ZNAME = 'W'")
        _ = try context.fetch("Department")
        #expect(try own.map { try $0.text("name") } == ["A", "B", "C"])
        let reads = context.storeReadCount
        for _ in 0..<3 { try context.processPendingChanges() }
        #expect(context.storeReadCount == reads)
    }

    @Test func aTokenSaysWhereToBegin() throws {
        let (stack, context, own) = try stack()
        let token = try context.mergeChanges(fromHistoryOf: stack.store, since: nil)
        try context.realize(own)
        try edit(stack, .update("Department", where: "name = 'A'", set: [EditAssignment("name", "'X'")]))
        try context.followHistory(of: stack.store)
        try context.processPendingChanges()
        #expect(try own[0].text("name") == "A")
        #expect(context.stopFollowingHistory(of: stack.store)?.transaction == token.transaction + 1)
        try context.followHistory(of: stack.store, since: token)
        try context.processPendingChanges()
        #expect(try own[0].text("name") == "X")
        let last = context.stopFollowingHistory(of: stack.store)
        #expect(last?.transaction == token.transaction + 1 && context.stopFollowingHistory(of: stack.store) == nil)
        try edit(stack, .update("Department", where: "name = 'B'", set: [EditAssignment("name", "'Y'")]))
        try context.processPendingChanges()
        #expect(try own[1].text("name") == "B")
    }

    @Test func transactionsOfAnAuthorCanBeLeftOut() throws {
        let (stack, context, own) = try stack()
        let (one, two) = (stack.context(), stack.context())
        (one.transactionAuthor, two.transactionAuthor) = ("server", "other")
        try context.followHistory(of: stack.store, exceptAuthor: "server")
        try one.existingObject(with: own[0].objectID).set("name", .string("X"))
        try one.save()
        try two.existingObject(with: own[1].objectID).set("name", .string("Y"))
        try two.save()
        try context.processPendingChanges()
        #expect(try own.map { try $0.text("name") } == ["A", "Y", "C"])
    }

    @Test func prunedHistoryIsAnErrorUntilItIsFollowedAgain() throws {
        let (stack, context, own) = try stack()
        try context.followHistory(of: stack.store)
        for name in ["X", "Y"] {
            try edit(stack, .update("Department", where: "code = NULL", set: [EditAssignment("name", "'\(name)'")]))
        }
        try stack.execute("DELETE FROM ATRANSACTION WHERE Z_PK < (SELECT max(Z_PK) FROM ATRANSACTION)")
        for _ in 0..<2 { #expect(throws: StoreError.self) { try context.fetch("Department") } }
        try context.refreshAllObjects()
        try context.followHistory(of: stack.store)
        _ = try context.fetch("Department")
        #expect(try own.map { try $0.text("name") } == ["Y", "Y", "Y"])
    }

    @Test func whatHasNoHistoryCannotBeFollowed() throws {
        let stack = try Stack()
        let context = stack.context()
        #expect(throws: StoreError.self) { try context.followHistory(of: stack.store) }
        let (other, _, _) = try self.stack()
        #expect(throws: ManagedObjectError.self) { try context.followHistory(of: other.store) }
        let child = ManagedObjectContext(parent: other.context())
        #expect(throws: ManagedObjectError.self) { try child.followHistory(of: other.store) }
        _ = try context.fetch("Department")
    }
}
