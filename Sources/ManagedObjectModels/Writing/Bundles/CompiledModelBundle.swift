import KeyedArchives

/// The content of a `.momd`: a `.mom` for each version, and `VersionInfo.plist` with hashes and checksums.
///
/// The optimized copy of the current version (`.omo`) is not made: its format is undocumented, and Core Data reads the
/// `.mom` if there is none.
public struct CompiledModelBundle: Sendable {
    /// A compiled version.
    public struct Version: Sendable {
        /// The version's name.
        public let name: String

        /// The path that it was read from.
        public let path: String

        /// The content of its `.mom` file.
        public let bytes: [UInt8]

        /// The version hashes by entity name.
        public let hashes: [String: VersionHash]

        /// The digest over all version hashes, in base 64.
        public let digest: String
        /// The version's checksum, in base 64.
        public let checksum: String
    }

    /// The name of the version for new stores; nil if none is named.
    public let currentVersionName: String?
    /// The versions in the given order.
    public let versions: [Version]

    /// Warnings: parts that are not compiled, or not as in the source; irregularities of the source; hashes that are
    /// not certain.
    public let warnings: [ModelWarning]

    /// Compiles versions of one model.
    ///
    /// - Parameters:
    ///   - versions: the versions, which are read now.
    ///   - currentVersionName: the version for new stores; nil to name none, as Xcode does for a source without
    ///     `.xccurrentversion`.
    ///   - moduleName: the Swift module of classes whose name begins with a dot.
    /// - Throws: `ModelError` with file and line if a version cannot be read or compiled; no version is skipped.
    public init(
        _ versions: [ModelVersion], currentVersionName: String?, moduleName: String? = nil
    ) throws(ModelError) {
        self.currentVersionName = currentVersionName
        var compiled: [Version] = []
        var warnings: [ModelWarning] = []
        for version in versions {
            compiled.append(try Self.compile(version, moduleName, &warnings))
        }
        self.versions = compiled
        self.warnings = warnings
    }

    private static func compile(
        _ version: ModelVersion, _ moduleName: String?, _ warnings: inout [ModelWarning]
    ) throws(ModelError) -> Version {
        let document = try version.document()
        warnings += document.warnings
        do throws(ModelError) {
            let result = try CompiledModelWriter(document, path: version.documentPath, moduleName: moduleName).compile()
            warnings += result.warnings
            var hashes: [String: VersionHash] = [:]
            for entity in ModelHashes.entityHashes(of: try ResolvedModel(document.model)) {
                hashes[entity.entityName] = entity.hash
                for doubt in entity.doubts {
                    warnings.append(
                        ModelWarning(
                            .uncertainHash("\(doubt)"), entity: entity.entityName,
                            path: version.documentPath, line: document.lines[.entity(entity.entityName)]))
                }
            }
            return Version(
                name: version.name, path: version.path, bytes: result.bytes, hashes: hashes,
                digest: ModelHashes.digest(of: hashes), checksum: ModelHashes.checksum(of: hashes))
        } catch {
            var error = error
            error.path = error.path ?? version.path
            throw error
        }
    }

    /// The files in the folder.
    public var files: [ModelFile] {
        let information = VersionInformation(
            currentVersionName: currentVersionName,
            hashes: Dictionary(versions.map { ($0.name, $0.hashes) }, uniquingKeysWith: { first, _ in first }),
            checksums: Dictionary(versions.map { ($0.name, $0.checksum) }, uniquingKeysWith: { first, _ in first }),
            compiler: .current)
        let list = ModelFile(
            path: "VersionInfo.plist", bytes: BinaryPropertyListWriter.bytes(for: information.propertyList))
        return versions.map { ModelFile(path: $0.name + ".mom", bytes: $0.bytes) } + [list]
    }
}
