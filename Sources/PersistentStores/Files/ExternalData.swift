import FoundationEssentials
import Glibc
import ManagedObjectModels
public import SQLiteAccess

/// The files of large binary values beside a store (docs/format/sqlite-store.md#external-binary-data), and a list of
/// those that an interrupted run may leave unused.
///
/// A file exists before the row that names it is committed, and its name is in the list before the file exists. Files
/// that no row names in the end are removed: by the run itself, or by the next one if this one was killed. Symbolic
/// links are not followed: folders and files are opened relative to one another, so that none can lead elsewhere.
public final class ExternalData {
    /// The size in bytes above which values are stored in files of their own, as in Core Data.
    public static let largestInline = 128 << 10

    /// The size of the blocks in which files are copied and compared, in bytes.
    private static let blockSize = 256 << 10

    private let files: StoreFiles
    private let isDryRun: Bool
    private let largestInline: Int
    private let list = ".ferry-import"

    /// Prepares the folder of a store's external data; nothing is made or read yet.
    ///
    /// - Parameters:
    ///   - path: the path of the store.
    ///   - isDryRun: true if no file is to be made or removed.
    ///   - largestInline: the size of the largest value that stays in its column, in bytes.
    public init(store path: String, isDryRun: Bool, largestInline: Int = ExternalData.largestInline) {
        self.largestInline = largestInline
        files = StoreFiles(followingLinks: path)
        self.isDryRun = isDryRun
    }

    /// Writes a value that has the tag of inline data to a file, and returns the column's new value, the file's name;
    /// nil if the value stays in the column.
    /// - Throws: `StoreError` if the file cannot be written; any error from reading the content.
    public func stored(_ tagged: ArraySlice<UInt8>) throws -> [UInt8]? {
        guard tagged.first == 1, tagged.count > largestInline + 1 else { return nil }
        return try stored { try Self.write(tagged.dropFirst(), to: $0, $1) }
    }

    /// Copies the bytes of another file to a record, and returns the column's value, the record's name; nil if they
    /// belong in the column.
    /// - Throws: `StoreError` if the file cannot be written; any error from reading the content.
    public func stored(_ file: some FileContent) throws -> [UInt8]? {
        guard file.size > largestInline else { return nil }
        return try stored { descriptor, path in
            try file.forEachBlock(of: Self.blockSize) { block in
                try Self.write(block, to: descriptor, path)
                return true
            }
        }
    }

    private func stored(_ fill: (_ descriptor: Int32, _ path: String) throws -> Void) throws -> [UInt8] {
        let name = UUID().uuidString
        if !isDryRun {
            try note(name)
            let path = files.externalDataDirectory + "/" + name
            let folder = try folder(Self.folderName, in: supportFolder(makes: true), makes: true)
            defer { close(folder) }
            try make(name, path, in: folder, flags: O_EXCL) { try fill($0, path) }
        }
        return [2] + Array(name.utf8) + [0]
    }

    /// Returns whether a column's value names a file that contains these bytes.
    public func holds(_ stored: [UInt8], _ tagged: ArraySlice<UInt8>) -> Bool {
        guard let name = Self.name(stored),
            FileSystem.size(files.externalDataDirectory + "/" + name) == Int64(tagged.count - 1),
            let bytes = try? ExternalRecord.content(named: name, in: files.externalDataDirectory)
        else { return false }
        return bytes.elementsEqual(tagged.dropFirst())
    }

    /// Returns whether the values of two columns name files with the same bytes.
    public func areSame(_ stored: [UInt8], _ other: [UInt8]) -> Bool {
        guard let name = Self.name(other), let descriptor = openRecord(name) else { return false }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return holds(stored, DescriptorContent(descriptor, path: name, size: Int(status.st_size)))
    }

    /// Opens a record for reading; nil if it does not exist, or is reached through a link.
    private func openRecord(_ name: String) -> Int32? {
        guard let folder = try? folder(Self.folderName, in: supportFolder(makes: false), makes: false) else {
            return nil
        }
        defer { close(folder) }
        let descriptor = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        return descriptor >= 0 ? descriptor : nil
    }

    /// Returns whether a column's value names a file with the same bytes as another file.
    public func holds(_ stored: [UInt8], _ file: some FileContent) -> Bool {
        guard let name = Self.name(stored),
            FileSystem.size(files.externalDataDirectory + "/" + name) == Int64(file.size),
            let descriptor = openRecord(name)
        else { return false }
        defer { close(descriptor) }
        var isEqual = true
        do {
            try file.forEachBlock(of: Self.blockSize) { block in
                var known = [UInt8](repeating: 0, count: block.count)
                var filled = 0
                while filled < known.count {
                    let count = known.withUnsafeMutableBytes {
                        Glibc.read(descriptor, $0.baseAddress?.advanced(by: filled), $0.count - filled)
                    }
                    if count < 0, errno == EINTR { continue }
                    guard count > 0 else { break }
                    filled += count
                }
                isEqual =
                    filled == known.count
                    && known.withUnsafeBytes { left in
                        block.withUnsafeBytes { right in Self.areEqual(left, right) }
                    }
                return isEqual
            }
        } catch {
            return false
        }
        return isEqual
    }

    /// Returns whether two pieces of memory have the same bytes.
    public static func areEqual(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
        guard left.count == right.count, let one = left.baseAddress, let other = right.baseAddress else {
            return left.count == right.count
        }
        return memcmp(one, other, left.count) == 0
    }

    /// Notes that a row no longer names a file.
    /// - Throws: `StoreError` if the list of files cannot be written.
    public func release(_ stored: [UInt8]) throws {
        guard !isDryRun, let name = Self.name(stored) else { return }
        try note(name)
    }

    private static let folderName = "_EXTERNAL_DATA"

    private static func name(_ stored: [UInt8]) -> String? {
        guard stored.first == 2, stored.count == 38 else { return nil }
        let name = String(decoding: stored[1..<37], as: UTF8.self)
        return ExternalRecord.isName(name) ? name : nil
    }

    /// Opens the store's support folder; the caller closes it.
    private func supportFolder(makes: Bool) throws -> Int32 {
        let parent = open(files.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { throw StoreError(FileError(.open, files.directory)) }
        return try folder(FileSystem.name(of: files.supportDirectory), in: parent, makes: makes)
    }

    /// Opens a folder inside another one, and closes the outer one.
    ///
    /// - Throws: an error that names the folder if it is a link.
    private func folder(_ name: String, in parent: Int32, makes: Bool) throws -> Int32 {
        defer { close(parent) }
        let path = name == Self.folderName ? files.externalDataDirectory : files.supportDirectory
        if makes, mkdirat(parent, name, 0o755) == 0 {
            let made = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
            guard made >= 0 else { throw StoreError(FileError(.create, path)) }
            adoptAttributes(made, isFolder: true)
            return made
        }
        let descriptor = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor < 0 else { return descriptor }
        let number = errno
        let isLink = number == ELOOP || (number == ENOTDIR && FileSystem.isLink(path))
        throw StoreError(FileError(.open, path, number: isLink ? ELOOP : number))
    }

    /// Gives a new file or folder beside a store the owner and the permissions of the store, if the store exists.
    private func adoptAttributes(_ descriptor: Int32, isFolder: Bool) {
        let rights = FileRights(of: files.path)
        (isFolder ? rights?.forFolder : rights)?.give(to: descriptor)
    }

    private func note(_ name: String) throws {
        let folder = try supportFolder(makes: true)
        defer { close(folder) }
        let path = files.supportDirectory + "/" + list
        try make(list, path, in: folder, flags: O_APPEND) {
            try Self.write(Array((name + "\n").utf8)[...], to: $0, path)
        }
    }

    /// Writes a file in a folder, and synchronizes it to the device.
    private func make(
        _ name: String, _ path: String, in folder: Int32, flags: Int32, _ body: (Int32) throws -> Void
    ) throws {
        let descriptor = openat(folder, name, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC | flags, 0o644)
        guard descriptor >= 0 else { throw StoreError(FileError(.create, path)) }
        defer { close(descriptor) }
        adoptAttributes(descriptor, isFolder: false)
        try body(descriptor)
        guard fsync(descriptor) == 0 else { throw StoreError(FileError(.synchronize, path)) }
    }

    private static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32, _ path: String) throws(StoreError) {
        do {
            try FileSystem.write(bytes, to: descriptor, of: path)
        } catch {
            throw StoreError(error)
        }
    }

    /// Removes the listed files that no row names, and the list.
    ///
    /// - Parameters:
    ///   - connection: a connection to the store; nil if there is no store, so that no file is named.
    ///   - layout: the tables and columns of the store; nil if there is no store.
    /// - Throws: `SQLiteError` if the store cannot be read; `StoreError` if the list cannot be removed.
    public func prune(_ connection: Connection?, layout: StoreLayout?) throws {
        try pruneFiles(connection, layout: layout)
        try forget()
    }

    /// Removes the list: all files that it names are in use.
    /// - Throws: `StoreError` if the list cannot be removed.
    public func forget() throws {
        guard !isDryRun, let folder = try? supportFolder(makes: false) else { return }
        defer { close(folder) }
        // A read-only file system refuses to remove even a file that is not there.
        guard faccessat(folder, list, F_OK, AT_SYMLINK_NOFOLLOW) == 0 else { return }
        guard unlinkat(folder, list, 0) == 0 else {
            guard errno == ENOENT else { throw StoreError(FileError(.remove, files.supportDirectory + "/" + list)) }
            return
        }
        // This removes the folders only if they are empty.
        unlinkat(folder, Self.folderName, AT_REMOVEDIR)
        rmdir(files.supportDirectory)
    }

    /// Returns the names in the list; nil if there is no list.
    private func listedNames() -> Set<String>? {
        guard let folder = try? supportFolder(makes: false) else { return nil }
        defer { close(folder) }
        let descriptor = openat(folder, list, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard let bytes = read(descriptor) else { return nil }
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        return Set(lines.map(String.init).filter(ExternalRecord.isName))
    }

    /// Returns the bytes of an open file; nil if they cannot be read.
    private func read(_ descriptor: Int32) -> [UInt8]? {
        var bytes: [UInt8] = []
        do {
            try DescriptorContent(descriptor, path: list).forEachBlock(of: Self.blockSize) { block in
                bytes += block
                return true
            }
        } catch {
            return nil
        }
        return bytes
    }

    /// Calls a closure with each value of a store that names a file.
    ///
    /// - Parameters:
    ///   - connection: a connection to the store.
    ///   - layout: its tables and columns.
    ///   - condition: returns the condition on the rows of a table, as SQL; nil for all rows.
    ///   - body: receives the value as the column holds it.
    /// - Throws: `SQLiteError` if the store cannot be read; any error that the closure throws.
    public static func forEachReference(
        _ connection: Connection, layout: StoreLayout, where condition: (EntityTable) -> String? = { _ in nil },
        _ body: ([UInt8]) throws -> Void
    ) throws {
        for table in layout.tables {
            for column in table.columns {
                guard case .attribute(let key) = column.role,
                    layout.model.entities[key.owner].attribute(named: key.name)?
                        .description.hasExternalData ?? false
                else { continue }
                let name = SQLiteIdentifier.quoted(column.name)
                let statement = try connection.prepare(
                    "SELECT \(name) FROM \(SQLiteIdentifier.quoted(table.name)) "
                        + "WHERE length(\(name)) = 38 AND substr(\(name), 1, 1) = x'02'"
                        + (condition(table).map { " AND \($0)" } ?? ""))
                while try statement.step() { try body(statement.value(0).blob ?? []) }
            }
        }
    }

    /// Removes the listed files that no row names.
    /// - Throws: `SQLiteError` if the store cannot be read.
    public func pruneFiles(_ connection: Connection?, layout: StoreLayout?) throws {
        guard !isDryRun, var names = listedNames() else { return }
        if let connection, let layout {
            try Self.forEachReference(connection, layout: layout) { stored in
                if let used = Self.name(stored) { names.remove(used) }
            }
        }
        guard let folder = try? folder(Self.folderName, in: supportFolder(makes: false), makes: false) else { return }
        defer { close(folder) }
        for name in names { unlinkat(folder, name, 0) }
    }
}
