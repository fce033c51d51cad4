import PersistentStores

/// How a destination join table is filled.
struct JoinTransfer: Sendable {
    let table: JoinTable

    /// The SELECTs of owner key, destination key, inverse's order key and order key; usually one, or none for a new
    /// relationship.
    let selections: [LinkSelection]

    /// The source table, if the transfer only renames the table and its columns.
    let renamedFrom: JoinTable?

    /// Whether order keys are counted after all links have been added; until then, they are places among the links of
    /// one source.
    var countsLater = false
}

/// The links of a source relationship as SQL, for the rows of a destination join table.
struct LinkSelection: Sendable {
    /// `FROM` and everything after it; the first table is called `l`.
    let from: String
    let owner: String
    let destination: String
    /// The order key of the destination among the owner's destinations; nil to count it.
    let order: String?
    /// The order key of the owner among the destination's owners; nil to count it.
    let inverseOrder: String?
    /// The source relationship, for reports.
    let description: String
}
