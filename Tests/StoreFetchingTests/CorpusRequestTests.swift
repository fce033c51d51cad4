import Foundation
import ManagedObjectModels
import PersistentStores
import PredicateExpressions
import StoreFetching
import TestSupport
import Testing

/// What people have written: fetch requests of models, filters of mappings.
@Suite(.enabled(if: Corpus.isPresent, "the corpus is not beside the project"))
struct CorpusRequestTests {
    /// Values of every type that a variable may be compared with: one of them fits.
    private static let values: [ConstantValue] = [
        .string("a"), .integer(1), .date(0), .null, .array([.string("a")]), .boolean(true),
        .uuid(Array(repeating: 1, count: 16)), .real(1),
    ]

    @Test(.long) func everyFetchRequestOfAModelBecomesAStatementOrSaysWhyNot() throws {
        var compiled = 0
        var refused: [String] = []
        for path in Corpus.files(under: "1_models", where: { $0 == "contents" }) {
            guard try Data(contentsOf: URL(fileURLWithPath: path)).range(of: Data("<fetchRequest name=".utf8)) != nil,
                let document = try? ModelContentsReader.read(path: path), !document.model.fetchRequestTemplates.isEmpty,
                let model = try? ResolvedModel(document.model)
            else { continue }
            let layout = LayoutPrediction.layout(of: model)
            for template in document.model.fetchRequestTemplates {
                do {
                    let predicate = try template.predicateFormat.map { try FormatPredicate(format: $0) }
                    let names = predicate.map { VariableNames(of: $0).names } ?? []
                    var plan: FetchPlan?
                    var failure: (any Error)?
                    for value in Self.values where plan?.swiftParts.isEmpty != true {
                        do {
                            let request = try FetchRequest(
                                template: template,
                                variables: Dictionary(names.map { ($0, value) }) { first, _ in first })
                            plan = try FetchCompiler.plan(request, layout: layout, storeUUID: "U", now: 0)
                        } catch {
                            // A relationship is compared with an object, and not with a text.
                            failure = error
                        }
                    }
                    if plan == nil, let failure { throw failure }
                    #expect(plan != nil, "\(path): \(template.name)")
                    compiled += 1
                } catch {
                    // An entity or a key that the model does not have, or a predicate of another language.
                    let isExplained = error is FetchError || error is FormatError || error is EvaluationError
                    #expect(isExplained, "\(path): \(template.name): \(error)")
                    refused.append("\(template.name): \(error)")
                }
            }
        }
        #expect(compiled > 20)
        #expect(refused.count * 5 < compiled, "\(refused.prefix(20).joined(separator: "\n"))")
    }

    @Test func filtersOfMappingsFindTheSameInSQLAndInSwift() throws {
        let table = try String(contentsOfFile: #require(Corpus.path) + "/EXPRESSIONS.tsv", encoding: .utf8)
        var checked = 0
        for line in table.split(separator: "\n") where line.contains("sourcefilterpredicatestring") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            let repository = fields[0].split(separator: "/")[1]
            // The list has the XML store's notation of characters: the bytes of UTF-16, the lower one first.
            let text = fields[5].replacing("\\u3c00", with: "<").replacing("\\u3e00", with: ">")
            let predicate = try FormatPredicate(format: text)
            let source = fields[2].split(separator: "-")[0].trimmingCharacters(in: .whitespaces)
            for path in Corpus.files(under: "1_models/\(repository)", where: { $0 == "contents" }) {
                guard let document = try? ModelContentsReader.read(path: path),
                    let model = try? ResolvedModel(document.model),
                    model.entity(named: source) != nil
                else { continue }
                let request = FetchRequest(entityName: source, predicate: predicate)
                let layout = LayoutPrediction.layout(of: model)
                guard let plan = try? FetchCompiler.plan(request, layout: layout, storeUUID: "U", now: 0) else {
                    continue
                }
                #expect(plan.swiftParts.isEmpty, "\(text)")
                checked += 1
            }
        }
        #expect(checked > 0)
    }
}
