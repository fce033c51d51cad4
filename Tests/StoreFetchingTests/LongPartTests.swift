import PredicateExpressions
import StoreFetching
import Testing

/// A record is not held in memory for the sake of the objects in it.
@Suite struct LongPartTests {
    private static let textLength = 40_000

    /// A department with seven employees of long names, written in pieces.
    private func pieces(
        _ write: (OutputBuffer, _ owner: FetchCursor, _ employees: FetchCursor) throws -> Void
    ) throws -> [Int] {
        let sample = try OpenedSample.company(
            changedBy: """
                UPDATE ZPERSON SET ZNOTES = printf('%.*c', \(Self.textLength), 'x'), ZDEPARTMENT = 1
                WHERE ZDEPARTMENT IS NOT NULL
                """)
        func cursor(_ request: FetchRequest, _ name: String) throws -> FetchCursor {
            var request = request
            request.resultType = .dictionaries
            request.includesPrimaryKey = true
            request.propertiesToFetch = [FetchedProperty(.keyPath(name))]
            return try FetchCursor(sample.plan(request), store: sample.store, layout: sample.layout)
        }
        let departments = FetchRequest(
            entityName: "Department", predicate: try FormatPredicate(format: "code = 10"))
        var employees = FetchRequest(entityName: "Employee")
        employees.owner = FetchOwner(entityName: "Department", relationship: "employees")
        var sizes: [Int] = []
        let output = OutputBuffer { sizes.append($0.count) }
        try write(output, cursor(departments, "code"), cursor(employees, "notes"))
        return sizes
    }

    private func check(_ sizes: [Int]) {
        #expect(sizes.reduce(0, +) > 4 * Self.textLength)
        // A block, and the object that fills it.
        #expect(sizes.max() ?? 0 < 65_536 + Self.textLength + 1000, "\(sizes)")
    }

    @Test func aLongListOfJSONIsWrittenByTheBlock() throws {
        let path = try #require(RecordPartPath([RecordPartPath.Step("employees", isList: true)]))
        check(
            try pieces { output, owner, employees in
                let part = try JSONWriter.Part(path, employees, JSONWriter(output, for: employees, isLines: true))
                var writer = try JSONWriter(output, for: owner, isLines: true, parts: [part])
                try writer.writeAll(owner)
            })
    }

    @Test func aLongListOfXMLIsWrittenByTheBlock() throws {
        let path = try #require(RecordPartPath([RecordPartPath.Step("employee", isList: true)]))
        check(
            try pieces { output, owner, employees in
                let elements = XMLWriter.Elements(around: [], record: "employee")
                let part = XMLWriter.Part(path, employees, try XMLWriter(output, for: employees, elements: elements))
                var writer = try XMLWriter(
                    output, for: owner, elements: .init(around: ["all"], record: "department"), parts: [part])
                try writer.writeAll(owner)
            })
    }
}
