public import ManagedObjectModels

/// Writes models into the file system, each completely or not at all.
public struct ModelOutput: Sendable {
    private let path: String
    private let isReplacing: Bool

    /// The endings of files in bundles of compiled and source models; anything else in a folder belongs to the user.
    private static let knownEndings = [
        ".mom", ".omo", ".cdm", ".plist", ".strings", ".lproj", ".xcdatamodel", ".xccurrentversion", ".DS_Store",
        "contents", "elements", "layout",
    ]

    /// Checks the destination of a model.
    /// - Parameters:
    ///   - path: the path of the new model.
    ///   - source: the path of the model that is read, which is never replaced.
    ///   - isReplacing: whether an existing model is replaced.
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

    /// Writes a model that is a folder.
    /// - Throws: `StoreError` and `ModelOutputError`; an existing model is then unchanged.
    public func write(_ files: [ModelFile], with localization: [LocalizationFile] = []) throws {
        let beside = try besideFiles(localization)
        let output = try StagedOutput(for: path, replacing: isReplacing)
        for file in files { try output.write(file.bytes, to: file.path) }
        for file in localization where file.isInBundle { try output.write(file.bytes, to: file.relativePath) }
        try output.finish()
        try write(beside)
    }

    /// Writes a model that is a single file.
    /// - Throws: `StoreError` if the file exists and must not be replaced, or cannot be written; `ModelOutputError` for
    ///   localized texts whose files exist beside it.
    public func write(_ bytes: [UInt8], with localization: [LocalizationFile] = []) throws {
        let beside = try besideFiles(localization)
        let output = try StagedOutput(for: path, replacing: isReplacing)
        try output.write(bytes)
        try output.finish()
        try write(beside)
    }

    // MARK: Texts beside the model

    /// Returns the destinations of localized texts beside the model, where an app looks for them beside its compiled
    /// models, without files that are already there.
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
