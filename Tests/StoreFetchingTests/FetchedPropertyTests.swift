import ManagedObjectModels
import PredicateExpressions
import StoreFetching
import Testing

struct FetchedPropertyTests {
    @Test(arguments: [
        ("size", "size"), ("#first.last.@count", "first.last.@count"), ("size + 1", "#size + 1"),
        ("uppercase(name)", "uppercase:(name)"),
    ])
    func columnsAreCalledByTheirPathsAndExpressionsAsTheyAreWritten(text: String, name: String) throws {
        let expression = try FormatExpression(format: text)
        #expect(FetchedProperty(expression).name == name)
        #expect(FetchedProperty(.sum, of: expression).name == "sum(\(name))")
    }

    @Test func groupsAreChosenByWhatIsCalledLikeAKeyword() throws {
        let attributes = ["size", "first"].map { AttributeDescription(name: $0, type: .integer16) }
        let model = ManagedObjectModel(entities: [EntityDescription(name: "File", attributes: attributes)])
        let sample = try OpenedSample.fixture(of: ResolvedModel(model), rows: 60, seed: 1)
        var request = FetchRequest(entityName: "File")
        request.resultType = .dictionaries
        request.propertiesToGroupBy = [.keyPath("size")]
        request.propertiesToFetch = [FetchedProperty(.sum, of: .keyPath("first"))]
        request.havingPredicate = try FormatPredicate(format: "size > 3 AND sum(first) != size")
        request.sortDescriptors = [FetchSortDescriptor(keyPath: "size")]
        let sql = """
            SELECT ZSIZE, sum(ZFIRST) FROM ZFILE GROUP BY ZSIZE HAVING ZSIZE > 3 AND sum(ZFIRST) <> ZSIZE ORDER BY 1
            """
        let expected = try sample.rows(sql)
        #expect(expected.count > 5)
        #expect(try sample.lines(request) == expected)
    }
}
