/// What a form of mapping models cannot hold.
public struct MappingModelWritingError: Error, Equatable, Sendable, CustomStringConvertible {
    public let place: MappingModelPlace
    public let problem: String

    public init(_ problem: String, at place: MappingModelPlace) {
        self.place = place
        self.problem = problem
    }

    public var description: String { place.words + problem }
}
