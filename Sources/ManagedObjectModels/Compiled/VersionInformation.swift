public import KeyedArchives

/// The `VersionInfo.plist` of a `.momd`: the current version, and the hashes of every version's entities.
public struct VersionInformation: Sendable, Hashable {
    /// The name of the version for new stores; nil if none is named.
    public var currentVersionName: String?

    /// Each version's hashes by entity name.
    public var hashes: [String: [String: VersionHash]]

    /// Each version's checksum in base 64; compilers before Xcode 15 do not write it.
    public var checksums: [String: String]

    /// The compiler that wrote the file, as stated by Xcode from 15.3 on; nil for an older one.
    public var compiler: Compiler?

    /// A compiler's versions.
    public struct Compiler: Sendable, Hashable {
        /// The version of the compiler, in Xcode's numbering.
        public var toolVersion: Double
        /// The version of Xcode as a number, such as 260 200 for 26.2.
        public var xcodeVersion: Int64

        /// Makes the versions of a compiler.
        public init(toolVersion: Double, xcodeVersion: Int64) {
            self.toolVersion = toolVersion
            self.xcodeVersion = xcodeVersion
        }

        /// The compiler whose format is written here: Xcode 26.2's.
        public static let current = Compiler(toolVersion: 24512, xcodeVersion: 260_200)
    }

    /// Makes the content of a `VersionInfo.plist`.
    public init(
        currentVersionName: String?, hashes: [String: [String: VersionHash]] = [:], checksums: [String: String] = [:],
        compiler: Compiler? = nil
    ) {
        self.currentVersionName = currentVersionName
        self.hashes = hashes
        self.checksums = checksums
        self.compiler = compiler
    }

    /// Makes the information about versions of a model, with computed hashes and checksums.
    public init(currentVersionName: String?, models: [String: ResolvedModel]) {
        self.init(currentVersionName: currentVersionName)
        for (name, model) in models {
            let computed = ModelHashes.hashes(of: model)
            hashes[name] = computed
            checksums[name] = ModelHashes.checksum(of: computed)
        }
    }

    /// Reads the known entries of a property list; entries of another type are skipped.
    public init(_ list: PropertyListDictionary) {
        self.init(currentVersionName: list[Self.currentVersionKey]?.string)
        for (name, entities) in list[Self.hashesKey]?.dictionary ?? PropertyListDictionary() {
            guard let entities = entities.dictionary else { continue }
            hashes[name] = [:]
            for (entity, value) in entities {
                hashes[name]?[entity] = value.data.flatMap { VersionHash(bytes: $0) }
            }
        }
        for (name, checksum) in list[Self.checksumsKey]?.dictionary ?? PropertyListDictionary() {
            checksums[name] = checksum.string
        }
        if let tool = list[Self.toolVersionKey]?.real, let xcode = list[Self.xcodeVersionKey]?.integer {
            compiler = Compiler(toolVersion: tool, xcodeVersion: xcode)
        }
    }

    /// The property list, sorted by name; Xcode writes it in the binary format.
    public var propertyList: PropertyListValue {
        var versions = PropertyListDictionary()
        for (name, entities) in hashes.sorted(by: { ModelFinder.precedes($0.key, $1.key) }) {
            var list = PropertyListDictionary()
            for (entity, hash) in entities.sorted(by: { ModelResolver.precedes($0.key, $1.key) }) {
                list[entity] = .data(hash.bytes)
            }
            versions[name] = .dictionary(list)
        }
        var result = PropertyListDictionary()
        if !checksums.isEmpty {
            var list = PropertyListDictionary()
            for (name, checksum) in checksums.sorted(by: { ModelFinder.precedes($0.key, $1.key) }) {
                list[name] = .string(checksum)
            }
            result[Self.checksumsKey] = .dictionary(list)
        }
        result[Self.hashesKey] = .dictionary(versions)
        if let compiler {
            result[Self.toolVersionKey] = .real(compiler.toolVersion)
            result[Self.xcodeVersionKey] = .integer(compiler.xcodeVersion)
        }
        result[Self.currentVersionKey] = currentVersionName.map { .string($0) }
        return .dictionary(result)
    }

    private static let currentVersionKey = "NSManagedObjectModel_CurrentVersionName"
    private static let toolVersionKey = "CDMCompilerToolVersion"
    private static let xcodeVersionKey = "CDMCompilerXcodeVersion"
    private static let hashesKey = "NSManagedObjectModel_VersionHashes"
    private static let checksumsKey = "NSManagedObjectModel_VersionChecksums"
}
