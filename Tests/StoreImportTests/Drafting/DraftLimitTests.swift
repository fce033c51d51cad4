import Foundation
import ImportMappings
import KeyedArchives
import TestSupport
import Testing

@testable import MappingDrafting
@testable import RecordSources

/// What a draft says of a source is true of the sample, however little of it is kept.
@Suite struct DraftLimitTests {
    private static let sizes = [1, 2, 3, 7, 1000]

    /// The values of a column in a plain model: all of them, none left out.
    private static func check(_ values: [String], _ limits: DraftLimits) throws {
        let directory = try TemporaryDirectory()
        let text = "other,value\n" + values.map { "x,\($0)\n" }.joined()
        let path = try directory.write(text, to: "values.csv")
        let sample = try #require(try SourceSampler.samples(of: path, names: [], within: limits).first)
        let field = try #require(sample.records.fields.last).values
        var distinct: [String] = []
        for value in values where !value.isEmpty && !distinct.contains(value) { distinct.append(value) }
        let filled = values.count { !$0.isEmpty }
        #expect(field.count == filled && field.absentCount == values.count - filled)
        #expect(field.hasDuplicates == (distinct.count < filled), "\(values)")
        #expect(field.isUnique == (distinct.count == values.count), "\(values)")
        var kept: [String] = []
        var bytes = 0
        for value in distinct where kept.count < limits.values && bytes + value.utf8.count <= limits.valueBytes {
            kept.append(value)
            bytes += value.utf8.count
        }
        #expect(field.texts == kept, "\(values)")
    }

    @Test(arguments: sizes) func columnsAreUniqueOrNotHoweverFewValuesAreKept(size: Int) throws {
        for seed in RandomNumbers.seeds(20) {
            var random = RandomNumbers(seed: UInt64(seed))
            let count = Int.random(in: 2..<30, using: &random)
            let most = Int.random(in: 1..<200, using: &random)
            let values = (0..<count).map { _ in
                let number = Int.random(in: 0..<most, using: &random)
                return number == 0 ? "" : "v" + String(repeating: "w", count: number % 5) + "\(number)"
            }
            var limits = DraftLimits()
            limits.values = size
            try Self.check(values, limits)
            limits = DraftLimits()
            limits.valueBytes = size
            try Self.check(values, limits)
        }
    }

    @Test(arguments: [1, 2, 3, 7], ["csv", "json", "xml", "plist"])
    func samplesHaveAsManyRecords(rows: Int, format: String) throws {
        let directory = try TemporaryDirectory()
        let numbers = 0..<10
        let text =
            switch format {
            case "csv": "a,b\n" + numbers.map { "\($0),x\n" }.joined()
            case "json": numbers.map { "{\"a\": \($0)}\n" }.joined()
            case "xml": "<r>" + numbers.map { "<i a='\($0)'/>" }.joined() + "</r>"
            default:
                try XMLPropertyListWriter.text(for: .array(numbers.map { ["a": .integer(Int64($0))] }))
            }
        let path = try directory.write(text, to: "s.\(format)")
        var limits = DraftLimits()
        limits.records.rows = rows
        let sample = try #require(try SourceSampler.samples(of: path, names: [], within: limits).first)
        #expect(sample.records.count == rows)
        #expect(sample.records.fields.first?.values.texts == numbers.prefix(rows).map(String.init))
    }

    private static let document = #"{"meta": {"a": [1, "\"]"]}, "library": {"books": [{"t": "x"}, {"t": "y"}]}}"#

    /// A search that ends anywhere, in a name, behind a backslash or between brackets, finds what was before.
    @Test func theSearchForRecordsMayEndAnywhere() throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(Self.document, to: "d.json")
        let first = try #require(Self.document.range(of: #"[{"t""#)).lowerBound
        let start = Self.document[..<first].utf8.count + 2
        for bytes in 1...Self.document.utf8.count {
            var limits = DraftLimits()
            limits.searchedBytes = bytes
            let found = try JSONRecordFinding.records(in: path, within: limits)
            #expect(found == (bytes >= start ? "library.books" : nil), "\(bytes) bytes")
        }
    }

    @Test func theSearchInAPropertyListEndsAfterItsEvents() throws {
        let directory = try TemporaryDirectory()
        let list: PropertyListValue = ["library": ["books": [["t": "x"], ["t": "y"]]]]
        let path = try directory.write(try XMLPropertyListWriter.text(for: list), to: "d.plist")
        // Two dictionaries, two keys, the array, and the first of its dictionaries.
        for events in 1...20 {
            var limits = DraftLimits()
            limits.searchedEvents = events
            let found = try PropertyListRecordFinding.records(in: path, within: limits)
            #expect(found == (events >= 6 ? "library.books" : nil), "\(events) events")
        }
    }

    @Test(arguments: sizes) func elementsAreToldApartAsFarAsTheyGo(paths: Int) throws {
        let directory = try TemporaryDirectory()
        let path = try directory.write(
            "<r>" + (0..<9).map { "<e\($0) a='1'/><e\($0) a='2'/>" }.joined() + "</r>", to: "e.xml")
        var limits = DraftLimits()
        limits.elementPaths = paths
        let finding = try XMLRecordFinding(path: path, within: limits)
        #expect(finding.elementPaths == (["/r"] + (0..<9).map { "/r/e\($0)" }).prefix(paths).map { $0 })
    }

    @Test(arguments: 0...3) func partsBecomeObjectsDownToADepth(depth: Int) throws {
        let fixture = try DraftFixture(NestedDraftTests.library)
        let source = try fixture.fixture.write(
            #"""
            [{"name": "Jane", "books": [{"title": "Emma", "isbn": "1", "pages": 9,
              "chapters": [{"title": "I", "length": 12}, {"title": "II", "length": 9}]}]}]
            """#, as: "authors.json")
        var limits = DraftLimits()
        limits.objectDepth = depth
        let draft = try fixture.draft([source], entity: "Author", limits: limits)
        let entities = draft.mapping.sources[0].objects.map(\.entity)
        #expect(entities == ["Author", "Book", "Chapter"].prefix(depth + 1).map { $0 })
    }

    /// However small a limit is, a draft is a mapping that fits the model, or says that nothing does.
    @Test(arguments: [1, 2, 3, 7]) func draftsOfSmallSamplesFitTheModel(size: Int) throws {
        let limited: [WritableKeyPath<DraftLimits, Int>] = [
            \.records.rows, \.records.bytes, \.searchedBytes, \.searchedEvents, \.recordDepth, \.comparedKeys,
            \.elementPaths, \.values, \.valueBytes, \.fields, \.partDepth, \.memberDepth, \.arrayDepth, \.candidates,
            \.candidateDepth, \.objectDepth,
        ]
        let fixture = try DraftFixture(NestedDraftTests.library)
        let sources = [
            try fixture.fixture.write(
                #"""
                {"library": {"books": [
                  {"isbn": "1", "title": "Emma", "pages": 474, "author": {"name": "Jane"},
                   "chapters": {"I": {"length": 12}, "II": {"length": 9}, "III": {"length": 3}}, "x": [[[["y"]]]]},
                  {"isbn": "2", "title": "Persuasion", "pages": 249, "author": {"name": "Jane"}}]}}
                """#, as: "book.json"),
            try fixture.fixture.write(
                "<l><book isbn='1'><title>Emma</title><author>Jane</author><chapter length='1'>I</chapter></book>"
                    + "<book isbn='2'><title>Persuasion</title></book></l>", as: "book.xml"),
            try fixture.fixture.write("isbn,title,pages\n1,Emma,474\n2,Emma,\n", as: "book.csv"),
        ]
        var drafted = 0
        for path in limited {
            for source in sources {
                var limits = DraftLimits()
                limits[keyPath: path] = size
                do {
                    _ = try fixture.draft([source], entity: "Book", limits: limits)
                    drafted += 1
                } catch is MappingDraftError {}
            }
        }
        #expect(drafted > limited.count)
    }
}
