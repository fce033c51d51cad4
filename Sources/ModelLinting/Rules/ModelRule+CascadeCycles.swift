internal import ManagedObjectModels

extension ModelRule {
    /// Cycles of cascades over several entities. A tree of one entity, and a pair of inverses, do not count.
    static let cascadeCycles = ModelRule(.cascadeCycle) { subject in
        let model = subject.model
        var edges: [Int: [(relationship: ResolvedRelationship, target: Int)]] = [:]
        for (entity, relationship) in subject.relationships where relationship.cascades {
            let inverse = subject.model.inverse(of: relationship)
            guard inverse?.cascades != true, relationship.destination != entity.slot else { continue }
            edges[entity.slot, default: []].append((relationship, relationship.destination))
        }
        var findings: [LintFinding] = []
        var reported: Set<Set<Int>> = []
        for start in model.entities.indices {
            guard let path = circle(from: start, along: edges), path.count > 1 else { continue }
            guard reported.insert(Set(path.map(\.owner))).inserted else { continue }
            let names = path.map { "\(model.entities[$0.owner].name).\($0.name)" }
            findings.append(
                subject.finding(
                    .cascadeCycle, path[0].name, of: model.entities[start],
                    "cascades form a cycle: \(names.joined(separator: " -> ")) -> \(model.entities[start].name)"))
        }
        return findings
    }

    /// Returns the shortest path along cascades that leads back to its start.
    private static func circle(
        from start: Int, along edges: [Int: [(relationship: ResolvedRelationship, target: Int)]]
    ) -> [ResolvedRelationship]? {
        var arrivals: [Int: ResolvedRelationship] = [:]
        var queue = [start]
        var next = 0
        while next < queue.count {
            let slot = queue[next]
            next += 1
            for (relationship, target) in edges[slot] ?? [] where arrivals[target] == nil {
                arrivals[target] = relationship
                if target != start {
                    queue.append(target)
                    continue
                }
                var path = [relationship]
                while let first = path.first, first.owner != start, let before = arrivals[first.owner] {
                    path.insert(before, at: 0)
                }
                return path
            }
        }
        return nil
    }
}
