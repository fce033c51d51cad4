import ManagedObjectModels
import ManagedObjects
import PersistentStores
import PredicateExpressions
import StoreFetching
import Testing

/// Fetches see what has changed in the context: new objects, deletions, and values both ways.
@Suite struct PendingChangesTests {
    /// Employees A to E with the salaries 1 to 5.
    private func company() throws -> (stack: Stack, context: ManagedObjectContext) {
        let stack = try Stack()
        let context = stack.context()
        for (index, name) in ["A", "B", "C", "D", "E"].enumerated() {
            try context.make("Employee", ["lastName": .string(name), "salary": .integer(Int64(index + 1))])
        }
        try context.save()
        context.reset()
        return (stack, context)
    }

    private func request(_ format: String?, sort: String? = nil) throws -> FetchRequest {
        var request = FetchRequest(entityName: "Employee", predicate: try format.map { try Predicate(format: $0) })
        request.sortDescriptors = sort.map { [.init(keyPath: $0, isAscending: true)] } ?? []
        return request
    }

    private func names(_ objects: [ManagedObject]) throws -> [String] {
        try objects.map { try $0.text("lastName") ?? "" }
    }

    @Test func newAndChangedObjectsAreFoundByTheirValues() throws {
        let (_, context) = try company()
        let all = try context.fetch("Employee")
        try all[0].set("salary", .integer(10))
        try all[4].set("salary", .integer(0))
        try context.delete(all[3])
        try context.make("Employee", ["lastName": .string("N"), "salary": .integer(4)])
        let found = try context.fetch(request("salary >= 3", sort: "salary"))
        #expect(try names(found) == ["C", "N", "A"])
        #expect(try context.count(request("salary >= 3")) == 3)
        #expect(try context.fetchObjectIDs(request("salary >= 3", sort: "salary")) == found.map(\.objectID))
        var stored = ObjectFetchOptions()
        stored.includesPendingChanges = false
        #expect(try names(context.fetch(request("salary >= 3"), options: stored)) == ["C", "D", "E"])
        try context.save()
        #expect(try names(context.fetch(request("salary >= 3", sort: "salary"))) == ["C", "N", "A"])
    }

    @Test(arguments: 0..<8, 0..<6) func limitsCutTheMergedList(limit: Int, offset: Int) throws {
        let (_, context) = try company()
        let all = try context.fetch("Employee")
        try context.delete(all[0])
        try all[1].set("salary", .integer(9))
        try context.make("Employee", ["lastName": .string("N"), "salary": .integer(3)])
        var request = try request("salary > 2", sort: "salary")
        request.fetchLimit = limit
        request.fetchOffset = offset
        let expected = ["C", "N", "D", "E", "B"].dropFirst(offset)
        #expect(try names(context.fetch(request)) == Array(limit == 0 ? expected : expected.prefix(limit)))
        #expect(try context.count(request) == (limit == 0 ? expected : expected.prefix(limit)).count)
    }

    @Test func objectsAreFoundByThemselves() throws {
        let (_, context) = try company()
        let all = try context.fetch("Employee")
        let new = try context.make("Employee", ["lastName": .string("N")])
        let uris = [all[0], all[2], new].map { "\"\($0.objectID.uri)\"" }.joined(separator: ", ")
        #expect(try names(context.fetch(request("SELF IN {\(uris)}"))) == ["A", "C", "N"])
        #expect(try context.fetch(request("SELF == \"\(new.objectID.uri)\"")) == [new])
        let department = try context.make("Department")
        try new.set("department", to: department)
        #expect(try context.fetch(request("department == \"\(department.objectID.uri)\"")) == [new])
        try context.delete(all[0])
        #expect(try context.count(request("SELF == \"\(all[0].objectID.uri)\"")) == 0)
    }

    @Test func subentitiesTakePartUnlessTheyMustNot() throws {
        let (_, context) = try company()
        try context.make("Manager", ["lastName": .string("M")])
        #expect(try context.count(request(nil)) == 6)
        var request = try request(nil)
        request.includesSubentities = false
        #expect(try context.count(request) == 5)
        try context.save()
        #expect(try context.count(request) == 5)
        #expect(try context.fetch("Manager")[0].entityName == "Manager")
    }

    @Test func mistakesAreErrors() throws {
        let (_, context) = try company()
        #expect(throws: (any Error).self) { try context.fetch(request("nothing == 1")) }
        #expect(throws: (any Error).self) { try context.fetch("Nobody") }
        try context.make("Employee")
        #expect(throws: (any Error).self) { try context.fetch(request("nothing == 1")) }
        #expect(throws: (any Error).self) { try context.fetch(request(nil, sort: "nothing")) }
    }

    @Test(arguments: [nil, "caseInsensitiveCompare:", "localizedStandardCompare:", "localizedCompare:"])
    func newObjectsStandWhereTheStoreWouldPutThem(selector: String?) throws {
        let (_, context) = try company()
        for name in ["a", "B2", "b10", "Á", "é", "E"] { try context.make("Employee", ["lastName": .string(name)]) }
        try context.make("Employee").set("lastName", nil)
        var request = try request(nil)
        request.sortDescriptors = [.init(keyPath: "lastName", isAscending: false, selectorName: selector)]
        let merged = try context.fetch(request)
        try merged.first { try $0.text("lastName") == nil }?.set("lastName", .string(""))
        let expected = try names(merged)
        try context.save()
        #expect(try names(context.fetch(request)) == expected)
    }

    @Test func fetchedPropertiesUseTheObjectsOwnValues() throws {
        let (_, context) = try company()
        let department = try context.make("Department", ["name": .string("X")])
        let project = try context.make("Project", ["title": .string("X")])
        #expect(try department.value(forKey: "namesakes") == .objects([project]))
        try context.save()
        try department.set("name", .string("Y"))
        #expect(try department.value(forKey: "namesakes") == .objects([]))
        #expect(throws: ManagedObjectError.self) { try department.setValue(.objects([]), forKey: "namesakes") }
    }
}
