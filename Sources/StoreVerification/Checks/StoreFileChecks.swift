import PersistentStores
import SQLiteAccess
import SQLiteFileBuilder

/// Checks of the store's files: SQLite's own check, and leftovers of programs that died.
struct StoreFileChecks {
    let verifier: StoreVerifier

    private var store: SQLiteStore { verifier.store }

    func findings() -> [VerificationFinding] {
        var result: [VerificationFinding] = []
        if verifier.isAsked(.databaseDamaged) { result += damage() }
        if verifier.isAsked(.leftoverFile) {
            result += Self.leftovers(of: verifier.files, limit: verifier.options.exampleLimit)
        }
        if verifier.isAsked(.networkFileSystem), let name = FileSystem.networkFileSystem(store.files.path) {
            result.append(VerificationFinding(.networkFileSystem, subject: name))
        }
        return result
    }

    /// Returns whether the pages are sound, which is much faster than finding all faults.
    ///
    /// - Throws: `SQLiteError` if they cannot be read, or the check is interrupted.
    private func isSound() throws(SQLiteError) -> Bool {
        // Uncommitted changes are not in the pages of the file.
        guard !store.connection.isInTransaction else { return false }
        // The check of the pages replaces the progress handler.
        defer { store.connection.onProgress(everyInstructions: 100_000, verifier.options.isCancelled) }
        let check = DatabaseCheck(
            store.connection, most: 1, comparesIndexes: true, isCancelled: verifier.options.isCancelled)
        return try check.faults().isEmpty
    }

    private func damage() -> [VerificationFinding] {
        let limit = max(100, verifier.options.exampleLimit)
        let lines: [String]
        do {
            if try isSound() { return [] }
        } catch {
            // SQLite reports why the pages cannot be read.
            guard !error.isInterrupted else { return [] }
        }
        do {
            lines = try store.connection.rows("PRAGMA integrity_check(\(limit))").compactMap { $0[0].string }
        } catch {
            guard !error.isInterrupted else { return [] }
            lines = [error.message]
        }
        guard lines != ["ok"] else { return [] }
        // One line per fault; SQLite puts headings before some of them.
        let faults = lines.flatMap { $0.split(separator: "\n").map(String.init) }.filter { !$0.hasPrefix("***") }
        return [
            VerificationFinding(
                .databaseDamaged, detail: "restore a backup, or salvage it with sqlite3's .recover",
                count: Int64(max(1, faults.count)), examples: Array(faults.prefix(verifier.options.exampleLimit)))
        ]
    }

    /// Returns findings for leftovers beside a store of any type.
    static func leftovers(of files: StoreFiles, limit: Int) -> [VerificationFinding] {
        let names = (try? FileSystem.names(in: files.directory)) ?? []
        let staging = FileSystem.name(of: StagedFile.stagingPath(for: files.path))
        let support = FileSystem.name(of: files.supportDirectory)
        var found = names.filter { name in
            name.hasPrefix(staging) || name == support + ".ferry-staging"
                // The paths at which Core Data's own migrations make the new store, and to which they move the old one.
                || name.hasPrefix(".\(files.name).migrationdestination_") || name == moved(files.name)
        }
        let records = (try? FileSystem.names(in: files.externalDataDirectory)) ?? []
        found += records.filter { $0.hasSuffix(".ferry-staging") }
        if (FileSystem.size(files.journal) ?? 0) > 0, (try? DatabaseFile(path: files.path))?.hasHotJournal == true {
            found.append(FileSystem.name(of: files.journal))
        }
        guard !found.isEmpty else { return [] }
        return [
            VerificationFinding(
                .leftoverFile, count: Int64(found.count),
                examples: Array(found.prefix(limit)))
        ]
    }

    /// Returns `Store~.sqlite` for `Store.sqlite`.
    private static func moved(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name + "~" }
        return name[..<dot] + "~" + name[dot...]
    }
}
