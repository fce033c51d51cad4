import Foundation
import Glibc
import ManagedObjectModels
import PersistentStores
import SQLiteAccess

/// The files of large binary values beside a store (docs/format/sqlite-store.md#external-binary-data), and a list of
/// those that a run may leave for nothing.
///
/// A file is there before the row that names it is committed, and the name is in the list before the file is there.
/// What no row names in the end is removed: by the run itself, or by the next one where this one was killed.
final class ExternalData {
    /// Larger values are files of their own, as in Core Data.
    static let largestInline = 128 << 10

    private let files: StoreFiles
    private let isDryRun: Bool
    private var list: String { files.supportDirectory + "/.ferry-import" }

    init(store path: String, isDryRun: Bool) {
        files = StoreFiles(followingLinks: path)
        self.isDryRun = isDryRun
    }

    /// What a column holds for a value with the tag of an inline one: itself, or the name of a file that now has it.
    func stored(_ tagged: ArraySlice<UInt8>) throws -> [UInt8]? {
        guard tagged.first == 1, tagged.count > Self.largestInline + 1 else { return nil }
        let name = UUID().uuidString
        if !isDryRun {
            try note(name)
            try makeDirectory(files.externalDataDirectory)
            let path = files.externalDataDirectory + "/" + name
            try write(tagged.dropFirst(), to: path, flags: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC)
        }
        return [2] + Array(name.utf8) + [0]
    }

    /// Whether a column's value names a file with these bytes.
    func holds(_ stored: [UInt8], _ tagged: ArraySlice<UInt8>) -> Bool {
        guard let name = Self.name(stored),
            FileSystem.size(files.externalDataDirectory + "/" + name) == Int64(tagged.count - 1),
            let bytes = try? ExternalRecord.content(named: name, in: files.externalDataDirectory)
        else { return false }
        return bytes.elementsEqual(tagged.dropFirst())
    }

    /// Notes that a row names a file no longer.
    func release(_ stored: [UInt8]) throws {
        guard !isDryRun, let name = Self.name(stored) else { return }
        try note(name)
    }

    private static func name(_ stored: [UInt8]) -> String? {
        guard stored.first == 2, stored.count == 38 else { return nil }
        let name = String(decoding: stored[1..<37], as: UTF8.self)
        return ExternalRecord.isName(name) ? name : nil
    }

    private func makeDirectory(_ path: String) throws {
        if !FileSystem.isDirectory(path) { try FileSystem.createDirectory(path) }
    }

    private func note(_ name: String) throws {
        try makeDirectory(files.supportDirectory)
        try write(Array((name + "\n").utf8)[...], to: list, flags: O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC)
    }

    private func write(_ bytes: ArraySlice<UInt8>, to path: String, flags: Int32) throws {
        let descriptor = open(path, flags, 0o644)
        guard descriptor >= 0 else { throw StoreError(FileError(.create, path)) }
        defer { close(descriptor) }
        var rest = bytes
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StoreError(FileError(.write, path)) }
            rest = rest.dropFirst(count)
        }
        guard fsync(descriptor) == 0 else { throw StoreError(FileError(.synchronize, path)) }
    }

    /// Removes the listed files that no row names, and the list.
    ///
    /// - Parameter connection: the store; nil where there is none, so that nothing is named.
    func prune(_ connection: Connection?, layout: StoreLayout?) throws {
        try pruneFiles(connection, layout: layout)
        try forget()
    }

    /// Removes the list: all that it names is right.
    func forget() throws {
        guard !isDryRun, FileSystem.exists(list) else { return }
        try FileSystem.remove(list)
        // Only empty folders go.
        rmdir(files.externalDataDirectory)
        rmdir(files.supportDirectory)
    }

    /// Removes the listed files that no row names.
    func pruneFiles(_ connection: Connection?, layout: StoreLayout?) throws {
        guard !isDryRun, let text = try? String(contentsOfFile: list, encoding: .utf8) else { return }
        var names = Set(text.split(separator: "\n").map(String.init).filter(ExternalRecord.isName))
        if let connection, let layout {
            for table in layout.tables {
                for column in table.columns {
                    guard case .attribute(let key) = column.role,
                        layout.model.entities[key.owner].attribute(named: key.name)?
                            .description.allowsExternalBinaryDataStorage ?? false
                    else { continue }
                    let name = SQLiteIdentifier.quoted(column.name)
                    let statement = try connection.prepare(
                        "SELECT \(name) FROM \(SQLiteIdentifier.quoted(table.name)) "
                            + "WHERE length(\(name)) = 38 AND substr(\(name), 1, 1) = x'02'")
                    while try statement.step() {
                        if let used = Self.name(statement.value(0).blob ?? []) { names.remove(used) }
                    }
                }
            }
        }
        for name in names { try? FileSystem.remove(files.externalDataDirectory + "/" + name) }
    }
}
