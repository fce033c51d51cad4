import ManagedObjectModels
import PredicateExpressions
import StoreFetching
import Testing

/// Results against statements written by hand.
@Suite struct FetchResultTests {
    private static func request(_ entity: String, where text: String? = nil, columns: [String] = []) throws
        -> FetchRequest
    {
        var request = FetchRequest(entityName: entity, predicate: try text.map { try FormatPredicate(format: $0) })
        request.resultType = .dictionaries
        request.propertiesToFetch = try columns.map { FetchedProperty(try FormatExpression(format: $0)) }
        return request
    }

    @Test(arguments: [(0, 0), (3, 0), (3, 2), (0, 20), (100, 5), (2, 1000)])
    func limitsAndOffsetsCutTheOrderedResults(limit: Int, offset: Int) throws {
        let sample = try OpenedSample.company()
        var request = try Self.request("Person", columns: ["lastName"])
        request.sortDescriptors = [FetchSortDescriptor(keyPath: "lastName", isAscending: false)]
        request.fetchLimit = limit
        request.fetchOffset = offset
        let sql =
            "SELECT ZLASTNAME FROM ZPERSON ORDER BY ZLASTNAME DESC, Z_PK LIMIT \(limit == 0 ? -1 : limit) OFFSET \(offset)"
        #expect(try sample.lines(request) == sample.rows(sql))
    }

    @Test func groupsHaveAggregatesAndAreChosenByThem() throws {
        let sample = try OpenedSample.company()
        var request = try Self.request("Employee")
        request.propertiesToGroupBy = [.keyPath("department.name")]
        request.propertiesToFetch = [
            FetchedProperty(.count, of: nil), FetchedProperty(.maximum, of: .keyPath("vacationDays")),
            FetchedProperty(.sum, of: .keyPath("level")),
        ]
        request.havingPredicate = try FormatPredicate(format: "count > 2 AND min(level) >= 0")
        request.sortDescriptors = [FetchSortDescriptor(keyPath: "count", isAscending: false)]
        let sql = """
            SELECT d.ZNAME, count(*) AS n, max(p.ZVACATIONDAYS), ifnull(sum(p.ZLEVEL), 0) FROM ZPERSON p
            LEFT JOIN ZDEPARTMENT d ON d.Z_PK = p.ZDEPARTMENT WHERE p.Z_ENT IN (4, 5) GROUP BY d.ZNAME
            HAVING n > 2 AND min(p.ZLEVEL) >= 0 ORDER BY n DESC, d.ZNAME
            """
        #expect(
            try sample.lines(request).map { $0.replacing("\"", with: "") }
                == sample.rows(sql).map { $0.replacing("\"", with: "") })
    }

    @Test func sumsOfDecimalsAreExact() throws {
        let sample = try OpenedSample.company()
        var request = try Self.request("Employee", where: "lastName IN {\"Åström\", \"Lovelace\"}")
        request.propertiesToFetch = [FetchedProperty(.sum, of: .keyPath("salary"))]
        #expect(try sample.lines(request) == ["1234567890123456900000012000.1"])
    }

    @Test func distinctResultsComeOnce() throws {
        let sample = try OpenedSample.company()
        var request = try Self.request("Employee", columns: ["isActive", "department.code"])
        request.returnsDistinctResults = true
        let sql = """
            SELECT DISTINCT p.ZISACTIVE, d.ZCODE FROM ZPERSON p LEFT JOIN ZDEPARTMENT d ON d.Z_PK = p.ZDEPARTMENT
            WHERE p.Z_ENT IN (4, 5) ORDER BY 1, 2
            """
        #expect(try sample.lines(request) == sample.rows(sql))
    }

    @Test(arguments: [(true, "count(*)", "IN (3, 4, 5)"), (false, "count(*)", "= 3")])
    func aFetchIncludesSubentitiesUnlessItMustNot(includes: Bool, count: String, entities: String) throws {
        let sample = try OpenedSample.company()
        var request = FetchRequest(entityName: "Person")
        request.resultType = .count
        request.includesSubentities = includes
        #expect(try sample.lines(request) == sample.rows("SELECT \(count) FROM ZPERSON WHERE Z_ENT \(entities)"))
    }

    @Test func listsKeepAllValuesOfAToManyPath() throws {
        let sample = try OpenedSample.company()
        let request = try Self.request(
            "Department", where: "code = 10", columns: ["employees.lastName", "employees.@count"])
        let names = try sample.rows(
            "SELECT ZLASTNAME FROM ZPERSON WHERE ZDEPARTMENT = (SELECT Z_PK FROM ZDEPARTMENT WHERE ZCODE = 10) "
                + "ORDER BY Z_FOK_DEPARTMENT, Z_PK")
        let list = "[" + names.map { "\"\"\($0)\"\"" }.joined(separator: ",") + "]"
        #expect(try sample.lines(request) == ["\"\(list)\",\(names.count)"])
    }

    @Test func textsAreSortedAsPeopleDoOnEveryMachine() throws {
        let sample = try OpenedSample.company()
        var request = try Self.request(
            "Employee", where: "lastName IN {\"Abel\", \"Åström\", \"Brandt\", \"Zimmermann\"}", columns: ["lastName"])
        request.sortDescriptors = [FetchSortDescriptor(keyPath: "lastName", selectorName: "localizedStandardCompare:")]
        #expect(try sample.lines(request) == ["Abel", "Åström", "Brandt", "Zimmermann"])
    }

    @Test func aTemplateWantsAllItsVariablesAndNoOthers() throws {
        let template = FetchRequestTemplate(
            name: "byName", entityName: "Person", predicateFormat: "lastName = $LAST AND firstName = $FIRST")
        func code(_ variables: [String: ConstantValue]) -> FetchError.Code? {
            do {
                _ = try FetchRequest(template: template, variables: variables)
                return nil
            } catch {
                return (error as? FetchError)?.code
            }
        }
        #expect(code(["LAST": .string("x")]) == .variableMissing("FIRST", template: "byName"))
        #expect(
            code(["LAST": .string("x"), "FIRST": .null, "AGE": .integer(1)])
                == .variableUnknown("AGE", template: "byName", known: ["LAST", "FIRST"]))
        #expect(code(["LAST": .string("Abel"), "FIRST": .null]) == nil)
    }

    @Test(arguments: [
        ("nick = 1", FetchError.Code.keyPathUnknown("nick", key: "nick", entity: "Employee")),
        (
            "ANY department.employees.nick = 1",
            .keyPathUnknown("department.employees.nick", key: "nick", entity: "Employee")
        ),
        ("firstName = $NAME", .variableMissing("NAME", template: nil)),
    ])
    func wrongNamesAreNamed(text: String, code: FetchError.Code) throws {
        let sample = try OpenedSample.company()
        #expect(throws: FetchError(code)) { try sample.plan(Self.request("Employee", where: text)) }
    }
}
