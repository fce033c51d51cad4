import KeyedArchives

/// The content of an `.xcdatamodeld`: a folder with `contents` for each version, and `.xccurrentversion`.
public struct SourceModelBundle: Sendable {
    /// The files in the folder.
    public let files: [ModelFile]

    /// Warnings about parts that the format cannot represent, and about irregularities in the models.
    public let warnings: [ModelWarning]

    /// Writes versions as sources.
    ///
    /// - Parameters:
    ///   - versions: the names and the documents, in any form.
    ///   - currentVersionName: the version for new stores.
    /// - Throws: `ModelError` if a version would have other hashes when read back.
    public init(
        _ versions: [(name: String, document: ModelDocument)], currentVersionName: String?
    ) throws(ModelError) {
        var files: [ModelFile] = []
        var warnings: [ModelWarning] = []
        for (name, document) in versions {
            let path = name + ".xcdatamodel/contents"
            let writer = ModelContentsWriter(document)
            let bytes = Array(writer.text().utf8)
            try Self.check(bytes, document.model, path)
            warnings += document.warnings + writer.losses.map { $0.located(path) }
            files.append(ModelFile(path: path, bytes: bytes))
        }
        if let currentVersionName {
            files.append(try Self.currentVersion(currentVersionName))
        }
        self.files = files
        self.warnings = warnings
    }

    /// Reads the output back: names in compiled models may contain characters that XML forbids, which would change a
    /// hash.
    private static func check(_ bytes: [UInt8], _ model: ManagedObjectModel, _ path: String) throws(ModelError) {
        let expected = ModelHashes.hashes(of: try ResolvedModel(model))
        let found: [String: VersionHash]
        do {
            found = ModelHashes.hashes(of: try ResolvedModel(ModelContentsReader.read(bytes: bytes, name: path).model))
        } catch {
            // The line number would refer to a file that is not written.
            throw ModelError(
                .unreadable("a source model cannot hold it: \(error.reason)"), entity: error.entity,
                property: error.property)
        }
        guard let entity = expected.keys.sorted().first(where: { expected[$0] != found[$0] }) else { return }
        throw ModelError(
            .unreadable("its version hash changes when the model is written as a source, which its names do not allow"),
            entity: entity, path: path)
    }

    private static func currentVersion(_ name: String) throws(ModelError) -> ModelFile {
        var list = PropertyListDictionary()
        list["_XCCurrentVersionName"] = .string(name + ".xcdatamodel")
        do {
            let text = try XMLPropertyListWriter.text(for: .dictionary(list))
            return ModelFile(path: ".xccurrentversion", bytes: Array(text.utf8))
        } catch {
            throw ModelError(.unreadable("the name of the current version cannot be written: \(error)"), path: name)
        }
    }
}
