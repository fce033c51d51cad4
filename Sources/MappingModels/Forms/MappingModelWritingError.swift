/// A part of a mapping model that a form cannot represent.
public struct MappingModelWritingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The part that the form cannot represent.
    public let place: MappingModelPlace
    /// What is wrong, as a clause.
    public let problem: String

    /// Makes an error about a part.
    public init(_ problem: String, at place: MappingModelPlace) {
        self.place = place
        self.problem = problem
    }

    public var description: String { place.words + problem }
}
