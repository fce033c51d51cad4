/// Information that the sources lack, or for which no rule is known.
struct SwiftDataProblem: Sendable, Hashable {
    let message: String
    var entity: String?
    var property: String?
    let place: SwiftPlace
}
