import PredicateExpressions
import StoreFetching
import Testing

struct FetchedPropertyTests {
    @Test(arguments: [
        ("size", "size"), ("#first.last.@count", "first.last.@count"), ("size + 1", "#size + 1"),
        ("uppercase(name)", "uppercase:(name)"),
    ])
    func columnsAreCalledByTheirPathsAndExpressionsAsTheyAreWritten(text: String, name: String) throws {
        #expect(try FetchedProperty(FormatExpression(format: text)).name == name)
    }
}
