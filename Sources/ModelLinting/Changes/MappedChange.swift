internal import DocumentReading
internal import ManagedObjectModels
internal import MappingModels

/// A step between two versions by a mapping model instead of inference.
final class MappedChange {
    let change: LintChange
    let document: MappingModelDocument
    /// The completed mapping model.
    let mapping: MappingModel
    let coverage: MappingCoverage
    private let problems: [MappingModelProblem]

    init(_ change: LintChange, by document: MappingModelDocument) {
        self.change = change
        self.document = document
        let (source, destination) = (change.source.model, change.destination.model)
        mapping = MappingCompletion(
            source: source, destination: destination, sourceHashes: change.sourceHashes,
            destinationHashes: change.destinationHashes
        ).completed(document.model)
        problems =
            MappingModelReview(
                mapping, source: source, destination: destination, sourceHashes: change.sourceHashes,
                destinationHashes: change.destinationHashes
            ).problems
        coverage = MappingCoverage(mapping, source: source, destination: destination)
    }

    /// Returns the findings of an inferred step that still apply, and those about the mapping model.
    func findings(_ inferred: [LintFinding]) -> [LintFinding] {
        let remaining = inferred.filter { !isSettled($0) }
        // Inference keeps these objects; the mapping model drops them.
        let left = change.source.model.entities.filter { entity in
            !entity.isAbstract && !coverage.takesUp(entity.name)
                && !remaining.contains { $0.code == .lostData && $0.entity == entity.name && $0.property == nil }
        }
        let dropped = drops.filter { drop in
            // The properties that an invalid expression was to read are unknown.
            !problems.contains { !$0.isWarning && drop.property != nil && $0.place.property == drop.property }
                && !remaining.contains {
                    $0.code == .lostData && $0.entity == drop.entity && $0.property == drop.property
                }
        }
        return remaining + dropped
            + left.map { entity in
                LintFinding(
                    .lostData, version: change.destination.name, entity: entity.name, file: document.name, line: nil,
                    message: "no entity mapping leads from it, and its objects are dropped")
            }
            + problems.filter { !$0.isWarning }.map { problem in
                let location = document.location(of: problem.place)
                let names = [problem.place.entityMapping, problem.place.property].compactMap(\.self)
                let subject = names.isEmpty ? "" : names.joined(separator: ".") + ": "
                return LintFinding(
                    .unsoundMapping, version: change.destination.name, file: location.file,
                    line: location.line, message: subject + problem.sentence)
            }
    }

    private func isSettled(_ finding: LintFinding) -> Bool {
        switch (finding.code, finding.entity, finding.property) {
        // The mapping model handles changes that inference cannot.
        case (.notInferable, _, _): true
        case (.dataDependent, let entity?, let property?), (.tightenedRule, let entity?, let property?):
            coverage.computes(property, of: entity)
        case (.lostData, let entity?, nil): coverage.takesUp(entity)
        case (.lostData, let entity?, let property?): isKept(property, of: entity)
        case (.possibleRename, let entity?, nil): coverage.makes(entity)
        case (.possibleRename, let entity?, let property?): coverage.fills(property, of: entity)
        default: false
        }
    }

    /// Returns whether the mapping uses the values of a removed or replaced property.
    private func isKept(_ property: String, of entity: String) -> Bool {
        guard let slot = change.destination.model.slot(named: entity) else { return false }
        let entityNow = change.destination.model.entities[slot]
        if entityNow.attribute(named: property) != nil || entityNow.relationship(named: property) != nil {
            return coverage.computes(property, of: entity)
        }
        let former = change.correspondence.sourceEntity(of: slot)
        return coverage.reads(property, of: former?.name ?? entity)
    }
}
