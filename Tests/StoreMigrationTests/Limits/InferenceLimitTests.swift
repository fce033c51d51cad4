import GeneratedStores
import ManagedObjectModels
import PersistentStores
import TestSupport
import Testing

@testable import StoreMigration

/// What an inferred migration does depends on none of the sizes of its batches, caches and windows.
@Suite struct InferenceLimitTests {
    /// What the new version has that a test may leave out.
    private struct Changes {
        let inlinesPhotos: Bool
        let ordersArtists: Bool
        let dropsBosses: Bool
        let keepsDrafts: Bool

        var model: ManagedObjectModel {
            var relationships = [
                relationship("label", to: "Company", inverse: "artists"),
                relationship("songs", to: "Song", inverse: "artists", many: true, ordered: true),
            ]
            if !dropsBosses {
                relationships += [
                    relationship("boss", to: "Artist", inverse: "staff"),
                    relationship("staff", to: "Artist", inverse: "boss", many: true),
                ]
            }
            var entities = [
                entity(
                    "Artist",
                    [
                        attribute("fullName", renamedFrom: "name"), attribute("level", .integer64, optional: false),
                        attribute("note", optional: false, default: .string("new")),
                        attribute("number", .integer64, optional: false),
                        attribute("photo", .binaryData, external: !inlinesPhotos),
                    ], relationships),
                entity(
                    "Company", renamedFrom: "Label", [attribute("code", optional: false)],
                    [relationship("artists", to: "Artist", inverse: "label", many: true, ordered: ordersArtists)]),
                entity(
                    "Song", [attribute("title")],
                    [relationship("artists", to: "Artist", inverse: "songs", many: true)]),
                entity(
                    "Star", parent: "Artist", renamedFrom: "Soloist",
                    [attribute("fee", .integer64), attribute("since", .date)]),
            ]
            entities[0].attributes[1].defaultValue = .integer(9)
            if keepsDrafts { entities.append(entity("Draft", [attribute("text")])) }
            return ManagedObjectModel(entities: entities)
        }
    }

    private func check(seed: UInt64, size: Int?) throws {
        var random = RandomNumbers(seed: seed)
        let plain = PlainStudio(33, &random)
        let changes = Changes(
            inlinesPhotos: Bool.random(using: &random), ordersArtists: Bool.random(using: &random),
            dropsBosses: Bool.random(using: &random), keepsDrafts: Bool.random(using: &random))
        var writer = StoreWriter()
        writer.columnSeed = seed
        writer.journal = StoreWriter.Journal.allCases.randomElement(using: &random) ?? .rollback
        let store = try TestStore(from: PlainStudio.model, to: changes.model, writer: writer, plain.content)
        let output = store.directory.file("New.sqlite")
        let placement: MigrationPlacement =
            [.replace(backup: nil), .inPlace(backup: nil), .output(output)].randomElement(using: &random)
            ?? .replace(backup: nil)
        let options = MigrationOptions.limited(size, &random)
        let report = try store.migrate(placement, options: options)
        var path = store.path
        if case .output = placement { path = output }
        try expect(plain, changes, at: path, "seed \(seed), \(changes), \(placement), \(options.fixedLimits)")
        let kept = plain.artists.count + plain.labels.count + plain.songs.count
        if case .inPlace = placement { return }
        #expect(report.rowsWritten == kept + (changes.keepsDrafts ? plain.drafts : 0) || report.rowsWritten == 0)
    }

    private func expect(_ plain: PlainStudio, _ changes: Changes, at path: String, _ context: String) throws {
        let rows = try StudioRows(path)
        let boss = changes.dropsBosses ? "NULL" : "(SELECT ZNUMBER FROM ZARTIST b WHERE b.Z_PK = a.ZBOSS)"
        let found = try rows.lines(
            "SELECT ZNUMBER, Z_NAME, ZFULLNAME, ZLEVEL, ZNOTE, ZFEE, ZCODE, \(boss) FROM ZARTIST a "
                + "JOIN Z_PRIMARYKEY p ON p.Z_ENT = a.Z_ENT LEFT JOIN ZCOMPANY c ON c.Z_PK = a.ZLABEL ORDER BY 1")
        let artists = plain.artists.sorted { $0.number < $1.number }
        let wanted = artists.map { artist in
            let boss = changes.dropsBosses ? nil : artist.boss.map { plain.artists[$0].number }
            return [
                "\(artist.number)", artist.isSoloist ? "Star" : "Artist", artist.name ?? "", "\(artist.level ?? 9)",
                "new", artist.fee.map { "\($0)" } ?? "", artist.label.map { plain.labels[$0].code } ?? "",
                boss.map { "\($0)" } ?? "",
            ].joined(separator: "|")
        }
        try #require(found == wanted, "\(context)")
        // Only values that may be in files have a tag.
        let tag = changes.inlinesPhotos ? "" : "01"
        let photos = artists.map { "\($0.number)|\($0.photo.map { tag + StudioRows.hexadecimal($0) } ?? "")" }
        try #require(try rows.photos(mayBeFiles: !changes.inlinesPhotos) == photos, "\(context)")
        try #require(
            try rows.songs()
                == artists.map { "\($0.number)|\($0.songs.map { plain.songs[$0].title }.joined(separator: "+"))" },
            "\(context)")
        guard changes.ordersArtists else { return }
        let lists = try rows.lines(
            "SELECT ZCODE, (SELECT group_concat(n, '+') FROM (SELECT ZNUMBER AS n FROM ZARTIST a "
                + "WHERE a.ZLABEL = c.Z_PK ORDER BY Z_FOK_LABEL)) FROM ZCOMPANY c ORDER BY 1")
        let wantedLists = plain.labels.map { label in
            "\(label.code)|\(label.artists.map { "\(plain.artists[$0].number)" }.joined(separator: "+"))"
        }
        try #require(lists == wantedLists, "\(context)")
    }

    @Test(arguments: RandomNumbers.limitSizes, RandomNumbers.seeds(12))
    func anInferredMigrationIsTheSameWithAllLimitsOfOneSize(size: Int, seed: Int) throws {
        try check(seed: UInt64(size * 1000 + seed), size: size)
    }

    @Test(arguments: RandomNumbers.seeds(32))
    func anInferredMigrationIsTheSameWithLimitsOfSeveralSizes(seed: Int) throws {
        try check(seed: UInt64(100_000 + seed), size: nil)
    }
}
