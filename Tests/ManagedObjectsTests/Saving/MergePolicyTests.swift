import ManagedObjectModels
import ManagedObjects
import Testing

/// Two contexts change one object: what the second one's save does, policy by policy.
@Suite struct MergePolicyTests {
    private struct Pair {
        let stack: Stack
        let context: ManagedObjectContext
        /// The object in the context that saves last.
        let own: ManagedObject
        let first: ManagedObjectContext
        let other: ManagedObject

        /// A name A, a code 1.
        init(_ policy: MergePolicy) throws {
            stack = try Stack()
            first = stack.context()
            other = try first.make("Department", ["name": .string("A"), "code": .integer(1)])
            try first.save()
            context = stack.context()
            context.mergePolicy = policy
            own = try context.existingObject(with: other.objectID)
        }

        var stored: [String] {
            get throws { try stack.rows("SELECT ZNAME, ZCODE, Z_OPT FROM ZDEPARTMENT") }
        }
    }

    @Test func differentValuesFailUnderError() throws {
        let pair = try Pair(.error)
        try pair.other.set("name", .string("B"))
        try pair.first.save()
        try pair.own.set("code", .integer(2))
        let before = try pair.stack.content()
        let error = #expect(throws: MergeConflictError.self) { try pair.context.save() }
        let conflict = try #require(error?.conflictList.first)
        #expect(error?.conflictList.count == 1 && MergeConflictError.number == 133020)
        #expect(conflict.objectID == pair.own.objectID && conflict.changedKeys == ["name"])
        #expect(conflict.snapshot.attributes["name"] == .string("A"))
        #expect(conflict.storeValues?.attributes["name"] == .string("B"))
        #expect(conflict.objectValues?.attributes["code"] == .integer(2))
        #expect((conflict.oldVersion, conflict.newVersion) == (1, 2))
        #expect(try pair.stack.content() == before)
        // A refresh settles it.
        try pair.context.refresh(pair.own, mergeChanges: true)
        try pair.context.save()
        #expect(try pair.stored == ["'B'|2|3"])
    }

    @Test func equalValuesAreNoConflict() throws {
        let pair = try Pair(.error)
        try pair.other.set("name", .string("B"))
        try pair.first.save()
        try pair.other.set("name", .string("A"))
        try pair.first.save()
        try pair.own.set("code", .integer(2))
        try pair.context.save()
        #expect(try pair.stored == ["'A'|2|4"])
    }

    /// The name has changed on both sides, the code only in the store, and then the other way round.
    @Test(arguments: MergePolicy.allCases.filter { $0 != .error }) func propertiesThatHaveChanged(
        policy: MergePolicy
    ) throws {
        let pair = try Pair(policy)
        try pair.other.set("name", .string("store"))
        try pair.other.set("code", .integer(7))
        try pair.first.save()
        try pair.own.set("name", .string("own"))
        try pair.context.save()
        let expected: [MergePolicy: String] = [
            .mergeByPropertyStoreTrump: "'store'|7", .mergeByPropertyObjectTrump: "'own'|7", .overwrite: "'own'|1",
            .rollback: "'store'|7",
        ]
        #expect(try pair.stack.rows("SELECT ZNAME, ZCODE FROM ZDEPARTMENT") == [expected[policy]])
        let name = try pair.own.text("name") ?? ""
        #expect(try "'\(name)'|\(pair.own.number("code") ?? 0)" == expected[policy])
        #expect(!pair.context.hasChanges)
        #expect(try pair.stack.faults() == [])
    }

    @Test func whatHasOnlyChangedHereIsSavedUnderStoreTrump() throws {
        let pair = try Pair(.mergeByPropertyStoreTrump)
        try pair.other.set("name", .string("store"))
        try pair.first.save()
        try pair.own.set("code", .integer(2))
        try pair.context.save()
        #expect(try pair.stored == ["'store'|2|3"])
    }

    @Test(arguments: MergePolicy.allCases) func deletedInTheStore(policy: MergePolicy) throws {
        let pair = try Pair(policy)
        try pair.first.delete(pair.other)
        try pair.first.save()
        try pair.own.set("code", .integer(2))
        switch policy {
        case .error:
            let error = #expect(throws: MergeConflictError.self) { try pair.context.save() }
            #expect(error?.conflictList.first?.storeValues == nil)
            #expect(try pair.stored == [])
        case .overwrite, .mergeByPropertyObjectTrump:
            try pair.context.save()
            #expect(try pair.stack.rows("SELECT Z_PK, ZNAME, ZCODE FROM ZDEPARTMENT") == ["1|'A'|2"])
        case .rollback, .mergeByPropertyStoreTrump:
            try pair.context.save()
            #expect(try pair.stored == [])
            #expect(throws: ManagedObjectError.self) { try pair.own.text("name") }
        }
        #expect(try pair.stack.faults() == [])
    }

    @Test(arguments: MergePolicy.allCases) func deletedHere(policy: MergePolicy) throws {
        let pair = try Pair(policy)
        try pair.other.set("name", .string("B"))
        try pair.first.save()
        try pair.context.delete(pair.own)
        switch policy {
        case .error:
            #expect(throws: MergeConflictError.self) { try pair.context.save() }
            #expect(try pair.stored == ["'B'|1|2"])
        case .overwrite, .mergeByPropertyObjectTrump:
            try pair.context.save()
            #expect(try pair.stored == [])
        case .rollback, .mergeByPropertyStoreTrump:
            try pair.context.save()
            #expect(try pair.stored == ["'B'|1|2"])
            #expect(try pair.own.text("name") == "B")
        }
    }

    @Test(arguments: MergePolicy.allCases) func deletedOnBothSidesIsNoConflict(policy: MergePolicy) throws {
        let pair = try Pair(policy)
        try pair.first.delete(pair.other)
        try pair.first.save()
        try pair.context.delete(pair.own)
        try pair.context.save()
        #expect(try pair.stored == [])
    }

    @Test func newObjectsAreNotCompared() throws {
        let pair = try Pair(.error)
        try pair.first.make("Department")
        try pair.first.save()
        try pair.context.make("Department")
        try pair.context.save()
        #expect(try pair.stored.count == 3)
    }

    /// Both add an employee to one department: rows of their own, and no conflict.
    @Test func linksOfOneDepartmentAreNoConflict() throws {
        let pair = try Pair(.error)
        try pair.first.make("Employee").set("department", to: pair.other)
        try pair.context.make("Employee").set("department", to: pair.own)
        try pair.first.save()
        try pair.context.save()
        #expect(try pair.stack.rows("SELECT ZDEPARTMENT FROM ZPERSON") == ["1", "1"])
        #expect(try pair.stack.faults() == [])
    }

    /// An employee moves to a department that somebody else deletes meanwhile.
    @Test(arguments: MergePolicy.allCases) func linksToWhatIsGone(policy: MergePolicy) throws {
        let pair = try Pair(policy)
        let employee = try pair.context.make("Employee")
        try employee.set("department", to: pair.own)
        try pair.first.delete(pair.other)
        try pair.first.save()
        if policy == .error {
            #expect(throws: MergeConflictError.self) { try pair.context.save() }
        } else {
            try pair.context.save()
            let isKept = policy == .overwrite || policy == .mergeByPropertyObjectTrump
            #expect(try pair.stack.rows("SELECT ZDEPARTMENT FROM ZPERSON") == [isKept ? "1" : "NULL"])
        }
        #expect(try pair.stack.faults() == [])
    }

    /// The store moves an employee to a third department, the context to a second one.
    @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback])
    func linksFollowThePolicy(policy: MergePolicy) throws {
        let stack = try Stack()
        let first = stack.context()
        let departments = try (0..<3).map { _ in try first.make("Department") }
        let employee = try first.make("Employee")
        try employee.set("department", to: departments[0])
        try first.save()
        let context = stack.context()
        context.mergePolicy = policy
        let own = try context.existingObject(with: employee.objectID)
        let owned = try departments.map { try context.existingObject(with: $0.objectID) }
        for department in owned { _ = try department.many("employees") }
        try own.set("department", to: owned[1])
        try employee.set("department", to: departments[2])
        try first.save()
        try context.save()
        let winner = policy == .mergeByPropertyObjectTrump || policy == .overwrite ? 1 : 2
        #expect(try stack.rows("SELECT ZDEPARTMENT FROM ZPERSON") == ["\(winner + 1)"])
        #expect(try own.one("department") === owned[winner])
        for index in 0..<3 { #expect(try owned[index].many("employees") == (index == winner ? [own] : [])) }
    }
}
