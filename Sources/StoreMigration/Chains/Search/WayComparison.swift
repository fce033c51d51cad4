import ManagedObjectModels
import MappingModels

/// Compares the result of a way over intermediate versions with the single inferred step of an app.
struct WayComparison {
    private let source: VersionedModel
    private let destination: VersionedModel
    private let stops: [VersionedModel]
    private let direct: ModelCorrespondence?

    /// Returns nil if the way over the versions is the single step, or has the same result.
    init?(from source: VersionedModel, to destination: VersionedModel, over order: VersionOrder) {
        let stretch = InferredStretch(
            source: source, destination: destination, between: { order.between(source, destination) })
        direct = stretch.direct
        // Reading every version takes time, and usually no difference is possible.
        if let direct, !Self.mayDiffer(direct) { return nil }
        guard let stops = stretch.stops(), stops.count > 1 else { return nil }
        (self.source, self.destination, self.stops) = (source, destination, stops)
    }

    var finding: MigrationFinding {
        let way = stops.dropLast().map(\.name).joined(separator: ", ")
        guard let direct else {
            return MigrationFinding(
                .note, "versions-lead-there",
                message: "the app's one step from \(source.name) to \(destination.name) cannot be inferred, and steps "
                    + "through \(way) can; --chain versions goes that way")
        }
        let kept = kept(direct)
        let difference =
            kept.isEmpty
            ? "some objects would get other values or links through \(way)"
            : "going through \(way) would keep \(kept.joined(separator: ", "))"
        return MigrationFinding(
            .note, "versions-keep-more",
            message: "one inferred step is what the app itself does; \(difference), and --chain versions goes that way",
            count: kept.isEmpty ? nil : Int64(kept.count))
    }

    /// Returns the entities and properties of the source that the way and the single step place differently: `Entity`
    /// or `Entity.property`.
    private func kept(_ direct: ModelCorrespondence) -> [String] {
        var way: [ModelCorrespondence] = []
        var start = source
        for stop in stops {
            way.append(ModelCorrespondence(source: start.model, destination: stop.model))
            start = stop
        }
        var result: [String] = []
        for entity in source.model.entities {
            var slots: [Int?] = [entity.slot]
            for step in way { slots.append(slots[slots.count - 1].flatMap { step.destinationSlot[$0] }) }
            guard let last = slots[slots.count - 1] else { continue }
            if direct.destinationSlot[entity.slot] != last {
                if !entity.isAbstract { result.append(entity.name) }
                continue
            }
            func isKept(_ name: String, _ next: (ModelCorrespondence, String, Int) -> String?) -> Bool {
                var current: String? = name
                for (step, slot) in zip(way, slots) {
                    current = current.flatMap { name in slot.flatMap { next(step, name, $0) } }
                }
                return current != nil && next(direct, name, entity.slot) != current
            }
            result += entity.declaredAttributes.filter(\.isStored).map(\.name).filter {
                isKept($0) { $0.destinationAttribute(for: $1, in: $2)?.name }
            }.map { "\(entity.name).\($0)" }
            result += entity.declaredRelationships.filter(\.isStored).map(\.name).filter {
                isKept($0) { $0.destinationRelationship(for: $1, in: $2)?.name }
            }.map { "\(entity.name).\($0)" }
        }
        return result
    }

    /// Returns whether the source stores data that have no place in the destination, or objects get new values.
    private static func mayDiffer(_ direct: ModelCorrespondence) -> Bool {
        direct.source.entities.contains { entity in
            guard let slot = direct.destinationSlot[entity.slot] else { return true }
            let heir = direct.destination.entities[slot]
            return entity.attributes.contains {
                $0.isStored && direct.destinationAttribute(for: $0.name, in: entity.slot) == nil
            }
                || entity.relationships.contains {
                    $0.isStored && direct.destinationRelationship(for: $0.name, in: entity.slot) == nil
                }
                || heir.attributes.contains {
                    $0.isStored && $0.description.defaultForMigration != nil
                        && direct.sourceAttribute(for: $0.name, in: slot)?.isOptional ?? true
                }
                || heir.relationships.contains {
                    $0.isStored && direct.sourceRelationship(for: $0.name, in: slot) == nil
                }
        }
    }
}
