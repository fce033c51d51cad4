import CompressedStreams
import KeyedArchives
import ManagedObjectModels
import TestSupport
import Testing

@Suite struct CompiledModelReaderTests {
    private func code(_ bytes: [UInt8]) -> ModelError.Code? {
        do {
            _ = try CompiledModelReader.read(bytes: bytes, name: "test.mom")
            return nil
        } catch {
            #expect(error.path == "test.mom")
            return error.code
        }
    }

    @Test
    func filesThatAreNoModelsAreRefusedWithTheReason() {
        #expect(code([]) != nil)
        #expect(code(Array("momv2$".utf8)) != nil)
        #expect(code(BinaryPropertyListWriter.bytes(for: ["a": 1])) != nil)
        var builder = KeyedArchiveBuilder()
        let root = builder.object(ArchivedClass("NSMappingModel"), [])
        #expect(code(builder.bytes(root: root)) == .notAModel("it is an archive of the class NSMappingModel"))
    }

    /// An archive of a model whose entities are made by hand.
    private func archive(
        _ fill: (inout KeyedArchiveBuilder) -> [(String, KeyedArchiveBuilder.Reference)]
    ) -> [UInt8] {
        var builder = KeyedArchiveBuilder()
        let entities = fill(&builder).map { (builder.string($0.0), $0.1) }
        let dictionary = builder.dictionary(entities, isMutable: true)
        let root = builder.object(ArchivedClass("NSManagedObjectModel"), [("NSEntities", .reference(dictionary))])
        return builder.bytes(root: root)
    }

    @Test
    func anEntityThatInheritsFromItselfIsRefused() {
        let bytes = archive { builder in
            let entity = builder.object(ArchivedClass("NSEntityDescription"))
            builder.fill(
                entity, [("NSEntityName", .reference(builder.string("A"))), ("NSSuperentity", .reference(entity))])
            return [("A", entity)]
        }
        #expect(code(bytes) == .inheritanceCycle)
    }

    @Test
    func twoEntitiesOfOneNameAreRefused() {
        let bytes = archive { builder in
            let entities = (0..<2).map { _ in
                builder.object(
                    ArchivedClass("NSEntityDescription"), [("NSEntityName", .reference(builder.string("A")))])
            }
            return [("A", entities[0]), ("B", entities[1])]
        }
        #expect(code(bytes) == .duplicateEntity)
    }

    @Test
    func aCompositeThatHoldsItselfIsRefused() {
        let bytes = archive { builder in
            let attribute = builder.object(
                .init([
                    "NSCompositeAttributeDescription", "NSAttributeDescription", "NSPropertyDescription", "NSObject",
                ]))
            let elements = builder.array([attribute])
            builder.fill(
                attribute,
                [
                    ("NSPropertyName", .reference(builder.string("a"))), ("NSAttributeType", .inline(2100)),
                    ("NSCompositeElements", .reference(elements)),
                ])
            let properties = builder.dictionary([(builder.string("a"), attribute)])
            let entity = builder.object(
                ArchivedClass("NSEntityDescription"),
                [("NSEntityName", .reference(builder.string("A"))), ("NSProperties", .reference(properties))])
            return [("A", entity)]
        }
        #expect(code(bytes) != nil)
    }

    @Test
    func whatHasNoCounterpartIsPassedOverWithAWarning() throws {
        let bytes = archive { builder in
            let cover = builder.object(ArchivedClass("Cover"), [])
            let attribute = builder.object(
                .init(["NSAttributeDescription", "NSPropertyDescription", "NSObject"]),
                [
                    ("NSAttributeType", .inline(1800)), ("NSDefaultValue", .reference(cover)),
                    ("NSPropertyName", .reference(builder.string("a"))),
                ])
            let future = builder.object(.init(["NSFutureDescription", "NSPropertyDescription", "NSObject"]), [])
            let properties = builder.dictionary([(builder.string("a"), attribute), (builder.string("b"), future)])
            let entity = builder.object(
                ArchivedClass("NSEntityDescription"),
                [("NSEntityName", .reference(builder.string("A"))), ("NSProperties", .reference(properties))])
            return [("A", entity)]
        }
        let document = try CompiledModelReader.read(bytes: bytes, name: "test.mom")
        #expect(document.model.entities.first?.attributes.map(\.name) == ["a"])
        #expect(
            document.warnings.map(\.code) == [
                .notRepresentable("a default value of the kind Cover"),
                .notRepresentable("a property of the class NSFutureDescription"),
            ])
        #expect(document.warnings.map(\.property) == ["a", "b"])
    }

    @Test(.long)
    func damagedFilesAreAnErrorOrAModel() throws {
        let bytes = try CompiledModelWriter(FeatureModel.model).compile().bytes
        var random = RandomNumbers(seed: 31)
        var readable = 0
        for _ in 0..<2000 {
            var damaged = bytes
            for _ in 0...Int.random(in: 0..<4, using: &random) {
                let place = Int.random(in: 0..<damaged.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: damaged[place] = UInt8.random(in: 0...255, using: &random)
                case 1: damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                default:
                    // References and small numbers take each other's places.
                    damaged[place] = damaged[Int.random(in: 0..<damaged.count, using: &random)]
                }
            }
            readable += (try? CompiledModelReader.read(bytes: damaged, name: "damaged")) == nil ? 0 : 1
        }
        #expect(readable > 0 && readable < 2000)
    }

    @Test
    func theModelCacheOfAStoreIsTheSameArchiveCompressed() throws {
        let bytes = try CompiledModelWriter(FeatureModel.model).compile().bytes
        let cache = try RawDeflate.deflate(bytes)
        let model = try ModelCacheReader.read(cache, name: "store").model
        #expect(model.compiledForm == FeatureModel.model.compiledForm)
        #expect(throws: ModelError.self) { try ModelCacheReader.read(Array(cache.dropLast(9)), name: "store") }
        #expect(throws: ModelError.self) { try ModelCacheReader.read([], name: "store") }
    }
}
