import DocumentReading
import PredicateExpressions
import TestSupport
import Testing

@testable import MappingModels

@Suite struct MappingModelFormsTests {
    /// The corpus' source mapping models by path: 20 MB of base 64, read once for all tests.
    static let real = Result {
        try Corpus.files(under: "2_mappings") { $0 == "xcmapping.xml" }.map {
            ($0, try MappingModelFile.read(path: $0))
        }
    }

    /// Everything that all three forms can say.
    static let model = MappingModel(entityMappings: [
        EntityMapping(
            name: "AToB", type: .custom, sourceEntityName: "A", destinationEntityName: "B",
            attributeMappings: [
                PropertyMapping(name: "x", valueExpression: "$source.y"),
                PropertyMapping(name: "z", isExpressionGenerated: true, userInfo: ["k": "v"]),
            ],
            relationshipMappings: [
                PropertyMapping(
                    name: "r",
                    valueExpression:
                        "FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"CToD\", $source.r)",
                    choice: .last)
            ],
            sourceFilter: "x < 10 AND name != \"\\\"\"", migrationPolicyClassName: "My.Policy",
            identity: MappingIdentity(attributes: ["x", "z"], survivor: .last), userInfo: ["a": "1 < 2", "b": ""]),
        EntityMapping(name: "Gone", type: .remove, sourceEntityName: "Gone"),
        EntityMapping(name: "New", type: .add, destinationEntityName: "New"),
    ])

    @Test(arguments: MappingModelForm.allCases)
    func everyFormGivesBackWhatItWasGiven(_ form: MappingModelForm) throws {
        let bytes = try MappingModelFile.bytes(of: Self.model, form: form)
        let document = try MappingModelFile.read(bytes: bytes, name: "m")
        #expect(document.form == form)
        #expect(document.warnings.isEmpty)
        var read = document.model
        // A compiled mapping model does not say what a compiler has still to do.
        if form == .compiled { read.entityMappings[0].attributeMappings[1].isExpressionGenerated = true }
        for index in read.entityMappings.indices {
            // The expression is printed again, which may write it differently.
            for place in read.entityMappings[index].relationshipMappings.indices {
                let text = read.entityMappings[index].relationshipMappings[place].valueExpression
                let original = Self.model.entityMappings[index].relationshipMappings[place].valueExpression
                #expect(try text.map { try Expression(format: $0) } == original.map { try Expression(format: $0) })
                read.entityMappings[index].relationshipMappings[place].valueExpression = original
            }
        }
        #expect(read == Self.model)
    }

    @Test(.long, .enabled(if: Corpus.isPresent, "there is no corpus"))
    func realMappingModelsSurviveAllForms() throws {
        let documents = try Self.real.get()
        #expect(documents.count == 63)
        for (path, document) in documents {
            #expect(document.warnings.allSatisfy { $0.detail.contains("skipped") }, "\(document.warnings)")
            var expected = document.model
            expected.editorModels = expected.editorModels.map { _ in .init(source: [1], destination: [2, 3]) }
            let source = try MappingModelFile.bytes(of: expected, form: .source)
            #expect(try MappingModelFile.read(bytes: source, name: "s").model == expected, "\(path)")
            expected.editorModels = nil
            let yaml = try MappingModelFile.bytes(of: document.model, form: .yaml)
            #expect(try MappingModelFile.read(bytes: yaml, name: "y").model == expected, "\(path)")
        }
    }

    /// `EXPRESSIONS.tsv` was made by other means: each of its filters, key paths and names has to be there.
    @Test(.long, .enabled(if: Corpus.isPresent, "there is no corpus"))
    func whatOthersReadInRealMappingModelsIsRead() throws {
        let table = try SourceText(path: (Corpus.path ?? "") + "/EXPRESSIONS.tsv", maximumSize: 1 << 20)
        let models = Dictionary(uniqueKeysWithValues: try Self.real.get())
        var count = 0
        for line in String(decoding: table.bytes, as: UTF8.self).split(separator: "\n").dropFirst() {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            // Objects that belong to no entity mapping are reported instead.
            guard fields.count == 6, !fields[2].hasSuffix("->") else { continue }
            let path = (Corpus.path ?? "") + "/" + fields[0]
            let model = try #require(models[path]).model
            let properties = model.entityMappings.flatMap { $0.attributeMappings + $0.relationshipMappings }
                .filter { $0.name == fields[3] }
            switch fields[4] {
            case "sourcefilterpredicatestring":
                let filter = fields[5].replacing("\\u3c00", with: "<").replacing("\\u3e00", with: ">")
                #expect(model.entityMappings.contains { $0.sourceFilter == filter }, "\(line)")
            case "sourcekeypath": #expect(properties.contains { $0.sourceKeyPath == fields[5] }, "\(line)")
            case "sourcemappingname": #expect(properties.contains { $0.sourceMappingName == fields[5] }, "\(line)")
            case "valueexpression": #expect(properties.contains { $0.valueExpression != nil }, "\(line)")
            default: continue
            }
            count += 1
        }
        #expect(count == 87)
    }

    @Test(arguments: [
        ("", "no content"), ("bplist00", "read as a compiled mapping model"), ("<a/>", "not an XML store"),
        ("- 1", "begins with \"mapping: 1\""),
        ("import: 1", "mapping of an import"), ("mapping: 2", "not known"), ("mapping: 1", "needs \"entities\""),
    ])
    func whatIsNoMappingModelIsAnError(_ text: String, _ words: String) {
        let error = #expect(throws: DocumentErrors.self) {
            try MappingModelFile.read(bytes: Array(text.utf8), name: "m")
        }
        if !text.isEmpty { #expect(error?.description.contains(words) == true, "\(error?.description ?? "")") }
    }
}
