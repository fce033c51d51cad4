/// An entity of the source, and the entity of the destination to which its objects are copied, by slot.
struct EntityPair: Sendable, Hashable {
    let source: Int
    let destination: Int
}
