import DocumentReading

/// The versions of models at a path: in a bundle, in one model, or anywhere below a folder.
public struct ModelVersions: Sendable {
    /// The path that was searched.
    public let path: String

    /// The versions: those of a bundle together, sorted by name with numbers compared as numbers.
    public let versions: [ModelVersion]

    /// The hashes that compiled bundles at the path list.
    public let knownHashes: [KnownModelHashes]

    /// Warnings about the bundles themselves; each document has its own warnings.
    public let warnings: [ModelWarning]

    /// Searches for models: in an `.xcdatamodeld` or `.momd`, an `.xcdatamodel` or `.mom`, or a folder and all its
    /// subfolders.
    ///
    /// No document is read yet. Hidden folders and symbolic links below the path are skipped.
    /// - Throws: `ModelError` if the path does not exist or contains no model.
    public init(path: String) throws(ModelError) {
        var path = path
        while path.utf8.count > 1, path.hasSuffix("/") { path.removeLast() }
        // The current folder may be a model; otherwise the path is kept as the user wrote it, if possible.
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

    /// Makes a list of one version that has no path of its own, such as the model in a store.
    public init(_ version: ModelVersion) {
        self.init(path: version.path, versions: [version])
    }

    /// Makes a list of versions that are not declared in model files.
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

    /// Returns these versions together with others of the same path.
    public func joined(with others: ModelVersions) -> ModelVersions {
        ModelVersions(
            path: path, versions: versions + others.versions, knownHashes: knownHashes + others.knownHashes,
            warnings: warnings + others.warnings)
    }

    /// Each model separately: the versions of one bundle, or a version without a bundle; without the warnings about
    /// all.
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

    /// The bundles, without duplicates.
    public var bundles: [ModelBundle] {
        var bundles: [ModelBundle] = []
        for case let bundle? in versions.map(\.bundle) where bundles.last != bundle { bundles.append(bundle) }
        return bundles
    }

    /// Returns the version with a name, optionally in a bundle (`Bundle/Name`), or at a path.
    /// - Throws: `ModelError` if there is none, or if there are several that differ only in their paths.
    public func version(_ nameOrPath: String) throws(ModelError) -> ModelVersion {
        let candidates = versions.named(nameOrPath)
        if candidates.count == 1 { return candidates[0] }
        let name = ModelVersion.withoutExtension(nameOrPath)
        guard candidates.isEmpty else { throw ModelError(.ambiguousVersion(name, paths: candidates.map(\.path))) }
        throw ModelError(.unknownVersion(name, known: versions.map(\.name)), path: path)
    }

    /// Returns the current version.
    /// - Throws: `ModelError` if no bundle names a current version, or several do.
    public func current() throws(ModelError) -> ModelVersion {
        let current = versions.filter(\.isCurrent)
        if current.count == 1 { return current[0] }
        guard !current.isEmpty else { throw ModelError(.noCurrentVersion(known: versions.map(\.name)), path: path) }
        throw ModelError(.severalCurrentVersions(paths: current.map(\.path)), path: path)
    }

    /// Returns the versions of the only bundle, or the only version without a bundle.
    /// - Throws: `ModelError` if there are several models at the path, so that one has to be named.
    public func singleModel() throws(ModelError) -> (bundle: ModelBundle?, versions: [ModelVersion]) {
        let models = models
        if models.count > 1 { throw ModelError(.severalModels(paths: models.map(\.path)), path: path) }
        guard let first = versions.first else { throw ModelError.noVersions(at: path, warnings) }
        return (first.bundle, versions)
    }
}
