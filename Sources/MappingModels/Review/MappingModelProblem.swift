/// A problem of a mapping model for two models.
public struct MappingModelProblem: Sendable, Hashable {
    /// The kinds of problems.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// An unknown name, a value of the wrong type, a required property without a value, or a hash of another model.
        case unknownEntity, unknownProperty, unknownMapping, unknownKeyPath, typeMismatch, requiredNotFilled,
            hashMismatch
        /// Objects of an abstract entity, a duplicate, an entity without a mapping, or a part where it has no effect.
        case abstractDestination, duplicate, notMapped, misplaced
    }

    /// The kind of the problem.
    public let kind: Kind
    /// The part of the mapping model that it is about.
    public let place: MappingModelPlace

    /// Whether the mapping can nevertheless be run.
    public let isWarning: Bool

    /// The problem, as a sentence.
    public let sentence: String

    init(_ kind: Kind, _ sentence: String, at place: MappingModelPlace, isWarning: Bool = false) {
        self.kind = kind
        self.place = place
        self.isWarning = isWarning
        self.sentence = sentence
    }
}
