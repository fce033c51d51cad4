import ManagedObjectModels
import ManagedObjects
import PersistentStores
import Testing

/// Merge policies of a program's own: closures over the conflicts of a save.
@Suite struct OwnMergePolicyTests {
    /// Departments A, B and C with the codes 1 to 3, which two contexts have.
    private struct Pair {
        let stack: Stack
        let context: ManagedObjectContext
        let own: [ManagedObject]
        let first: ManagedObjectContext
        let others: [ManagedObject]

        init() throws {
            stack = try Stack()
            let first = stack.context()
            self.first = first
            others = try ["A", "B", "C"].enumerated().map { index, name in
                try first.make("Department", ["name": .string(name), "code": .integer(Int64(index + 1))])
            }
            try first.save()
            let context = stack.context()
            self.context = context
            own = try others.map { try context.existingObject(with: $0.objectID) }
        }

        /// Both change name and code of all departments.
        func changeAll() throws {
            for (index, other) in others.enumerated() {
                try other.set("name", .string("store\(index)"))
                try other.set("code", .integer(Int64(index + 10)))
                try own[index].set("name", .string("own\(index)"))
            }
            try first.save()
        }

        var stored: [String] {
            get throws { try stack.rows("SELECT ZNAME, ZCODE FROM ZDEPARTMENT ORDER BY Z_PK") }
        }
    }

    @Test func eachConflictHasAnAnswerOfItsOwn() throws {
        let pair = try Pair()
        try pair.changeAll()
        var asked: [[MergeConflict]] = []
        let ids = pair.own.map(\.objectID)
        pair.context.mergePolicy = .mergeByPropertyObjectTrump
        pair.context.resolvesConflicts = { conflicts in
            asked.append(conflicts)
            return [ids[0]: .policy(.rollback), ids[1]: .policy(.overwrite)]
        }
        try pair.context.save()
        #expect(asked.map { Set($0.map(\.objectID)) } == [Set(ids)])
        let conflict = try #require(asked.first?.first { $0.objectID == ids[0] })
        #expect(
            conflict.changedKeys == ["code", "name"] && conflict.objectValues?.attributes["name"] == .string("own0"))
        // The third one follows the context's policy.
        #expect(try pair.stored == ["'store0'|10", "'own1'|2", "'own2'|12"])
        #expect(try pair.own.map { try $0.text("name") } == ["store0", "own1", "own2"])
        #expect(!pair.context.hasChanges)
        #expect(try pair.stack.faults() == [])
    }

    /// Versions are asked for in groups of keys, the last of which is not full.
    @Test(arguments: [1, 2, 3, 5, 200]) func allConflictsComeAtOnceWhateverTheStatements(_ keys: Int) throws {
        let stack = try Stack()
        let first = stack.context()
        let others = try (0..<5).map { try first.make("Department", ["code": .integer(Int64($0))]) }
        try first.save()
        var limits = ContextLimits()
        limits.keysPerStatement = keys
        let context = stack.context(limits: limits)
        let own = try others.map { try context.existingObject(with: $0.objectID) }
        for (index, object) in own.enumerated() {
            try object.set("name", .string("own"))
            if index != 1 { try others[index].set("name", .string("store")) }
        }
        try first.save()
        var asked: [[MergeConflict]] = []
        context.resolvesConflicts = { conflicts in
            asked.append(conflicts)
            let answers: [MergeResolution] = conflicts.map { conflict in
                conflict.snapshot.attributes["code"] == .integer(3)
                    ? .values(.init(attributes: ["name": .string("both")])) : .policy(.mergeByPropertyStoreTrump)
            }
            return Dictionary(uniqueKeysWithValues: zip(conflicts.map(\.objectID), answers))
        }
        try context.save()
        #expect(asked.map { Set($0.map(\.objectID)) } == [Set([0, 2, 3, 4].map { own[$0].objectID })])
        #expect(
            try stack.rows("SELECT ZNAME, ZCODE FROM ZDEPARTMENT ORDER BY Z_PK")
                == ["'store'|0", "'own'|1", "'store'|2", "'both'|NULL", "'store'|4"])
        #expect(try stack.faults() == [])
    }

    /// A badge that an answer gives to somebody has changed in the store as well: that is another question.
    @Test func answersThatLeadToConflictsAreAskedAboutAgain() throws {
        let stack = try Stack()
        let first = stack.context()
        let theirs = try first.make("Employee", ["lastName": .string("E")])
        let theirBadge = try first.make("Badge", ["number": .integer(1)])
        try first.save()
        let context = stack.context()
        let employee = try context.existingObject(with: theirs.objectID)
        let badge = try context.existingObject(with: theirBadge.objectID)
        try employee.set("lastName", .string("own"))
        try theirs.set("lastName", .string("store"))
        try theirBadge.set("number", .integer(2))
        try first.save()
        var asked: [[ManagedObjectID]] = []
        context.resolvesConflicts = { conflicts in
            asked.append(conflicts.map(\.objectID))
            guard conflicts.first?.objectID == employee.objectID else {
                return [badge.objectID: .policy(.mergeByPropertyObjectTrump)]
            }
            return [
                employee.objectID: .values(
                    .init(attributes: ["lastName": .string("both")], objects: ["badge": badge.objectID]))
            ]
        }
        try context.save()
        #expect(asked == [[employee.objectID], [badge.objectID]])
        #expect(try stack.rows("SELECT ZLASTNAME, ZBADGE FROM ZPERSON") == ["'both'|1"])
        #expect(try stack.rows("SELECT ZNUMBER, ZOWNER FROM ZBADGE") == ["2|1"])
        #expect(try stack.faults() == [])
    }

    @Test func valuesCanBeMerged() throws {
        let pair = try Pair()
        try pair.changeAll()
        let employee = try pair.first.make("Employee", ["lastName": .string("E")])
        try pair.first.save()
        pair.context.resolvesConflicts = { conflicts in
            var answer: [ManagedObjectID: MergeResolution] = [:]
            for conflict in conflicts {
                var values = try #require(conflict.storeValues)
                let own = try #require(conflict.objectValues)
                if case .string(let left)? = values.attributes["name"],
                    case .string(let right)? = own.attributes["name"]
                {
                    values.attributes["name"] = .string(left + "+" + right)
                }
                if values.attributes["code"] == .integer(12) { values.attributes["code"] = nil }
                answer[conflict.objectID] = .values(values)
            }
            return answer
        }
        try pair.context.save()
        #expect(try pair.stored == ["'store0+own0'|10", "'store1+own1'|11", "'store2+own2'|NULL"])
        #expect(try pair.own[2].number("code") == nil && pair.own[0].number("code") == 10)
        // To-one relationships are among the values.
        let other = pair.stack.context()
        let theirs = try other.existingObject(with: employee.objectID)
        try employee.set("lastName", .string("F"))
        try pair.first.save()
        try theirs.set("lastName", .string("G"))
        let department = pair.own[1].objectID
        other.resolvesConflicts = { conflicts in
            var values = try #require(conflicts.first?.objectValues)
            values.objects["department"] = department
            return [try #require(conflicts.first?.objectID): .values(values)]
        }
        try other.save()
        #expect(try pair.stack.rows("SELECT ZLASTNAME, ZDEPARTMENT FROM ZPERSON") == ["'G'|2"])
        #expect(try theirs.one("department")?.objectID == department)
        #expect(try pair.stack.faults() == [])
    }

    @Test func whatIsDeletedInTheStoreCanBeSavedAgainWithValues() throws {
        let pair = try Pair()
        for other in pair.others { try pair.first.delete(other) }
        try pair.first.save()
        for own in pair.own { try own.set("code", .integer(9)) }
        let ids = pair.own.map(\.objectID)
        pair.context.resolvesConflicts = { conflicts in
            #expect(conflicts.allSatisfy { $0.storeValues == nil })
            return [
                ids[0]: .policy(.rollback), ids[1]: .policy(.overwrite),
                ids[2]: .values(.init(attributes: ["name": .string("again")])),
            ]
        }
        try pair.context.save()
        #expect(try pair.stack.rows("SELECT Z_PK, ZNAME, ZCODE FROM ZDEPARTMENT") == ["2|'B'|9", "3|'again'|NULL"])
        #expect(try pair.stack.faults() == [])
    }

    @Test func whatNoOneDecidesIsAnErrorUnderThePolicyError() throws {
        let pair = try Pair()
        try pair.changeAll()
        let ids = pair.own.map(\.objectID)
        pair.context.resolvesConflicts = { _ in [ids[0]: .policy(.overwrite), ids[1]: .policy(.error)] }
        let before = try pair.stack.content()
        let error = #expect(throws: MergeConflictError.self) { try pair.context.save() }
        #expect(Set(error?.conflictList.map(\.objectID) ?? []) == Set(ids[1...]))
        #expect(try pair.stack.content() == before)
        // The next save asks again.
        pair.context.resolvesConflicts = { conflicts in
            Dictionary(uniqueKeysWithValues: conflicts.map { ($0.objectID, .policy(.rollback)) })
        }
        try pair.context.save()
        #expect(try pair.stored.dropFirst() == ["'store1'|11", "'store2'|12"])
    }

    @Test func whatItThrowsEndsTheSave() throws {
        struct Refusal: Error {}
        let pair = try Pair()
        try pair.changeAll()
        pair.context.resolvesConflicts = { _ in throw Refusal() }
        let before = try pair.stack.content()
        #expect(throws: Refusal.self) { try pair.context.save() }
        #expect(try pair.stack.content() == before)
        #expect(pair.context.hasChanges)
    }

    @Test func valuesAreValidatedAndMustFit() throws {
        let wrong: [MergeConflict.Values] = [
            .init(attributes: ["name": .string("a name of more than twenty letters")]),
            .init(attributes: ["code": .integer(100_000)]), .init(attributes: ["code": .string("x")]),
            .init(attributes: ["salary": .integer(1)]),
            .init(objects: ["employees": ManagedObjectID(storeUUID: "A", entityName: "Employee", primaryKey: 1)]),
        ]
        for values in wrong {
            let pair = try Pair()
            try pair.changeAll()
            let id = pair.own[0].objectID
            pair.context.mergePolicy = .rollback
            pair.context.resolvesConflicts = { _ in [id: .values(values)] }
            let before = try pair.stack.content()
            #expect(throws: (any Error).self) { try pair.context.save() }
            #expect(try pair.stack.content() == before)
        }
    }

    @Test func whatIsDeletedHereHasNoValues() throws {
        let pair = try Pair()
        try pair.changeAll()
        try pair.context.delete(pair.own[0])
        let id = pair.own[0].objectID
        pair.context.mergePolicy = .rollback
        pair.context.resolvesConflicts = { conflicts in
            [id: .values(try #require(conflicts.first { $0.objectID == id }?.storeValues))]
        }
        #expect(throws: ManagedObjectError.self) { try pair.context.save() }
        pair.context.resolvesConflicts = { _ in [id: .policy(.overwrite)] }
        try pair.context.save()
        #expect(try pair.stored == ["'store1'|11", "'store2'|12"])
    }

    @Test func withoutConflictsNoOneIsAsked() throws {
        let pair = try Pair()
        pair.context.resolvesConflicts = { _ in
            Issue.record("asked")
            return [:]
        }
        try pair.own[0].set("code", .integer(5))
        try pair.context.make("Department")
        try pair.context.save()
        #expect(try pair.stored == ["'A'|5", "'B'|2", "'C'|3", "NULL|NULL"])
    }
}
