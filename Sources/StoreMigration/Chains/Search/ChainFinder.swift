import ManagedObjectModels
public import MappingModels

/// Finds the steps from the version of a store to another one: by mapping models if they exist, otherwise by inference.
///
/// 1. A mapping model that leads directly from one version to the other is the only step.
/// 2. An inferred step never skips a mapping model for the same way. Of the remaining ways, the one with the fewest
///    steps is chosen; if there are several, the one with the fewest inferred steps.
/// 3. Consecutive inferred steps are combined if a single step has the same result. If there is no mapping model on the
///    way, there is one inferred step, as in an app, or one between each of the custom stages in the app's migration
///    plan, unless `ChainMode.versions` requests a step for each version.
public struct ChainFinder {
    private let catalog: VersionCatalog
    private let named: [MappingModelDocument]
    private let found: [MappingModelDocument]

    /// Prepares to find chains.
    /// - Parameters:
    ///   - catalog: the versions to which steps may lead.
    ///   - mappings: the mapping models that the user specified.
    ///   - found: mapping models from a folder, or beside the models. Those that do not lead between two of the
    ///     versions are skipped, and so are those between the same versions as a specified one.
    public init(
        catalog: VersionCatalog, mappings: [MappingModelDocument] = [], found: [MappingModelDocument] = []
    ) {
        self.catalog = catalog
        named = mappings
        self.found = found
    }

    /// Finds the steps from one version to another.
    /// - Throws: `ChainError` if the way is ambiguous.
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
        // A single mapping model without versions is used for the migration; its hashes are checked later. Several
        // without versions are its passes.
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

    /// Returns the inferred steps of an app with custom stages in its migration plan; nil if there is one step, or if
    /// one step has the same result.
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

    /// Throws `ChainError.otherVersions` if a specified mapping model leads between other versions.
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

    /// Returns the versions of each mapping model.
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
            // Mapping models that create the same objects are not passes. Which of them to use only matters if the way
            // leads over them.
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
