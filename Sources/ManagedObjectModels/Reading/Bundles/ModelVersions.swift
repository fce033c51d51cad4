import DocumentReading

/// The versions of models at a path: of a bundle, of one model, or of everything below a folder.
public struct ModelVersions: Sendable {
    /// The path that was searched.
    public let path: String

    /// The versions: those of a bundle together, in the order of their names with numbers counted as numbers.
    public let versions: [ModelVersion]

    /// The hashes that compiled bundles beside the models list.
    public let knownHashes: [KnownModelHashes]

    /// What was wrong with the bundles themselves; each document has its own warnings.
    public let warnings: [ModelWarning]

    /// Looks for models: in an `.xcdatamodeld` or `.momd`, an `.xcdatamodel` or `.mom`, or a folder and all below it.
    ///
    /// No document is read yet. Hidden folders and symbolic links below the path are skipped.
    /// - Throws: `ModelError` where the path does not exist or holds no model.
    public init(path: String) throws(ModelError) {
        var path = path
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        // The present folder may be a model; a path as the user wrote it is kept wherever it can be.
        let named = NamedPath(path).text
        if ModelFinder.isModelName(named) { path = named }
        var finder = ModelFinder()
        try finder.search(path)
        guard !finder.versions.isEmpty || !finder.knownHashes.isEmpty else {
            throw ModelError.noVersions(at: path, finder.warnings)
        }
        self.path = path
        versions = finder.versions
        knownHashes = finder.knownHashes
        warnings = finder.warnings
    }

    /// A version that no path leads to, such as the model that a store carries, as the only one.
    public init(_ version: ModelVersion) {
        self.init(path: version.path, versions: [version])
    }

    /// Versions that are declared otherwise than in models' files.
    public init(path: String, versions: [ModelVersion], warnings: [ModelWarning] = []) {
        self.init(path: path, versions: versions, knownHashes: [], warnings: warnings)
    }

    private init(
        path: String, versions: [ModelVersion], knownHashes: [KnownModelHashes], warnings: [ModelWarning]
    ) {
        self.path = path
        self.versions = versions
        self.knownHashes = knownHashes
        self.warnings = warnings
    }

    /// These versions and others of the same path.
    public func joined(with others: ModelVersions) -> ModelVersions {
        ModelVersions(
            path: path, versions: versions + others.versions, knownHashes: knownHashes + others.knownHashes,
            warnings: warnings + others.warnings)
    }

    /// Each model by itself: the versions of a bundle, or one that is in none; without what is said of them all.
    public var models: [ModelVersions] {
        var models: [ModelVersions] = []
        for version in versions {
            let path = version.bundle?.path ?? version.path
            if let last = models.last, last.path == path {
                models[models.count - 1] = ModelVersions(path: path, versions: last.versions + [version])
            } else {
                models.append(ModelVersions(path: path, versions: [version]))
            }
        }
        return models
    }

    /// The bundles, each once.
    public var bundles: [ModelBundle] {
        var bundles: [ModelBundle] = []
        for case let bundle? in versions.map(\.bundle) where bundles.last != bundle { bundles.append(bundle) }
        return bundles
    }

    /// The version of that name, of that name in a bundle (`Bundle/Name`), or at that path.
    /// - Throws: `ModelError` if there is none, or several that only their paths tell apart.
    public func version(_ nameOrPath: String) throws(ModelError) -> ModelVersion {
        let candidates = versions.named(nameOrPath)
        if candidates.count == 1 { return candidates[0] }
        let name = ModelVersion.withoutExtension(nameOrPath)
        guard candidates.isEmpty else { throw ModelError(.ambiguousVersion(name, paths: candidates.map(\.path))) }
        throw ModelError(.unknownVersion(name, known: versions.map(\.name)), path: path)
    }

    /// The current version.
    /// - Throws: `ModelError` where no bundle names a current version, or several do.
    public func current() throws(ModelError) -> ModelVersion {
        let current = versions.filter(\.isCurrent)
        if current.count == 1 { return current[0] }
        guard !current.isEmpty else { throw ModelError(.noCurrentVersion(known: versions.map(\.name)), path: path) }
        throw ModelError(.severalCurrentVersions(paths: current.map(\.path)), path: path)
    }

    /// The versions of the only bundle, or the only version that is in none.
    /// - Throws: `ModelError` where several models lie at the path, so that one has to be named.
    public func singleModel() throws(ModelError) -> (bundle: ModelBundle?, versions: [ModelVersion]) {
        let models = models
        if models.count > 1 { throw ModelError(.severalModels(paths: models.map(\.path)), path: path) }
        guard let first = versions.first else { throw ModelError.noVersions(at: path, warnings) }
        return (first.bundle, versions)
    }
}
