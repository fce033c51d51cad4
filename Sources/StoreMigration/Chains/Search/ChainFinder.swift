import ManagedObjectModels
public import MappingModels

/// Finds the steps from the version of a store to another one: by mapping models where they exist, by inference
/// elsewhere.
///
/// 1. A mapping model that leads from the one to the other is the only step.
/// 2. An inferred step never skips a mapping model that leads the same way. Of what is left, the way with the
///    fewest steps is taken, and of several the one with the fewest inferred ones.
/// 3. Inferred steps that follow each other are one where one step gives the same. Where no mapping model is on the
///    way there is one inferred step, as an app takes it, or those between which the app's migration plan has custom
///    stages, unless `ChainMode.versions` asks for the others.
public struct ChainFinder {
    private let catalog: VersionCatalog
    private let named: [MappingModelDocument]
    private let found: [MappingModelDocument]

    /// Prepares to find chains.
    /// - Parameters:
    ///   - catalog: the versions that steps may lead to.
    ///   - mappings: mapping models that the user named.
    ///   - found: mapping models of a folder, or beside the models; those that lead between no two of the versions are
    ///     skipped, and those between the same versions as a named one.
    public init(
        catalog: VersionCatalog, mappings: [MappingModelDocument] = [], found: [MappingModelDocument] = []
    ) {
        self.catalog = catalog
        named = mappings
        self.found = found
    }

    /// Finds the steps from one version to another one.
    /// - Throws: `ChainError` where it is not clear which way is meant.
    public func chain(
        from source: VersionedModel, to destination: VersionedModel, mode: ChainMode = .auto
    ) throws -> MigrationChain {
        let way = try way(from: source, to: destination, mode: mode)
        return MigrationChain(steps: way.steps, findings: way.findings + CustomStages(catalog).findings(of: way))
    }

    private func way(
        from source: VersionedModel, to destination: VersionedModel, mode: ChainMode
    ) throws -> MigrationChain {
        func single(_ mapping: MappingModelDocument?, _ reason: String) -> MigrationChain {
            MigrationChain(
                steps: [.init(source: source, destination: destination, mapping: mapping, reason: reason)])
        }
        if source.hashes == destination.hashes { return single(nil, "the versions are the same") }
        let edges = try edges(from: source, to: destination)
        let direct = edges.filter {
            $0.source.digest == source.digest && $0.destination.digest == destination.digest
        }
        if direct.count > 1 {
            throw ChainError.severalMappings(
                direct.map(\.document.name), source: source.name, destination: destination.name)
        }
        if let edge = direct.first { return single(edge.document, "it leads there directly") }
        // One that is named alone and says nothing of versions is meant; its hashes are checked later. Several that say
        // nothing of versions are its passes.
        let alone =
            named.count == 1 || edges.allSatisfy({ edge in found.contains { $0.name == edge.document.name } })
            ? try MappingModelDocument.passes(named) : nil
        if mode == .direct {
            if alone != nil { try checkVersions(from: source, to: destination) }
            return single(alone, "one step was asked for")
        }
        let search = ChainSearch(
            source: source, destination: destination, edges: edges,
            order: VersionOrder(catalog, anchors: [source, destination], edges: edges) {
                part($0, source.isPart ? source.configuration : nil)
            }, mode: mode)
        if let alone, !search.reaches(alone) {
            try checkVersions(from: source, to: destination)
            return single(alone, "it is the only one that was named")
        }
        if mode == .auto, !edges.contains(where: { search.reaches($0.document) }),
            let chain = staged(from: source, to: destination)
        {
            return chain
        }
        let chain = try search.chain() ?? single(nil, "nothing else leads there")
        guard mode == .auto, chain.steps.count == 1, chain.steps[0].mapping == nil,
            let comparison = WayComparison(from: source, to: destination, over: search.order)
        else { return chain }
        return MigrationChain(steps: chain.steps, findings: [comparison.finding])
    }

    /// The inferred steps that an app with custom stages in its migration plan takes; nil if it takes one, or if one
    /// gives the same.
    private func staged(from source: VersionedModel, to destination: VersionedModel) -> MigrationChain? {
        let configuration = source.isPart ? source.configuration : nil
        let stops = CustomStages(catalog).stops(from: source.name, to: destination.name).compactMap { name in
            (try? catalog.version(named: name, preferring: catalog.bundle(of: source.path)))
                .flatMap { try? catalog.candidate($0) }.flatMap { part($0, configuration) }
        }
        let ends = Array(zip([source] + stops, stops + [destination]))
        let stretch = InferredStretch(source: source, destination: destination, between: { stops })
        let isOne = ends.allSatisfy { InferredStretch.inferable($0, $1) != nil } && stretch.stops()?.count == 1
        guard !stops.isEmpty, !isOne else { return nil }
        return MigrationChain(
            steps: ends.map {
                .init(
                    source: $0, destination: $1, mapping: nil,
                    reason: "a custom stage of the migration plan parts the way")
            })
    }

    /// Throws `ChainError.otherVersions` where a named mapping model says that it leads between other versions.
    private func checkVersions(from source: VersionedModel, to destination: VersionedModel) throws(ChainError) {
        for document in named {
            if let other = catalog.contradiction(
                of: document.model, from: source, to: destination,
                part: { part($0, source.isPart ? source.configuration : nil) })
            {
                throw .otherVersions(document.name, other)
            }
        }
    }

    /// The versions of each mapping model.
    private func edges(from source: VersionedModel, to destination: VersionedModel) throws -> [MappingEdge] {
        var edges: [MappingEdge] = []
        var namedCount = 0
        var unplaced: [ChainError] = []
        var foundTwice: [(edge: Int, document: MappingModelDocument)] = []
        let placement = MappingPlacement(catalog, from: source, to: destination, all: named + found) {
            part($0, source.isPart ? source.configuration : nil)
        }
        for (index, document) in (named + found).enumerated() {
            let isNamed = index < named.count
            do {
                guard let (from, to) = try placement.versions(of: document) else { continue }
                if from.digest == to.digest {
                    if isNamed { throw ChainError.loop(document.name, version: from.name) }
                    continue
                }
                let same = edges.firstIndex { $0.source.digest == from.digest && $0.destination.digest == to.digest }
                guard let same else {
                    edges.append(MappingEdge(document: document, source: from, destination: to))
                    if isNamed { namedCount = edges.count }
                    continue
                }
                if isNamed {
                    guard let passes = try MappingModelDocument.passes([edges[same].document, document])
                    else { continue }
                    edges[same] = MappingEdge(document: passes, source: from, destination: to)
                } else if same >= namedCount {
                    foundTwice.append((same, document))
                }
            } catch let error as MappingVersionError {
                if isNamed, named.count > 1 { unplaced.append(.unplaced(document.name, reason: error.reason)) }
            }
        }
        if let first = unplaced.first, unplaced.count < named.count { throw first }
        for (index, document) in foundTwice {
            let edge = edges[index]
            // Those that make the same objects are not passes: which is meant matters only where the way leads there.
            if let passes = try? MappingModelDocument.passes([edge.document, document]) {
                edges[index] = MappingEdge(document: passes, source: edge.source, destination: edge.destination)
            } else {
                edges.append(MappingEdge(document: document, source: edge.source, destination: edge.destination))
            }
        }
        return edges
    }

    private func part(_ version: VersionedModel, _ configuration: String?) -> VersionedModel? {
        guard let configuration else { return version }
        return try? version.restricted(to: configuration)
    }
}
