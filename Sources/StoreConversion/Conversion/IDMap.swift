public import PersistentStores
import TextEncodings

/// A CSV table of old and new keys: store, entity, old key, new key.
public final class IDMap {
    private let staged: StagedFile
    private let output: BufferedOutput
    private let path: String
    private let isReplacing: Bool
    private var isPrepared = false

    /// Begins a file, which gets its name when it is finished.
    ///
    /// - Parameters:
    ///   - path: the path of the file.
    ///   - isReplacing: whether an existing file is replaced.
    /// - Throws: `StoreError` if the file already exists, or cannot be created.
    public convenience init(path: String, replacing isReplacing: Bool) throws {
        try self.init(path: path, replacing: isReplacing, limits: ConversionLimits())
    }

    init(path: String, replacing: Bool, limits: ConversionLimits) throws {
        self.path = path
        isReplacing = replacing
        if !replacing, FileSystem.isThere(path) { throw StoreError(.exists, path: path) }
        staged = try StagedFile(for: path)
        output = try BufferedOutput(path: staged.path, limits: limits)
        output.buffer += "store,entity,old,new\n".utf8
    }

    /// Adds an object: the store from which it comes, its entity, its old key and its new one.
    /// - Throws: `StoreError` if the disk is full or fails.
    public func add(_ store: String, _ entity: String, _ old: Int64, _ new: Int64) throws(StoreError) {
        append(store)
        output.buffer.append(UInt8(ascii: ","))
        append(entity)
        output.buffer.append(UInt8(ascii: ","))
        output.buffer.append(integer: old)
        output.buffer.append(UInt8(ascii: ","))
        output.buffer.append(integer: new)
        output.buffer.append(UInt8(ascii: "\n"))
        try output.flushIfFull()
    }

    /// Writes everything to disk, so that only the renaming is left.
    /// - Throws: `StoreError` if the disk is full or fails.
    public func prepare() throws(StoreError) {
        try output.flush()
        try staged.synchronize()
        isPrepared = true
    }

    /// Gives the file its name.
    /// - Throws: `StoreError` if another file was created at the path and must not be replaced, or if renaming fails.
    public func finish() throws(StoreError) {
        if !isPrepared { try prepare() }
        if let error = try staged.move(to: path, replacing: isReplacing) { throw StoreError(error) }
    }

    private func append(_ field: String) {
        let needsQuotes = field.utf8.contains { [UInt8(ascii: ","), UInt8(ascii: "\""), 10, 13].contains($0) }
        guard needsQuotes else { return output.buffer += field.utf8 }
        let parts = field.split(separator: "\"", omittingEmptySubsequences: false)
        output.buffer += "\"\(parts.joined(separator: "\"\""))\"".utf8
    }
}
