/// What the sources do not tell, or what no rule is known for.
struct SwiftDataProblem: Sendable, Hashable {
    let message: String
    var entity: String?
    var property: String?
    let place: SwiftPlace
}
