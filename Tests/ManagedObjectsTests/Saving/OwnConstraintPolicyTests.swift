import ManagedObjectModels
import ManagedObjects
import PersistentStores
import Testing

/// What a program says of objects that would be equal under a uniqueness constraint.
@Suite struct OwnConstraintPolicyTests {
    private let stack: Stack
    private let context: ManagedObjectContext

    /// Departments A and B with the codes 1 and 2.
    init() throws {
        stack = try Stack(Staff(isNameUnique: true))
        let first = stack.context()
        for (code, name) in [(1, "A"), (2, "B")] {
            try first.make("Department", ["name": .string(name), "code": .integer(Int64(code))])
        }
        try first.save()
        context = stack.context()
    }

    private func make(_ name: String, _ code: Int64) throws -> ManagedObject {
        try context.make("Department", ["name": .string(name), "code": .integer(code)])
    }

    private var stored: [String] {
        get throws { try stack.rows("SELECT Z_PK || ZNAME || ZCODE FROM ZDEPARTMENT ORDER BY 1") }
    }

    @Test func eachConflictHasAPolicyOfItsOwn() throws {
        let (a, b) = (try make("A", 7), try make("B", 8))
        let employee = try context.make("Employee", ["lastName": .string("x")])
        try employee.set("department", to: b)
        var asked: [[ConstraintConflict]] = []
        context.resolvesConstraintConflicts = { conflicts in
            asked.append(conflicts)
            var answer: [ConstraintConflict: MergeResolution] = [:]
            for conflict in conflicts {
                let isFirst = conflict.constraintValues.attributes["name"] == .string("A")
                answer[conflict] = .policy(isFirst ? .mergeByPropertyStoreTrump : .mergeByPropertyObjectTrump)
            }
            return answer
        }
        try context.save()
        #expect(try stored == ["'1A1'", "'2B8'"])
        #expect(asked.map { $0.map(\.conflictingObjects.count) } == [[1, 1]])
        #expect(asked[0].map(\.databaseObject?.primaryKey) == [1, 2])
        #expect(asked[0].map { $0.databaseSnapshot?.attributes["code"] } == [.integer(1), .integer(2)])
        #expect(a.isDeleted || a.managedObjectContext == nil || !a.hasChanges)
        #expect(try employee.one("department")?.objectID.primaryKey == 2)
        #expect(try stack.faults() == [])
    }

    /// Values that neither side has: a sum of both.
    @Test func oneIsLeftWithTheProgramsValues() throws {
        _ = try make("A", 7)
        context.resolvesConstraintConflicts = { conflicts in
            var values = conflicts[0].databaseSnapshot ?? .init()
            guard case .integer(let old)? = values.attributes["code"],
                case .integer(let new)? = conflicts[0].conflictingValues[0].attributes["code"]
            else { return [:] }
            values.attributes["code"] = .integer(old + new)
            return [conflicts[0]: .values(values)]
        }
        try context.save()
        #expect(try stored == ["'1A8'", "'2B2'"])
        #expect(!context.hasChanges)
        #expect(try stack.faults() == [])
    }

    /// Values that are those of a third object lead to another question.
    @Test func valuesMayLeadToOtherConflicts() throws {
        _ = try make("A", 7)
        var questions = 0
        context.resolvesConstraintConflicts = { conflicts in
            questions += 1
            let name = questions == 1 ? "B" : "C"
            let values = MergeConflict.Values(attributes: ["name": .string(name), "code": .integer(9)])
            return [conflicts[0]: .values(values)]
        }
        try context.save()
        #expect(questions == 2)
        #expect(try stack.rows("SELECT ZNAME || ZCODE FROM ZDEPARTMENT") == ["'C9'"])
        #expect(try stack.faults() == [])
    }

    @Test func whatIsNotAnsweredFollowsTheContextsPolicy() throws {
        context.mergePolicy = .mergeByPropertyObjectTrump
        context.resolvesConstraintConflicts = { _ in [:] }
        _ = try make("A", 7)
        try context.save()
        #expect(try stored == ["'1A7'", "'2B2'"])
    }

    /// Only the conflicts that are not to be resolved are listed.
    @Test func anErrorEndsTheSave() throws {
        let before = try stack.content()
        let objects = [try make("A", 7), try make("B", 8)]
        context.mergePolicy = .overwrite
        context.resolvesConstraintConflicts = { [$0[1]: .policy(.error)] }
        let error = #expect(throws: ConstraintConflictError.self) { try context.save() }
        #expect(error?.conflictList.map(\.conflictingObjects) == [[objects[1].objectID]])
        struct Refusal: Error {}
        context.resolvesConstraintConflicts = { _ in throw Refusal() }
        #expect(throws: Refusal.self) { try context.save() }
        context.resolvesConstraintConflicts = {
            [$0[0]: .values(MergeConflict.Values(attributes: ["nothing": .integer(1)]))]
        }
        #expect(throws: ManagedObjectError.self) { try context.save() }
        #expect(try stack.content() == before)
    }
}
