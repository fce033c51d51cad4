/// The rows of a store, as far as they were counted.
struct RowCounts {
    /// By source slot.
    var byEntity: [Int: Int64] = [:]
    /// The source objects of each entity mapping that makes new ones, by its name.
    var byMapping: [String: Int64] = [:]
    /// Rows that go into a destination table.
    var byTable: [String: Int64] = [:]
    /// Rows of a source table with several entities that belong to no entity, by the root's slot.
    var strangers: [Int: Int64] = [:]
}
