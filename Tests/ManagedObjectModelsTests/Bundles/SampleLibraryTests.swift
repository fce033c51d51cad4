import ManagedObjectModels
import TestSupport
import Testing

/// The sample that has one of everything that a source model can hold, through all forms.
@Suite struct SampleLibraryTests {
    private let versions: ModelVersions

    init() throws {
        versions = try ModelVersions(path: Samples.models("Library"))
    }

    private func document() throws -> ModelDocument { try versions.current().document() }

    @Test
    func itIsReadAndWrittenAsASourceWithoutADifference() throws {
        let document = try document()
        #expect(document.warnings == [])
        let writer = ModelContentsWriter(document)
        #expect(writer.losses == [])
        let again = try ModelContentsReader.read(bytes: Array(writer.text().utf8), name: "contents")
        #expect(again.model == document.model)
        #expect(again.header == document.header)
    }

    @Test
    func itHasOneOfEverything() throws {
        let model = try document().model
        let attributes = model.entities.flatMap(\.attributes)
        #expect(
            Set(AttributeType.allCases).subtracting(attributes.map(\.type)) == [.objectID], "every type but object IDs")
        #expect(attributes.contains { $0.isDerived } && attributes.contains { $0.isTransient })
        #expect(attributes.contains { $0.valueTransformerName != nil } && attributes.contains { !$0.userInfo.isEmpty })
        #expect(attributes.contains { $0.validation.regularExpression != nil })
        #expect(Set(model.entities.flatMap(\.relationships).map(\.deleteRule)) == Set(DeleteRule.allCases))
        let indexes = model.entities.flatMap(\.fetchIndexes)
        #expect(indexes.contains { $0.partialIndexPredicate != nil })
        #expect(indexes.contains { $0.elements.contains { $0.collation == .rTree } })
        #expect(!model.entities.flatMap(\.compoundIndexes).isEmpty)
        #expect(!model.entities.flatMap(\.uniquenessConstraints).isEmpty)
        #expect(!model.entities.flatMap(\.fetchedProperties).isEmpty)
        #expect(!model.fetchRequestTemplates.isEmpty && !model.configurations.isEmpty && !model.composites.isEmpty)
    }

    @Test
    func nothingButASpotlightFlagIsLostWhenItIsCompiledDecompiledAndCompiledAgain() throws {
        let model = try document().model
        let result = try CompiledModelWriter(model).compile()
        let losses = result.warnings.filter(\.isLoss)
        #expect(losses.map(\.property) == ["title"])
        #expect(losses.map(\.code) == [.notWritable("the Spotlight indexing flag")])
        let read = try CompiledModelReader.read(bytes: result.bytes, name: "Library.mom")
        #expect(read.warnings == [])
        #expect(read.model.compiledForm == model.compiledForm)
        #expect(
            try ModelHashes.hashes(of: ResolvedModel(read.model)) == ModelHashes.hashes(of: ResolvedModel(model)))
        let source = try SourceModelBundle([("Library", read)], currentVersionName: "Library")
        #expect(source.warnings == [])
        let again = try ModelContentsReader.read(bytes: source.files[0].bytes, name: "contents").model
        #expect(again == read.model)
        #expect(try CompiledModelWriter(again).compile().bytes == result.bytes)
    }

    @Test
    func itsTextsAreThoseOfEntitiesAndPropertiesThatItHasInBothLanguages() throws {
        let model = try document().model
        let files = try LocalizationFile.files(of: #require(try versions.current().bundle))
        #expect(files.map(\.language) == ["de", "en"])
        let dictionaries = try files.map { try $0.dictionary() }
        #expect(Set(dictionaries[0].entries.keys) == Set(dictionaries[1].entries.keys))
        #expect(dictionaries.map { $0.entityName("Branch") } == ["Zweigstelle", "Library branch"])
        for key in dictionaries[0].entries.keys {
            let parts = key.split(separator: "/").map { String($0) }
            switch parts.first {
            case "Entity": #expect(model.entity(named: parts[1]) != nil, "\(key)")
            case "Property":
                let entities = parts.count == 4 ? [model.entity(named: parts[3])].compactMap { $0 } : model.entities
                #expect(entities.contains { $0.attributes.contains { $0.name == parts[1] } }, "\(key)")
            default: #expect(parts.first == "ErrorString")
            }
        }
    }
}
