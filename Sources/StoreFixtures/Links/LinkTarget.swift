import PersistentStores

/// Where a link leads: the number of an object in its population, and the link's place among those that lead there.
struct LinkTarget: Sendable, Hashable {
    let number: Int
    let place: Int

    /// The order key of the place.
    var orderKey: Int64 { OrderKeys.key(at: Int64(place)) }
}
