import Glibc
import PersistentStores

/// The files of external data beside a store, and which of them a row names
/// (docs/format/sqlite-store.md#external-binary-data).
///
/// Only names in the store's own folder count: a value cannot lead out of it.
final class ExternalFileInventory {
    private let folder: String

    /// Names that are UUIDs are held as 16 bytes each: there may be very many.
    private var sizes: [UUIDBytes: Int64] = [:]
    private var unnamed: Set<UUIDBytes> = []
    private var others: [String] = []

    init(of files: StoreFiles) {
        folder = files.externalDataDirectory
        // A folder that is a link leads elsewhere.
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

    /// What is wrong with the file that a value names; nil if nothing is.
    func rule(forFileNamed name: [UInt8]) -> VerificationRule? {
        guard let uuid = UUIDBytes(name) else { return .externalValueMalformed }
        unnamed.remove(uuid)
        guard let size = sizes[uuid] else { return .externalFileMissing }
        return size == 0 ? .externalFileEmpty : nil
    }

    /// The names of unused files in a report whose examples are not limited; what has other names is not Core Data's.
    static func unusedNames(_ report: VerificationReport) -> [String] {
        report.findings.filter { $0.code == VerificationRule.externalFileUnused.code }.flatMap(\.examples)
            .filter(ExternalRecord.isName)
    }

    /// What a report says of unused files when those of these names are gone; nil if nothing is left of it. Other
    /// findings stay as they are.
    static func finding(_ finding: VerificationFinding, without removed: [String]) -> VerificationFinding? {
        guard finding.code == VerificationRule.externalFileUnused.code, !removed.isEmpty else { return finding }
        let count = finding.count - Int64(removed.count)
        guard count > 0 else { return nil }
        let gone = Set(removed)
        return VerificationFinding(
            .externalFileUnused, count: count, examples: finding.examples.filter { !gone.contains($0) })
    }

    /// Why a repair leaves unused files where they are.
    static func notes(on remaining: [VerificationFinding]) -> [String] {
        remaining.filter { $0.code == VerificationRule.externalFileUnused.code }.map { finding in
            Quantity.count(finding.count, "unused file stays", plural: "unused files stay")
                + ": Core Data calls its files by UUIDs; remove others yourself if no one needs them"
        }
    }

    /// The files that no value has named.
    func unused(limit: Int) -> [VerificationFinding] {
        let count = unnamed.count + others.count
        guard count > 0 else { return [] }
        let names = unnamed.prefix(limit).map(\.text).sorted() + others
        return [
            VerificationFinding(.externalFileUnused, count: Int64(count), examples: Array(names.prefix(limit)))
        ]
    }
}
