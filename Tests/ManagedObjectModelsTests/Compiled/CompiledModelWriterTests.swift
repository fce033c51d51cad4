import KeyedArchives
import ManagedObjectModels
import Testing

@Suite struct CompiledModelWriterTests {
    private func compiled(_ model: ManagedObjectModel, module: String? = nil) throws -> CompiledModelWriter.Result {
        try CompiledModelWriter(model, moduleName: module).compile()
    }

    private func entity(_ name: String, in bytes: [UInt8]) throws -> ArchivedObject {
        let entities = try #require(try KeyedArchive(bytes).root().namedValues("NSEntities"))
        return try #require(entities.first { $0.name == name }?.value.object)
    }

    private func property(_ name: String, of entity: String, in bytes: [UInt8]) throws -> ArchivedObject {
        let properties = try #require(try self.entity(entity, in: bytes).namedValues("NSProperties"))
        return try #require(properties.first { $0.name == name }?.value.object)
    }

    @Test
    func everythingThatACompiledModelHoldsComesBack() throws {
        let result = try compiled(FeatureModel.model)
        #expect(result.warnings.map(\.code) == [.droppedFetchOptions("recent")])
        let document = try CompiledModelReader.read(bytes: result.bytes, name: "test.mom")
        #expect(document.warnings == [])
        #expect(document.model.compiledForm == FeatureModel.model.compiledForm)
        #expect(try compiled(document.model).bytes == result.bytes)
    }

    /// As SwiftData has them; source models have no form for them.
    @Test(arguments: [[], [.string("a"), .string("ä\n")], [AttributeValue.binary([1, 2]), .binary([])]])
    func arraysComeBack(elements: [AttributeValue]) throws {
        let attribute = AttributeDescription(name: "x", type: .transformable, defaultValue: .array(elements))
        let model = ManagedObjectModel(entities: [EntityDescription(name: "E", attributes: [attribute])])
        let result = try compiled(model)
        #expect(result.warnings == [])
        let value = try #require(try property("x", of: "E", in: result.bytes).object("NSDefaultValue"))
        #expect(value.className == "NSArray")
        let read = try CompiledModelReader.read(bytes: result.bytes, name: "test.mom")
        #expect(read.warnings == [])
        #expect(read.model.entities[0].attributes[0].defaultValue == .array(elements))
        let losses = ModelContentsWriter(read).losses
        #expect(losses.count == 1 && "\(losses)".contains("the value ["), "\(losses)")
    }

    @Test(arguments: [Double.nan, -.nan, .signalingNaN, .infinity, -.infinity])
    func numbersThatAreNoneOrWithoutEndComeBackASourceModelHasNoWordsForThem(number: Double) throws {
        let attributes = [
            AttributeDescription(name: "d", type: .double, defaultValue: .real(number)),
            AttributeDescription(name: "t", type: .date, defaultValue: .date(number)),
        ]
        let model = ManagedObjectModel(entities: [EntityDescription(name: "E", attributes: attributes)])
        #expect(model == model)
        let read = try CompiledModelReader.read(bytes: compiled(model).bytes, name: "test.mom")
        #expect(read.model.compiledForm == model.compiledForm)
        let writer = ModelContentsWriter(read)
        #expect(writer.losses.map(\.property) == ["d", "t"])
        let again = try ModelContentsReader.read(bytes: Array(writer.text().utf8), name: "contents")
        #expect(again.model.entities[0].attributes.map(\.defaultValue) == [nil, nil])
        #expect(again.warnings == [])
    }

    @Test
    func hashesAreTheSameBeforeAndAfter() throws {
        let model = try CompiledModelReader.read(bytes: compiled(FeatureModel.model).bytes, name: "test.mom").model
        let expected = ModelHashes.hashes(of: try ResolvedModel(FeatureModel.model))
        #expect(ModelHashes.hashes(of: try ResolvedModel(model)) == expected)
    }

    /// The numbers are those that docs/format/models.md#property-flags gives for 28 014 objects in real archives.
    @Test(arguments: [
        ("count32", 241), ("available", 243), ("cover", 243), ("pageCount", 247), ("count16", 193),
        ("hidden", 2291),
        ("title", 1), ("similar", 191), ("sequel", 251), ("pages", 1075), ("volatile", 249),
    ])
    func theSummaryOfAPropertyHasTheBitsThatRealOnesHave(name: String, bits: Int64) throws {
        let bytes = try compiled(FeatureModel.model).bytes
        #expect(try property(name, of: "Book", in: bytes).integer("_P") == bits)
    }

    @Test
    func predicatesAreArchivedInFoundationsClasses() throws {
        let bytes = try compiled(FeatureModel.model).bytes
        let title = try property("title", of: "Book", in: bytes)
        #expect(try title.elements("NSValidationPredicates")?.count == 4)
        let warnings = try #require(try title.elements("NSValidationWarnings"))
        #expect(warnings.map { $0.scalar } == [1670, 1660, 1680, "A title has words."])
        let derivation = try property("pageCount", of: "Book", in: bytes).object("NSDerivationExpression")
        #expect(derivation?.className == "NSFunctionExpression")
        #expect(try derivation?.string("NSSelectorName") == "count:")
    }

    @Test
    func aClassOfTheModuleThatIsBuiltGetsTheModulesName() throws {
        let model = ManagedObjectModel(entities: [EntityDescription(name: "A", managedObjectClassName: ".A")])
        let named = try compiled(model, module: "App")
        #expect(try entity("A", in: named.bytes).string("NSClassNameForEntity") == "App.A")
        #expect(named.warnings == [])
        let unnamed = try compiled(model)
        #expect(try entity("A", in: unnamed.bytes).string("NSClassNameForEntity") == ".A")
        #expect(unnamed.warnings.map(\.entity) == ["A"])
    }

    /// As in the archives of 355 single-element indexes and 91 longer ones.
    @Test
    func anAttributeIsMarkedAsIndexedWhereItIsTheOnlyAscendingElementOfAFetchIndex() throws {
        func index(_ name: String, _ elements: [(String, Bool)], partial: String? = nil) -> FetchIndexDescription {
            FetchIndexDescription(
                name: name,
                elements: elements.map { FetchIndexElementDescription(propertyName: $0.0, isAscending: $0.1) },
                partialIndexPredicate: partial)
        }
        let attributes = ["up", "down", "part", "pair"].map { AttributeDescription(name: $0, type: .string) }
        let link = RelationshipDescription(name: "link", destinationEntityName: "E")
        let indexes = [
            index("byUp", [("up", true)]), index("byDown", [("down", false)]),
            index("byPart", [("part", true)], partial: "part != NULL"), index("byLink", [("link", true)]),
            index("byPair", [("pair", false), ("up", true)]), index("byMixed", [("pair", true), ("link", true)]),
        ]
        let model = ManagedObjectModel(entities: [
            EntityDescription(name: "E", attributes: attributes, relationships: [link], fetchIndexes: indexes),
            EntityDescription(name: "F", attributes: attributes, fetchIndexes: [index("byUp", [("up", true)])]),
            EntityDescription(name: "G", attributes: attributes),
        ])
        let bytes = try compiled(model).bytes
        let marked = try ["up", "down", "part", "pair", "link"].filter {
            try property($0, of: "E", in: bytes).boolean("NSIsIndexed") ?? false
        }
        #expect(marked == ["up", "part"])
        let compound = try ["E", "F", "G"].map { name in
            try entity(name, in: bytes).elements("NSCompoundIndexes")?.count
        }
        #expect(compound == [1, 0, nil])
        let read = try CompiledModelReader.read(bytes: bytes, name: "test.mom").model
        #expect(read.compiledForm == model.compiledForm)
        #expect(read.entities[0].attributes.allSatisfy { !$0.isIndexed })
    }

    @Test
    func theLimitsAndFlagsOfFetchRequestsAreLeftOutAsByXcodesCompilerAndThatIsNoLoss() throws {
        let request = FetchRequestTemplate(
            name: "r", entityName: "E", fetchLimit: 10, fetchBatchSize: 20, includesSubentities: false,
            returnsDistinctResults: true)
        let result = try compiled(
            ManagedObjectModel(entities: [EntityDescription(name: "E")], fetchRequestTemplates: [request]))
        #expect(result.warnings.map(\.code) == [.droppedFetchOptions("r")])
        #expect(result.warnings.map(\.isLoss) == [false])
        let templates = try #require(try KeyedArchive(result.bytes).root().namedValues("NSFetchRequestTemplates"))
        let archived = try #require(templates.first?.value.object)
        #expect(try archived.integer("NSFetchLimit") == 0)
        #expect(try archived.integer("NSBatchSize") == 0)
        #expect(try archived.integer("NSFetchRequestFlags") == 30)
    }

    @Test
    func whatCannotBeWrittenIsWarnedAbout() throws {
        let attribute = AttributeDescription(name: "a", type: .integer16, defaultValue: .unparsed("many"))
        let derived = AttributeDescription(name: "d", type: .string, derivationExpression: "uppercase:(a)")
        let model = ManagedObjectModel(
            entities: [EntityDescription(name: "E", attributes: [attribute, derived])],
            fetchRequestTemplates: [FetchRequestTemplate(name: "r", entityName: "E", returnsDistinctResults: true)])
        let warnings = try compiled(model).warnings
        #expect(warnings.map(\.property) == ["a", "d", nil])
        #expect(warnings.map(\.code)[1] == .writtenByAnalogy("the derivation \"uppercase:(a)\""))
    }

    @Test
    func theNameThatSpotlightShowsComesBackInFoundationsNotation() throws {
        let title = AttributeDescription(name: "title", type: .string)
        let model = ManagedObjectModel(entities: [
            EntityDescription(
                name: "Note", attributes: [title], coreSpotlightDisplayNameExpression: "uppercase( title )"),
            EntityDescription(name: "Plain"),
        ])
        let result = try compiled(model)
        #expect(result.warnings.map(\.entity) == ["Note"])
        #expect(result.warnings.map(\.code) == [.writtenByAnalogy("the Spotlight display name \"uppercase( title )\"")])
        let expression = try entity("Note", in: result.bytes).object("NSCoreSpotlightDisplayName")
        #expect(try expression?.string("NSSelectorName") == "uppercase:")
        let read = try CompiledModelReader.read(bytes: result.bytes, name: "test.mom").model
        #expect(read.entities.map(\.coreSpotlightDisplayNameExpression) == ["uppercase:(title)", nil])
        #expect(read.compiledForm == model.compiledForm)
    }

    @Test
    func flagsForWhichCompiledModelsHaveNoKnownPlaceAreWarnedAbout() throws {
        let attribute = AttributeDescription(name: "a", type: .string, isSpotlightIndexed: true)
        let link = RelationshipDescription(
            name: "b", destinationEntityName: "E", isSpotlightIndexed: true, isStoredInTruthFile: true)
        let model = ManagedObjectModel(entities: [
            EntityDescription(name: "E", attributes: [attribute], relationships: [link])
        ])
        let warnings = try compiled(model).warnings
        #expect(warnings.map(\.property) == ["a", "b", "b"])
        #expect(warnings.map(\.isLoss) == [true, true, true])
    }

    @Test(arguments: [
        ("parts.@count", "count:(parts)"), ("count( parts )", "count:(parts)"), ("now( )", "now()"),
        ("lowercase(title)", "lowercase:(title)"), ("parts.@sum.weight", "sum:(parts.weight)"),
    ])
    func aDerivationMeansTheSameInEveryNotation(one: String, other: String) throws {
        func model(_ derivation: String) -> ManagedObjectModel {
            let attributes = [
                AttributeDescription(name: "title", type: .string), AttributeDescription(name: "weight", type: .double),
                AttributeDescription(name: "d", type: .string, derivationExpression: derivation),
            ]
            let parts = RelationshipDescription(name: "parts", destinationEntityName: "E", isToMany: true)
            return ManagedObjectModel(
                entities: [EntityDescription(name: "E", attributes: attributes, relationships: [parts])])
        }
        let hashes = try [one, other].map { ModelHashes.hashes(of: try ResolvedModel(model($0))) }
        #expect(hashes[0] == hashes[1])
        #expect(model(one).compiledForm == model(other).compiledForm)
        let read = try CompiledModelReader.read(bytes: compiled(model(one)).bytes, name: "test.mom").model
        #expect(read.compiledForm == model(one).compiledForm)
    }

    @Test
    func aModelThatDoesNotHoldTogetherIsRefused() {
        let orphan = ManagedObjectModel(entities: [EntityDescription(name: "A", superentityName: "B")])
        #expect(throws: ModelError(.unknownSuperentity("B"), entity: "A")) { try compiled(orphan) }
        let attribute = AttributeDescription(name: "d", type: .string, derivationExpression: "count(")
        let request = FetchRequestTemplate(name: "r", entityName: "A", predicateFormat: "a == ")
        let entity = EntityDescription(name: "A", attributes: [attribute])
        let nameless = EntityDescription(name: "A", coreSpotlightDisplayNameExpression: "name +")
        for model in [
            ManagedObjectModel(entities: [entity]), ManagedObjectModel(entities: [nameless]),
            ManagedObjectModel(entities: [EntityDescription(name: "A")], fetchRequestTemplates: [request]),
        ] {
            do {
                _ = try compiled(model)
                Issue.record("compiled")
            } catch {
                #expect("\(error)".contains("cannot be parsed: column"))
            }
        }
    }
}
