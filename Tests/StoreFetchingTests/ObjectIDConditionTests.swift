import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import StoreFetching
import Testing

/// Objects compared with the texts of object IDs, and with what can be none.
@Suite struct ObjectIDConditionTests {
    private static let evaluations: [FetchEvaluation] = [.automatic, .inSwift]

    private func request(_ entity: String, _ text: String) throws -> FetchRequest {

        var request = FetchRequest(entityName: entity, predicate: try FormatPredicate(format: text))
        request.resultType = .objectIDs
        return request
    }

    private func uri(_ sample: OpenedSample, _ entity: String, _ key: Int64) -> String {
        ManagedObjectID(storeUUID: sample.store.metadata.uuid, entityName: entity, primaryKey: key).uri
    }

    @Test(arguments: evaluations)
    func anObjectIsFoundByItsID(evaluation: FetchEvaluation) throws {
        let sample = try OpenedSample.company()
        let all = try sample.lines(request("Employee", "TRUEPREDICATE"), evaluation)
        let first = try #require(all.first)
        #expect(try sample.lines(request("Employee", "SELF = \"\(first)\""), evaluation) == [first])
        #expect(try sample.lines(request("Employee", "\"\(first)\" == SELF"), evaluation) == [first])
        #expect(try sample.lines(request("Employee", "SELF != \"\(first)\""), evaluation) == Array(all.dropFirst()))
        let some = all.prefix(2).map { "\"\($0)\"" }.joined(separator: ", ")
        #expect(try sample.lines(request("Employee", "SELF IN {\(some)}"), evaluation) == Array(all.prefix(2)))
        #expect(try sample.lines(request("Employee", "NOT SELF IN {\(some)}"), evaluation) == Array(all.dropFirst(2)))
    }

    @Test(arguments: evaluations)
    func objectIDsInVariablesAreUnderstood(evaluation: FetchEvaluation) throws {
        let sample = try OpenedSample.company()
        let all = try sample.lines(request("Employee", "TRUEPREDICATE"), evaluation)
        var some = try request("Employee", "SELF IN $objects AND SELF != $one")
        some.variables = [
            "objects": .array(all.prefix(3).map { .string($0) }), "one": .url(all[0]),
        ]
        #expect(try sample.lines(some, evaluation) == Array(all[1..<3]))
    }

    @Test(arguments: evaluations)
    func relationshipsAreComparedWithIDs(evaluation: FetchEvaluation) throws {
        let sample = try OpenedSample.company()
        let key = try #require(sample.rows("SELECT ZDEPARTMENT FROM ZPERSON WHERE ZDEPARTMENT > 0 LIMIT 1").first)
        let department = uri(sample, "Department", Int64(key) ?? 0)
        let members = try sample.rows("SELECT Z_PK FROM ZPERSON WHERE ZDEPARTMENT = \(key) ORDER BY Z_PK")
        #expect(!members.isEmpty)
        let found = try sample.lines(request("Employee", "department = \"\(department)\""), evaluation)
        #expect(found.map { $0.split(separator: "/p").last.map(String.init) } == members)
        let projects = try sample.lines(request("Employee", "projects.@count > 0"), evaluation)
        let employee = try #require(projects.first)
        let expected = try sample.lines(request("Project", "ANY members = \"\(employee)\""), evaluation)
        #expect(!expected.isEmpty)
        #expect(try sample.lines(request("Project", "\"\(employee)\" IN members"), evaluation) == expected)
        #expect(try sample.lines(request("Project", "members CONTAINS \"\(employee)\""), evaluation) == expected)
    }

    /// `objectID` at the end of a key path, against the same said with objects, and against the keys in the tables.
    @Test(arguments: evaluations)
    func idsHaveKeyPaths(evaluation: FetchEvaluation) throws {
        let sample = try OpenedSample.company()
        let all = try sample.lines(request("Employee", "TRUEPREDICATE"), evaluation)
        let first = try #require(all.first)
        #expect(try sample.lines(request("Employee", "objectID = \"\(first)\""), evaluation) == [first])
        #expect(try sample.lines(request("Employee", "SELF.objectID = \"\(first)\""), evaluation) == [first])
        #expect(
            try sample.lines(request("Employee", "NOT objectID IN {\"\(first)\"}"), evaluation)
                == Array(all.dropFirst()))
        let key = try #require(sample.rows("SELECT ZDEPARTMENT FROM ZPERSON WHERE ZDEPARTMENT > 0 LIMIT 1").first)
        let department = uri(sample, "Department", Int64(key) ?? 0)
        let members = try sample.rows("SELECT Z_PK FROM ZPERSON WHERE ZDEPARTMENT = \(key) ORDER BY Z_PK")
        let found = try sample.lines(request("Employee", "department.objectID = \"\(department)\""), evaluation)
        #expect(!members.isEmpty && found.map { $0.split(separator: "/p").last.map(String.init) } == members)
        let member = try #require(found.last)
        #expect(
            try sample.lines(request("Department", "ANY employees.objectID = \"\(member)\""), evaluation)
                == [department])
        #expect(
            try sample.lines(
                request("Department", "SUBQUERY(employees, $e, $e.objectID = \"\(member)\").@count = 1"), evaluation)
                == [department])
        let error = #expect(throws: EvaluationError.self) {
            try sample.lines(request("Employee", "objectID = 'x'"), evaluation)
        }
        #expect(error?.description.contains("compared with a string") == true, "\(String(describing: error))")
    }

    @Test func idsAreColumnsAndOrders() throws {
        let sample = try OpenedSample.company()
        var request = FetchRequest(entityName: "Employee")
        request.resultType = .dictionaries
        request.propertiesToFetch = ["objectID", "department.objectID"].map { FetchedProperty(.keyPath($0)) }
        request.sortDescriptors = [FetchSortDescriptor(keyPath: "objectID", isAscending: false)]
        let plan = try FetchCompiler.plan(
            request, layout: sample.layout, storeUUID: sample.store.metadata.uuid)
        #expect(plan.columns.map(\.name) == ["objectID", "department.objectID"])
        let keys = try sample.rows(
            "SELECT Z_PK FROM ZPERSON WHERE Z_ENT IN (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME IN ('Employee', "
                + "'Manager')) ORDER BY Z_PK DESC")
        let lines = try sample.lines(request, .automatic).map { $0.split(separator: ",").first ?? "" }
        #expect(!keys.isEmpty && lines.map { $0.split(separator: "/p").last.map(String.init) } == keys)
        request.sortDescriptors = [FetchSortDescriptor(keyPath: "department.objectID"), .init(keyPath: "objectID")]
        #expect(try sample.lines(request, .automatic).count == keys.count)
    }

    /// Where a model has a property of the name, the property is meant.
    @Test func aPropertyOfTheNameIsAProperty() throws {
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                name: "Probe", attributes: [AttributeDescription(name: "objectID", type: .string, isOptional: true)])
        ])
        let sample = try OpenedSample.fixture(of: ResolvedModel(model), rows: 3, seed: 1)
        #expect(try sample.lines(request("Probe", "objectID = 'no such text'"), .automatic) == [])
    }

    @Test(arguments: evaluations)
    func anIDOfAnotherTableIsNoObjectOfThisOne(evaluation: FetchEvaluation) throws {
        let sample = try OpenedSample.company()
        let other = uri(sample, "Department", 1)
        #expect(try sample.lines(request("Employee", "SELF = \"\(other)\""), evaluation) == [])
    }

    @Test(arguments: evaluations)
    func textsThatAreComparedWithTextsStayTexts(evaluation: FetchEvaluation) throws {
        let sample = try OpenedSample.company()
        let text = "lastName = \"x-coredata://other/Employee/p1\""
        #expect(try sample.lines(request("Employee", text), evaluation) == [])
    }

    @Test(arguments: [
        ("SELF = \"x-coredata://1C6D8E22-0000-4000-8000-000000000000/Employee/p1\"", "another store"),
        ("SELF = \"x-coredata:///Employee/t1C6D8E22\"", "not the ID of a saved object"),
        ("SELF IN {\"Miller\", \"Smith\"}", "compared with a string"),
        ("department = \"Research\"", "compared with a string"),
        ("\"Research\" != department", "compared with a string"),
        ("department = 1", "compared with an integer"), ("department IN {1, 2}", "compared with an integer"),
        ("ANY projects = \"Apollo\"", "compared with a string"), ("projects = \"Apollo\"", "ANY or ALL"),
        ("lastName = \"no such name\" AND projects CONTAINS \"Apollo\"", "compared with a string"),
    ])
    func whatCanBeNoObjectIsAnError(text: String, message: String) throws {
        let sample = try OpenedSample.company()
        for evaluation in Self.evaluations where !text.contains("AND") || evaluation == .automatic {
            let error = #expect(throws: EvaluationError.self) {
                try sample.lines(request("Employee", text), evaluation)
            }
            #expect(error?.description.contains(message) == true, "\(String(describing: error))")
        }
    }
}
