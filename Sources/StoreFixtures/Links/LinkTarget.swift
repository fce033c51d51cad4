import PersistentStores

/// The target of a link: the number of an object in its population, and the link's position among those that lead to
/// it.
struct LinkTarget: Sendable, Hashable {
    let number: Int
    let place: Int

    /// The order key for the position.
    var orderKey: Int64 { OrderKeys.key(at: Int64(place)) }
}
