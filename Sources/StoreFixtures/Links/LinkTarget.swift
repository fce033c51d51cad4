/// Where a link leads: the number of an object in its population, and the link's place among those that lead there.
struct LinkTarget: Sendable, Hashable {
    let number: Int
    let place: Int

    /// The order key of the place (docs/format/sqlite-store.md#order-keys).
    var orderKey: Int64 { 2048 + 1024 * Int64(place) }
}
