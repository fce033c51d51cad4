import Glibc
import PersistentStores

/// The files of external data beside a store, and which of them rows name
/// (docs/format/sqlite-store.md#external-binary-data).
///
/// Only names in the store's own folder are considered: a value cannot lead out of it.
final class ExternalFileInventory {
    private let folder: String

    /// Names that are UUIDs are stored in 16 bytes each, since there may be very many.
    private var sizes: [UUIDBytes: Int64] = [:]
    private var unnamed: Set<UUIDBytes> = []
    private var others: [String] = []

    init(of files: StoreFiles) {
        folder = files.externalDataDirectory
        // A folder that is a link leads out of the store.
        guard !FileSystem.isLink(folder), !FileSystem.isLink(files.supportDirectory) else { return }
        for name in (try? FileSystem.names(in: folder)) ?? [] {
            guard let uuid = UUIDBytes(name.utf8) else {
                others.append(name)
                continue
            }
            var status = stat()
            let isFile = lstat(folder + "/" + name, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
            sizes[uuid] = isFile ? Int64(status.st_size) : 0
            unnamed.insert(uuid)
        }
    }

    /// Returns the rule that a value violates by the file that it names; nil if there is none.
    func rule(forFileNamed name: [UInt8]) -> VerificationRule? {
        guard let uuid = UUIDBytes(name) else { return .externalValueMalformed }
        unnamed.remove(uuid)
        guard let size = sizes[uuid] else { return .externalFileMissing }
        return size == 0 ? .externalFileEmpty : nil
    }

    /// Returns the names of unused files from a report with all examples; files with other names do not belong to Core
    /// Data.
    static func unusedNames(_ report: VerificationReport) -> [String] {
        report.findings.filter { $0.code == VerificationRule.externalFileUnused.code }.flatMap(\.examples)
            .filter(ExternalRecord.isName)
    }

    /// Returns a finding about unused files after files with these names have been removed; nil if none remain. Other
    /// findings are unchanged.
    static func finding(_ finding: VerificationFinding, without removed: [String]) -> VerificationFinding? {
        guard finding.code == VerificationRule.externalFileUnused.code, !removed.isEmpty else { return finding }
        let count = finding.count - Int64(removed.count)
        guard count > 0 else { return nil }
        let gone = Set(removed)
        return VerificationFinding(
            .externalFileUnused, count: count, examples: finding.examples.filter { !gone.contains($0) })
    }

    /// Returns notes about why a repair does not remove unused files.
    static func notes(on remaining: [VerificationFinding]) -> [String] {
        remaining.filter { $0.code == VerificationRule.externalFileUnused.code }.map { finding in
            Quantity.count(finding.count, "unused file stays", plural: "unused files stay")
                + ": Core Data calls its files by UUIDs; remove others yourself if no one needs them"
        }
    }

    /// Returns findings for files that no value names.
    func unused(limit: Int) -> [VerificationFinding] {
        let count = unnamed.count + others.count
        guard count > 0 else { return [] }
        let names = unnamed.prefix(limit).map(\.text).sorted() + others
        return [
            VerificationFinding(.externalFileUnused, count: Int64(count), examples: Array(names.prefix(limit)))
        ]
    }
}
