import Foundation
import GeneratedStores
import PersistentStores
import StoreMigration
import Testing
import TestSupport

/// Cancelled at the first question, the second, and so on, until nobody asks any more.
@Suite struct CancellationTests {
    /// Where no row changes the file is copied and altered, else a new one is filled.
    @Test(.long, arguments: ["new file", "new file, log", "copy", "copy, log"], TestStore.placements)
    func everyPlaceThatAsksEndsTheWorkAndChangesNothing(way: String, placement: MigrationPlacement) throws {
        let (isNewFile, usesLog) = (way.hasPrefix("new file"), way.hasSuffix("log"))
        let destination =
            isNewFile ? [entity("Memo"), ReplacementTests.notesWithDate[0]] : ReplacementTests.notesWithDate
        let store = try TestStore(
            from: ReplacementTests.notes, to: destination, rows: ReplacementTests.rows, usesLog: usesLog)
        let external = store.directory.file(".Store_SUPPORT/_EXTERNAL_DATA")
        try FileSystem.createDirectory(external)
        try Data(count: 3 << 20).write(to: URL(fileURLWithPath: external + "/photo"))
        let backup = store.directory.file("old")
        let place: MigrationPlacement =
            switch placement {
            case .replace: .replace(backup: backup)
            case .inPlace: .inPlace(backup: backup)
            case .output: placement
            }
        let before = try FolderState(of: store.directory.path)
        var count = 0
        while count < 1000 {
            let patience = Patience(count)
            do {
                try store.migrate(
                    place, options: MigrationOptions(limits: BatchLimits(rows: 1), isCancelled: { patience.isOver }))
                break
            } catch let error as MigrationError {
                #expect(error.code == .cancelled)
            }
            let after = try FolderState(of: store.directory.path)
            #expect(
                after.byteDifferences(from: before).filter { !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") } == [],
                "\(count)")
            #expect(try store.rows("SELECT ZTEXT FROM ZNOTE") == ["a", "b"])
            count += 1
        }
        // The copies ask at every block: of the store, of the external data, of the backup.
        #expect(count > 5 && count < 1000)
    }
}
