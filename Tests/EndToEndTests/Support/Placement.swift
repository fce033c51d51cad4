/// Where a migration of the tests puts its result.
enum Placement: String, CaseIterable, Sendable {
    case output, replace, inPlace
}
