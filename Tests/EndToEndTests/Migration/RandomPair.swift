import Foundation
import GeneratedStores
import ManagedObjectModels
import TestSupport

/// A model, a later version of it, and a store of the first one, all made from a number.
struct RandomPair {
    static let old = "Model old"
    static let new = "Model new"

    let seed: UInt64
    let folder: StoreFolder
    let bundle: String
    let source: ManagedObjectModel
    let destination: ManagedObjectModel
    let writer: StoreWriter

    init(seed: UInt64) throws {
        self.seed = seed
        folder = try StoreFolder()
        var models = RandomModel(seed: seed)
        source = models.model()
        destination = models.laterVersion(of: source)
        bundle = folder.directory.file("Model.xcdatamodeld")
        try GeneratedModels.write([(Self.old, source), (Self.new, destination)], to: bundle)
        writer = Self.writer(seed: seed)
        let resolved = try ResolvedModel(source)
        var content = RandomContent(model: resolved, seed: seed &* 31 &+ 7)
        try writer.write(content.content(upTo: 12), of: resolved, to: folder.store)
    }

    var sourceModel: String { "\(bundle)/\(Self.old).xcdatamodel" }
    var destinationModel: String { "\(bundle)/\(Self.new).xcdatamodel" }

    private static func writer(seed: UInt64) -> StoreWriter {
        var random = RandomNumbers(seed: seed &+ 1_000_003)
        func chance(_ part: Int, of whole: Int) -> Bool { Int.random(in: 0..<whole, using: &random) < part }
        var writer = StoreWriter()
        writer.journal = StoreWriter.Journal.allCases.randomElement(using: &random) ?? .rollback
        writer.pageSize = [1024, 4096, 8192].randomElement(using: &random) ?? 4096
        writer.hasModelCache = chance(3, of: 4)
        if chance(1, of: 2) { writer.columnSeed = seed }
        writer.hasInlineConstraints = chance(1, of: 6)
        writer.hasOldIndexes = chance(1, of: 3)
        writer.swapsReflexiveJoins = chance(1, of: 3)
        writer.hasHistory = chance(1, of: 5)
        if chance(1, of: 3) { writer.customMetadata = ["AppKey": "käse", "Imported": "YES"] }
        if chance(1, of: 6) {
            writer.additions = [
                "CREATE TABLE visits (id INTEGER PRIMARY KEY, what TEXT, much REAL, raw BLOB, CHECK (id > 0))",
                "CREATE INDEX visits_what ON visits (what)",
                "INSERT INTO visits VALUES (1, 'a''b', 1.5, X'00FF'), (7, NULL, NULL, NULL)",
                "CREATE VIEW seen AS SELECT what FROM visits",
                "CREATE TRIGGER noted AFTER INSERT ON visits BEGIN UPDATE visits SET much = 2 WHERE id = NEW.id; END",
            ]
        }
        return writer
    }
}
