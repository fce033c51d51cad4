import PersistentStores

/// How one destination join table is filled.
struct JoinTransfer: Sendable {
    let table: JoinTable

    /// The SELECTs whose rows are owner key, destination key, inverse's order key, order key; usually one, none if new.
    let selections: [LinkSelection]

    /// The source table, where the transfer only renames it and its columns.
    let renamedFrom: JoinTable?

    /// Whether order keys are counted when all links are there; until then they are places among those of one source.
    var countsLater = false
}

/// The links of one source relationship as SQL, for the rows of a destination join table.
struct LinkSelection: Sendable {
    /// `FROM` and everything behind it; the first table is called `l`.
    let from: String
    let owner: String
    let destination: String
    /// The order key of the destination among the owner's; nil to count it.
    let order: String?
    /// The order key of the owner among the destination's; nil to count it.
    let inverseOrder: String?
    /// What the transfer reports: the source relationship.
    let description: String
}
