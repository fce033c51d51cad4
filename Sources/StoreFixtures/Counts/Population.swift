/// The objects of an entity and its subentities, which are consecutive in the table of their hierarchy.
struct Population: Sendable, Hashable {
    /// The number of the first object in the table, from 0.
    let first: Int
    let count: Int

    /// Returns the primary key of an object by its number in the population.
    func primaryKey(_ number: Int) -> Int64 { Int64(first + number + 1) }
}
