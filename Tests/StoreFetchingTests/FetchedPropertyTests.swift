import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import StoreFetching
import TestSupport
import Testing

/// Fetched properties of the model: what they find, for whom, in which order, in SQL and in Swift.
@Suite struct FetchedPropertyTests {
    /// The sample with other fetched properties on departments.
    private static func sample(_ properties: [FetchedPropertyDescription]) throws -> OpenedSample {
        let directory = try TemporaryDirectory()
        let path = try Samples.buildStore("Company", in: directory)
        var model = try ModelVersions(path: Samples.models("Company")).version("Company").model()
        let index = try #require(model.entities.firstIndex { $0.name == "Department" })
        model.entities[index].fetchedProperties = properties
        return try OpenedSample(path: path, model: ResolvedModel(model), directory: directory)
    }

    private static func property(
        _ predicate: String, sort: [FetchSortDescriptor] = [], limit: Int = 0, entity: String = "Employee",
        includesSubentities: Bool = true, userInfo: [String: String] = [:]
    ) -> FetchedPropertyDescription {
        FetchedPropertyDescription(
            name: "found",
            fetchRequest: FetchRequestTemplate(
                name: "r", entityName: entity, predicateFormat: predicate, sortDescriptors: sort, fetchLimit: limit,
                includesSubentities: includesSubentities),
            userInfo: userInfo)
    }

    private static let source = "(SELECT d.ZNAME FROM ZDEPARTMENT d WHERE d.Z_PK = s.Z_PK)"

    @Test(arguments: [
        (property("department == $FETCH_SOURCE AND isActive == YES"), "p.ZDEPARTMENT = s.Z_PK AND p.ZISACTIVE = 1", "p.Z_PK"),
        (
            property("lastName BEGINSWITH $FETCHED_PROPERTY.userInfo.letter AND department != $FETCH_SOURCE",
                sort: [FetchSortDescriptor(keyPath: "lastName", isAscending: false)], userInfo: ["letter": "B"]),
            "p.ZLASTNAME GLOB 'B*' AND p.ZDEPARTMENT <> s.Z_PK", "p.ZLASTNAME DESC, p.Z_PK"
        ),
        (
            property("$FETCH_SOURCE.employees.@count > 5 AND SELF IN $FETCH_SOURCE.employees", includesSubentities: false),
            "(SELECT count(*) FROM ZPERSON x WHERE x.ZDEPARTMENT = s.Z_PK) > 5 AND p.ZDEPARTMENT = s.Z_PK AND p.Z_ENT = 4",
            "p.Z_PK"
        ),
        (
            property("ANY projects.members.department == $FETCH_SOURCE"),
            """
            p.Z_PK IN (SELECT a.Z_4MEMBERS FROM Z_4PROJECTS a JOIN Z_4PROJECTS b ON a.Z_6PROJECTS = b.Z_6PROJECTS
            JOIN ZPERSON q ON q.Z_PK = b.Z_4MEMBERS WHERE q.ZDEPARTMENT = s.Z_PK)
            """, "p.Z_PK"
        ),
    ])
    func eachObjectHasItsOwnResults(property: FetchedPropertyDescription, condition: String, order: String) throws {
        let sample = try Self.sample([property])
        var request = try FetchRequest(fetchedProperty: "found", of: "Department", in: sample.model)
        request.resultType = .dictionaries
        request.propertiesToFetch = [
            FetchedProperty(try FormatExpression(format: "$FETCH_SOURCE.name")), FetchedProperty(.keyPath("lastName")),
        ]
        let expected = try sample.rows(
            """
            SELECT \(Self.source), p.ZLASTNAME FROM ZDEPARTMENT s, ZPERSON p WHERE p.Z_ENT IN (4, 5) AND \(condition)
            ORDER BY s.Z_PK, \(order)
            """)
        #expect(try sample.lines(request).map { $0.replacing("\"", with: "") } == expected.map { $0.replacing("\"", with: "") })
        #expect(try sample.lines(request, .inSwift) == sample.lines(request))
        // The same as a column of the objects.
        var columns = FetchRequest(entityName: "Department")
        columns.resultType = .dictionaries
        columns.propertiesToFetch = ["found.lastName", "found.@count"].map { FetchedProperty(.keyPath($0)) }
        let (sql, swift) = (try sample.lines(columns), try sample.lines(columns, .inSwift))
        let owners = try sample.rows("SELECT 1 FROM ZDEPARTMENT").count
        #expect(sql == swift && sql.count == owners)
        let total = sql.compactMap { $0.split(separator: ",").last.flatMap { Int($0) } }.reduce(0, +)
        #expect(total == expected.count)
    }

    @Test func theLimitIsThatOfEachObject() throws {
        let sample = try Self.sample([Self.property("department == $FETCH_SOURCE", limit: 2)])
        var request = try FetchRequest(
            fetchedProperty: "found", of: "Department", in: sample.model, where: FormatPredicate(format: "code < 40"))
        request.resultType = .count
        let expected = try sample.rows(
            """
            SELECT sum(min(2, (SELECT count(*) FROM ZPERSON p WHERE p.ZDEPARTMENT = s.Z_PK))) FROM ZDEPARTMENT s
            WHERE s.ZCODE < 40
            """)
        #expect(try sample.lines(request) == expected && expected != ["0"])
        #expect(try sample.lines(request, .inSwift) == expected)
    }

    @Test func unknownNamesAreNamed() throws {
        let sample = try Self.sample([Self.property("lastName = $FETCH_SOURCE.nick")])
        #expect(throws: FetchError(.fetchedPropertyUnknown("x", entity: "Department", known: ["found"]))) {
            try FetchRequest(fetchedProperty: "x", of: "Department", in: sample.model)
        }
        let request = try FetchRequest(fetchedProperty: "found", of: "Department", in: sample.model)
        #expect(throws: FetchError(.keyPathUnknown("nick", key: "nick", entity: "Department"))) { try sample.plan(request) }
    }
}
