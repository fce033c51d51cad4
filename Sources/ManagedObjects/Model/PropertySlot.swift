/// A property, by its index among those of its kind in an `EntityShape`.
enum PropertySlot: Hashable, Sendable {
    case attribute(Int)
    case toOne(Int)
    case toMany(Int)
    case fetched(Int)
}
