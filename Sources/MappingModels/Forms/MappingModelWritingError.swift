/// What a form of mapping models cannot hold.
public struct MappingModelWritingError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The part that the form cannot hold.
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
