internal import ManagedObjectModels
internal import MappingModels

/// Two versions in the form for rules about changes; the lines of findings are those of the newer version.
struct LintChange {
    let source: LintSubject
    let destination: LintSubject
    let correspondence: ModelCorrespondence
    let difference: ModelDifference
    let failures: [InferenceFailure]
    let sourceHashes: [String: [UInt8]]
    let destinationHashes: [String: [UInt8]]

    /// Whether Core Data treats both as the same version.
    let haveEqualHashes: Bool

    init(from source: LintSubject, to destination: LintSubject) {
        self.source = source
        self.destination = destination
        correspondence = ModelCorrespondence(source: source.model, destination: destination.model)
        sourceHashes = ModelHashes.hashes(of: source.model).mapValues(\.bytes)
        destinationHashes = ModelHashes.hashes(of: destination.model).mapValues(\.bytes)
        haveEqualHashes = sourceHashes == destinationHashes
        difference = ModelDifference(
            correspondence, sourceHashes: sourceHashes, destinationHashes: destinationHashes)
        failures =
            InferredMapping(
                correspondence, sourceHashes: sourceHashes, destinationHashes: destinationHashes
            ).failures
    }

    /// Returns a finding about an entity or a property; for a removed one, on the line of the enclosing part that still
    /// exists.
    func finding(_ code: LintCode, entity: String?, property: String? = nil, _ message: String) -> LintFinding {
        let lines = destination.document.lines
        var elements: [ModelElement] = [.model]
        if let entity { elements.insert(.entity(entity), at: 0) }
        if let entity, let property { elements.insert(.property(property, entity: entity), at: 0) }
        let element = elements.first { lines[$0] != nil }
        return LintFinding(
            code, version: destination.name, entity: entity, property: property,
            file: element.flatMap { destination.document.files[$0] } ?? destination.file,
            line: element.flatMap { lines[$0] }, message: message)
    }
}
