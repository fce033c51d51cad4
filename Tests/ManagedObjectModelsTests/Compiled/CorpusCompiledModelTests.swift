import Foundation
import KeyedArchives
import ManagedObjectModels
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not here"))
struct CorpusCompiledModelTests {
    static let compiled = Corpus.files(under: "5_compiled") { $0.hasSuffix(".mom") }
    static let elements = Corpus.files(under: "6_xcode3_models") { $0 == "elements" }

    /// Models of which the source and the compiled form are at hand, in the same version.
    static let pairs = [
        (
            "alemar11__CoreDataPlus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld/SampleModel2",
            "alemar11__CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel.momd/SampleModel2"
        ),
        (
            "alemar11__CoreDataPlus/Tests/Resources/SampleModel/SampleModel.xcdatamodeld/SampleModel3",
            "alemar11__CoreDataPlus/Tests/Resources/SampleModel/Fixtures/SampleModel.momd/SampleModel3"
        ),
        (
            "alemar11__CoreDataPlus/Tests/Resources/SampleModel3/SampleModel3.xcdatamodeld/SampleModel3",
            "alemar11__CoreDataPlus/Tests/Resources/SampleModel3/Fixtures/SampleModel3.momd/SampleModel3"
        ),
        (
            "alemar11__CoreDataPlus/Tests/Resources/SampleModel3/SampleModel3.xcdatamodeld/SampleModel3_v2",
            "alemar11__CoreDataPlus/Tests/Resources/SampleModel3/Fixtures/SampleModel3.momd/SampleModel3_v2"
        ),
        (
            "alemar11__CoreDataPlus/Tests/Resources/SampleModel3/SampleModel3.xcdatamodeld/SampleModel3_v3",
            "alemar11__CoreDataPlus/Tests/Resources/SampleModel3/Fixtures/SampleModel3.momd/SampleModel3_v3"
        ),
        (
            "richardpiazza__CoreDataPlus/Tests/CoreDataPlusTests/Resources/CoreDataPlus_1.0.xcdatamodeld/Model",
            "richardpiazza__CoreDataPlus/Tests/CoreDataPlusTests/PrecompiledResources/"
                + "CoreDataPlus_1.0.momd_precompiled/Model"
        ),
        (
            "richardpiazza__CoreDataPlus/Tests/CoreDataPlusTests/Resources/CoreDataPlus_1.1.xcdatamodeld/Model",
            "richardpiazza__CoreDataPlus/Tests/CoreDataPlusTests/PrecompiledResources/"
                + "CoreDataPlus_1.1.momd_precompiled/Model"
        ),
        (
            "miolabs__MIOCoreData/Tests/TestModel/TestModel.xcdatamodeld/TestModel",
            "miolabs__MIOCoreData/HISTORY_05736d6fe9/Tests/TestModel/TestModel.momd/TestModel"
        ),
    ]

    private static func paths(_ pair: (String, String)) throws -> (source: String, compiled: String) {
        let corpus = try #require(Corpus.path)
        return (corpus + "/1_models/\(pair.0).xcdatamodel/contents", corpus + "/5_compiled/\(pair.1).mom")
    }

    private static func bytes(_ path: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test(arguments: compiled)
    func everyCompiledModelLoadsWithoutAnythingLeftOver(path: String) throws {
        let document = try CompiledModelReader.read(path: path)
        #expect(!document.model.entities.isEmpty)
        #expect(document.warnings == [])
        _ = try ResolvedModel(document.model)
    }

    /// Seven files of one project were taken for text by a version control system: their bytes 0D are gone.
    @Test
    func everyIntactModelOfXcode3Loads() throws {
        var damaged: [String] = []
        for path in Self.elements {
            do {
                let document = try Xcode3ModelReader.read(path: path)
                _ = try ResolvedModel(document.model)
            } catch {
                #expect("\(error)".contains("changed its line ends"))
                damaged.append(path)
            }
        }
        #expect(damaged.count == 7)
        #expect(damaged.allSatisfy { $0.contains("/fruitsamples__CoreRecipes/") })
        #expect(Self.elements.count == 70)
    }

    @Test(arguments: pairs)
    func aModelLoadsToTheSameFromSourceAndCompiled(source: String, compiled: String) throws {
        let paths = try Self.paths((source, compiled))
        let model = try ModelContentsReader.read(path: paths.source).model
        #expect(try CompiledModelReader.read(path: paths.compiled).model.compiledForm == model.compiledForm)
    }

    @Test
    func aModelOfXcode3LoadsToTheSameFromSourceAndCompiled() throws {
        let corpus = try #require(Corpus.path)
        let source = corpus + "/6_xcode3_models/Sunic__DigitalOrder/Hotel.xcdatamodel/elements"
        let compiled = corpus + "/5_compiled/Sunic__DigitalOrder/build/Debug-iphonesimulator/Hotel.app/Hotel.mom"
        let model = try Xcode3ModelReader.read(path: source).model
        #expect(try CompiledModelReader.read(path: compiled).model.compiledForm == model.compiledForm)
    }

    /// The compiler names itself from Xcode 15 on; nothing else is different.
    @Test(arguments: pairs)
    func aSourceIsCompiledToWhatXcodesCompilerMakesOfIt(source: String, compiled: String) throws {
        let paths = try Self.paths((source, compiled))
        let result = try CompiledModelWriter(ModelContentsReader.read(path: paths.source).model).compile()
        let real = try Self.bytes(paths.compiled)
        let differences = try ArchiveStructure(real).differences(from: ArchiveStructure(result.bytes))
        #expect(differences.filter { !$0.hasPrefix("model/CDMCompiler") } == [])
        #expect(result.warnings == [])
        #expect(result.bytes.count <= real.count)
    }

    /// Older compilers wrote less, or other classes of the same family: the keys and what is written instead of them.
    private static let formerHabits = [
        "model/CDMCompilerToolVersion", "model/CDMCompilerXcodeVersion",
        // nil or an empty dictionary instead of none.
        "model/NSConfigurations", "model/NSFetchRequestTemplates",
        // Absent in Leopard's, and so are the next.
        "model/NSVersionIdentifiers", "NSFlagsKey", "NSRenamingIdentifier", "NSVersionHashModifier",
        "NSValueTransformerName", "_P",
        // Empty collections instead of none, immutable ones instead of mutable ones.
        "NSUserInfo",
        "NSValidationPredicates", "NSValidationWarnings", "NSCompoundIndexes",
    ]

    @Test(arguments: compiled)
    func aCompiledModelIsWrittenAsItWasRead(path: String) throws {
        // A tool other than Xcode's made this one, and left out much.
        guard !path.hasSuffix("EmployeeDirectory.mom") else { return }
        let model = try CompiledModelReader.read(path: path).model
        let result = try CompiledModelWriter(model).compile()
        #expect(try CompiledModelReader.read(bytes: result.bytes, name: path).model == model)
        let differences = try ArchiveStructure(Self.bytes(path)).differences(from: ArchiveStructure(result.bytes))
        let unexpected = differences.filter { line in !Self.formerHabits.contains { line.contains($0 + ":") } }
        #expect(unexpected == [])
    }

    @Test
    func everyBundlesModelsHaveTheHashesAndChecksumsThatItLists() throws {
        let versions = try ModelVersions(path: try #require(Corpus.path) + "/5_compiled")
        var equal = 0
        var missing: [String] = []
        for known in versions.knownHashes {
            let version = versions.versions.first {
                $0.bundle?.path == known.bundlePath && $0.name == known.versionName
            }
            guard let version else {
                missing.append(known.versionName)
                continue
            }
            let hashes = ModelHashes.hashes(of: try ResolvedModel(version.model()))
            #expect(hashes == known.hashes, "\(known.bundlePath) \(known.versionName)")
            if let checksum = known.checksum { #expect(ModelHashes.checksum(of: hashes) == checksum) }
            equal += 1
        }
        // Two bundles list versions that the project did not keep.
        #expect(missing.sorted() == ["SampleModel2", "SampleModel3"])
        #expect(equal == 19)
    }

    @Test
    func everyHashThatIsKnownForACompiledModelIsComputedAlike() throws {
        let corpus = try #require(Corpus.path)
        let text = try String(contentsOfFile: corpus + "/HASHES.tsv", encoding: .utf8)
        var computed: [String: [[String: VersionHash]]] = [:]
        var equal = 0
        var missing: [String] = []
        for line in text.split(separator: "\n").dropFirst() {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
            guard columns.count >= 6, columns[2].hasSuffix("/VersionInfo.plist") else { continue }
            let bundle = corpus + "/" + columns[2].dropLast("/VersionInfo.plist".count)
            if computed[bundle] == nil {
                computed[bundle] = try ModelVersions(path: bundle).versions.map { version in
                    ModelHashes.hashes(of: try ResolvedModel(version.model()))
                }
            }
            if computed[bundle]?.contains(where: { $0[columns[3]]?.hex == columns[4] }) == true {
                equal += 1
            } else {
                missing.append("\(columns[2]) \(columns[1]) \(columns[3])")
            }
        }
        // The rows of the two versions that one project did not keep.
        #expect(missing.count == 7)
        #expect(missing.allSatisfy { $0.contains("/HISTORY_4c4e4c9b26/") })
        #expect(equal == 74)
    }

    /// All versions of all projects: compiled and read again, and decompiled to a source and compiled again.
    @Test(.long)
    func everySourceModelComesBackFromItsCompiledForm() throws {
        var models = 0
        var byAnalogy = 0
        for path in Corpus.files(under: "1_models", where: { $0 == "contents" }) {
            guard let model = try? ModelContentsReader.read(path: path).model, (try? ResolvedModel(model)) != nil else {
                continue
            }
            let result = try CompiledModelWriter(model, moduleName: "Module").compile()
            let read = try CompiledModelReader.read(bytes: result.bytes, name: path)
            var (one, other) = (read.model.compiledForm, model.compiledForm)
            for place in other.entities.indices {
                if let name = other.entities[place].managedObjectClassName, name.hasPrefix(".") {
                    other.entities[place].managedObjectClassName = "Module" + name
                }
            }
            // Options of fetch requests are not written: no archive at hand has others than the usual ones.
            for place in other.fetchRequestTemplates.indices {
                other.fetchRequestTemplates[place].returnsDistinctResults = false
            }
            // Derivations whose archived form is not known are written by analogy, and come back in that notation.
            if result.warnings.contains(where: { if case .writtenByAnalogy = $0.code { true } else { false } }) {
                byAnalogy += 1
                (one, other) = (one.withoutDerivations, other.withoutDerivations)
            }
            #expect(one == other, "\(path)")
            models += 1
        }
        #expect(models > 900)
        #expect(byAnalogy < 20)
    }
}

extension ManagedObjectModel {
    fileprivate var withoutDerivations: ManagedObjectModel {
        var model = self
        for entity in model.entities.indices {
            for attribute in model.entities[entity].attributes.indices {
                model.entities[entity].attributes[attribute].derivationExpression = nil
            }
        }
        return model
    }
}
