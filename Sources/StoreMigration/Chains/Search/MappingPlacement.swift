import MappingModels

/// Determines the versions between which a mapping model leads. Its hashes may fit several versions if it contains few
/// entities.
struct MappingPlacement {
    typealias Pair = (source: VersionedModel, destination: VersionedModel)

    private let catalog: VersionCatalog
    private let whole: Pair
    private let all: [MappingModelDocument]
    private let part: (VersionedModel) -> VersionedModel?

    /// - Parameters:
    ///   - all: the mapping models; those with unambiguous versions may help to place the others.
    ///   - part: restricts a version to the configuration of the store; returns nil if the version does not have it.
    init(
        _ catalog: VersionCatalog, from source: VersionedModel, to destination: VersionedModel,
        all: [MappingModelDocument],
        part: @escaping (VersionedModel) -> VersionedModel?
    ) {
        self.catalog = catalog
        whole = (source, destination)
        self.all = all
        self.part = part
    }

    /// Returns the two versions; nil if they do not have the configuration, or if several pairs fit and none is
    /// preferred.
    ///
    /// Of several pairs, one that is the only possible pair of another mapping model is preferred, then the pair of the
    /// migration itself, then the only pair on the way. Throws `MappingVersionError`.
    func versions(of document: MappingModelDocument) throws -> Pair? {
        let pairs = try candidates(document)
        guard pairs.count > 1 else { return pairs.first }
        let order = VersionOrder(catalog, anchors: [whole.source, whole.destination], edges: [], part: part)
        let onward = pairs.filter { Self.isSame($0, whole) || isOnward($0, order) }
        for other in all {
            guard let known = try? candidates(other), known.count == 1 else { continue }
            if let same = onward.first(where: { Self.isSame($0, known[0]) }) { return same }
        }
        if let whole = onward.first(where: { Self.isSame($0, whole) }) { return whole }
        return onward.count == 1 ? onward[0] : nil
    }

    /// Returns whether a pair leads in the direction of the migration, and not beyond it.
    private func isOnward(_ pair: Pair, _ order: VersionOrder) -> Bool {
        guard let start = order.position(of: whole.source), let end = order.position(of: whole.destination),
            let first = order.position(of: pair.source), let last = order.position(of: pair.destination)
        else { return false }
        return start < end
            ? start <= first && first < last && last <= end : end <= last && last < first && first <= start
    }

    /// Returns the possible pairs without duplicates; a pair of equal versions only if there is no other.
    private func candidates(_ document: MappingModelDocument) throws -> [Pair] {
        let sources = try catalog.sourceVersions(of: document.model).compactMap(part)
        let destinations = try catalog.destinationVersions(of: document.model).compactMap(part)
        var seen: Set<[String]> = []
        let pairs = sources.flatMap { source in destinations.map { (source: source, destination: $0) } }
            .filter { seen.insert([$0.source.digest, $0.destination.digest]).inserted }
        let others = pairs.filter { $0.source.digest != $0.destination.digest }
        return others.isEmpty ? Array(pairs.prefix(1)) : others
    }

    private static func isSame(_ first: Pair, _ second: Pair) -> Bool {
        first.source.digest == second.source.digest && first.destination.digest == second.destination.digest
    }
}
