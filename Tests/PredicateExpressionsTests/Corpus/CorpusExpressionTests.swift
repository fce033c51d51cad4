import Foundation
import KeyedArchives
import PredicateExpressions
import TestSupport
import Testing
import TextEncodings

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not beside the project"))
struct CorpusExpressionTests {
    private struct Row {
        let file: String
        let kind: String
        let value: String
    }

    private static func rows() throws -> [Row] {
        let path = try #require(Corpus.path) + "/EXPRESSIONS.tsv"
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
            return Row(file: fields[0], kind: fields[4], value: fields[5])
        }
    }

    /// The archived expressions in a mapping model's source file.
    private static func archives(in file: String) throws -> [[UInt8]] {
        let path = try #require(Corpus.path) + "/" + file
        let text = try String(contentsOfFile: path, encoding: .utf8)
        let start = "<attribute name=\"valueexpressiondata\" type=\"binary\">"
        return text.components(separatedBy: start).dropFirst().compactMap { part in
            part.components(separatedBy: "<").first.flatMap { Base64.decode($0) }
        }
    }

    @Test(.long) func everyArchivedExpressionIsTheOneThatIsListed() throws {
        let listed = try Self.rows().filter { $0.kind == "valueexpression" }
        var count = 0
        for (file, rows) in Dictionary(grouping: listed, by: \.file) {
            let expressions = try Self.archives(in: file).map { try FormatExpression(archive: $0) }
            let expected = rows.map { $0.value.replacing(/const:nil\(UID\(\d+\)\)/, with: "const:nil") }
            #expect(expressions.map { ListedNotation.text(of: $0) }.sorted() == expected.sorted(), "\(file)")
            for expression in expressions {
                #expect(try FormatExpression(format: expression.format) == expression, "\(expression)")
                #expect(try FormatExpression(archive: expression.archive()) == expression, "\(expression)")
            }
            count += expressions.count
        }
        #expect(count == listed.count && count > 60)
    }

    @Test func everyListedFilterAndKeyPathIsParsedAndPrinted() throws {
        var kinds: [String: Int] = [:]
        for row in try Self.rows() {
            kinds[row.kind, default: 0] += 1
            switch row.kind {
            case "sourcefilterpredicatestring":
                let predicate = try FormatPredicate(format: ListedNotation.unescaped(row.value))
                #expect(try FormatPredicate(format: predicate.format) == predicate)
            case "sourcekeypath":
                #expect(try FormatExpression(format: row.value).format == row.value)
            case "valueexpression", "sourcemappingname", "userinfo":
                break
            default:
                Issue.record("unknown kind \(row.kind)")
            }
        }
        #expect(kinds.values.reduce(0, +) == 104)
    }

    @Test(.long) func everyArchivedExpressionIsEvaluated() throws {
        let listed = try Self.rows().filter { $0.kind == "valueexpression" }
        for (file, rows) in Dictionary(grouping: listed, by: \.file) {
            for expression in try Self.archives(in: file).map({ try FormatExpression(archive: $0) }) {
                var names = AnyNames()
                let value = try expression.compile(resolving: &names).evaluate(in: names)
                switch expression {
                case .constant(let constant): #expect(value == ExpressionValue(constant))
                case .function: #expect(value == .date(7))
                case .invocation(_, let selector, let arguments):
                    let parts = try #require(value.elements)
                    #expect(parts.count == arguments.count + 2)
                    #expect(parts.first == .string("\(try #require(expression.target)).\(selector)"))
                case .keyPath(_, let path) where path.hasSuffix(".absoluteString"):
                    #expect(value == .string("https://example.org/"))
                default: #expect(value != .null, "\(expression) of \(rows.count)")
                }
            }
        }
    }

    @Test func everyListedFilterAndKeyPathIsEvaluated() throws {
        let expected = ["messageID < 10000": true, "ads.@count > 1": true, "ads.@count == 1": false]
        var moods: [ExpressionValue] = []
        for row in try Self.rows() {
            var names = AnyNames()
            if row.kind == "sourcefilterpredicatestring" {
                let predicate = try FormatPredicate(format: ListedNotation.unescaped(row.value))
                #expect(try predicate.compile(resolving: &names).evaluate(in: names) == expected[predicate.format])
            } else if row.kind == "sourcekeypath" {
                let value = try FormatExpression(format: row.value).compile(resolving: &names).evaluate(in: names)
                if row.value.contains("@") { moods.append(value) }
                #expect(value != .null)
            }
        }
        #expect(moods.count == 2)
        #expect(moods.allSatisfy { $0.elements?.count == 2 })
    }

    @Test(.long) func everyPredicateOfTheModelsIsParsedAndPrinted() throws {
        var texts: Set<String> = []
        for path in Corpus.files(under: "1_models", where: { $0 == "contents" }) {
            let content = try String(contentsOfFile: path, encoding: .utf8)
            for match in content.matches(of: /(?:predicateString|partialIndexPredicate)="([^"]*)"/) {
                texts.insert(
                    String(match.1).replacing("&quot;", with: "\"").replacing("&lt;", with: "<")
                        .replacing("&gt;", with: ">").replacing("&apos;", with: "'").replacing("&amp;", with: "&"))
            }
        }
        #expect(texts.count > 50)
        for text in texts {
            let predicate = try FormatPredicate(format: text)
            #expect(try FormatPredicate(format: predicate.format) == predicate, "\(text)")
            let archive = try KeyedArchive(predicate.archive())
            #expect(try FormatPredicate(archived: archive.root()) == predicate, "\(text)")
        }
    }
}

extension FormatExpression {
    /// How a method's target is described when its name is resolved.
    fileprivate var target: MethodTarget? {
        guard case .invocation(let target, _, _) = self else { return nil }
        switch target {
        case .variable(let name): return .variable(name)
        default: return .className("MigrationFunctions")
        }
    }
}
