/// What is wrong with a mapping model for two models.
public struct MappingModelProblem: Sendable, Hashable {
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case unknownEntity, unknownProperty, unknownMapping, unknownKeyPath, typeMismatch, requiredNotFilled,
            hashMismatch
        case abstractDestination, duplicate, notMapped, misplaced
    }

    public let kind: Kind
    public let place: MappingModelPlace

    /// Whether the mapping can be run all the same.
    public let isWarning: Bool

    public let sentence: String

    init(_ kind: Kind, _ sentence: String, at place: MappingModelPlace, isWarning: Bool = false) {
        self.kind = kind
        self.place = place
        self.isWarning = isWarning
        self.sentence = sentence
    }
}
