import MappingModels

/// Searches the best way over the versions at which mapping models begin and end.
struct ChainSearch {
    let source: VersionedModel
    let destination: VersionedModel
    let edges: [MappingEdge]
    let order: VersionOrder
    let mode: ChainMode

    /// The cost of a way: first the number of steps, then the number of inferred steps.
    private struct Cost: Comparable {
        var steps: Int
        var inferred: Int

        static func < (left: Self, right: Self) -> Bool { (left.steps, left.inferred) < (right.steps, right.inferred) }
        static func + (left: Self, right: Self) -> Self {
            Self(steps: left.steps + right.steps, inferred: left.inferred + right.inferred)
        }
    }

    /// A part of a way: a mapping model, or consecutive inferred steps.
    private struct Part {
        let source: VersionedModel
        let destination: VersionedModel
        let mapping: MappingModelDocument?
        let stops: [VersionedModel]

        var cost: Cost {
            mapping != nil ? Cost(steps: 1, inferred: 0) : Cost(steps: stops.count, inferred: stops.count)
        }
    }

    /// Returns whether a mapping model can be part of a way to the destination.
    func reaches(_ document: MappingModelDocument) -> Bool {
        guard let edge = edges.first(where: { $0.document.name == document.name }) else { return false }
        return leads(source, edge.source) && leads(edge.destination, destination)
    }

    private func leads(_ from: VersionedModel, _ to: VersionedModel) -> Bool {
        from.digest == to.digest || isOnward(from, to)
    }

    /// Returns whether a step leads towards the destination, as far as the order is known.
    private func isOnward(_ from: VersionedModel, _ to: VersionedModel) -> Bool {
        if from.digest == source.digest, to.digest == destination.digest { return true }
        guard let start = order.position(of: source), let end = order.position(of: destination),
            let first = order.position(of: from), let last = order.position(of: to), first != last
        else { return false }
        return start < end
            ? first < last && first >= start && last <= end : first > last && first <= start && last >= end
    }

    /// Returns whether a mapping model leads the same way within the inferred steps.
    private func passesMapping(_ from: VersionedModel, _ to: VersionedModel) -> Bool {
        guard !edges.isEmpty, let first = order.position(of: from), let last = order.position(of: to)
        else { return false }
        return edges.contains { edge in
            guard let start = order.position(of: edge.source), let end = order.position(of: edge.destination) else {
                return false
            }
            return first < last
                ? first <= start && start < end && end <= last : first >= start && start > end && end >= last
        }
    }

    /// Returns the best way; nil if there is no way to the destination.
    ///
    /// Throws `ChainError.severalWays` if several ways with different mapping models have the same cost.
    func chain() throws(ChainError) -> MigrationChain? {
        var stations: [String: VersionedModel] = [source.digest: source, destination.digest: destination]
        for edge in edges {
            for version in [edge.source, edge.destination] {
                stations[version.digest] = stations[version.digest] ?? version
            }
        }
        var costs: [String: Cost] = [source.digest: Cost(steps: 0, inferred: 0)]
        var arrivals: [String: [Part]] = [:]
        var open = stations
        while let (station, cost) = Self.nearest(open, costs), station.digest != destination.digest {
            open[station.digest] = nil
            for part in parts(from: station, to: Array(open.values)) {
                let key = part.destination.digest
                let total = cost + part.cost
                if let known = costs[key], known < total { continue }
                if costs[key] == total { arrivals[key, default: []].append(part) } else { arrivals[key] = [part] }
                costs[key] = total
            }
        }
        var ways = ways(to: destination, arrivals)
        // Ways that differ only in the versions at which inferred steps end count as one.
        var seen: Set<[String]> = []
        ways = ways.filter { seen.insert($0.compactMap(\.mapping?.name)).inserted }
        if ways.count > 1 {
            throw .severalWays(
                ways.map { $0.compactMap(\.mapping?.name) }, source: source.name, destination: destination.name)
        }
        return ways.first.map { MigrationChain(steps: $0.flatMap(steps)) }
    }

    private static func nearest(
        _ open: [String: VersionedModel], _ costs: [String: Cost]
    ) -> (VersionedModel, Cost)? {
        open.values.compactMap { version in costs[version.digest].map { (version, $0) } }
            .min { ($0.1, $0.0.digest) < ($1.1, $1.0.digest) }
    }

    private func parts(from station: VersionedModel, to others: [VersionedModel]) -> [Part] {
        let mapped = edges.filter { $0.source.digest == station.digest }.map {
            Part(source: station, destination: $0.destination, mapping: $0.document, stops: [$0.destination])
        }
        let inferred = others.compactMap { other -> Part? in
            guard isOnward(station, other), !passesMapping(station, other) else { return nil }
            let stretch = InferredStretch(
                source: station, destination: other, between: { order.between(station, other) })
            let isWhole = station.digest == source.digest && other.digest == destination.digest
            // Without a mapping model on the way, the steps are those of the app; between mapping models, each version
            // is a step.
            let stops = isWhole && mode == .auto ? stretch.direct.map { _ in [other] } : stretch.stops()
            return stops.map { Part(source: station, destination: other, mapping: nil, stops: $0) }
        }
        return mapped + inferred
    }

    /// Returns the ways of lowest cost, from the source on, up to the number that an error names.
    private func ways(to station: VersionedModel, _ arrivals: [String: [Part]]) -> [[Part]] {
        if station.digest == source.digest { return [[]] }
        var result: [[Part]] = []
        for part in arrivals[station.digest] ?? [] {
            result += ways(to: part.source, arrivals).map { $0 + [part] }
            if result.count >= Self.namedWays { break }
        }
        return Array(result.prefix(Self.namedWays))
    }

    /// The largest number of ways in an error message.
    private static let namedWays = 4

    private func steps(_ part: Part) -> [MigrationChain.Step] {
        if let mapping = part.mapping {
            return [
                .init(
                    source: part.source, destination: part.destination, mapping: mapping,
                    reason: "it leads from one to the other")
            ]
        }
        var start = part.source
        return part.stops.map { stop in
            defer { start = stop }
            let reason =
                part.stops.count > 1
                ? "one step to \(part.destination.name) would not give the same"
                : "no mapping model is on the way"
            return .init(source: start, destination: stop, mapping: nil, reason: reason)
        }
    }
}
