import Foundation
import ManagedObjectModels
import Testing
import TestSupport

@Suite(.enabled(if: Corpus.isPresent, "the corpus is not here"))
struct CorpusHashTests {
    /// Rows whose source is not the model that wrote the store: apptentive's v2WAL and v2Corrupt stores were written by
    /// an edited "ATDataModel 2" whose abstract message and subentities differ; no model of the repository has these
    /// hashes.
    private static let editedModel = "ATDataModel 2.xcdatamodel/contents"
    private static let editedStores = ["/v2WALDatabase/", "/v2CorruptDatabase/"]

    @Test
    func everyHashThatIsKnownForASourceModelIsComputedAlike() throws {
        let corpus = try #require(Corpus.path)
        let text = try text(of: corpus + "/HASHES.tsv")
        var hashes: [String: [String: EntityHash]] = [:]
        var equal = 0
        var edited = 0
        var failures: [String] = []
        for line in text.split(separator: "\n").dropFirst() {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
            guard columns.count >= 6, columns[2].hasSuffix("/contents") else { continue }
            if hashes[columns[2]] == nil {
                let model = try ModelContentsReader.read(path: corpus + "/" + columns[2]).model
                let list = ModelHashes.entityHashes(of: try ResolvedModel(model))
                hashes[columns[2]] = Dictionary(uniqueKeysWithValues: list.map { ($0.entityName, $0) })
            }
            let computed = hashes[columns[2]]?[columns[3]]
            if computed?.hash.hex == columns[4] {
                equal += 1
            } else if columns[2].hasSuffix(Self.editedModel), Self.editedStores.contains(where: columns[5].contains) {
                edited += 1
            } else {
                failures.append("\(columns[2]) \(columns[3]): \(computed?.hash.hex ?? "no such entity") \(columns[5])")
            }
        }
        #expect(failures == [])
        #expect(equal == 640)
        #expect(edited == 5)
    }

    @Test
    func hashesListedByCompiledBundlesGiveTheirChecksums() throws {
        let corpus = try #require(Corpus.path)
        let known = try ModelVersions(path: corpus + "/5_compiled").knownHashes.filter { $0.checksum != nil }
        #expect(!known.isEmpty)
        for version in known { #expect(ModelHashes.checksum(of: version.hashes) == version.checksum) }
    }

    private func text(of path: String) throws -> String {
        try String(contentsOfFile: path, encoding: .utf8)
    }
}
