import KeyedArchives
import ManagedObjectModels
import TestSupport
import Testing

@testable import MappingModels

/// The corpus has one mapping model in both of Core Data's forms, compiled by Xcode itself.
@Suite(.enabled(if: Corpus.isPresent, "there is no corpus")) struct CompiledMappingTests {
    private static func document(_ folder: String, _ name: String) throws -> MappingModelDocument {
        let found = Corpus.files(under: folder) { $0 == name || name.isEmpty }
        let path = try #require(found.first { $0.contains("V2toV3") && $0.contains("alemar11") })
        return try MappingModelFile.read(path: path)
    }

    private static func model(_ name: String) throws -> ResolvedModel {
        let found = Corpus.files(under: "1_models") { $0 == "contents" }
        let path = try #require(found.first { $0.contains("alemar11") && $0.contains("/\(name).xcdatamodel/") })
        return try ResolvedModel(ModelContentsReader.read(path: path).model)
    }

    @Test func completionGivesWhatXcodeCompiles() throws {
        let compiled = try Self.document("5_compiled", "V2toV3.cdm").model
        let (source, destination) = (try Self.model("SampleModel2"), try Self.model("SampleModel3"))
        let completion = MappingCompletion(
            source: source, destination: destination, sourceHashes: ModelHashes.hashes(of: source).mapValues(\.bytes),
            destinationHashes: ModelHashes.hashes(of: destination).mapValues(\.bytes))
        let completed = completion.completed(try Self.document("2_mappings", "xcmapping.xml").model)
        #expect(completed.entityMappings.map(\.name).sorted() == compiled.entityMappings.map(\.name).sorted())
        for mapping in compiled.entityMappings {
            let ours = try #require(completed.entityMapping(named: mapping.name))
            #expect(ours.type == mapping.type, "\(mapping.name)")
            #expect(ours.sourceEntityVersionHash == mapping.sourceEntityVersionHash)
            #expect(ours.destinationEntityVersionHash == mapping.destinationEntityVersionHash)
            #expect(ours.effectiveSourceExpression == mapping.effectiveSourceExpression)
            #expect(ours.attributeMappings.map(\.name) == mapping.attributeMappings.map(\.name))
            #expect(ours.attributeMappings.map(\.valueExpression) == mapping.attributeMappings.map(\.valueExpression))
            #expect(
                ours.relationshipMappings.map { [$0.name, $0.valueExpression] }
                    == mapping.relationshipMappings.map { [$0.name, $0.valueExpression] }, "\(mapping.name)")
        }
    }

    @Test func theCompiledFormComesBackEqual() throws {
        let document = try Self.document("5_compiled", "V2toV3.cdm")
        #expect(document.warnings.isEmpty)
        let bytes = try MappingModelFile.bytes(of: document.model, form: .compiled)
        #expect(try MappingModelFile.read(bytes: bytes, name: "again").model == document.model)
    }
}
