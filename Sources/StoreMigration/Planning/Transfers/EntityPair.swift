/// An entity of the source and the one of the destination that takes its objects over, by slot.
struct EntityPair: Sendable, Hashable {
    let source: Int
    let destination: Int
}
