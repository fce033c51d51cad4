import ManagedObjectModels
import TestSupport
import Testing

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not here"))
struct CorpusModelTests {
    @Test(.long)
    func everySourceModelIsReadAndWhatIsWrittenIsReadBackEqual() throws {
        let paths = Corpus.files(under: "1_models") { $0 == "contents" }
        var failures: [String] = []
        var compiledOtherwise = 0
        for path in paths {
            do {
                let document = try ModelContentsReader.read(path: path)
                for warning in document.warnings {
                    if case .compiledOtherwise = warning.code {
                        compiledOtherwise += 1
                    } else {
                        failures.append("\(warning)")
                    }
                }
                let text = ModelContentsWriter(document).text()
                let again = try ModelContentsReader.read(bytes: Array(text.utf8), name: path)
                if again.model != document.model || again.header != document.header || again.layout != document.layout {
                    failures.append("\(path): not equal when read back")
                }
                _ = try ResolvedModel(document.model)
            } catch {
                failures.append("\(error)")
            }
        }
        #expect(paths.count == 930)
        // The only defaults that mean nothing: the text "empy" for a UUID, and in four versions no text for data.
        let meaningless = failures.filter { $0.contains("=\"empy\"") || $0.contains("=\"\" is not a value of") }
        #expect(failures.count == 5 && meaningless == failures, "\(failures)")
        // Integers with the default YES or NO, and one Boolean with 0.0.
        #expect(compiledOtherwise == 231)
    }

    @Test
    func theWholeCorpusIsSearchedAtOnce() throws {
        let path = try #require(Corpus.path)
        let found = try ModelVersions(path: path + "/1_models")
        // 16 folders of planetary-social's model hold a stray copy of a model beside their own contents; 13 old
        // versions are in Xcode 3's form.
        #expect(found.versions.count == 930 - 16 + 13)
        #expect(found.warnings.map(\.code) == [.missingCurrentVersion("UnCloudNotesDataModel")])
        let compiled = try ModelVersions(path: path + "/5_compiled")
        #expect(compiled.knownHashes.count > 10)
    }

    @Test
    func theBundleWithTheMostVersionsHasOneCurrentVersionTheLastOne() throws {
        let path = try #require(Corpus.path)
        let found = try ModelVersions(path: path + "/1_models/woocommerce__woocommerce-ios")
        #expect(found.versions.count == 117)
        #expect(try found.current().name == found.versions.last?.name)
        #expect(try found.current().model().entities.count == 88)
    }
}
