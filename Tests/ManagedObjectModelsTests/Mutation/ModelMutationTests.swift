import CompressedStreams
import Foundation
import KeyedArchives
import ManagedObjectModels
import TestSupport
import Testing
import TextEncodings

/// Damaged models of every form end in a model or an error. `FERRY_MUTATIONS` runs more of them, `FERRY_MUTATION_SEED`
/// others, and `FERRY_MUTATION_FOLDER` keeps each input while it is read, so that one which ends the process is found.
@Suite struct ModelMutationTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = TestSettings.number("FERRY_MUTATIONS", default: RandomNumbers.seeds(400).count)
    private static let seed = UInt64(TestSettings.number("FERRY_MUTATION_SEED", default: 0))
    private static let folder = TestSettings.value("FERRY_MUTATION_FOLDER")

    /// Reads damaged inputs; what can be read must stand everything that is done with models.
    private func run(
        _ name: String, count: Int = Self.count, next: (inout RandomNumbers) -> [UInt8],
        read: ([UInt8]) throws -> ModelDocument
    ) throws {
        var random = RandomNumbers(
            seed: Self.seed &* 1_000_003 &+ UInt64(name.utf8.reduce(0) { $0 * 31 % 65_536 + Int($1) }))
        var readable = 0
        for _ in 0..<count {
            let bytes = next(&random)
            if let folder = Self.folder { try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name)) }
            guard let document = try? read(bytes) else { continue }
            readable += 1
            try use(document, bytes)
        }
        #expect((1..<count).contains(readable), "\(name)")
    }

    /// Hashes, compiled form, source form. What is compiled without a warning comes back.
    private func use(_ document: ModelDocument, _ bytes: [UInt8]) throws {
        if let resolved = try? ResolvedModel(document.model) { _ = ModelHashes.entityHashes(of: resolved) }
        if let result = try? CompiledModelWriter(document.model, moduleName: "Module").compile() {
            let read = try CompiledModelReader.read(bytes: result.bytes, name: "compiled").model.compiledForm
            if result.warnings.isEmpty, !Self.hasModuleClasses(document.model) {
                #expect(firstDifference(read, document.model.compiledForm) == nil, "\(Base64.encode(bytes))")
            }
        }
        let writer = ModelContentsWriter(document)
        let text = writer.text()
        let again = try? ModelContentsReader.read(bytes: Array(text.utf8), name: "contents").model
        if let again, writer.losses.isEmpty, !text.contains("\u{FFFD}") {
            #expect(again.entities.map(\.name) == document.model.entities.map(\.name), "\(Base64.encode(bytes))")
        }
    }

    private static func hasModuleClasses(_ model: ManagedObjectModel) -> Bool {
        model.entities.contains { $0.managedObjectClassName?.hasPrefix(".") == true }
    }

    @Test func bytesOfACompiledModel() throws {
        let whole = try CompiledModelWriter(FeatureModel.model).compile().bytes
        try run("compiled-bytes", next: { Mutation.mutate(whole, with: &$0) }) {
            try CompiledModelReader.read(bytes: $0, name: "damaged.mom")
        }
    }

    @Test(.long) func objectsOfACompiledModel() throws {
        let mutation = try ArchiveMutation(CompiledModelWriter(FeatureModel.model).compile().bytes)
        try run("compiled-objects", next: { mutation.mutated(with: &$0) }) {
            try CompiledModelReader.read(bytes: $0, name: "damaged.mom")
        }
    }

    @Test func aModelInAStore() throws {
        let whole = try RawDeflate.deflate(CompiledModelWriter(FeatureModel.model).compile().bytes)
        try run(
            "cache", count: Self.count / 4,
            next: { random in
                // Most damage of compressed data only shows that it is damaged.
                Int.random(in: 0..<4, using: &random) == 0 ? whole : Mutation.mutate(whole, with: &random)
            }
        ) {
            try ModelCacheReader.read($0, name: "damaged.sqlite")
        }
    }

    @Test(.long) func elementsOfASourceModel() throws {
        let mutation = SourceMutation(ModelContentsWriter(FeatureModel.model).text())
        try run("contents", next: { Array(mutation.mutated(with: &$0).utf8) }) {
            try ModelContentsReader.read(bytes: $0, name: "contents")
        }
    }

    @Test func versionListsOfBundles() throws {
        let model = try ResolvedModel(FeatureModel.model)
        let information = VersionInformation(currentVersionName: "A", models: ["A": model, "A 2": model])
        let whole = BinaryPropertyListWriter.bytes(for: information.propertyList)
        var random = RandomNumbers(seed: Self.seed)
        for _ in 0..<Self.count {
            guard let list = try? PropertyListReader.value(from: Mutation.mutate(whole, with: &random)).dictionary
            else {
                continue
            }
            _ = VersionInformation(list).propertyList
        }
    }

    @Test(.long, .enabled(if: Corpus.isPresent, "the corpus is not here"))
    func realModels() throws {
        let compiled = try Corpus.files(under: "5_compiled") { $0.hasSuffix(".mom") }
            .map { Array(try Data(contentsOf: URL(fileURLWithPath: $0))) }.filter { $0.count < 30_000 }
        let archives = try compiled.map { try ArchiveMutation($0) }
        try run(
            "real-compiled", count: Self.count / 4,
            next: { random in
                archives.randomElement(using: &random)?.mutated(with: &random) ?? []
            }
        ) {
            try CompiledModelReader.read(bytes: $0, name: "damaged.mom")
        }
        let elements = try Corpus.files(under: "6_xcode3_models") { $0 == "elements" }
            .filter { !$0.contains("/fruitsamples__CoreRecipes/") }
            .map { Array(try Data(contentsOf: URL(fileURLWithPath: $0))) }.filter { $0.count < 60_000 }
            .map { try ArchiveMutation($0) }
        try run(
            "real-elements", count: Self.count / 4,
            next: { random in
                elements.randomElement(using: &random)?.mutated(with: &random) ?? []
            }
        ) {
            try Xcode3ModelReader.read(bytes: $0, name: "elements")
        }
        let sources = try Corpus.files(under: "1_models") { $0 == "contents" }.enumerated().filter {
            $0.offset % 40 == 0
        }
        .map { SourceMutation(try String(contentsOfFile: $0.element, encoding: .utf8)) }
        try run(
            "real-contents", count: Self.count / 4,
            next: { random in
                Array((sources.randomElement(using: &random)?.mutated(with: &random) ?? "").utf8)
            }
        ) {
            try ModelContentsReader.read(bytes: $0, name: "contents")
        }
    }
}
