public import ManagedObjectModels

/// Writes models into the file system: each whole or not at all.
public struct ModelOutput: Sendable {
    private let path: String
    private let isReplacing: Bool

    /// What bundles of compiled and of source models hold; anything else in a folder is somebody's own.
    private static let knownEndings = [
        ".mom", ".omo", ".cdm", ".plist", ".strings", ".lproj", ".xcdatamodel", ".xccurrentversion", ".DS_Store",
        "contents", "elements", "layout",
    ]

    /// Checks a place for a model.
    /// - Parameters:
    ///   - path: where the model is to be.
    ///   - source: what is read, which is never replaced.
    ///   - isReplacing: whether a model that is there already gives way.
    /// - Throws: `ModelOutputError`, before anything is read or written.
    public init(path: String, source: String, isReplacing: Bool) throws(ModelOutputError) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        self.path = path
        self.isReplacing = isReplacing
        guard FileSystem.exists(path) || FileSystem.isLink(path) else { return }
        guard !FileSystem.isSameFile(path, source) else { throw .isSource(path: path) }
        guard isReplacing else { throw .exists(path: path) }
        if FileSystem.isDirectory(path), !FileSystem.isLink(path) {
            let names = (try? FileSystem.names(in: path)) ?? []
            if let foreign = names.first(where: { name in !Self.knownEndings.contains { name.hasSuffix($0) } }) {
                throw .foreignContent(path: path, name: foreign)
            }
        }
    }

    /// Writes a folder.
    /// - Throws: `StoreError` and `ModelOutputError`; what was there before is there still.
    public func write(_ files: [ModelFile], with localization: [LocalizationFile] = []) throws {
        let beside = try besideFiles(localization)
        let output = try StagedOutput(for: path, replacing: isReplacing)
        for file in files { try output.write(file.bytes, to: file.path) }
        for file in localization where file.isInBundle { try output.write(file.bytes, to: file.relativePath) }
        try output.finish()
        try write(beside)
    }

    /// Writes a single file.
    /// - Throws: `StoreError` if the file is there and must not be replaced, or cannot be written; `ModelOutputError`
    ///   for texts that have no place beside it.
    public func write(_ bytes: [UInt8], with localization: [LocalizationFile] = []) throws {
        let beside = try besideFiles(localization)
        let output = try StagedOutput(for: path, replacing: isReplacing)
        try output.write(bytes)
        try output.finish()
        try write(beside)
    }

    // MARK: Texts beside the model

    /// Where texts go that lie beside the model, as an app looks for them beside its compiled models. Those that are
    /// there already are left out.
    private func besideFiles(_ localization: [LocalizationFile]) throws -> [(path: String, bytes: [UInt8])] {
        let folder = FileSystem.directory(of: path)
        var result: [(path: String, bytes: [UInt8])] = []
        for file in localization where !file.isInBundle {
            let destination = folder + "/" + file.relativePath
            if FileSystem.isSameFile(destination, file.path) { continue }
            if FileSystem.exists(destination), !isReplacing { throw ModelOutputError.exists(path: destination) }
            result.append((destination, file.bytes))
        }
        return result
    }

    private func write(_ files: [(path: String, bytes: [UInt8])]) throws {
        for (path, bytes) in files {
            try FileSystem.createDirectory(FileSystem.directory(of: path))
            let output = try StagedOutput(for: path, replacing: true)
            try output.write(bytes)
            try output.finish()
        }
    }
}
